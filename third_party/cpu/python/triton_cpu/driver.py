"""What Triton calls to run kernels: which device this is, loading, launching, timing."""

import functools
import os
import sys

from triton.backends.compiler import GPUTarget
from triton.backends.driver import DriverBase

from . import _versions
from ._device import DeviceInterface, clear_cache, empty_cache


def _threads(metadata):
    """Threads of a launch at most; 0 are as many as there are processors."""
    wanted = getattr(metadata, "num_cpu_threads", 0)
    if wanted > 0:
        return wanted
    named = os.environ.get("TTCPU_THREADS", "") or "0"
    if not named.isdecimal():
        raise ValueError(f"TTCPU_THREADS is {named!r}: it must be a number of threads")
    return int(named)


def make_launcher(source, metadata):
    """The object that Triton calls for each launch of a compiled kernel."""
    from . import _ttcpu
    names = getattr(getattr(source, "fn", None), "arg_names", None)
    signature = tuple((names[key] if names and isinstance(key, int) else key, kind)
                      for key, kind in source.signature.items())
    apart = getattr(metadata, "launch_cooperative_grid", False) or getattr(metadata, "num_cpu_threads", 0) == -1
    # What this process printed by then comes before what the kernel prints.
    before = (lambda: sys.stdout.flush()) if getattr(metadata, "prints", False) else None
    return _ttcpu.Launcher(signature, threads=_threads(metadata), cooperative=apart, before=before,
                           decompose=_versions.decompose_descriptor())


class CPUUtils:
    """What Triton calls to load a kernel and to learn of the device."""

    @staticmethod
    def load_binary(name, kernel, shared, device):
        """(module, function, registers, spills, most threads); the first two are the loaded kernel."""
        from . import _ttcpu
        loaded = _ttcpu.load(kernel, _folder())
        return loaded, loaded, 0, 0, 1 << 30

    @staticmethod
    def unload_module(module):
        """A kernel is unloaded when nobody has it any more, so that a launch on another thread ends well."""

    @staticmethod
    def get_device_properties(device):
        from . import _ttcpu
        return {"max_shared_mem": 1 << 30, "multiprocessor_count": _ttcpu.processor_count(), "max_num_regs": 1 << 20,
                "warpSize": 1, "sm_clock_rate": 0, "mem_clock_rate": 0, "mem_bus_width": 0}


def _folder():
    """Where a kernel's file may be for a moment: Triton's own cache, or where temporary files go."""
    import tempfile
    from triton import knobs
    for folder in (knobs.cache.dir, tempfile.gettempdir()):
        try:
            os.makedirs(folder, exist_ok=True)
        except OSError:
            continue
        if os.access(folder, os.W_OK | os.X_OK):
            return folder
    raise OSError(f"neither Triton's cache {knobs.cache.dir} nor {tempfile.gettempdir()} can be written: set "
                  "TRITON_CACHE_DIR to a folder that can")


def _others_are_active():
    """Whether a backend for another device is active."""
    from triton.backends import backends
    return any(backend.driver is not CPUDriver and not getattr(backend.driver, "gives_way", False)
               and backend.driver.is_active() for backend in backends.values())


class CPUDriver(DriverBase):
    """The processor as Triton's device. gives_way: it is active only where no other device is."""

    gives_way = True
    launcher_cls = staticmethod(make_launcher)

    def __init__(self):
        super().__init__()
        from .compiler import _extension
        _extension()  # a missing one is told here, before any kernel
        self.utils = CPUUtils()

    @classmethod
    def is_active(cls):
        named = os.environ.get("TRITON_DEFAULT_BACKEND")
        if not named:
            return not _others_are_active()
        if named == "cpu" and not _versions.chooses_by_name() and _others_are_active():
            raise RuntimeError("this triton does not read TRITON_DEFAULT_BACKEND, and another device is active: hide that, as "
                               "CUDA_VISIBLE_DEVICES= does, or call "
                               "triton.runtime.driver.set_active(triton_cpu.driver.CPUDriver())")
        return named == "cpu"

    def map_python_to_cpp_type(self, ty):
        return "void*" if ty.startswith("*") else _CPP[ty]

    def get_current_target(self):
        return GPUTarget("cpu", "host", 1)

    def get_active_torch_device(self):
        import torch
        return torch.device("cpu")

    def get_benchmarker(self):
        from triton.testing import do_bench
        return do_bench

    def get_device_interface(self):
        return DeviceInterface

    def get_empty_cache_for_benchmark(self):
        return empty_cache()

    def clear_cache(self, cache):
        clear_cache(cache)

    def get_current_device(self):
        return 0

    def set_current_device(self, device):
        if device not in (0, "cpu"):
            raise ValueError(f"there is no device {device!r}: the cpu backend has device 0 alone")

    def get_current_stream(self, device=None):
        return 0

    def get_device_capability(self, device=None):
        return (0, 0)

    def assemble_tensormap_to_arg(self, tensormaps_info, args):
        return args

    def allocate_default_profile_scratch(self, size, alignment, stream):
        return bytearray(size)


_CPP = {"i1": "int8_t", "u1": "uint8_t", **{f"i{bits}": f"int{bits}_t" for bits in (8, 16, 32, 64)},
        **{f"u{bits}": f"uint{bits}_t" for bits in (8, 16, 32, 64)},
        "fp16": "double", "bf16": "double", "fp32": "double", "f32": "double", "fp64": "double"}

_versions.complete(CPUDriver)
