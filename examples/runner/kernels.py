"""The kernel of the examples."""

import os

os.environ.setdefault("TRITON_DEFAULT_FP_FUSION", "1")  # Triton 3.9 warns of a default that will change

import triton  # noqa: E402  behind the setting that it reads
import triton.language as tl  # noqa: E402
from triton.backends.compiler import GPUTarget  # noqa: E402

TARGET = GPUTarget("cuda", 90, 32)


@triton.jit
def add(x, y, o, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(o + i, tl.load(x + i, mask=i < n) + tl.load(y + i, mask=i < n), mask=i < n)


def compiled():
    """add for TARGET, as Triton compiles it: no GPU is needed."""
    signature = {"x": "*fp32", "y": "*fp32", "o": "*fp32", "n": "i32", "BLOCK": "constexpr"}
    source = triton.compiler.ASTSource(add, signature, {(4,): 1024}, {(i,): [["tt.divisibility", 16]] for i in range(4)})
    return triton.compile(source, target=TARGET, options={"num_warps": 4})
