"""Errors in a kernel."""

from ..errors import TritonError


class CompilationError(TritonError):
    """A kernel cannot be compiled: names the kernel and says why."""

    def __init__(self, kernel, reason):
        super().__init__(f"kernel '{kernel}': {reason}")
        self.kernel = kernel
