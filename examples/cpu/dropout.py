"""Dropout that keeps no mask: the random numbers of an element follow from a seed and its place.

numpy makes the same numbers here, by the definition of Philox 4x32 with ten rounds (Salmon and others, "Parallel random
numbers: as easy as 1, 2, 3", 2011), so that every element is compared and not only how many were dropped.
"""

import numpy
import triton
import triton.language as tl
from triton_cpu import array

from checking import check, random


@triton.jit
def drop(source, target, length, share, seed, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    kept = tl.rand(seed, at) >= share
    value = tl.load(source + at, mask=at < length)
    tl.store(target + at, tl.where(kept, value / (1 - share), 0.0), mask=at < length)


def dropout(source, share, seed, block=1024):
    target = numpy.empty_like(source)
    drop[(triton.cdiv(source.size, block), )](array(source), array(target), source.size, share, seed, BLOCK=block)
    return target


def philox(seed, places):
    """The first of the four 32-bit numbers that belong to each place."""
    low = numpy.uint64(0xffffffff)
    words = [places.astype(numpy.uint64), *numpy.zeros((3, places.size), numpy.uint64)]
    keys = [seed & 0xffffffff, seed >> 32]
    for _ in range(10):
        first = words[0] * numpy.uint64(0xD2511F53)
        third = words[2] * numpy.uint64(0xCD9E8D57)
        words = [third >> numpy.uint64(32) ^ words[1] ^ numpy.uint64(keys[0]), third & low,
                 first >> numpy.uint64(32) ^ words[3] ^ numpy.uint64(keys[1]), first & low]
        keys = [(keys[0] + 0x9E3779B9) & 0xffffffff, (keys[1] + 0xBB67AE85) & 0xffffffff]
    return words[0].astype(numpy.uint32)


def uniform(words):
    """Numbers from 0 to below 1 of 32-bit ones, as tl.rand makes them: a negative one counts from the other end."""
    signed = words.view(numpy.int32)
    return numpy.where(signed < 0, -signed - 1, signed).astype(numpy.float32) * numpy.float32(4.6566127342e-10)


def main():
    for length, share, seed in ((100000, 0.25, 7), (333, 0.5, 123456789012)):
        source = random(length)
        kept = uniform(philox(seed, numpy.arange(length))) >= numpy.float32(share)
        expected = numpy.where(kept, source / numpy.float32(1 - share), 0)
        check(f"dropout of {share}, {1 - kept.mean():.3f} dropped", dropout(source, share, seed), expected, allowed=1e-7)


if __name__ == "__main__":
    main()
