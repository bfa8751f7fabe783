"""What the examples share: the device they run on, and how a result is held against numpy's."""

import os
import sys

import numpy

# Triton asks for this when it first launches a kernel. Another backend that takes CPU arrays will do.
os.environ.setdefault("TRITON_DEFAULT_BACKEND", "cpu")

SEED = 20


def random(*shape, dtype=numpy.float32):
    """Normally distributed numbers, the same in each run."""
    return numpy.random.default_rng(SEED).standard_normal(shape).astype(dtype)


def check(what, result, expected, allowed):
    """Prints how far a result is from what is expected, relative to the largest number of that (absolute, where
    that is below 1). Ends the program with status 1 where it is more than `allowed`, or not a number."""
    result, expected = result.astype(numpy.float64), expected.astype(numpy.float64)
    error = numpy.abs(result - expected).max() / max(1.0, numpy.abs(expected).max())
    fits = result.shape == expected.shape and error <= allowed  # false for a NaN
    print(f"{what}: {'x'.join(map(str, result.shape))}, error {error:.1e} of {allowed:.1e} allowed"
          f"{'' if fits else ': WRONG'}")
    if not fits:
        sys.exit(1)
