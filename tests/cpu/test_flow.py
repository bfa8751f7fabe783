"""Control flow, device functions, tuples, descriptors, random numbers."""

from collections import namedtuple

import numpy as np
import pytest
import triton
import triton.language as tl
from hypothesis import given, strategies
from triton.tools.tensor_descriptor import TensorDescriptor

import triton_cpu
from arrays import F16, F32, INTEGERS, cases, guarded, jit, numbers, seeds

pytestmark = pytest.mark.usefixtures("device")
array = triton_cpu.array


@triton.jit(noinline=True)
def halves_and_doubles(a, b):
    return a // 2, b * 2


@triton.jit
def steps(n):
    count = 0
    while n != 1:
        if n % 2 == 0:
            n = n // 2
        else:
            n = 3 * n + 1
        count += 1
    return count


@jit
def flow(x, out, n):
    at = tl.program_id(0)
    v = tl.load(x + at)
    if v < 0:
        tl.store(out + at, -1)
        return
    total = 0
    for i in range(0, n, 2):
        if i % 3 == 0:
            total += v + i
        elif i > 7:
            total -= i
    for i in tl.range(n, 0, -3):
        total += i * 2
    a, b = halves_and_doubles(total, v)
    if n > 5 and v > 3:
        a += steps(v)
    tl.store(out + at, a + b)


def flow_in_python(v, n):
    if v < 0:
        return -1
    total = 0
    for i in range(0, n, 2):
        if i % 3 == 0:
            total += v + i
        elif i > 7:
            total -= i
    for i in range(n, 0, -3):
        total += i * 2
    a, b = abs(total) // 2 * (1 if total >= 0 else -1), v * 2
    if n > 5 and v > 3:
        while v != 1:
            v = v // 2 if v % 2 == 0 else 3 * v + 1
            a += 1
    return a + b


@cases
@given(seeds, strategies.integers(0, 20))
def test_flow(seed, n):
    x = guarded(np.random.default_rng(seed).integers(-3, 40, 16, np.int32))
    out = guarded(np.zeros(16, np.int32))
    flow[(16,)](array(x), array(out), n)
    assert out.tolist() == [flow_in_python(v, n) for v in x.tolist()]


@jit
def carried(x, out, n, N: tl.constexpr):
    i = tl.arange(0, N)
    a, b = tl.load(x + i), tl.zeros((N,), tl.float32)
    place = x + i
    for step in range(n):
        a, b = b + step, a * 0.5
        if step % 2 == 1:
            place += N
            b += tl.load(place)
    tl.store(out + i, a - b)


@cases
@given(seeds, strategies.integers(0, 9))
def test_carried_tensors(seed, n):
    x = numbers(F32, (5, 32), seed, -4, 4)
    out = guarded(np.zeros(32, np.float32))
    carried[(1,)](array(x), array(out), n, N=32)
    a, b, row = x[0].astype(float), np.zeros(32), 0
    for step in range(n):
        a, b = b + step, a * 0.5
        if step % 2 == 1:
            row += 1
            b = b + x[row]
    np.testing.assert_allclose(out, a - b, rtol=1e-6, atol=1e-5)


@triton.jit
def greatest_divisor(a, b):
    while b != 0:
        a, b = b, a % b
    return a


@jit
def mapped(x, y, out, N: tl.constexpr):
    i = tl.arange(0, N)
    tl.store(out + i, tl.map_elementwise(greatest_divisor, tl.load(x + i), tl.load(y + i)))


@cases
@given(seeds)
def test_mapped_functions(seed):
    random = np.random.default_rng(seed)
    x, y = (guarded(random.integers(1, 500, 32, np.int32)) for _ in range(2))
    out = guarded(np.zeros(32, np.int32))
    mapped[(1,)](array(x), array(y), array(out), N=32)
    assert (out == np.gcd(x, y)).all()


Pair = namedtuple("Pair", "place factor")


@triton.jit
def of_tuples(pairs, out, shift, N: tl.constexpr):
    i = tl.arange(0, N)
    total = tl.zeros((N,), tl.float32)
    for k in tl.static_range(2):
        total += tl.load(pairs[k].place + i) * pairs[k].factor
    if shift is not None:
        total += shift[0] - shift[1]
    tl.store(out + i, total)


@pytest.mark.parametrize("shift", [None, (2.5, 1), (7, 0.25)], ids=str)
def test_tuples_and_none(shift):
    x, y, out = (numbers(F32, 16, seed, -4, 4) for seed in range(3))
    of_tuples[(1,)]((Pair(array(x), 3), Pair(array(y), 0.5)), array(out), shift, N=16)
    np.testing.assert_allclose(out, x * 3 + y * 0.5 + (shift[0] - shift[1] if shift else 0), rtol=1e-5, atol=1e-5)


@triton.jit
def scalars(out, a: tl.int8, b: tl.uint16, c: tl.float16, d: tl.bfloat16, e: tl.float64, f: tl.int64, g):
    tl.store(out, a.to(tl.float64))
    tl.store(out + 1, b.to(tl.float64))
    tl.store(out + 2, c.to(tl.float64))
    tl.store(out + 3, d.to(tl.float64))
    tl.store(out + 4, e)
    tl.store(out + 5, f.to(tl.float64))
    tl.store(out + 6, g.to(tl.float64))


@pytest.mark.parametrize("last", [True, 1 << 40, (1 << 63) + (1 << 40), 0.5, -7], ids=str)
def test_scalars_of_every_type(last):
    out = guarded(np.zeros(7))
    scalars[(1,)](array(out), -5, 65535, 0.25, 1.5, 0.1, -(1 << 50), last)
    assert out.tolist() == [-5, 65535, 0.25, 1.5, 0.1, -(1 << 50), float(last)]


@triton.jit
def described(source, target, m, n, M: tl.constexpr, N: tl.constexpr):
    row, column = tl.program_id(0) * M, tl.program_id(1) * N
    made = tl.make_tensor_descriptor(target, [m, n], [n, 1], [M, N])
    made.store([row, column], source.load([row, column]) * 2)


@pytest.mark.parametrize("element", [F32, F16, INTEGERS[4]], ids=str)
@cases
@given(seeds, strategies.integers(1, 40), strategies.integers(1, 5))
def test_descriptors(element, seed, m, blocks):
    n = blocks * 16 // element.stored.itemsize * 4 - 3
    wide = -(-n // 8) * 8
    x = numbers(element, (m, wide), seed, -9, 9)  # ends at a page that faults, at an address of 16 n
    out = guarded(np.zeros((m, n), element.stored))
    source = TensorDescriptor(element.argument(x), [m, n], [wide, 1], [8, 16])
    described[(-(-m // 8), -(-n // 16))](source, element.argument(out), m, n, M=8, N=16)
    assert (out == x[:, :n] * element.stored.type(2)).all()


@jit
def random_numbers(seed, integers, uniform, normal, N: tl.constexpr):
    i = tl.program_id(0) * N + tl.arange(0, N)
    tl.store(integers + i, tl.randint(seed, i))
    tl.store(uniform + i, tl.rand(seed, i))
    tl.store(normal + i, tl.randn(seed, i))


def philox(seed, offset):
    """The first 32 bits of Philox-4x32-10 with key `seed` at counter (offset, 0, 0, 0)."""
    mask = (1 << 32) - 1
    c, k = [offset, 0, 0, 0], [seed & mask, seed >> 32 & mask]
    for _ in range(10):
        a, b = 0xD2511F53 * c[0], 0xCD9E8D57 * c[2]
        c = [b >> 32 ^ c[1] ^ k[0], b & mask, a >> 32 ^ c[3] ^ k[1], a & mask]
        k = [k[0] + 0x9E3779B9 & mask, k[1] + 0xBB67AE85 & mask]
    return c[0]


@cases
@given(strategies.integers(0, 2**62))
def test_random_numbers(seed):
    integers = guarded(np.zeros(256, np.uint32))
    uniform, normal = guarded(np.zeros(256, np.float32)), guarded(np.zeros(256, np.float32))
    random_numbers[(4,)](seed, array(integers), array(uniform), array(normal), N=64)
    assert integers.tolist() == [philox(seed, at) for at in range(256)]
    assert (uniform >= 0).all() and (uniform < 1).all() and len(set(uniform.tolist())) > 250
    assert abs(normal.mean()) < 0.4 and 0.7 < normal.std() < 1.3
