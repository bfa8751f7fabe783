"""Kernels from any level of their compilation: loaded, resumed between passes, dissected, launched, measured.

    from triton_spec.runner import load
    kernel = load("matmul.ttgir")
    kernel[(64, 64)](a, b, c, 4096)

Needs triton, but no GPU to compile and no torch. See docs/reference/runner.md.
"""

from .errors import (ArchError, CompileAborted, CompileFailed, CorruptBinary, LaunchFailed, MissingMetadata,
                     NotAResumePoint, RunnerError, SignatureMismatch, StaleMetadata, UnknownPass)

# What is imported when it is first asked for: these need triton, and the errors do not.
_LAZY = {
    "Kernel": "kernel", "load": "kernel", "save": "kernel", "seal": "meta", "levels": "source",
    "plan": "source", "snapshot": "control", "resume": "control", "compile_to": "control",
    "ablate": "control", "bisect": "control", "split": "control",
    "jit": "decorator", "bench": "measure", "diff": "compare", "page": "life",
}

__all__ = ["ArchError", "CompileAborted", "CompileFailed", "CorruptBinary", "LaunchFailed", "MissingMetadata",
           "NotAResumePoint", "RunnerError", "SignatureMismatch", "StaleMetadata", "UnknownPass", *_LAZY]


def __getattr__(name):
    if name not in _LAZY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import importlib
    value = getattr(importlib.import_module(f"{__name__}.{_LAZY[name]}"), name)
    globals()[name] = value
    return value
