"""Operations on elements, of every type, against Python's integers and numpy's float64."""

import operator

import numpy as np
import pytest
import triton.language as tl
from hypothesis import given, strategies

import triton_cpu
from arrays import FLOATS, INTEGERS, cases, close, guarded, jit, numbers, seeds

pytestmark = pytest.mark.usefixtures("device")
N = 64


@jit
def of_integers(x, y, out, truth, n, N: tl.constexpr, BITS: tl.constexpr):
    i = tl.arange(0, N)
    inside = i < n
    a, b = tl.load(x + i, mask=inside, other=1), tl.load(y + i, mask=inside, other=1)
    shift = b & (BITS - 1)
    divisor = tl.where(b == 0, 1, b).to(b.dtype)
    results = (a + b, a - b, a * b, a & b, a | b, a ^ b, ~a, a << shift, a >> shift, a // divisor, a % divisor,
               tl.minimum(a, b), tl.maximum(a, b), tl.abs(a), tl.where(a < b, a, b))
    for k in tl.static_range(len(results)):
        tl.store(out + k * n + i, results[k].to(a.dtype), mask=inside)
    truths = (a < b, a <= b, a > b, a >= b, a == b, a != b)
    for k in tl.static_range(len(truths)):
        tl.store(truth + k * n + i, truths[k], mask=inside)


def wrapped(value, element):
    value &= (1 << element.bits) - 1
    return value - (1 << element.bits) if element.name[0] == "i" and value >> element.bits - 1 else value


def divided(a, b):
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


INTEGER_RESULTS = [
    operator.add, operator.sub, operator.mul, operator.and_, operator.or_, operator.xor, lambda a, b: ~a,
    lambda a, b: a << b, lambda a, b: a >> b, lambda a, b: divided(a, b or 1),
    lambda a, b: a - (b or 1) * divided(a, b or 1), min, max, lambda a, b: abs(a), min]
COMPARISONS = [operator.lt, operator.le, operator.gt, operator.ge, operator.eq, operator.ne]


@pytest.mark.parametrize("element", INTEGERS, ids=str)
@cases
@given(seeds, strategies.integers(1, N))
def test_integers(element, seed, n):
    x, y = numbers(element, n, seed), numbers(element, n, seed + 1)
    out, truth = guarded(np.zeros((15, n), element.stored)), guarded(np.zeros((6, n), bool))
    of_integers[(1,)](*map(element.argument, (x, y, out)), triton_cpu.array(truth), n, N=N, BITS=element.bits)
    for k, function in enumerate(INTEGER_RESULTS):
        shifts = k in (7, 8)
        wanted = [wrapped(function(a, b & element.bits - 1 if shifts else b), element)
                  for a, b in zip(x.tolist(), y.tolist())]
        assert out[k].tolist() == wanted, k
    for k, function in enumerate(COMPARISONS):
        assert (truth[k] == function(x, y)).all(), k


@jit
def of_floats(x, y, out, truth, n, N: tl.constexpr):
    i = tl.arange(0, N)
    inside = i < n
    a, b = tl.load(x + i, mask=inside, other=1), tl.load(y + i, mask=inside, other=1)
    results = (a + b, a - b, a * b, a / b, tl.minimum(a, b), tl.maximum(a, b), tl.abs(a), -a, tl.where(a < b, a, b),
               tl.clamp(a, -3.0, 3.0))
    for k in tl.static_range(len(results)):
        tl.store(out + k * n + i, results[k].to(a.dtype), mask=inside)
    truths = (a < b, a <= b, a > b, a >= b, a == b, a != b)
    for k in tl.static_range(len(truths)):
        tl.store(truth + k * n + i, truths[k], mask=inside)


@pytest.mark.parametrize("element", FLOATS, ids=str)
@cases
@given(seeds, strategies.integers(1, N))
def test_floats(element, seed, n):
    x, y = numbers(element, n, seed), numbers(element, n, seed + 1)
    out, truth = guarded(np.zeros((10, n), element.stored)), guarded(np.zeros((6, n), bool))
    of_floats[(1,)](*map(element.argument, (x, y, out)), triton_cpu.array(truth), n, N=N)
    a, b = element.decode(x), element.decode(y)
    with np.errstate(all="ignore"):
        wanted = [a + b, a - b, a * b, a / b, np.minimum(a, b), np.maximum(a, b), np.abs(a), -a, np.where(a < b, a, b),
                  np.clip(a, -3, 3)]
    if element.name in ("float16", "bfloat16"):
        largest = 65504 if element.name == "float16" else 3.38e38
        wanted = [np.where(np.abs(values) > largest, np.sign(values) * np.inf, values) for values in wanted]
    for k in range(10):
        close(element.decode(out[k]), wanted[k], element, ulps=1)
    for k, function in enumerate(COMPARISONS):
        assert (truth[k] == function(a, b)).all(), k


@jit
def of_math(x, out, n, N: tl.constexpr):
    i = tl.arange(0, N)
    inside = i < n
    a = tl.load(x + i, mask=inside, other=1)
    p = tl.abs(a) + 0.001
    results = (tl.exp(a), tl.exp2(a), tl.log(p), tl.log2(p), tl.sin(a), tl.cos(a), tl.sqrt(p), tl.rsqrt(p), tl.erf(a),
               tl.floor(a), tl.ceil(a), tl.fma(a, p, a), tl.sigmoid(a), a % 1.75)
    for k in tl.static_range(len(results)):
        tl.store(out + k * n + i, results[k].to(a.dtype), mask=inside)


@pytest.mark.parametrize("element", FLOATS[2:], ids=str)
@cases
@given(seeds, strategies.integers(1, N), strategies.sampled_from([1, 30, 80]))
def test_functions(element, seed, n, size):
    import math
    x = numbers(element, n, seed, -size, size)
    out = guarded(np.zeros((14, n), element.stored))
    of_math[(1,)](element.argument(x), element.argument(out), n, N=N)
    a = element.decode(x)
    p = element.decode((np.abs(x) + element.stored.type(0.001)).astype(element.stored))
    wanted = [np.exp(a), np.exp2(a), np.log(p), np.log2(p), np.sin(a), np.cos(a), np.sqrt(p), 1 / np.sqrt(p),
              np.array([math.erf(value) for value in a]), np.floor(a), np.ceil(a), a * p + a, 1 / (1 + np.exp(-a)),
              np.fmod(a, 1.75)]
    for k in range(14):
        # Near their zeros log, sin and cos are as good as their largest neighbours; the fused product as its parts.
        scale = {2: np.maximum(np.abs(wanted[2]), 1), 3: np.maximum(np.abs(wanted[3]), 1), 4: np.ones(n), 5: np.ones(n),
                 11: np.abs(a * p) + np.abs(a)}.get(k)
        close(out[k], wanted[k], element, ulps=16, scale=scale)


SPECIAL = [0.0, -0.0, np.inf, -np.inf, np.nan, 1.0, -1.0, 1e-45, 3e38, -3e38, 89.0, -104.5, 128.0, -150.0]


@jit
def of_special(x, out, N: tl.constexpr):
    i = tl.arange(0, N)
    a = tl.load(x + i)
    results = (tl.exp(a), tl.exp2(a), tl.log(a), tl.log2(a), tl.sqrt(a), tl.floor(a), tl.abs(a), tl.erf(a), tl.sin(a),
               tl.minimum(a, 0.5), tl.maximum(a, 0.5), tl.minimum(a, 0.5, propagate_nan=tl.PropagateNan.ALL))
    for k in tl.static_range(len(results)):
        tl.store(out + k * N + i, results[k])


def test_special_numbers():
    import math
    x = guarded(np.array((SPECIAL * 2)[:16], np.float32))
    out = guarded(np.zeros((12, 16), np.float32))
    of_special[(1,)](triton_cpu.array(x), triton_cpu.array(out), N=16)
    with np.errstate(all="ignore"):
        a = x.astype(np.float64)
        wanted = [np.exp(a), np.exp2(a), np.log(a), np.log2(a), np.sqrt(a), np.floor(a), np.abs(a),
                  [math.erf(value) for value in a], np.where(np.abs(a) < 1e9, np.sin(a), np.nan), np.fmin(a, 0.5),
                  np.fmax(a, 0.5), np.minimum(a, 0.5)]
        for k in range(12):
            rounded = np.asarray(wanted[k]).astype(np.float32)
            found = out[k] if k != 8 else np.where(np.abs(a) < 1e9, out[k], np.nan)
            good = np.isclose(found, rounded, rtol=1e-5, atol=1e-38, equal_nan=True)
            assert good.all(), (k, a[~good], found[~good], rounded[~good])
