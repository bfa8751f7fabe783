"""Softmax of each row in one pass over memory: a program keeps its rows in a tile.

A tile holds several rows, so that short rows do not leave a program with little to do.
"""

import numpy
import triton
import triton.language as tl
from triton_cpu import array

from checking import check, random


@triton.jit
def softmax_rows(source, target, rows, columns, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    row = tl.program_id(0) * ROWS + tl.arange(0, ROWS)[:, None]
    column = tl.arange(0, COLUMNS)[None, :]
    at = row * columns + column
    inside = (row < rows) & (column < columns)
    # What lies outside of a row must not count: exp(-inf) is 0. A row beyond the last would be 0 / 0, and is not
    # written.
    values = tl.load(source + at, mask=inside, other=float("-inf"))
    powers = tl.exp(values - tl.max(values, axis=1, keep_dims=True))
    tl.store(target + at, powers / tl.sum(powers, axis=1, keep_dims=True), mask=inside)


def softmax(source, tile=4096):
    """source: a matrix, row-major; tile: elements that a program holds, if a row is not longer."""
    rows, columns = source.shape
    width = triton.next_power_of_2(columns)
    height = max(1, tile // width)
    target = numpy.empty_like(source)
    softmax_rows[(triton.cdiv(rows, height), )](array(source), array(target), rows, columns, ROWS=height, COLUMNS=width)
    return target


def main():
    for shape in ((512, 1000), (37, 7), (3, 20000)):
        source = 10 * random(*shape)
        powers = numpy.exp(source.astype(numpy.float64) - source.max(axis=1, keepdims=True))
        check("softmax", softmax(source), powers / powers.sum(axis=1, keepdims=True), allowed=2e-6)


if __name__ == "__main__":
    main()
