"""a * x + y on @name@: python kernels/saxpy.py"""

import array
import os

os.environ.setdefault("TRITON_DEFAULT_BACKEND", "@name@")

import triton
import triton.language as tl
import triton.testing
from triton_cpu import array as on_device


@triton.jit
def saxpy(a, x, y, out, length, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < length
    value = a * tl.load(x + at, mask=inside) + tl.load(y + at, mask=inside)
    tl.store(out + at, value, mask=inside)


def run(a, x, y, block=256):
    """(the compiled kernel, a * x + y); x and y are arrays of floats."""
    out = array.array("f", bytes(4 * len(x)))
    # spec/triton/testing.py defines it; without the overlay there is none.
    overlaid = hasattr(triton.testing, "grid_of")
    grid = triton.testing.grid_of(len(x), block) if overlaid else (triton.cdiv(len(x), block), )
    kernel = saxpy[grid](a, on_device(x), on_device(y), on_device(out), len(x), BLOCK=block)
    return kernel, out


def main():
    x, y = array.array("f", range(1000)), array.array("f", [0.5] * 1000)
    kernel, out = run(2.0, x, y)
    assert all(out[i] == 2 * x[i] + y[i] for i in range(1000)), "wrong result"
    target = kernel.metadata.target
    overlay = "with" if hasattr(triton.testing, "grid_of") else "without"
    print(f"saxpy of 1000 on {target.backend} ({target.arch}), {overlay} the overlay: right")


if __name__ == "__main__":
    main()
