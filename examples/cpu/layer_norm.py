"""Layer normalization: mean and variance of a row in one pass, by a reduction with its own combination.

Each block of a row gives a count, a mean and a sum of squared distances from it; two such triples combine into that of
both. Unlike the sum of squares minus the square of the sum, this loses nothing where the mean is large.
"""

import numpy
import triton
import triton.language as tl
from triton_cpu import array

from checking import check, random


@triton.jit
def combine(count_a, mean_a, spread_a, count_b, mean_b, spread_b):
    count = count_a + count_b
    share = tl.where(count == 0, 0.0, count_b / tl.maximum(count, 1.0))
    apart = mean_b - mean_a
    return count, mean_a + apart * share, spread_a + spread_b + apart * apart * count_a * share


@triton.jit
def normalize_row(source, weight, bias, target, columns, epsilon, BLOCK: tl.constexpr):
    source += tl.program_id(0).to(tl.int64) * columns
    target += tl.program_id(0).to(tl.int64) * columns
    count = tl.zeros((BLOCK, ), tl.float32)
    mean = tl.zeros((BLOCK, ), tl.float32)
    spread = tl.zeros((BLOCK, ), tl.float32)
    for begin in range(0, columns, BLOCK):
        column = begin + tl.arange(0, BLOCK)
        value = tl.load(source + column, mask=column < columns, other=0.0).to(tl.float32)
        one = tl.where(column < columns, 1.0, 0.0)
        count, mean, spread = combine(count, mean, spread, one, value, tl.zeros((BLOCK, ), tl.float32))
    count, mean, spread = tl.reduce((count, mean, spread), 0, combine)
    scale = 1.0 / tl.sqrt(spread / columns + epsilon)
    for begin in range(0, columns, BLOCK):
        column = begin + tl.arange(0, BLOCK)
        inside = column < columns
        value = (tl.load(source + column, mask=inside, other=0.0).to(tl.float32) - mean) * scale
        value = value * tl.load(weight + column, mask=inside) + tl.load(bias + column, mask=inside)
        tl.store(target + column, value.to(target.dtype.element_ty), mask=inside)


def layer_norm(source, weight, bias, epsilon=1e-5, block=256):
    target = numpy.empty_like(source)
    normalize_row[(source.shape[0], )](array(source), array(weight), array(bias), array(target), source.shape[1], epsilon,
                                       BLOCK=block)
    return target


def main():
    for rows, columns, mean in ((151, 1000, 0.0), (8, 77, 1000.0)):
        source = random(rows, columns) + numpy.float32(mean)
        weight, bias = random(2, columns)
        exact = source.astype(numpy.float64)
        exact -= exact.mean(axis=1, keepdims=True)
        exact /= numpy.sqrt((exact**2).mean(axis=1, keepdims=True) + 1e-5)
        check(f"layer norm around {mean:.0f}", layer_norm(source, weight, bias), exact * weight + bias, allowed=1e-4)


if __name__ == "__main__":
    main()
