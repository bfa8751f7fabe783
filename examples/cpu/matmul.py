"""The product of two matrices of any size and stride, with what follows it fused: bias and a ramp (ReLU)."""

import numpy
import triton
import triton.language as tl
from triton_cpu import array

from checking import check, random


@triton.jit
def tile_at(base, row, column, rows, columns, row_stride, column_stride):
    """A tile of a matrix; 0 outside of it."""
    inside = (row < rows)[:, None] & (column < columns)[None, :]
    return tl.load(base + row[:, None] * row_stride + column[None, :] * column_stride, mask=inside, other=0.0)


@triton.jit
def multiply(left, right, bias, out, rows, columns, depth, left_row, left_column, right_row, right_column,
             RAMP: tl.constexpr, ROWS: tl.constexpr, COLUMNS: tl.constexpr, DEPTH: tl.constexpr,
             BAND: tl.constexpr):
    # Programs that run at about the same time share a band of tile rows, so that what they read stays in the cache.
    tile_row, tile_column = tl.swizzle2d(tl.program_id(0), tl.program_id(1), tl.num_programs(0), tl.num_programs(1),
                                         BAND)
    row = tile_row * ROWS + tl.arange(0, ROWS)
    column = tile_column * COLUMNS + tl.arange(0, COLUMNS)
    total = tl.zeros((ROWS, COLUMNS), dtype=tl.float32)
    for begin in range(0, depth, DEPTH):
        inner = begin + tl.arange(0, DEPTH)
        a = tile_at(left, row, inner, rows, depth, left_row, left_column)
        b = tile_at(right, inner, column, depth, columns, right_row, right_column)
        total = tl.dot(a, b, total)
    total += tl.load(bias + column, mask=column < columns, other=0.0)[None, :]
    if RAMP:
        total = tl.maximum(total, 0.0)
    inside = (row < rows)[:, None] & (column < columns)[None, :]
    tl.store(out + row[:, None] * columns + column[None, :], total.to(out.dtype.element_ty), mask=inside)


def linear(left, right, bias, ramp=True):
    """max(left @ right + bias, 0), or without the ramp; the result has the type of `left`."""
    (rows, depth), columns = left.shape, right.shape[1]
    out = numpy.empty((rows, columns), left.dtype)
    strides = [step // matrix.itemsize for matrix in (left, right) for step in matrix.strides]
    grid = (triton.cdiv(rows, 64), triton.cdiv(columns, 64))
    multiply[grid](array(left), array(right), array(bias), array(out), rows, columns, depth, *strides, RAMP=ramp, ROWS=64,
                   COLUMNS=64, DEPTH=32, BAND=4)
    return out


def main():
    # (what numpy calls the type, how far off its last bit is)
    for dtype, allowed in ((numpy.float32, 1e-6), (numpy.float16, 1e-3)):
        for rows, columns, depth in ((256, 256, 256), (100, 33, 70)):
            left, bias = random(rows, depth, dtype=dtype), random(columns, dtype=numpy.float32)
            right = random(columns, depth, dtype=dtype).T  # column-major: any stride will do
            exact = left.astype(numpy.float64) @ right.astype(numpy.float64) + bias
            check(f"matmul {left.dtype}", linear(left, right, bias), numpy.maximum(exact, 0), allowed)


if __name__ == "__main__":
    main()
