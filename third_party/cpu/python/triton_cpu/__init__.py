"""Triton's device backend cpu: kernels compiled to C and run on the processor's threads.

Triton finds it by its entry point and uses `triton_cpu.compiler` and `triton_cpu.driver`. For users:

    array(object)   an array of numpy's, or anything with a buffer, as a kernel's argument

Nothing here needs torch or numpy.
"""

from ._array import Array, array

__version__ = "0.1.0"
__all__ = ["Array", "array"]
