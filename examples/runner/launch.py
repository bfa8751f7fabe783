"""Launches on this machine's device, from a file of a level. Needs a GPU and torch."""

import pathlib
import sys
import tempfile

import triton.language as tl
from triton_spec.runner import SignatureMismatch, bench, jit, load, save


@jit
def add(x, y, o, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(o + i, tl.load(x + i, mask=i < n) + tl.load(y + i, mask=i < n), mask=i < n)


def main():
    """The exit status: 0, or 2 where there is no device."""
    try:
        import torch
        torch.zeros(1, device="cuda")
    except (ImportError, RuntimeError, AssertionError) as error:
        print(f"launch.py: {error}", file=sys.stderr)
        return 2
    x, y = torch.randn(98432, device="cuda"), torch.randn(98432, device="cuda")
    o = torch.empty_like(x)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        save(add[(97,)](x, y, o, x.numel(), BLOCK=1024), folder)

        add[(97,)](x, y, o, x.numel(), BLOCK=1024, ttgir=folder / "add.ttgir")
        print("from ttgir:", torch.equal(o, x + y) and "right")

        kernel = load(folder / "add.cubin")
        kernel[(97,)](x, y, o, x.numel())
        try:
            kernel[(97,)](x.half(), y, o, x.numel())
        except SignatureMismatch as error:
            print("refused:", error)
        run = kernel.bind((97,), torch.cuda.current_stream().cuda_stream)
        run(x, y, o, x.numel())
        for how in ({"mode": "graph", "flush": True}, {"mode": "graph"}, {"mode": "host"}):
            print(bench(kernel, (97,), (x, y, o, x.numel()), **how))
    return 0


if __name__ == "__main__":
    sys.exit(main())
