"""From a decorated function to a compiled kernel."""

from .jit import JITFunction, KernelInterface, jit

__all__ = ["JITFunction", "KernelInterface", "jit"]
