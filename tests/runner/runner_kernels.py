"""Kernels for the runner's tests: (function, signature, constants, options) by name."""

import triton
import triton.language as tl


@triton.jit
def add(x, y, o, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(o + i, tl.load(x + i, mask=i < n) + tl.load(y + i, mask=i < n), mask=i < n)


@triton.jit
def softmax(x, o, stride, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    v = tl.load(x + tl.program_id(0) * stride + i, mask=i < n, other=float("-inf"))
    v = tl.exp(v - tl.max(v, 0))
    tl.store(o + tl.program_id(0) * stride + i, v / tl.sum(v, 0), mask=i < n)


@triton.jit
def matmul(a, b, c, k, sa, sb, sc, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    rows, columns, inner = tl.arange(0, M), tl.arange(0, N), tl.arange(0, K)
    pa, pb = a + rows[:, None] * sa + inner[None, :], b + inner[:, None] * sb + columns[None, :]
    total = tl.zeros((M, N), tl.float32)
    for _ in range(0, k, K):
        total = tl.dot(tl.load(pa), tl.load(pb), total)
        pa += K
        pb += K * sb
    tl.store(c + rows[:, None] * sc + columns[None, :], total.to(tl.float16))


KERNELS = {
    "add": (add, "*fp32 *fp32 *fp32 i32", {"BLOCK": 1024}, {"num_warps": 4}),
    "softmax": (softmax, "*fp32 *fp32 i32 i32", {"BLOCK": 512}, {"num_warps": 2}),
    "matmul": (matmul, "*fp16 *fp16 *fp16 i32 i32 i32 i32", {"M": 64, "N": 64, "K": 32},
               {"num_warps": 8, "num_stages": 4}),
}


def source_of(function, types, constants, aligned):
    """A kernel for triton.compile.

    types      of the arguments that a launch passes, which come first
    constants  {name: value} of the others; aligned: how many of the first are said to be divisible by 16
    """
    signature = {**dict(zip(function.arg_names, types.split())), **dict.fromkeys(constants, "constexpr")}
    return triton.compiler.ASTSource(function, signature, {
        (function.arg_names.index(key),): value for key, value in constants.items()}, {
        (i,): [["tt.divisibility", 16]] for i in range(aligned)})


def compiled(name, target):
    """The kernel as Triton compiles it; pointers and integers are said to be divisible by 16."""
    function, types, constants, options = KERNELS[name]
    source = source_of(function, types, constants, len(types.split()))
    return triton.compile(source, target=target, options=options)
