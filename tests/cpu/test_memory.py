"""Loads and stores: masks, strides, tiles, gathers; a page that faults lies right behind, or before, each array."""

import numpy as np
import pytest
import triton
import triton.language as tl
from hypothesis import given, strategies

import triton_cpu
from arrays import BF16, BOOL, F16, F32, F64, FLOATS8, INTEGERS, cases, guarded, jit, numbers, seeds

pytestmark = pytest.mark.usefixtures("device")
TYPES = [*INTEGERS, F16, BF16, F32, F64, BOOL, FLOATS8[1]]
array = triton_cpu.array


@jit
def masked_copy(x, out, n, low, N: tl.constexpr):
    i = tl.program_id(0) * N + tl.arange(0, N)
    inside = (i >= low) & (i < n)
    tl.store(out + i, tl.load(x + i, mask=inside), mask=inside)


@pytest.mark.parametrize("element", TYPES, ids=str)
@cases
@given(seeds, strategies.integers(1, 100), strategies.integers(0, 20), strategies.booleans())
def test_masked_lanes_are_not_touched(element, seed, n, low, at_end):
    x = guarded(np.random.default_rng(seed).integers(0, 2 if element is BOOL else 256, n * element.stored.itemsize,
                                                     np.uint8).view(element.stored), at_end)
    out = guarded(np.zeros(n, element.stored), at_end)
    masked_copy[(4,)](element.argument(x), element.argument(out), n, low, N=32)
    assert out[low:].tobytes() == x[low:].tobytes() and not out[:low].view(np.uint8).any()


@jit
def tile(x, y, n, m, xs, xt, ys, yt, other, N: tl.constexpr, M: tl.constexpr, TRANSPOSED: tl.constexpr):
    i = tl.program_id(0) * N + tl.arange(0, N)[:, None]
    j = tl.program_id(1) * M + tl.arange(0, M)[None, :]
    a = tl.load(x + i * xs + j * xt, mask=(i < n) & (j < m), other=other)
    if TRANSPOSED:
        tl.store(y + tl.trans(i) * ys + tl.trans(j) * yt, tl.trans(a) + 1)
    else:
        tl.store(y + i * ys + j * yt, a + 1)


@pytest.mark.parametrize("transposed", [False, True])
@pytest.mark.parametrize("size", [(8, 32), (16, 16), (1, 64)], ids=str)
@pytest.mark.parametrize("element", [F32, INTEGERS[2], INTEGERS[6]], ids=str)
@cases
@given(seeds, strategies.tuples(*[strategies.integers(1, 40)] * 2), strategies.sampled_from("CF"), strategies.integers(1, 3))
def test_tiles_with_strides(element, size, transposed, seed, shape, order, gap):
    n, m = shape
    whole = numbers(element, (n, m * gap), seed, -9, 9)
    x = whole[:, ::gap] if order == "C" else guarded(np.asfortranarray(whole[:, ::gap]).T).T
    grid = (triton.cdiv(n, size[0]), triton.cdiv(m, size[1]))
    y = guarded(np.zeros((grid[0] * size[0], grid[1] * size[1]), element.stored))
    strides = [step // element.stored.itemsize for step in (*x.strides, *y.strides)]
    tile[grid](array(x), array(y), n, m, *strides, 7, N=size[0], M=size[1], TRANSPOSED=transposed)
    wanted = np.full_like(y, 7)
    wanted[:n, :m] = x
    assert (y == wanted + element.stored.type(1)).all()


@jit
def gather_scatter(x, index, out, n, N: tl.constexpr):
    i = tl.arange(0, N)
    at = tl.load(index + i, mask=i < n, other=-1)
    valid = at >= 0
    tl.store(out + at, tl.load(x + at, mask=valid), mask=valid)


@pytest.mark.parametrize("element", [F32, F16, INTEGERS[0], INTEGERS[6]], ids=str)
@cases
@given(seeds, strategies.integers(1, 64))
def test_gathers_and_scatters(element, seed, n):
    random = np.random.default_rng(seed)
    x = numbers(element, 50, seed)
    index = guarded(np.where(random.random(n) < 0.3, -1, random.permutation(64)[:n] % 50).astype(np.int32))
    index[index >= 0] = random.permutation(50)[:1][0] if n == 1 else index[index >= 0]
    out = guarded(np.zeros(50, element.stored))
    gather_scatter[(1,)](element.argument(x), array(index), element.argument(out), n, N=64)
    wanted = np.zeros_like(out)
    wanted[index[index >= 0]] = x[index[index >= 0]]
    assert out.tobytes() == wanted.tobytes()


@jit
def reverse_in_place(x, N: tl.constexpr):
    i = tl.arange(0, N)
    tl.store(x + N - 1 - i, tl.load(x + i))


@jit
def shift_in_place(x, N: tl.constexpr):
    i = tl.arange(0, N)
    tl.store(x + i + 1, tl.load(x + i))


@pytest.mark.parametrize("kernel", [reverse_in_place, shift_in_place], ids=lambda kernel: kernel.__name__)
@cases
@given(seeds)
def test_a_tile_is_loaded_before_it_is_stored(kernel, seed):
    x = guarded(np.random.default_rng(seed).random(129).astype(np.float32))
    wanted = x.copy()
    if kernel is reverse_in_place:
        wanted[:128] = x[127::-1]
    else:
        wanted[1:] = x[:-1]
    kernel[(1,)](array(x), N=128, strict=True)
    assert (x == wanted).all()


@jit
def addresses(pointers, out, N: tl.constexpr):
    i = tl.arange(0, N)
    place = tl.load(pointers + tl.program_id(0)).to(tl.pointer_type(tl.int32))
    tl.store(out + tl.program_id(0) * N + i, tl.load(place + i))


def test_pointers_from_memory():
    parts = [guarded(np.arange(16, dtype=np.int32) + 100 * at) for at in range(5)]
    pointers = guarded(np.array([part.ctypes.data for part in parts], np.int64))
    out = guarded(np.zeros((5, 16), np.int32))
    addresses[(5,)](array(pointers), array(out), N=16)
    assert (out == np.array(parts)).all()


@jit
def uniform(x, out, N: tl.constexpr):
    a = tl.load(x)
    tl.store(out + tl.arange(0, N), a + tl.load(x + tl.arange(0, N) * 0))
    tl.store(x, a + 1)


def test_scalars_and_one_place_for_all_lanes():
    x, out = guarded(np.array([2.5], np.float32)), guarded(np.zeros(16, np.float32))
    uniform[(1,)](array(x), array(out), N=16)
    assert (out == 5).all() and x[0] == 3.5


@jit
def huge(x, out, N: tl.constexpr):
    i = tl.arange(0, N)
    tl.store(out + i, tl.load(x + i) * 2)
    tl.store(out, tl.sum(tl.load(x + i), 0))


def test_the_largest_tile():
    x, out = guarded(np.arange(1 << 20, dtype=np.int32) % 1000), guarded(np.zeros(1 << 20, np.int32))
    huge[(1,)](array(x), array(out), N=1 << 20)
    assert out[0] == x.sum() and (out[1:] == 2 * x[1:]).all()
