"""Kernels that show what the overlay acme_wheel changes."""

import triton
import triton.language as tl


@triton.jit
def logistic(x, BLOCK: tl.constexpr):
    at = x + tl.arange(0, BLOCK)
    tl.store(at, tl.sigmoid(tl.load(at)))


@triton.jit
def waiting(x, BLOCK: tl.constexpr):
    at = x + tl.arange(0, BLOCK)
    tl.store(at, 1.0)
    pass
    tl.store(at, 2.0)


@triton.jit
def lanes(x, BLOCK: tl.constexpr):
    at = x + tl.arange(0, BLOCK)
    tl.store(at, tl.load(at).acme_lanes)
