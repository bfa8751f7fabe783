"""Sums of rows by group, in any order of the groups: programs add to the same sums with atomics.

A program first adds up, in its own tile, the rows of one group that follow each other, so that where the groups come
in order there is an addition to memory for each group and not for each row.
"""

import numpy
import triton
import triton.language as tl
from triton_cpu import array

from checking import SEED, check, random


@triton.jit
def add_up(sum_a, begins_a, sum_b, begins_b):
    """Two pieces that follow each other: what was summed before a group begins does not belong to it."""
    return tl.where(begins_b != 0, sum_b, sum_a + sum_b), begins_a | begins_b


@triton.jit
def sum_by_group(values, groups, sums, counts, rows, columns, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    row = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    column = tl.arange(0, COLUMNS)[None, :]
    group = tl.load(groups + row, mask=row < rows, other=-1)
    begins = group != tl.load(groups + row - 1, mask=(row > 0) & (row <= rows), other=-1)
    ends = group != tl.load(groups + row + 1, mask=row + 1 < rows, other=-1)
    ends = ends | (tl.arange(0, ROWS) == ROWS - 1)
    inside = (row < rows)[:, None] & (column < columns)
    value = tl.load(values + row[:, None] * columns + column, mask=inside, other=0.0)
    flags = tl.broadcast_to(begins.to(tl.int32)[:, None], (ROWS, COLUMNS))
    total, _ = tl.associative_scan((value, flags), 0, add_up)
    tl.atomic_add(sums + group[:, None] * columns + column, total, mask=inside & ends[:, None], sem="relaxed")
    tl.atomic_add(counts + group, 1, mask=row < rows, sem="relaxed")


def segment_sum(values, groups, group_count, rows_a_program=64):
    """(the sum of the rows of each group, how many there are)"""
    rows, columns = values.shape
    sums, counts = numpy.zeros((group_count, columns), numpy.float32), numpy.zeros(group_count, numpy.int32)
    sum_by_group[(triton.cdiv(rows, rows_a_program), )](array(values), array(groups), array(sums), array(counts), rows,
                                                        columns, ROWS=rows_a_program,
                                                        COLUMNS=triton.next_power_of_2(columns))
    return sums, counts


def main():
    values = random(5000, 24)
    anyhow = numpy.random.default_rng(SEED).integers(0, 40, 5000).astype(numpy.int32)
    for order, groups in (("any order", anyhow), ("in order", numpy.sort(anyhow))):
        expected = numpy.zeros((40, 24))
        numpy.add.at(expected, groups, values.astype(numpy.float64))
        sums, counts = segment_sum(values, groups, 40)
        check(f"sums by group, {order}", sums, expected, allowed=1e-5)
        check(f"sizes of groups, {order}", counts, numpy.bincount(groups, minlength=40), allowed=0)


if __name__ == "__main__":
    main()
