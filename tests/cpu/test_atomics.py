"""Atomic operations of many programs on the same places."""

import numpy as np
import pytest
import triton
import triton.language as tl
from hypothesis import given, strategies

import triton_cpu
from arrays import BF16, F16, F32, F64, INTEGERS, cases, close, guarded, jit, numbers, seeds

pytestmark = pytest.mark.usefixtures("device")
I32, U32, I64, U64 = INTEGERS[4:]
array = triton_cpu.array


@jit
def fold(x, place, old, n, OP: tl.constexpr, N: tl.constexpr):
    i = tl.program_id(0) * N + tl.arange(0, N)
    v = tl.load(x + i, mask=i < n)
    at = place + i % 3
    if OP == "add":
        r = tl.atomic_add(at, v, mask=i < n)
    elif OP == "max":
        r = tl.atomic_max(at, v, mask=i < n)
    elif OP == "min":
        r = tl.atomic_min(at, v, mask=i < n)
    elif OP == "and":
        r = tl.atomic_and(at, v, mask=i < n)
    elif OP == "or":
        r = tl.atomic_or(at, v, mask=i < n)
    elif OP == "xor":
        r = tl.atomic_xor(at, v, mask=i < n)
    else:
        r = tl.atomic_xchg(at, v, mask=i < n)
    tl.store(old + i, r, mask=i < n)


FOLDS = {"add": np.add, "max": np.maximum, "min": np.minimum, "and": np.bitwise_and, "or": np.bitwise_or,
         "xor": np.bitwise_xor}


@pytest.mark.parametrize("element, op", [
    *[(element, op) for element in (I32, U32, I64, U64) for op in (*FOLDS, "xchg")],
    *[(element, op) for element in (F32, F64) for op in ("add", "max", "min", "xchg")], (F16, "add"), (BF16, "add")], ids=str)
@cases
@given(seeds, strategies.integers(1, 400), strategies.sampled_from([1, 4]))
def test_folds(element, op, seed, n, threads):
    x, place = numbers(element, n, seed, -8, 8), numbers(element, 3, seed + 1, -8, 8)
    before, old = place.copy(), guarded(np.zeros(n, element.stored))
    fold[(-(-n // 32),)](*map(element.argument, (x, place, old)), n, OP=op, N=32, num_cpu_threads=threads)
    for k in range(3):
        values, seen = element.decode(x[k::3]), element.decode(old[k::3])
        first, last = element.decode(before)[k], element.decode(place)[k]
        if op == "xchg":  # whatever the order, each value is seen by the next one
            assert sorted([*seen.tolist(), last]) == sorted([first, *values.tolist()])
        elif op == "add" and element.is_float:
            size = np.abs(values).sum() + abs(first)
            close(last, first + values.sum(), element, ulps=len(values) + 1, scale=size)
        else:
            wanted = FOLDS[op].reduce(np.concatenate([before[k:k + 1], x[k::3]]), dtype=element.stored)
            assert place[k] == wanted
            assert set(seen.tolist()) <= {FOLDS[op](first, first).item(), *seen.tolist()} and (len(seen) == 0 or first in seen)


@jit
def count_up(place, N: tl.constexpr):
    for _ in range(N):
        seen = tl.load(place)
        while tl.atomic_cas(place, seen, seen + 1) != seen:
            seen = tl.atomic_add(place, 0)


@jit
def locked(lock, place, N: tl.constexpr):
    while tl.atomic_cas(lock, 0, 1) == 1:
        pass
    i = tl.arange(0, N)
    tl.store(place + i, tl.load(place + i) + 1)
    tl.debug_barrier()
    tl.atomic_xchg(lock, 0)


@pytest.mark.parametrize("threads", [1, 4])
def test_locks_and_compare_and_swap(threads):
    place = guarded(np.zeros(1, np.int32))
    count_up[(50,)](array(place), N=20, num_cpu_threads=threads)
    assert place[0] == 1000
    lock, values = guarded(np.zeros(1, np.int32)), guarded(np.zeros(64, np.float32))
    locked[(300,)](array(lock), array(values), N=64, num_cpu_threads=threads)
    assert (values == 300).all() and lock[0] == 0


@jit
def swap_lanes(place, expected, out, N: tl.constexpr):
    i = tl.arange(0, N)
    old = tl.atomic_cas(place + i, tl.load(expected + i), i.to(tl.int64) + 1000)
    tl.store(out + i, old)


@cases
@given(seeds)
def test_compare_and_swap_of_lanes(seed):
    random = np.random.default_rng(seed)
    place = guarded(random.integers(0, 3, 32, np.int64))
    expected, out, before = guarded(random.integers(0, 3, 32, np.int64)), guarded(np.zeros(32, np.int64)), place.copy()
    swap_lanes[(1,)](array(place), array(expected), array(out), N=32)
    assert (out == before).all()
    assert (place == np.where(before == expected, np.arange(32) + 1000, before)).all()


@jit
def handed_over(flags, values, N: tl.constexpr):
    at = tl.program_id(0)
    i = tl.arange(0, N)
    if at > 0:
        tl.atomic_poll(flags + at - 1, 1)
        tl.store(values + at * N + i, tl.load(values + (at - 1) * N + i) + 1)
    tl.debug_barrier()
    tl.atomic_store(flags + at, 1, sem="release")


@pytest.mark.parametrize("options", [{"num_cpu_threads": 1}, {"num_cpu_threads": 3}, {"num_cpu_threads": -1}], ids=str)
def test_programs_hand_over(options):
    flags, values = guarded(np.zeros(20, np.int32)), guarded(np.zeros((20, 8), np.float32))
    handed_over[(20,)](array(flags), array(values), N=8, **options)
    assert (values == np.arange(20)[:, None]).all()
