"""A language and compiler for tile-level programs."""

from ._C import libtriton

__version__ = libtriton.__version__

# The order matters: the compiler needs the language, the runtime needs the compiler.
from . import language
from .errors import TritonError
from .compiler import CompilationError, CompiledKernel, compile
from .runtime import JITFunction, KernelInterface, jit
from . import testing
from ._utils import cdiv, next_power_of_2

__all__ = [
    "CompilationError",
    "CompiledKernel",
    "JITFunction",
    "KernelInterface",
    "TritonError",
    "cdiv",
    "compile",
    "jit",
    "language",
    "next_power_of_2",
    "testing",
]
