"""The sum of two vectors of any length: one program adds one block."""

import numpy
import triton
import triton.language as tl
from triton_cpu import array

from checking import check, random


@triton.jit
def add_vectors(left, right, out, length, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < length
    total = tl.load(left + at, mask=inside) + tl.load(right + at, mask=inside)
    tl.store(out + at, total, mask=inside)


def add(left, right, block=1024):
    out = numpy.empty_like(left)
    grid = (triton.cdiv(left.size, block), )
    add_vectors[grid](array(left), array(right), array(out), left.size, BLOCK=block)
    return out


def main():
    for length in (98432, 1, 1023):
        both = random(2, length)
        check("vector add", add(*both), both[0] + both[1], allowed=0)


if __name__ == "__main__":
    main()
