"""Every type of elements into every other."""

import numpy as np
import pytest
import triton.language as tl
from hypothesis import given, strategies

from arrays import BF16, BOOL, F16, F32, F64, FLOATS, FLOATS8, INTEGERS, cases, close, guarded, jit, seeds

pytestmark = pytest.mark.usefixtures("device")
N = 32
TARGETS = [*INTEGERS, *FLOATS, BOOL]


@jit
def to_all(x, o0, o1, o2, o3, o4, o5, o6, o7, o8, o9, o10, o11, o12, n, N: tl.constexpr):
    i = tl.arange(0, N)
    inside = i < n
    a = tl.load(x + i, mask=inside)
    outs = (o0, o1, o2, o3, o4, o5, o6, o7, o8, o9, o10, o11, o12)
    for k in tl.static_range(len(outs)):
        tl.store(outs[k] + i, a.to(outs[k].dtype.element_ty), mask=inside)


def run_to_all(source, x):
    outs = [guarded(np.zeros(len(x), target.stored)) for target in TARGETS]
    to_all[(1,)](source.argument(x), *[target.argument(out) for target, out in zip(TARGETS, outs)], len(x), N=N)
    return outs


@pytest.mark.parametrize("source", INTEGERS, ids=str)
@cases
@given(seeds, strategies.integers(1, N), strategies.sampled_from([7, 20, 63]))
def test_from_integers(source, seed, n, bits):
    random = np.random.default_rng(seed)
    info = np.iinfo(source.stored)
    low, high = max(info.min, -(1 << bits)), min(info.max, (1 << bits) - 1)
    x = guarded(random.integers(low, high, n, source.stored, endpoint=True))
    for target, out in zip(TARGETS, run_to_all(source, x)):
        if target.is_float:
            # Beyond 24 bits a 16-bit float may be rounded twice, by way of float32.
            exact = bits <= 20 or target.bits > 16
            with np.errstate(over="ignore"):
                wanted = target.decode(target.encode(x.astype(np.float64))) if bits <= 20 else x.astype(np.float64)
            if target is F16:
                wanted = np.where(np.abs(wanted) >= 65520, np.sign(wanted) * np.inf, wanted)
            close(target.decode(out), wanted, target, ulps=0 if exact and bits <= 20 else 1)
        elif target is BOOL:
            assert (out == (x != 0)).all()
        else:
            assert (out == x.astype(target.stored)).all(), target


@pytest.mark.parametrize("source", FLOATS, ids=str)
@cases
@given(seeds, strategies.integers(1, N), strategies.sampled_from([1, 100, 60000]))
def test_from_floats(source, seed, n, size):
    random = np.random.default_rng(seed)
    x = guarded(source.encode(random.uniform(-size, size, n)))
    a = source.decode(x)
    for target, out in zip(TARGETS, run_to_all(source, x)):
        if target.is_float:
            with np.errstate(over="ignore"):
                wanted = target.decode(target.encode(a))
            close(target.decode(out), wanted, target, ulps=0 if target.bits >= 32 or source.bits <= 32 else 1)
        elif target is BOOL:
            assert (out == (a != 0)).all()
        else:
            info = np.iinfo(target.stored)
            fits = (np.trunc(a) >= info.min) & (np.trunc(a) <= info.max)
            assert (out[fits] == np.trunc(a[fits]).astype(target.stored)).all(), target


@jit
def through_8_bits(x, small, back, n, N: tl.constexpr):
    i = tl.arange(0, N)
    inside = i < n
    tl.store(small + i, tl.load(x + i, mask=inside).to(small.dtype.element_ty), mask=inside)
    tl.debug_barrier()
    tl.store(back + i, tl.load(small + i, mask=inside).to(back.dtype.element_ty), mask=inside)


@pytest.mark.parametrize("source", [F32, F16, BF16], ids=str)
@pytest.mark.parametrize("small", FLOATS8, ids=str)
@cases
@given(seeds, strategies.integers(1, N), strategies.sampled_from([0.02, 1, 12]))
def test_through_floats_of_8_bits(small, source, seed, n, size):
    largest = np.nanmax(np.where(np.isinf(small.table), np.nan, small.table))
    size = min(size, largest)
    x = guarded(source.encode(np.random.default_rng(seed).uniform(-size, size, n)))
    between, back = guarded(np.zeros(n, np.uint8)), guarded(np.zeros(n, source.stored))
    through_8_bits[(1,)](source.argument(x), small.argument(between), source.argument(back), n, N=N)
    a = source.decode(x)
    if small.name == "float8e4b15":  # by way of float16, as on other devices
        a = F16.decode(F16.encode(a))
    wanted = small.decode(small.encode(a))
    assert (small.decode(between) == wanted).all(), (source.decode(x), small.decode(between), wanted)
    assert (source.decode(back) == wanted).all()


@jit
def widen(x, out, N: tl.constexpr):
    i = tl.arange(0, N)
    tl.store(out + i, tl.load(x + i).to(tl.float32))


@pytest.mark.parametrize("small", FLOATS8, ids=str)
def test_every_float_of_8_bits(small):
    x, out = guarded(np.arange(256, dtype=np.uint8)), guarded(np.zeros(256, np.float32))
    widen[(1,)](small.argument(x), F32.argument(out), N=256)
    close(out, small.table, small, ulps=0)


@jit
def reinterpreted(x, out, n, N: tl.constexpr):
    i = tl.arange(0, N)
    a = tl.load(x + i, mask=i < n)
    tl.store(out + i, a.to(out.dtype.element_ty, bitcast=True), mask=i < n)


@pytest.mark.parametrize("source, target", [(F32, INTEGERS[4]), (INTEGERS[6], F64), (F16, BF16), (INTEGERS[1], INTEGERS[0])],
                         ids=str)
@cases
@given(seeds, strategies.integers(1, N))
def test_bits_stay(source, target, seed, n):
    bits = np.random.default_rng(seed).integers(0, 256, n * source.stored.itemsize, np.uint8)
    x, out = guarded(bits.view(source.stored)), guarded(np.zeros(n, target.stored))
    reinterpreted[(1,)](source.argument(x), target.argument(out), n, N=N)
    assert out.tobytes() == x.tobytes()
