"""What a launch costs beside Triton's own part of it, by hand:

    PYTHONPATH=build/dev/third_party/cpu/runtime .venv/bin/python tests/cpu/launch_cost.py

Prints, in microseconds, the least of many runs of a launch of one small program by `kernel[grid](...)`, and of
the call of this backend's launcher within it, which packs five arguments and runs the program.
"""

import array
import timeit

import triton
import triton.language as tl

import triton_cpu


@triton.jit
def add(x, y, z, n, N: tl.constexpr):
    i = tl.arange(0, N)
    tl.store(z + i, tl.load(x + i, mask=i < n) + tl.load(y + i, mask=i < n), mask=i < n)


def least(function, number=5000, repeat=40):
    """The least time of a call, in microseconds."""
    return min(timeit.repeat(function, number=number, repeat=repeat)) / number * 1e6


def main():
    x, y, z = (triton_cpu.array(array.array("f", [1] * 128)) for _ in range(3))
    kernel = add[(1,)](x, y, z, 100, N=128)
    arguments = (1, 1, 1, 0, kernel.function, kernel.packed_metadata, None, None, None, x, y, z, 100, 128)
    print(f"whole launch {least(lambda: add[(1,)](x, y, z, 100, N=128)):.2f} us")
    print(f"launcher     {least(lambda: kernel.run(*arguments)):.2f} us")


if __name__ == "__main__":
    main()
