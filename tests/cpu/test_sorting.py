"""tl.sort and tl.topk against the network of exchanges that they are, NaNs and equal elements included."""

import numpy as np
import pytest
import triton.language as tl

from arrays import BF16, F16, F32, F64, INTEGERS, guarded, jit, numbers

pytestmark = pytest.mark.usefixtures("device")


@jit
def sort_rows(x, up, down, best, A: tl.constexpr, B: tl.constexpr, K: tl.constexpr):
    at = tl.arange(0, A)[:, None] * B + tl.arange(0, B)[None, :]
    v = tl.load(x + at)
    tl.store(up + at, tl.sort(v))
    tl.store(down + at, tl.sort(v, descending=True))
    tl.store(best + tl.arange(0, A)[:, None] * K + tl.arange(0, K)[None, :], tl.topk(v, K))


def exchanged(v, bit, flip):
    """The elements that the comparison of each with its partner, the other one along a bit of its place, leaves there."""
    place = np.arange(v.size)
    partner = v[place ^ 1 << bit]
    return np.where((v > partner) != ((flip ^ place >> bit & 1) != 0), partner, v)


def merged(v, stage, flip):
    """flip: whether larger elements go to the left, or None: by the place."""
    flip = np.arange(v.size) >> stage & 1 if flip is None else flip
    for bit in reversed(range(stage)):
        v = exchanged(v, bit, flip)
    return v


def network(v, row, k, descending):
    """What a program does with the elements of all rows, one after the other; k bits of each row are left."""
    for stage in range(1, k + 1):
        v = merged(v, stage, None if stage < row else descending)
    for stage in range(k + 1, row + 1):
        halves = v.reshape(-1, 2, 1 << k)
        larger = np.fmax if v.dtype.kind == "f" else np.maximum
        v = larger(halves[:, 0], halves[:, 1]).reshape(-1)
        v = merged(v, k, None if stage < row else descending)
    return v


def check(element, x):
    """Sorts the rows of x, and takes the four largest of each."""
    rows, size = x.shape
    k = min(4, size)
    up, down, best = guarded(np.zeros_like(x)), guarded(np.zeros_like(x)), guarded(np.zeros((rows, k), x.dtype))
    kernel = sort_rows[(1,)](*map(element.argument, (x, up, down, best)), A=rows, B=size, K=k)
    v, bits = element.decode(x).reshape(-1), size.bit_length() - 1
    for found, left, descending in ((up, bits, 0), (down, bits, 1), (best, k.bit_length() - 1, 1)):
        wanted = network(v, bits, left, descending)
        assert np.array_equal(element.decode(found).reshape(-1), wanted, equal_nan=element.is_float)
        if not element.is_float or not np.isnan(v).any():
            order = np.sort(element.decode(x), axis=1)[:, ::-1 if descending else 1]
            assert np.array_equal(wanted.reshape(rows, -1), order[:, :1 << left])
    return kernel


@pytest.mark.parametrize("element", [*INTEGERS, F16, BF16, F32, F64], ids=str)
def test_rows_of_every_type(element):
    for seed in range(10):
        check(element, numbers(element, (4, 16), seed))


@pytest.mark.parametrize("size", [(1, 1), (1, 2), (2, 2), (1, 8), (1, 64), (8, 64), (1, 1024), (1, 4096)], ids=str)
def test_sizes(size):
    for seed in range(3):
        check(F32, numbers(F32, size, seed))


@pytest.mark.parametrize("element", [F16, F32, F64], ids=str)
def test_equal_elements_and_nans(element):
    random = np.random.default_rng(0)
    for _ in range(20):
        values = random.choice([-0.0, 0.0, 1.0, 2.0, np.inf, -np.inf, np.nan], (4, 16))
        check(element, guarded(element.encode(values)))


def test_stages_that_exchange_along_the_same_bit_are_calls_of_one_function():
    x = np.zeros((1, 256), np.float32)
    c = check(F32, x).asm["c"]
    functions = c.count("noinline")
    assert 0 < functions <= 8 and c.count("_nest") > 6 * functions
