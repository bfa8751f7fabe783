"""Binaries on their device: NVIDIA's driver, and libraries of the cpu backend with the ABI of rt/ttabi.h.

All but a launch is done here, by ctypes; a launch is the extension's.
"""

import ctypes
import functools
import os
import sys
import weakref

import _ctypes

from . import _launch
from .errors import LaunchFailed

# Attributes of NVIDIA's driver: of a function, of a device.
_MOST_THREADS, _LOCAL_BYTES, _REGISTERS, _DYNAMIC_SHARED = 0, 3, 4, 8
_CLOCK_KHZ, _L2_BYTES, _MAJOR, _MINOR, _MOST_SHARED = 13, 38, 75, 76, 97
_SHARED_BY_DEFAULT = 48 * 1024


@functools.cache
def _driver():
    try:
        return ctypes.CDLL("libcuda.so.1")
    except OSError as error:
        raise LaunchFailed(f"no CUDA driver: {error}") from error


def _call(name, *arguments):
    """Calls a function of the driver. Raises LaunchFailed with the driver's reason."""
    code = getattr(_driver(), name)(*arguments)
    if code != 0:
        text = ctypes.c_char_p()
        _driver().cuGetErrorString(code, ctypes.byref(text))
        raise LaunchFailed(f"{name}: {(text.value or b'unknown error').decode()} (CUDA error {code})")


def _number(name, *arguments):
    """The int that a function of the driver gives by its first argument."""
    found = ctypes.c_int()
    _call(name, ctypes.byref(found), *arguments)
    return found.value


def _make_current():
    """Starts the driver; the context is the thread's own, else the primary one of the first device."""
    context = ctypes.c_void_p()
    _call("cuInit", 0)
    _call("cuCtxGetCurrent", ctypes.byref(context))
    if not context:
        _call("cuDevicePrimaryCtxRetain", ctypes.byref(context), 0)
        _call("cuCtxSetCurrent", context)


def cuda_device():
    """{ordinal, arch, shared, l2 (bytes), khz} of the current device. Raises LaunchFailed."""
    _make_current()
    ordinal = _number("cuCtxGetDevice")

    def attribute(which):
        return _number("cuDeviceGetAttribute", which, ordinal)
    return {"ordinal": ordinal, "arch": 10 * attribute(_MAJOR) + attribute(_MINOR), "shared": attribute(_MOST_SHARED),
            "l2": attribute(_L2_BYTES), "khz": attribute(_CLOCK_KHZ)}


def cuda_synchronize():
    """Waits for the device. Raises LaunchFailed where a kernel failed."""
    _make_current()
    _call("cuCtxSynchronize")


def _unload(module, process):
    if os.getpid() == process:  # a forked child must leave it alone
        _driver().cuModuleUnload(module)  # its failure: the context is gone, and the module with it


def cuda_load(owner, binary, name, shared):
    """Loads a cubin onto the current device for as long as `owner` lives.

    shared: bytes of a block's dynamic shared memory. ({"function", "driver"} for _launch.Launcher, registers of a
    thread, its bytes of local memory, most threads of a block.) Raises LaunchFailed.
    """
    _make_current()
    module, function = ctypes.c_void_p(), ctypes.c_void_p()
    _call("cuModuleLoadData", ctypes.byref(module), binary)
    weakref.finalize(owner, _unload, module, os.getpid()).atexit = False
    _call("cuModuleGetFunction", ctypes.byref(function), module, name.encode())
    if shared > _SHARED_BY_DEFAULT:
        _call("cuFuncSetAttribute", function, _DYNAMIC_SHARED, shared)
    of_launch = (_driver().cuLaunchKernel, _driver().cuPointerGetAttribute, _driver().cuGetErrorString)
    addresses = tuple(ctypes.cast(call, ctypes.c_void_p).value for call in of_launch)
    told = (_number("cuFuncGetAttribute", which, function) for which in (_REGISTERS, _LOCAL_BYTES, _MOST_THREADS))
    return {"function": function.value, "driver": addresses}, *told


def current_stream_getter():
    """torch's function for the current stream of a device, where torch is in use; None: the default stream."""
    torch = sys.modules.get("torch")
    return getattr(getattr(torch, "_C", None), "_cuda_getCurrentRawStream", None)


def host_load(owner, path):
    """Loads a library of the cpu backend for as long as `owner` lives; {"function", "driver"} for _launch.Launcher.

    Raises LaunchFailed for a library with another ABI, or none.
    """
    try:
        library = ctypes.CDLL(os.fspath(path), os.RTLD_NOW)
        abi = ctypes.c_uint32.in_dll(library, "ttcpu_kernel")  # what begins with it
    except (OSError, ValueError) as error:
        raise LaunchFailed(f"no kernel: {error}", path) from error
    weakref.finalize(owner, _ctypes.dlclose, library._handle).atexit = False
    if abi.value != _launch.HOST_ABI:
        raise LaunchFailed(f"the kernel has ABI {abi.value}, this launcher {_launch.HOST_ABI}", path)
    return {"function": ctypes.addressof(abi), "driver": (0, 0, 0)}
