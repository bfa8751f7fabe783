"""From a kernel to code."""

from .compiler import CompiledKernel, compile
from .errors import CompilationError

__all__ = ["CompilationError", "CompiledKernel", "compile"]
