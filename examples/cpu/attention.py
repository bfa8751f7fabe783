"""Attention without the matrix of all scores: the softmax is corrected as further keys come.

A program has a block of queries of one head. For each block of keys it keeps, a row: the largest score so far, the sum
of the powers relative to it, and the weighted values. A larger score makes all of that smaller by the same factor.
"""

import math

import numpy
import triton
import triton.language as tl
from triton_cpu import array

from checking import check, random


@triton.jit
def attend(queries, keys, values, out, length, scale, CAUSAL: tl.constexpr, WIDTH: tl.constexpr,
           QUERIES: tl.constexpr, KEYS: tl.constexpr):
    head = tl.program_id(1).to(tl.int64) * length * WIDTH
    lane = tl.arange(0, WIDTH)[None, :]
    row = tl.program_id(0) * QUERIES + tl.arange(0, QUERIES)
    own = head + row[:, None] * WIDTH + lane
    query = tl.load(queries + own, mask=row[:, None] < length, other=0.0)
    top = tl.full((QUERIES, ), float("-inf"), tl.float32)
    weight = tl.zeros((QUERIES, ), tl.float32)
    total = tl.zeros((QUERIES, WIDTH), tl.float32)
    end = tl.minimum(length, (tl.program_id(0) + 1) * QUERIES) if CAUSAL else length
    for begin in range(0, end, KEYS):
        column = begin + tl.arange(0, KEYS)
        other = head + column[:, None] * WIDTH + lane
        key = tl.load(keys + other, mask=column[:, None] < length, other=0.0)
        score = tl.dot(query, tl.trans(key)) * scale
        seen = column[None, :] < length
        if CAUSAL:
            seen = seen & (column[None, :] <= row[:, None])
        score = tl.where(seen, score, float("-inf"))
        higher = tl.maximum(top, tl.max(score, axis=1))
        power = tl.exp2(score - higher[:, None])
        shrink = tl.exp2(top - higher)
        value = tl.load(values + other, mask=column[:, None] < length, other=0.0)
        weight = weight * shrink + tl.sum(power, axis=1)
        total = tl.dot(power.to(value.dtype), value, total * shrink[:, None])
        top = higher
    total = total / weight[:, None]
    tl.store(out + own, total.to(out.dtype.element_ty), mask=row[:, None] < length)


def attention(queries, keys, values, causal, block=64):
    """Each of shape (heads, length, width); width is a power of two."""
    heads, length, width = queries.shape
    out = numpy.empty_like(queries)
    # exp2 is cheaper than exp; the scale turns one into the other.
    attend[(triton.cdiv(length, block), heads)](array(queries), array(keys), array(values), array(out), length,
                                                math.log2(math.e) / math.sqrt(width), CAUSAL=causal, WIDTH=width,
                                                QUERIES=block, KEYS=block)
    return out


def exact(queries, keys, values, causal):
    """The same with the matrix of all scores, in 64 bits."""
    queries, keys, values = (a.astype(numpy.float64) for a in (queries, keys, values))
    scores = queries @ keys.swapaxes(1, 2) / math.sqrt(queries.shape[2])
    if causal:
        scores[:, numpy.triu(numpy.ones(scores.shape[1:], bool), 1)] = -numpy.inf
    powers = numpy.exp(scores - scores.max(axis=2, keepdims=True))
    return powers @ values / powers.sum(axis=2, keepdims=True)


def main():
    for causal, length, dtype, allowed in ((False, 256, numpy.float32, 1e-5), (True, 200, numpy.float32, 1e-5),
                                           (True, 256, numpy.float16, 2e-3)):
        inputs = random(3, 4, length, 64, dtype=dtype)
        check(f"attention {inputs.dtype}{', causal' if causal else ''}", attention(*inputs, causal),
              exact(*inputs, causal), allowed)


if __name__ == "__main__":
    main()
