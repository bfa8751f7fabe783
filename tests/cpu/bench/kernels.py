"""The kernels that tools/cpu-bench times."""

import triton
import triton.language as tl


@triton.jit
def add(x, y, z, n, N: tl.constexpr):
    i = tl.program_id(0) * N + tl.arange(0, N)
    mask = i < n
    tl.store(z + i, tl.load(x + i, mask=mask) + tl.load(y + i, mask=mask), mask=mask)


@triton.jit
def softmax(x, y, n, N: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, N)
    v = tl.load(x + row * n + i, mask=i < n, other=-float("inf"))
    e = tl.exp(v - tl.max(v, 0))
    tl.store(y + row * n + i, e / tl.sum(e, 0), mask=i < n)


@triton.jit
def layer_norm(x, y, w, b, n, N: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, N)
    v = tl.load(x + row * n + i, mask=i < n, other=0.0)
    mean = tl.sum(v, 0) / n
    d = tl.where(i < n, v - mean, 0.0)
    scale = 1 / tl.sqrt(tl.sum(d * d, 0) / n + 1e-5)
    out = d * scale * tl.load(w + i, mask=i < n) + tl.load(b + i, mask=i < n)
    tl.store(y + row * n + i, out, mask=i < n)


@triton.jit
def cumsum(x, y, n, N: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, N)
    tl.store(y + row * n + i, tl.cumsum(tl.load(x + row * n + i, mask=i < n, other=0.0), 0), mask=i < n)


@triton.jit
def argmax(x, y, n, N: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, N)
    tl.store(y + row, tl.argmax(tl.load(x + row * n + i, mask=i < n, other=-float("inf")), 0))


@triton.jit
def matmul(a, b, c, n, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    """Squares of n rows, whose tiles divide n."""
    i = tl.program_id(0) * M + tl.arange(0, M)
    j = tl.program_id(1) * N + tl.arange(0, N)
    k = tl.arange(0, K)
    left, right = a + i[:, None] * n + k[None, :], b + k[:, None] * n + j[None, :]
    acc = tl.zeros((M, N), tl.float32)
    for _ in range(0, n, K):
        acc = tl.dot(tl.load(left), tl.load(right), acc)
        left += K
        right += K * n
    tl.store(c + i[:, None] * n + j[None, :], acc)


@triton.jit
def matmul_any(a, b, c, m, n, depth, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    """Any sizes: indices wrap around by a remainder, k and the result are masked."""
    i = (tl.program_id(0) * M + tl.arange(0, M)) % m
    j = (tl.program_id(1) * N + tl.arange(0, N)) % n
    k = tl.arange(0, K)
    left, right = a + i[:, None] * depth + k[None, :], b + k[:, None] * n + j[None, :]
    acc = tl.zeros((M, N), tl.float32)
    for step in range(0, tl.cdiv(depth, K)):
        rest = depth - step * K
        acc = tl.dot(tl.load(left, mask=k[None, :] < rest, other=0.0),
                     tl.load(right, mask=k[:, None] < rest, other=0.0), acc)
        left += K
        right += K * n
    i = tl.program_id(0) * M + tl.arange(0, M)
    j = tl.program_id(1) * N + tl.arange(0, N)
    tl.store(c + i[:, None] * n + j[None, :], acc, mask=(i[:, None] < m) & (j[None, :] < n))


@triton.jit
def attention(q, k, v, o, n, scale, M: tl.constexpr, N: tl.constexpr, D: tl.constexpr):
    """Without a mask: one head a program of the second axis, M queries a program of the first."""
    head = tl.program_id(1) * n * D
    i, j, d = tl.program_id(0) * M + tl.arange(0, M), tl.arange(0, N), tl.arange(0, D)
    query = tl.load(q + head + i[:, None] * D + d[None, :]) * (scale * 1.44269504)
    most = tl.full((M,), -float("inf"), tl.float32)
    total = tl.zeros((M,), tl.float32)
    acc = tl.zeros((M, D), tl.float32)
    for start in range(0, n, N):
        keys = tl.load(k + head + (start + j)[None, :] * D + d[:, None])
        scores = tl.dot(query, keys)
        new = tl.maximum(most, tl.max(scores, 1))
        p = tl.exp2(scores - new[:, None])
        old = tl.exp2(most - new)
        total = total * old + tl.sum(p, 1)
        acc = acc * old[:, None]
        acc = tl.dot(p, tl.load(v + head + (start + j)[:, None] * D + d[None, :]), acc)
        most = new
    tl.store(o + head + i[:, None] * D + d[None, :], acc / total[:, None])
