"""Times kernels on the cpu device next to plain C and, where it is installed, torch.

    python tests/cpu/bench/run.py [--threads N | --scale] [--repeat N] [--warm] [NAME ...]

All of a row is measured in turns within one process, so that a busy machine is as bad for one as for
the other: the table has the least, the median and the largest time in microseconds, and the ratio of
the least to the better of plain C and torch, and to the best of all. Fast C is the same C with arithmetic that is
not exact: divisions by reciprocals, sums in any order, no care for NaN, and libmvec's exponentials. With one thread the time is the processor's, which other
processes do not count in; with more it is the clock's.

A call that comes after another's finds little in the caches, of Triton's code too. With --warm each is called
twice in its turn and the second is timed.

With --scale a row is one kernel on one thread and on two, in turns and by the clock, and how many times as
fast two are: the least, the median and the largest of the turns, and the ratio of the least times. "add in C"
is ref_add_on of reference.c, threads that add halves: what memory allows.
"""

import argparse
import ctypes
import functools
import os
import pathlib
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
PACKAGE = HERE.parents[2] / "build/dev/third_party/cpu/runtime"


def floats(count, seed):
    """An array of that many f32 between -1 and 1."""
    made = (ctypes.c_float * count)()
    rng = random.Random(seed)
    block = [rng.uniform(-1, 1) for _ in range(min(count, 65536))]
    for start in range(0, count, len(block)):
        size = min(len(block), count - start)
        made[start:start + size] = block[:size]
    return made


IN_C = {"C": [], "fast C": ["-ffast-math", "-fveclib=libmvec"]}  # further flags


def reference(flags):
    """The library of reference.c, compiled with further flags."""
    folder = tempfile.mkdtemp()
    library = os.path.join(folder, "reference.so")
    subprocess.run([shutil.which("clang-22") or "clang", "-O3", "-march=native", *flags, "-fPIC", "-shared",
                    HERE / "reference.c", "-o", library, "-lmvec", "-lm", "-lpthread"], check=True)
    loaded = ctypes.CDLL(library)
    shutil.rmtree(folder)
    return loaded


class Bench:
    """What the rows share: the package, C's functions, torch or None."""

    def __init__(self, threads):
        import triton_cpu
        import kernels
        self.kernels, self.array, self.threads = kernels, triton_cpu.array, threads
        self.c = {how: reference(flags) for how, flags in IN_C.items()}
        try:
            import torch
            torch.set_num_threads(threads)
        except ImportError:
            torch = None
        self.torch = torch

    def tensor(self, values, *shape):
        """torch's view of the same memory."""
        return self.torch.frombuffer(values, dtype=self.torch.float32).reshape(shape)

    def called(self, name, *values):
        """Calls of reference.c, as it is compiled."""
        args = [ctypes.c_int64(value) if isinstance(value, int) else value for value in values]
        return {how: functools.partial(getattr(library, "ref_" + name), *args) for how, library in self.c.items()}

    def rowwise(self, name, extra, theirs):
        """Rows of 1000 of 512, through a kernel with a program a row."""
        rows, n = 512, 1000
        x, more = floats(rows * n, 1), [floats(n, k) for k in range(extra)]
        y, z = floats(rows * n, 2), floats(2 * rows * n, 3)
        kernel = getattr(self.kernels, name)
        args = [self.array(value) for value in (x, y, *more)]
        if name == "argmax":
            args[1] = self.array((ctypes.c_int64 * rows)())
        made = {"ours": lambda **more: kernel[(rows,)](*args, n, N=1024, **more), **self.called(name, x, z, *more, rows, n)}
        if self.torch:
            t, w = self.tensor(x, rows, n), [self.tensor(value, n) for value in more]
            made["torch"] = lambda: theirs(self.torch, t, *w)
        return made

    def add(self):
        n = 4000000
        x, y, z = floats(n, 1), floats(n, 2), floats(n, 3)
        args = [self.array(value) for value in (x, y, z)]
        made = {"ours": lambda **more: self.kernels.add[(-(-n // 16384),)](*args, n, N=16384, **more),
                **self.called("add", x, y, floats(n, 3), n)}
        if self.torch:
            tx, ty, tz = self.tensor(x, n), self.tensor(y, n), self.torch.empty(n)
            made["torch"] = lambda: self.torch.add(tx, ty, out=tz)
        return made

    def softmax(self):
        return self.rowwise("softmax", 0, lambda torch, t: torch.softmax(t, 1))

    def layer_norm(self):
        return self.rowwise("layer_norm", 2, lambda torch, t, w, b: torch.layer_norm(t, (1000,), w, b))

    def cumsum(self):
        return self.rowwise("cumsum", 0, lambda torch, t: torch.cumsum(t, 1))

    def argmax(self):
        return self.rowwise("argmax", 0, lambda torch, t: torch.argmax(t, 1))

    def product(self, kernel, dtype, tile=(64, 64, 32)):
        n = 512
        x, y, z = floats(n * n, 1), floats(n * n, 2), floats(n * n, 3)
        made = self.called("matmul", x, y, floats(n * n, 3), n)
        args = [self.array(value) for value in (x, y, z)]
        if self.torch:
            tx, ty = (self.tensor(value, n, n).to(getattr(self.torch, dtype)) for value in (x, y))
            args[:2] = [tx, ty]
            made["torch"] = lambda: tx @ ty
        elif dtype != "float32":
            return None
        sizes = (n,) if kernel is self.kernels.matmul else (n, n, n)
        m, k, d = tile
        made["ours"] = lambda **more: kernel[(n // m, n // k)](*args, *sizes, M=m, N=k, K=d, **more)
        return made

    def matmul_f32(self):
        return self.product(self.kernels.matmul, "float32")

    def matmul_f16(self):
        return self.product(self.kernels.matmul, "float16")

    def matmul_bf16(self):
        return self.product(self.kernels.matmul, "bfloat16")

    def matmul_masked(self):
        return self.product(self.kernels.matmul_any, "float32")

    def attention(self):
        heads, n, d = 4, 512, 64
        data = [floats(heads * n * d, k) for k in range(4)]
        args = [self.array(value) for value in data]
        made = {"ours": lambda **more: self.kernels.attention[(n // 64, heads)](*args, n, 0.125, M=64, N=64, D=d, **more)}
        if self.torch:
            t = [self.tensor(value, heads, n, d) for value in data[:3]]
            made["torch"] = lambda: self.torch.nn.functional.scaled_dot_product_attention(*t)
        return made


ROWS = ["add", "softmax", "matmul_f32", "matmul_f16", "matmul_bf16", "matmul_masked", "layer_norm", "attention", "cumsum",
        "argmax"]


def measure(made, repeat, clock, warm=False):
    """Times of each in microseconds, taken in turns; warm: of the second of two calls."""
    times = {name: [] for name in made}
    for call in made.values():
        call()
        call()
    for _ in range(repeat):
        for name, call in made.items():
            if warm:
                call()
            start = clock()
            call()
            times[name].append((clock() - start) / 1000)
    return times


def summary(values, form):
    return " / ".join(format(f(values), form) for f in (min, statistics.median, max))


def compare(bench, names, repeat, warm):
    """Rows of the table: ours next to the others."""
    clock = time.process_time_ns if bench.threads == 1 else time.perf_counter_ns
    others = (*IN_C, "torch")
    print(f"| kernel | ours | {' | '.join(others)} | ours to C and torch | ours to all |\n|---|---|---|---|---|---|---|")
    for name in names or ROWS:
        made = getattr(bench, name)()
        if made is None:
            continue
        times = measure(made, repeat, clock, warm)
        cells = [summary(times[who], ".0f") if who in times else "-" for who in ("ours", *others)]
        for against in (("C", "torch"), others):
            least = [min(times[who]) for who in against if who in times]
            cells.append(f"{min(times['ours']) / min(least):.2f}" if least else "-")
        print(f"| {name} | {' | '.join(cells)} |", flush=True)


def add_in_c(bench):
    """The addition of reference.c by one thread or two."""
    n = 4000000
    x, y, z = floats(n, 1), floats(n, 2), floats(n, 3)
    calls = {count: bench.called("add_on", x, y, z, n, count)["C"] for count in (1, 2)}
    return lambda num_cpu_threads: calls[num_cpu_threads]()


def scale(bench, names, repeat, warm):
    """Rows of the table: ours on one thread and on two."""
    print("| kernel | one thread | two threads | times as fast | of the least |\n|---|---|---|---|---|")
    for name in names or [*ROWS, "add in C"]:
        call = add_in_c(bench) if name == "add in C" else (getattr(bench, name)() or {}).get("ours")
        if call is None:
            continue
        made = {count: functools.partial(call, num_cpu_threads=count) for count in (1, 2)}
        times = measure(made, repeat, time.perf_counter_ns, warm)
        ratios = [one / two for one, two in zip(times[1], times[2], strict=True)]
        print(f"| {name} | {summary(times[1], '.0f')} | {summary(times[2], '.0f')} | {summary(ratios, '.2f')} | "
              f"{min(times[1]) / min(times[2]):.2f} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--threads", type=int, default=1, help="threads of each (C has one always)")
    parser.add_argument("--repeat", type=int, default=50)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(ROWS)}")
    parser.add_argument("--warm", action="store_true", help="time the second of two calls")
    parser.add_argument("--scale", action="store_true", help="one thread next to two")
    options = parser.parse_args()
    threads = 2 if options.scale else options.threads
    os.environ.update(TRITON_DEFAULT_BACKEND="cpu", TTCPU_THREADS=str(threads))
    sys.path[:0] = [str(PACKAGE), str(HERE)]
    (scale if options.scale else compare)(Bench(threads), options.names, options.repeat, options.warm)


if __name__ == "__main__":
    main()
