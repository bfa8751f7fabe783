"""Times clang and the linker for kernels of kernels.py, with precompiled headers, without, and by one run of clang.

    PYTHONPATH=build/dev/third_party/cpu/runtime python tests/cpu/compile_cost.py [NAME ...]

Seconds of user time, the least of three in turns; then the least, the median and the largest of the kernels.
"""

import os
import pathlib
import resource
import statistics
import subprocess
import sys
import tempfile

NAMES = ("atomics", "blocks", "conversions", "descriptors", "dots", "integers", "matmul", "messages", "reductions", "scans")
ROW = "{:14} {:>12} {:>12} {:>12}"


def c_of(name):
    """The C text of a kernel."""
    import kernels
    import triton
    from triton.backends.compiler import GPUTarget
    kernel, signature, constants = kernels.KERNELS[name]
    source = triton.compiler.ASTSource(fn=kernel, signature=signature, constexprs=constants)
    return triton.compile(source, target=GPUTarget("cpu", 0, 1)).asm["c"]


def spent(work):
    """Seconds of user time of the processes that work() starts and waits for."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    work()
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


def measured(text, folder):
    """Seconds for one text: precompiled, included, in one run of clang."""
    from triton_cpu import _headers, _toolchain
    c, precompiled = pathlib.Path(folder) / "kernel.c", _headers.precompiled
    c.write_text(text)

    def included():
        _headers.precompiled = lambda *arguments: None
        try:
            _toolchain.build(text)
        finally:
            _headers.precompiled = precompiled

    def at_once():
        subprocess.run([_toolchain.compiler(), *_toolchain.flags(True), "-shared", c, "-o", c.with_suffix(".so"), "-lm"],
                       check=True)

    ways = (lambda: _toolchain.build(text), included, at_once)
    return [min(times) for times in zip(*[[spent(way) for way in ways] for _ in range(3)])]


def main(names):
    print(ROW.format("kernel", "precompiled", "included", "at once"))
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        os.environ["TRITON_CACHE_DIR"] = folder
        for name in names:
            rows.append(measured(c_of(name), folder))
            print(ROW.format(name, *(f"{value:.3f}" for value in rows[-1])), flush=True)
    for what, of in (("least", min), ("median", statistics.median), ("largest", max)):
        print(ROW.format(what, *(f"{of(column):.3f}" for column in zip(*rows))))


if __name__ == "__main__":
    main(sys.argv[1:] or NAMES)
