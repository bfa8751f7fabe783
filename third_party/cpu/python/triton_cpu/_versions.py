"""What Triton's versions 3.6 to 3.9 do differently, in one place."""

import abc
import inspect
import sys

from triton._C.libtriton import ir, passes

# What other processors' kernels may be told, and means nothing here.
IGNORED_OPTIONS = {"maxnreg": None, "cluster_dims": (1, 1, 1), "launch_pdl": False, "ptx_version": None,
                   "instrumentation_mode": "", "fpsan_homomorphic_casts": False, "ir_override": None,
                   "enable_reflect_ftz": True}


def run_passes(module, names):
    """Runs passes of Triton's over the module. A name is group.pass; what a version lacks is left out
    only if it is marked by a leading '?'."""
    manager = ir.pass_manager(module.context)
    for name in names:
        group, _, function = name.lstrip("?").partition(".")
        add = getattr(getattr(passes, group), "add_" + function, None)
        if add is not None:
            add(manager)
        elif not name.startswith("?"):
            raise RuntimeError(f"this triton has no pass {name}, which the cpu backend needs: it knows 3.6 to 3.9")
    documented = ir.pass_manager.run.__doc__ or ""
    manager.run(module, *(["triton_cpu"] if "arg2" in documented or "str" in documented else []))


def chooses_by_name():
    """Whether Triton asks TRITON_DEFAULT_BACKEND which of several active devices it is to take, as 3.9 does."""
    module = sys.modules.get("triton.runtime.driver")
    return module is None or "TRITON_DEFAULT_BACKEND" in module._create_driver.__code__.co_consts


def decompose_descriptor():
    """The function that gives a descriptor's parts in the order of a kernel's parameters."""
    from triton.backends import driver
    known = getattr(driver, "decompose_descriptor", None)
    return known if known is not None else _decompose


def _decompose(descriptor):
    """As Triton before 3.9 flattens a descriptor."""
    parts = [descriptor.base, *descriptor.shape, *descriptor.strides, descriptor.padding == "nan"]
    if hasattr(descriptor, "round_f32_to_tf32"):
        parts.append(descriptor.round_f32_to_tf32)
    return [*parts, *descriptor.shape, *descriptor.strides]


def complete(cls):
    """Gives a class that Triton must be able to instantiate the methods that a newer Triton wants of it
    and this package does not know, so that `import triton` works; each raises when it is called."""
    for name in getattr(cls, "__abstractmethods__", ()):
        def missing(self, *args, name=name, **kwargs):
            raise NotImplementedError(f"this triton calls {cls.__name__}.{name}, which this version of "
                                      "triton-cpu-backend does not know: it is made for Triton 3.6 to 3.9")
        setattr(cls, name, missing)
    abc.update_abstractmethods(cls)
    assert not inspect.isabstract(cls)
    return cls
