"""The decorator of kernels."""

import functools
import hashlib
import inspect

from ..compiler import compile
from ..compiler.code_generator import generate
from .cache import triton_key


class KernelInterface:
    """What can be compiled."""

    def __init__(self, function):
        self.function = function
        functools.update_wrapper(self, function)

    def warmup(self, num_warps=4, **arguments):
        """Compile for arguments: a str is the type of one, anything else the value of a constexpr."""
        raise NotImplementedError


class JITFunction(KernelInterface):
    """A kernel: traced and compiled once for each combination of arguments."""

    def __init__(self, function):
        super().__init__(function)
        self.kernels = {}

    @functools.cached_property
    def cache_key(self):
        """Digest of the kernel's source and of the compiler."""
        return hashlib.sha256((inspect.getsource(self.function) + triton_key()).encode()).hexdigest()

    def warmup(self, num_warps=4, **arguments):
        key = (num_warps, *sorted(arguments.items()))
        if key not in self.kernels:
            self.kernels[key] = self._compile(num_warps, arguments)
        return self.kernels[key]

    def _compile(self, num_warps, arguments):
        signature = {name: value for name, value in arguments.items() if isinstance(value, str)}
        constants = {name: value for name, value in arguments.items() if not isinstance(value, str)}
        return compile(generate(self.function, signature, constants), self.__name__, num_warps)

    def __call__(self, *args, **kwargs):
        return self.function(*args, **kwargs)


def jit(function):
    """Make a kernel of a function."""
    return JITFunction(function)
