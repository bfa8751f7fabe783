"""Matrix products of every type, against numpy."""

import numpy as np
import pytest
import triton
import triton.language as tl
from hypothesis import given, strategies

from arrays import BF16, F16, F32, F64, FLOATS8, INTEGERS, cases, close, guarded, jit, numbers, seeds

pytestmark = pytest.mark.usefixtures("device")
I8, I32 = INTEGERS[0], INTEGERS[4]


@jit
def product(a, b, c, m, n, k, am, ak, bk, bn, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr, OUT: tl.constexpr,
            ZERO: tl.constexpr):
    i, j, inner = tl.program_id(0) * M + tl.arange(0, M), tl.program_id(1) * N + tl.arange(0, N), tl.arange(0, K)
    total = tl.zeros((M, N), OUT)
    for at in range(0, k, K):
        x = tl.load(a + i[:, None] * am + (at + inner)[None, :] * ak, mask=(i < m)[:, None] & (at + inner < k)[None, :],
                    other=ZERO)
        y = tl.load(b + (at + inner)[:, None] * bk + j[None, :] * bn, mask=(at + inner < k)[:, None] & (j < n)[None, :],
                    other=ZERO)
        total = tl.dot(x, y, total, out_dtype=OUT)
    tl.store(c + i[:, None] * n + j[None, :], total, mask=(i < m)[:, None] & (j < n)[None, :])


@pytest.mark.parametrize("tile", [(16, 16, 16), (32, 64, 16), (1, 16, 8)], ids=str)
@pytest.mark.parametrize("element", [F32, F16, BF16, F64, I8, FLOATS8[0], FLOATS8[1]], ids=str)
@cases
@given(seeds, strategies.tuples(*[strategies.integers(1, 70)] * 3), strategies.sampled_from(["CC", "CF", "FC"]))
def test_products(element, tile, seed, shape, orders):
    m, n, k = shape
    a, b = numbers(element, (m, k), seed, -2, 2), numbers(element, (k, n), seed + 1, -2, 2)
    a, b = (value if order == "C" else guarded(value.T).T for value, order in zip((a, b), orders))
    out = F64 if element is F64 else I32 if element is I8 else F32
    c = guarded(np.zeros((m, n), out.stored))
    strides = [step // element.stored.itemsize for step in (*a.strides, *b.strides)]
    grid = (triton.cdiv(m, tile[0]), triton.cdiv(n, tile[1]))
    of = {F64: tl.float64, I32: tl.int32, F32: tl.float32}[out]
    product[grid](element.argument(a), element.argument(b), out.argument(c), m, n, k, *strides,
                  M=tile[0], N=tile[1], K=tile[2], OUT=of, ZERO=0 if element is I8 else 0.0)
    x, y = element.decode(a), element.decode(b)
    if element is I8:
        assert (c == x.astype(np.int32) @ y.astype(np.int32)).all()
    else:
        close(c, x @ y, out, ulps=k + 2, scale=np.abs(x) @ np.abs(y))


@jit
def batched(a, b, c, B: tl.constexpr, M: tl.constexpr):
    i = tl.arange(0, B)[:, None, None] * M * M + tl.arange(0, M)[None, :, None] * M + tl.arange(0, M)[None, None, :]
    tl.store(c + i, tl.dot(tl.load(a + i), tl.trans(tl.load(b + i), 0, 2, 1)))


@pytest.mark.parametrize("element", [F32, F16], ids=str)
@cases
@given(seeds)
def test_batches(element, seed):
    a, b = numbers(element, (4, 16, 16), seed, -2, 2), numbers(element, (4, 16, 16), seed + 1, -2, 2)
    c = guarded(np.zeros((4, 16, 16), np.float32))
    batched[(1,)](element.argument(a), element.argument(b), F32.argument(c), B=4, M=16)
    x, y = element.decode(a), element.decode(b).transpose(0, 2, 1)
    close(c, x @ y, F32, ulps=18, scale=np.abs(x) @ np.abs(y))


@jit
def scaled(a, sa, b, sb, c, M: tl.constexpr, K: tl.constexpr, LEFT: tl.constexpr, RIGHT: tl.constexpr):
    i, k, s = tl.arange(0, M), tl.arange(0, K), tl.arange(0, K // 32)
    x, y = tl.load(a + i[:, None] * K + k[None, :]), tl.load(b + k[:, None] * M + i[None, :])
    left, right = (
        tl.load(sa + i[:, None] * (K // 32) + s[None, :]), tl.load(sb + i[:, None] * (K // 32) + s[None, :]))
    tl.store(c + i[:, None] * M + i[None, :], tl.dot_scaled(x, left, LEFT, y, right, RIGHT))


@pytest.mark.parametrize("left, right", [(1, 0), (0, 1), (1, 1)])
@cases
@given(seeds)
def test_scaled_products(left, right, seed):
    names = {0: "e5m2", 1: "e4m3"}
    m, k = 16, 64
    a, b = numbers(FLOATS8[left], (m, k), seed, -2, 2), numbers(FLOATS8[right], (k, m), seed + 1, -2, 2)
    random = np.random.default_rng(seed)
    sa, sb = (guarded(random.integers(120, 134, (m, k // 32), np.uint8)) for _ in range(2))
    c = guarded(np.zeros((m, m), np.float32))
    scaled[(1,)](FLOATS8[left].argument(a), INTEGERS[1].argument(sa), FLOATS8[right].argument(b),
                 INTEGERS[1].argument(sb), F32.argument(c), M=m, K=k, LEFT=names[left], RIGHT=names[right])
    x = FLOATS8[left].decode(a) * np.repeat(2.0 ** (sa.astype(float) - 127), 32, 1)
    y = FLOATS8[right].decode(b) * np.repeat(2.0 ** (sb.astype(float) - 127), 32, 1).T
    close(c, x @ y, F32, ulps=k, scale=np.abs(x) @ np.abs(y))
