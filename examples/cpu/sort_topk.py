"""Each row sorted, and the largest of each row with the columns where they are."""

import numpy
import triton
import triton.language as tl
from triton_cpu import array

from checking import check, random


@triton.jit
def sort_row(source, target, columns, DESCENDING: tl.constexpr, COLUMNS: tl.constexpr):
    column = tl.arange(0, COLUMNS)
    row = tl.program_id(0) * columns
    # What fills a row up to a power of two has to end behind it.
    last = float("-inf") if DESCENDING else float("inf")
    value = tl.load(source + row + column, mask=column < columns, other=last)
    tl.store(target + row + column, tl.sort(value, descending=DESCENDING), mask=column < columns)


@triton.jit
def largest_of_row(source, values, places, columns, COUNT: tl.constexpr, COLUMNS: tl.constexpr):
    column = tl.arange(0, COLUMNS)
    value = tl.load(source + tl.program_id(0) * columns + column, mask=column < columns, other=float("-inf"))
    # Value and column as one number, which tl.topk compares: the bits of a positive float are in the order of
    # floats, those of a negative one in the opposite; the lower half is the column, from the right.
    bits = value.to(tl.int32, bitcast=True)
    rank = tl.where(bits < 0, bits ^ 0x7fffffff, bits).to(tl.int64)
    top = tl.topk((rank << 32) | (COLUMNS - 1 - column).to(tl.int64), COUNT)
    bits = (top >> 32).to(tl.int32)
    bits = tl.where(bits < 0, bits ^ 0x7fffffff, bits)
    at = tl.program_id(0) * COUNT + tl.arange(0, COUNT)
    tl.store(values + at, bits.to(tl.float32, bitcast=True))
    tl.store(places + at, COLUMNS - 1 - (top & 0xffffffff).to(tl.int32))


def sort(source, descending=False):
    target = numpy.empty_like(source)
    rows, columns = source.shape
    sort_row[(rows, )](array(source), array(target), columns, DESCENDING=descending,
                       COLUMNS=triton.next_power_of_2(columns))
    return target


def topk(source, count):
    """(the `count` largest of each row, their columns); count is a power of two. Of equals, the first come first."""
    rows, columns = source.shape
    values, places = numpy.empty((rows, count), numpy.float32), numpy.empty((rows, count), numpy.int32)
    largest_of_row[(rows, )](array(source), array(values), array(places), columns, COUNT=count,
                             COLUMNS=triton.next_power_of_2(columns))
    return values, places


def main():
    source = random(32, 200).round(1)  # with equals among them
    check("sort", sort(source), numpy.sort(source), allowed=0)
    check("sort, descending", sort(source, descending=True), -numpy.sort(-source), allowed=0)
    values, places = topk(source, 8)
    order = numpy.argsort(-source, axis=1, kind="stable")[:, :8]
    check("topk", values, numpy.take_along_axis(source, order, 1), allowed=0)
    check("topk, columns", places, order, allowed=0)


if __name__ == "__main__":
    main()
