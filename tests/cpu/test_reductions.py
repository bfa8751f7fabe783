"""Reductions and scans over every axis, and what rearranges elements, against numpy."""

import numpy as np
import pytest
import triton
import triton.language as tl
from triton.language import core
from hypothesis import given, strategies

from arrays import BF16, F16, F32, F64, INTEGERS, cases, close, guarded, jit, numbers, seeds

pytestmark = pytest.mark.usefixtures("device")
I8, U8, I16, U16, I32, U32, I64, U64 = INTEGERS


@triton.jit
def larger_magnitude(a, b):
    return tl.where(tl.abs(a) >= tl.abs(b), a, b)


@triton.jit
def composed(a, b, c, d):
    """x -> a x + b, then x -> c x + d."""
    return a * c, b * c + d


@jit
def reduce_all(x, sums, most, least, where_most, where_least, other, n, A: tl.constexpr, B: tl.constexpr, C: tl.constexpr,
               AXIS: tl.constexpr, KEPT: tl.constexpr):
    i, j, k = tl.arange(0, A)[:, None, None], tl.arange(0, B)[None, :, None], tl.arange(0, C)[None, None, :]
    v = tl.load(x + (i * B + j) * C + k)
    at = tl.arange(0, KEPT)
    tl.store(sums + at, tl.reshape(tl.sum(v, AXIS), (KEPT,)).to(v.dtype))
    tl.store(most + at, tl.reshape(tl.max(v, AXIS), (KEPT,)).to(v.dtype))
    tl.store(least + at, tl.reshape(tl.min(v, AXIS), (KEPT,)).to(v.dtype))
    tl.store(where_most + at, tl.reshape(tl.argmax(v, AXIS), (KEPT,)))
    tl.store(where_least + at, tl.reshape(tl.argmin(v, AXIS), (KEPT,)))
    tl.store(other + at, tl.reshape(tl.reduce(v, AXIS, larger_magnitude), (KEPT,)).to(v.dtype))


@pytest.mark.parametrize("axis", [0, 1, 2])
@pytest.mark.parametrize("element", [F32, F16, BF16, F64, I8, I32, I64, U32], ids=str)
@cases
@given(seeds)
def test_reductions(element, axis, seed):
    shape = (4, 8, 16)
    kept = 512 // shape[axis]
    x = numbers(element, shape, seed, -4, 4)
    outs = [guarded(np.zeros(kept, element.stored)) for _ in range(4)]
    places = [guarded(np.zeros(kept, np.int32)) for _ in range(2)]
    reduce_all[(1,)](*map(element.argument, (x, *outs[:3])), *map(I32.argument, places), element.argument(outs[3]), 0,
                     A=4, B=8, C=16, AXIS=axis, KEPT=kept)
    a = element.decode(x)
    found = [element.decode(out) for out in outs]
    if element.is_float:
        close(found[0], a.sum(axis).ravel(), element, ulps=2 * shape[axis], scale=np.abs(a).sum(axis).ravel())
    else:
        assert (outs[0] == x.sum(axis, dtype=element.stored).ravel()).all()
    assert (found[1] == a.max(axis).ravel()).all() and (found[2] == a.min(axis).ravel()).all()
    assert (places[0] == a.argmax(axis).ravel()).all() and (places[1] == a.argmin(axis).ravel()).all()
    if element.is_float:
        assert (np.abs(found[3]) == np.abs(a).max(axis).ravel()).all()


@core.extern
def fmaxf(a, b, _semantic=None):
    """C's function."""
    types = {(core.dtype("fp32"), core.dtype("fp32")): ("fmaxf", core.dtype("fp32"))}
    return core.extern_elementwise("", "", [a, b], types, is_pure=True, _semantic=_semantic)


@triton.jit
def larger_by_c(a, b):
    return fmaxf(a, b)


@jit
def extremes(x, most, most_by_c, least, A: tl.constexpr, B: tl.constexpr, C: tl.constexpr):
    i, j, k = tl.arange(0, A)[:, None, None], tl.arange(0, B)[None, :, None], tl.arange(0, C)[None, None, :]
    v = tl.load(x + (i * B + j) * C + k)
    at = tl.arange(0, A * C)
    tl.store(most + at, tl.reshape(tl.max(v, 1), (A * C,)))
    tl.store(most_by_c + at, tl.reshape(tl.reduce(v, 1, larger_by_c), (A * C,)))
    tl.store(least + at, tl.reshape(tl.min(v, 1), (A * C,)))


def test_extremes_where_clang_takes_steps_for_lanes(tmp_path, monkeypatch):
    """As it does with AVX-512: LLVM 22 makes wrong code there of more than one fmax() or fmin()."""
    from triton import knobs
    from triton_cpu import _toolchain
    flags = _toolchain.flags
    monkeypatch.setattr(_toolchain, "flags", lambda fp_fusion: [*flags(fp_fusion), "-mllvm", "-force-vector-width=4"])
    monkeypatch.setattr(knobs.cache, "dir", str(tmp_path))
    x = numbers(F32, (4, 8, 16), 0, -4, 4)
    most, most_by_c, least = (guarded(np.zeros((4, 16), np.float32)) for _ in range(3))
    extremes[(1,)](*map(F32.argument, (x, most, most_by_c, least)), A=4, B=8, C=16)
    assert (most == x.max(1)).all() and (least == x.min(1)).all()
    assert (most_by_c == x.max(1)).all()


@jit
def reduce_whole(x, out, total, N: tl.constexpr):
    v = tl.load(x + tl.arange(0, N))
    tl.store(out, tl.sum(v))
    tl.store(total, tl.xor_sum(v.to(tl.int32, bitcast=True), 0))


@pytest.mark.parametrize("size", [1, 2, 64, 8192])
@cases
@given(seeds)
def test_reductions_to_a_number(size, seed):
    x = numbers(F32, size, seed, -4, 4)
    out, total = guarded(np.zeros(1, np.float32)), guarded(np.zeros(1, np.int32))
    reduce_whole[(1,)](F32.argument(x), F32.argument(out), I32.argument(total), N=size)
    close(out, [x.astype(float).sum()], F32, ulps=64, scale=np.abs(x).sum())
    assert total[0] == np.bitwise_xor.reduce(x.view(np.int32))


@jit
def softmax_row(x, most, out, n, N: tl.constexpr):
    i = tl.arange(0, N)
    v = tl.load(x + i, mask=i < n, other=-float("inf"))
    m = tl.max(v, 0)
    e = tl.where(i < n, tl.exp(v - m), 0.0)
    tl.store(out + i, e / tl.sum(e, 0), mask=i < n)
    tl.store(most, m)


@pytest.mark.parametrize("element", [F32, F64, F16], ids=str)
def test_rows_of_every_length(element):
    size = 128
    for n in range(size + 1):
        a = np.random.default_rng(n).normal(size=n)
        if n % 3 == 1:  # numbers that are not finite at all places, and nothing else in some rows
            a[n // 2] = (np.nan, np.inf, -np.inf)[n // 3 % 3]
            a[: n % 9 * n // 7] = (-np.inf, np.nan)[n % 2]
        x, out = guarded(element.encode(a)), guarded(np.zeros(n, element.stored))
        most = guarded(np.zeros(1, element.stored))
        softmax_row[(1,)](*map(element.argument, (x, most, out)), n, N=size)
        a = element.decode(x)
        wanted = np.fmax.reduce(a, initial=-np.inf if n < size else np.nan)
        np.testing.assert_array_equal(element.decode(most), [wanted])
        powers = np.exp(a - wanted)
        close(element.decode(out), powers / powers.sum(), element, ulps=32, scale=1)


def test_rows_are_read_once_and_mostly_without_masks():
    x, most, out = np.ones(100, np.float32), np.zeros(1, np.float32), np.zeros(100, np.float32)
    made = softmax_row[(1,)](*map(F32.argument, (x, most, out)), 100, N=128)
    assert made.asm["tile"].count("  reduce ") == 2 and made.asm["tile"].count("  nest ") == 1
    assert made.asm["c"].count("int64_t plain = 128;") == 3
    np.testing.assert_allclose(out, 0.01, rtol=1e-6)


@triton.jit
def product(a, b):
    return a * b


@triton.jit
def common(a, b):
    return a & b


@triton.jit
def either(a, b):
    return a | b


@jit
def fold_row(x, outs, n, N: tl.constexpr):
    i = tl.arange(0, N)
    v = tl.load(x + i, mask=i < n, other=1)
    tl.store(outs, tl.sum(v, 0))
    tl.store(outs + 1, tl.max(v, 0))
    tl.store(outs + 2, tl.min(v, 0))
    tl.store(outs + 3, tl.xor_sum(v, 0))
    tl.store(outs + 4, tl.reduce(v, 0, product))
    tl.store(outs + 5, tl.reduce(v, 0, common))
    tl.store(outs + 6, tl.reduce(v, 0, either))


@pytest.mark.parametrize("element", [I32, U32, I64, U64], ids=str)
def test_integers_of_rows_of_every_length(element):
    operations = np.add, np.maximum, np.minimum, np.bitwise_xor, np.multiply, np.bitwise_and, np.bitwise_or
    for n in range(65):
        x, outs = numbers(element, n, n), guarded(np.zeros(7, element.stored))
        fold_row[(1,)](*map(element.argument, (x, outs)), n, N=64)
        row = np.concatenate([x, np.ones(64 - n, element.stored)])
        assert list(outs) == [operation.reduce(row, dtype=element.stored) for operation in operations]


@jit
def pairs(x, y, first, second, A: tl.constexpr, B: tl.constexpr):
    at = tl.arange(0, A)[:, None] * B + tl.arange(0, B)[None, :]
    a, b = tl.reduce((tl.load(x + at), tl.load(y + at)), 1, composed)
    tl.store(first + tl.arange(0, A), a)
    tl.store(second + tl.arange(0, A), b)


@jit
def scan_pairs(x, y, first, second, A: tl.constexpr, B: tl.constexpr, AXIS: tl.constexpr, REVERSE: tl.constexpr):
    at = tl.arange(0, A)[:, None] * B + tl.arange(0, B)[None, :]
    a, b = tl.associative_scan((tl.load(x + at), tl.load(y + at)), AXIS, composed, reverse=REVERSE)
    tl.store(first + at, a)
    tl.store(second + at, b)


@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("axis", [0, 1])
@cases
@given(seeds)
def test_scans_of_pairs_in_order(axis, reverse, seed):
    x, y = numbers(F64, (8, 16), seed, -1.2, 1.2), numbers(F64, (8, 16), seed + 1, -2, 2)
    first, second = guarded(np.zeros((8, 16))), guarded(np.zeros((8, 16)))
    scan_pairs[(1,)](*map(F64.argument, (x, y, first, second)), A=8, B=16, AXIS=axis, REVERSE=reverse)
    a, b = np.moveaxis(x, axis, 0), np.moveaxis(y, axis, 0)
    if reverse:
        a, b = a[::-1], b[::-1]
    wanted = [(a[0], b[0])]
    for step in range(1, len(a)):
        wanted.append((wanted[-1][0] * a[step], wanted[-1][1] * a[step] + b[step]))
    for found, k in ((first, 0), (second, 1)):
        made = np.moveaxis(found, axis, 0)[::-1] if reverse else np.moveaxis(found, axis, 0)
        np.testing.assert_allclose(made, [pair[k] for pair in wanted], rtol=1e-9, atol=1e-9)


@jit
def cumulate(x, sums, products, A: tl.constexpr, B: tl.constexpr, AXIS: tl.constexpr, REVERSE: tl.constexpr):
    at = tl.arange(0, A)[:, None] * B + tl.arange(0, B)[None, :]
    v = tl.load(x + at)
    tl.store(sums + at, tl.cumsum(v, AXIS, reverse=REVERSE).to(v.dtype))
    tl.store(products + at, tl.cumprod(v, AXIS, reverse=REVERSE).to(v.dtype))


@pytest.mark.parametrize("axis, reverse", [(0, False), (1, False), (1, True)])
@pytest.mark.parametrize("element", [F32, BF16, I32, I64], ids=str)
@cases
@given(seeds)
def test_cumulative_sums_and_products(element, axis, reverse, seed):
    x = numbers(element, (8, 16), seed, -1.1, 1.1)
    sums, products = guarded(np.zeros((8, 16), element.stored)), guarded(np.zeros((8, 16), element.stored))
    cumulate[(1,)](*map(element.argument, (x, sums, products)), A=8, B=16, AXIS=axis, REVERSE=reverse)
    a = element.decode(x)
    order = (lambda v: np.flip(v, axis)) if reverse else (lambda v: v)
    if element.is_float:
        scale = order(np.cumsum(order(np.abs(a)), axis))
        close(element.decode(sums), order(np.cumsum(order(a), axis)), element, ulps=32, scale=scale)
        close(element.decode(products), order(np.cumprod(order(a), axis)), element, ulps=32)
    else:
        assert (sums == order(np.cumsum(order(x), axis, dtype=element.stored))).all()
        assert (products == order(np.cumprod(order(x), axis, dtype=element.stored))).all()


@jit
def rearrange(x, index, counts, bins, gathered, flipped, halves, twice, turned, N: tl.constexpr, M: tl.constexpr):
    i, j = tl.arange(0, N), tl.arange(0, M)
    at = i[:, None] * M + j[None, :]
    v = tl.load(x + at)
    tl.store(bins + tl.arange(0, 8), tl.histogram(tl.load(counts + tl.arange(0, N * M)), 8))
    tl.store(gathered + at, tl.gather(v, tl.load(index + at), 1))
    tl.store(flipped + at, tl.flip(v, 1))
    low, high = tl.split(tl.reshape(v, (N, M // 2, 2)))
    half = i[:, None] * (M // 2) + tl.arange(0, M // 2)[None, :]
    tl.store(halves + half, low - high)
    tl.store(twice + at, tl.interleave(high, low))
    cube = tl.permute(tl.reshape(v, (N, M // 2, 2)), (2, 0, 1))
    tl.store(turned + tl.arange(0, N * M), tl.ravel(cube))


@cases
@given(seeds)
def test_shapes(seed):
    random = np.random.default_rng(seed)
    x = numbers(F32, (8, 16), seed)
    index = guarded(random.integers(0, 16, (8, 16), np.int32))
    counts = guarded(random.integers(0, 8, 128, np.int32))
    bins = guarded(np.zeros(8, np.int32))
    outs = [guarded(np.zeros(shape, np.float32)) for shape in ((8, 16), (8, 16), (8, 8), (8, 16), (2, 8, 8))]
    rearrange[(1,)](F32.argument(x), I32.argument(index), I32.argument(counts), I32.argument(bins),
                    *map(F32.argument, outs), N=8, M=16)
    even, odd = x[:, ::2], x[:, 1::2]
    wanted = [np.take_along_axis(x, index, 1), x[:, ::-1], even - odd, np.stack([odd, even], -1).reshape(8, 16),
              np.stack([even, odd])]
    assert (bins == np.bincount(counts, minlength=8)).all()
    for found, expected in zip(outs, wanted):
        assert (found == expected).all()


@cases
@given(seeds)
def test_reductions_of_pairs(seed):
    x, y = numbers(F64, (4, 16), seed, -1.2, 1.2), numbers(F64, (4, 16), seed + 1, -2, 2)
    first, second = guarded(np.zeros(4)), guarded(np.zeros(4))
    pairs[(1,)](*map(F64.argument, (x, y, first, second)), A=4, B=16)
    a, b = x[:, 0], y[:, 0]
    for k in range(1, 16):
        a, b = a * x[:, k], b * x[:, k] + y[:, k]
    np.testing.assert_allclose(first, a, rtol=1e-9, atol=1e-12)
