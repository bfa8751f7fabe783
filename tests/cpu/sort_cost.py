"""Times tl.sort and tl.topk by the size of their rows.

    PYTHONPATH=build/dev/third_party/cpu/runtime TTCPU_THREADS=1 python tests/cpu/sort_cost.py [SIZE ...]

Of f32 and i32: seconds of user time of clang and the linker, the least of three; microseconds a row, the least of 50
launches of as many rows as 64 Ki elements have, each row a program.
"""

import os
import random
import sys
import tempfile
import time

import triton
import triton.language as tl

from compile_cost import spent

ROW = "{:>6} {:>6} {:>10} {:>10} {:>10} {:>10}"


@triton.jit
def sort_row(x, y, N: tl.constexpr):
    at = tl.program_id(0) * N + tl.arange(0, N)
    tl.store(y + at, tl.sort(tl.load(x + at)))


@triton.jit
def best_of_row(x, y, N: tl.constexpr):
    at = tl.program_id(0) * N + tl.arange(0, N)
    tl.store(y + tl.program_id(0) * 8 + tl.arange(0, 8), tl.topk(tl.load(x + at), 8))


def run_in(kernel, arguments, size, rows):
    start = time.perf_counter()
    kernel[(rows,)](*arguments, N=size)
    return (time.perf_counter() - start) / rows


def main(sizes):
    import array

    import triton_cpu
    from triton_cpu import _toolchain
    print(ROW.format("size", "of", "sort, s", "topk, s", "sort, us", "topk, us"))
    count = 1 << 16
    rng = random.Random(0)
    numbers = [rng.randrange(1 << 20) for _ in range(count)]
    for size in sizes:
        for letter, name in (("f", "f32"), ("i", "i32")):
            arguments = [triton_cpu.array(array.array(letter, values)) for values in (numbers, [0] * count)]
            rows, costs = max(1, count // size), []
            for kernel in (sort_row, best_of_row):
                text = kernel[(1,)](*arguments, N=size).asm["c"]
                least = min(run_in(kernel, arguments, size, rows) for _ in range(50))
                costs.append((min(spent(lambda: _toolchain.build(text)) for _ in range(3)), least * 1e6))
            print(ROW.format(size, name, *(f"{seconds:.3f}" for seconds, _ in costs), *(f"{us:.1f}" for _, us in costs)),
                  flush=True)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        os.environ.update(TRITON_CACHE_DIR=folder, TRITON_DEFAULT_BACKEND="cpu")
        main([int(size) for size in sys.argv[1:]] or (16, 64, 256, 1024, 4096, 16384))
