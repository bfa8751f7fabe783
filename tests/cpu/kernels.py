"""Kernels that together make nearly every kind of operation that triton's front end can."""

import triton
import triton.language as tl
from triton.language.extra import libdevice

KERNELS = {}


def kernel(signature, **constants):
    """Registers a kernel with the types of its arguments in order ("*fp32 *fp32 i32") and the values of
    its constexpr parameters, which follow them."""
    def register(fn):
        made = triton.jit(fn)
        names = made.arg_names
        types = dict(zip(names, signature.split()))
        types.update({name: "constexpr" for name in names[len(types):]})
        KERNELS[fn.__name__] = (made, types, {(names.index(name),): value for name, value in constants.items()})
        return made
    return register


@kernel("*fp32 *fp32 i32", N=128)
def elementwise(x, y, n, N: tl.constexpr):
    i = tl.program_id(0) * N + tl.arange(0, N)
    v = tl.load(x + i, mask=i < n, other=-1.5)
    v = tl.exp(v) + tl.exp2(v) * tl.log(v) - tl.log2(v) / tl.sqrt(v)
    v = tl.sin(v) + tl.cos(v) + tl.rsqrt(v) + tl.abs(v) + tl.floor(v) + tl.ceil(v) + tl.erf(v)
    v = tl.fma(v, v, v) + tl.math.div_rn(v, v + 1.0) + tl.sqrt_rn(v) - (-v)
    v = tl.minimum(v, 3.0) + tl.maximum(v, float("-inf")) + tl.clamp(v, 0.1, 0.7) + v % 1.3
    v = tl.minimum(v, 2.0, propagate_nan=tl.PropagateNan.ALL)
    v = tl.maximum(v, 1e-30, propagate_nan=tl.PropagateNan.ALL)
    tl.store(y + i, tl.where(v == v, v, float("nan")), mask=i < n)


@kernel("*i32 *u32 *i64 i32", N=64)
def integers(x, u, w, n, N: tl.constexpr):
    i = tl.arange(0, N)
    a, b, c = tl.load(x + i), tl.load(u + i), tl.load(w + i)
    a = (a // 3) % 7 + (a >> 2) - (a << 1) & 0x55 | (a ^ n)
    b = (b // 3) % 7 + (b >> 2) + tl.umulhi(b, b + 1)
    a = tl.minimum(a, n) + tl.maximum(a, 3) + tl.abs(a) + tl.where((a < n) & (a >= 0) | (a != 5), ~a, -a)
    b = tl.minimum(b, tl.load(u + n)) + tl.maximum(b, tl.load(u)) + tl.minimum(b, 9) + tl.maximum(b, 4294967295)
    c = c * -9223372036854775808 + a.to(tl.int64) + b.to(tl.int64)
    tl.store(x + i, a.to(tl.int8).to(tl.int32))
    tl.store(u + i, b)
    tl.store(w + i, c, mask=b > 3)


@kernel("*fp32 *fp16 *bf16 *fp64 *i8 *u16 *i1", N=64)
def conversions(f, h, b, d, s, u, p, N: tl.constexpr):
    i = tl.arange(0, N)
    v = tl.load(f + i)
    tl.store(h + i, v.to(tl.float16))
    tl.store(b + i, v.to(tl.bfloat16) * 0.1)
    tl.store(d + i, tl.load(h + i).to(tl.float64) * 0.1)
    tl.store(s + i, v.to(tl.int8))
    tl.store(u + i, v.to(tl.uint16))
    tl.store(p + i, v > 0)
    tl.store(f + i, tl.load(u + i).to(tl.float32) + tl.load(s + i).to(tl.float32) + tl.load(p + i))
    tl.store(f + i, v.to(tl.int32, bitcast=True) + 1.0)


@kernel("*fp32 *fp8e4nv *fp8e5", N=64)
def small_floats(x, a, b, N: tl.constexpr):
    i = tl.arange(0, N)
    v = tl.load(x + i)
    tl.store(a + i, v.to(tl.float8e4nv, fp_downcast_rounding="rtne"))
    tl.store(b + i, v.to(tl.float8e5))
    tl.store(x + i, tl.load(a + i).to(tl.float32) + tl.load(b + i).to(tl.float32))


@kernel("*fp8e5", N=64)
def small_constants(b, N: tl.constexpr):
    tl.store(b + tl.arange(0, N), tl.full((N,), 0.75, tl.float8e5))


@triton.jit
def larger(a, b):
    return tl.where(a > b, a, b)


@triton.jit
def pair_sum(a, b, c, d):
    return a + c, b * d


@kernel("*fp32 *i32 *fp32", N=32)
def reductions(x, k, y, N: tl.constexpr):
    i = tl.arange(0, N)
    v = tl.load(x + i[:, None] * N + i[None, :])
    tl.store(y + i, tl.sum(v, 0) + tl.max(v, 1) + tl.min(v, 1) + tl.reduce(v, 1, larger))
    tl.store(k + i, tl.argmax(v, 1) + tl.argmin(v, 0) + tl.xor_sum(v.to(tl.int32), 0))
    a, b = tl.reduce((v, v + 1), 0, pair_sum)
    tl.store(y + i, a + b + tl.sum(a))


@kernel("*fp32 *fp32", N=32)
def scans(x, y, N: tl.constexpr):
    i = tl.arange(0, N)
    v = tl.load(x + i[:, None] * N + i[None, :])
    v = tl.cumsum(v, 0) + tl.cumprod(v, 1, reverse=True)
    a, b = tl.associative_scan((v, v), 1, pair_sum)
    tl.store(y + i[:, None] * N + i[None, :], a + b)


@kernel("*fp32 *i32", N=32)
def sorting(x, k, N: tl.constexpr):
    i = tl.arange(0, N)
    tl.store(x + i, tl.sort(tl.load(x + i)))
    tl.store(k + tl.arange(0, 8), tl.topk(tl.load(k + i), 8))


@kernel("*fp16 *fp16 *fp32 i32 i32", M=16, K=32)
def matmul(a, b, c, k, stride, M: tl.constexpr, K: tl.constexpr):
    m, inner = tl.arange(0, M), tl.arange(0, K)
    sum = tl.zeros((M, M), tl.float32)
    pa, pb = a + m[:, None] * stride + inner[None, :], b + inner[:, None] * stride + m[None, :]
    for step in range(0, k, K):
        mask = inner < k - step
        sum = tl.dot(tl.load(pa, mask=mask[None, :], other=0), tl.load(pb, mask=mask[:, None], other=0), sum)
        pa += K
        pb += K * stride
    tl.store(c + m[:, None] * stride + m[None, :], sum, eviction_policy="evict_last")


@kernel("*i8 *i32 *fp32", N=16)
def dots(a, c, f, N: tl.constexpr):
    i = tl.arange(0, N)
    at = i[:, None] * N + i[None, :]
    tl.store(c + at, tl.dot(tl.load(a + at), tl.load(a + at)))
    deep = tl.arange(0, 2)[:, None, None] * N * N + at[None]
    v = tl.load(f + deep)
    tl.store(f + deep, tl.dot(v, v, input_precision="tf32"))


@kernel("*fp8e4nv *fp8e5 *u8 *fp32", N=32)
def scaled_dot(a, b, s, c, N: tl.constexpr):
    i = tl.arange(0, N)
    at = i[:, None] * N + i[None, :]
    scale = tl.load(s + i[:, None] + tl.arange(0, 1)[None, :])
    r = tl.dot_scaled(tl.load(a + at), scale, "e4m3", tl.load(b + at), scale, "e5m2")
    tl.store(c + at, tl.dot_scaled(tl.load(a + at), None, "e4m3", tl.load(b + at), scale, "e5m2", r))


@kernel("*i32 *fp32 *i64", N=64)
def atomics(k, f, w, N: tl.constexpr):
    i = tl.arange(0, N)
    tl.atomic_add(f + i, 1.5, mask=i < 50)
    v = tl.atomic_max(k + i, i) + tl.atomic_min(k + i, i) + tl.atomic_and(k, 3) + tl.atomic_or(k, 4)
    v += tl.atomic_xor(k + i, v) + tl.atomic_xchg(k + i, v, sem="relaxed", scope="cta")
    while tl.atomic_cas(k, 0, 1) == 1:
        pass
    tl.atomic_cas(w + i, v.to(tl.int64), v.to(tl.int64) + 1)


@kernel("*i32 *i32", N=64)
def waiting(flag, k, N: tl.constexpr):
    i = tl.arange(0, N)
    if tl.atomic_poll(flag, 1):
        tl.atomic_store(k + i, tl.atomic_load(k + i, sem="acquire") + 1, sem="release")


@kernel("*fp32 *fp32 i32 i32", M=32, N=64)
def descriptors(x, y, m, n, M: tl.constexpr, N: tl.constexpr):
    src = tl.make_tensor_descriptor(x, [m, n], [n, 1], [M, N])
    dst = tl.make_tensor_descriptor(y, [m, n], [n, 1], [M, N])
    v = src.load([M * tl.program_id(0), N * tl.program_id(1)])
    dst.store([0, 0], v + 1)
    dst.atomic_add([0, N], v)


@kernel("*fp32 *fp32 *i32 i32 i32", N=32)
def descriptor_rows(x, y, k, m, n, N: tl.constexpr):
    src = tl.make_tensor_descriptor(x, [m, n], [n, 1], [1, N])
    dst = tl.make_tensor_descriptor(y, [m, n], [n, 1], [1, N])
    rows = tl.load(k + tl.arange(0, N))
    dst.scatter(src.gather(rows, 0), rows, 4)


@kernel("*fp32 i32 fp32")
def control(x, n, limit):
    v = tl.load(x)
    if n < 0:
        return
    if v > limit:
        v = v * 2
    elif n > 3:
        v = v - 1
    while v < limit:
        v = v * 3 + 1
        n -= 1
    for i in tl.range(n, 0, -1):
        v += i
    tl.store(x, v)


@triton.jit(noinline=True)
def scaled(a, b):
    return a * b, a + b


@kernel("*fp32 i32")
def calls(x, n):
    a, b = scaled(tl.load(x), tl.load(x + 1))
    tl.store(x + 2, a - b)


@kernel("*fp32 i32 i64", N=64)
def random(x, seed, big, N: tl.constexpr):
    i = tl.arange(0, N)
    tl.store(x + i, tl.rand(seed, i) + tl.randn(big, i) + tl.randint(seed, i).to(tl.float32))


@kernel("*fp32 i32", N=64)
def messages(x, n, N: tl.constexpr):
    i = tl.arange(0, N)
    tl.device_print("say \"v\"\\", tl.load(x + i), i, hex=True)
    tl.device_assert(n > 0, "positive \u00e9 please")
    tl.assume(n > 4)
    tl.static_assert(N == 64)
    tl.debug_barrier()


@kernel("*i32 *fp32", N=64)
def shapes(k, f, N: tl.constexpr):
    i = tl.arange(0, N)
    v = tl.load(f + i)
    tl.store(k + tl.arange(0, 16), tl.histogram(tl.load(k + i), 16))
    low, high = tl.split(tl.reshape(v, (N // 2, 2)) + 1)
    tl.store(f + tl.arange(0, 2 * N), tl.cat(v, v, can_reorder=True))
    joined = tl.join(low * 2, high) + tl.permute(tl.reshape(v, (2, N // 2)), (1, 0))
    tl.store(f + i, tl.ravel(tl.trans(joined)) + tl.interleave(low, high))
    table = tl.reshape(v, (8, N // 8))
    tl.store(f + i, tl.ravel(tl.gather(table, tl.full((8, N // 8), 3, tl.int32), 1)))


@kernel("*fp32", N=64)
def shapes_of_one(f, N: tl.constexpr):
    v = tl.load(f + tl.arange(0, N))
    tl.store(f + tl.arange(0, N), tl.flip(v, 0) + tl.sum(tl.broadcast_to(v[None, :], (2, N)), 0))
    tl.store(f, tl.sum(tl.reshape(v, (1, N)), 1).item())


@kernel("*fp32 i64", N=64)
def addresses(x, base, N: tl.constexpr):
    i = tl.arange(0, N)
    q = base.to(tl.pointer_type(tl.float32)) + i
    tl.store(q, (x + i).to(tl.int64).to(tl.float32), cache_modifier=".cg")
    tl.store(x + i, tl.load(x + i, volatile=True) + tl.load(q, cache_modifier=".ca"))
    tl.store(x, tl.num_programs(0) + tl.num_programs(1) + tl.program_id(2) + 0.0)
    tl.multiple_of(i, 8)


@kernel("*fp32", N=64)
def device_functions(x, N: tl.constexpr):
    i = tl.arange(0, N)
    v = tl.load(x + i)
    tl.store(x + i, libdevice.pow(v, v))


@kernel("*i32", N=64)
def assembly(x, N: tl.constexpr):
    i = tl.arange(0, N)
    tl.store(x + i, tl.inline_asm_elementwise("mov $0, $1;", "=r,r", [tl.load(x + i)], tl.int32, True, 1))


@triton.jit
def collatz(a, b):
    while a > b:
        a = a // 2
    return a, b


@kernel("*i32", N=64)
def mapped(x, N: tl.constexpr):
    i = tl.arange(0, N)
    v, w = tl.map_elementwise(collatz, tl.load(x + i), i)
    tl.store(x + i, v + w)


@kernel("*i32 *fp32", N=32)
def hints(x, f, N: tl.constexpr):
    i = tl.max_contiguous(tl.multiple_of(tl.load(x + tl.arange(0, N)), 8), 8)
    tl.store(f + i, tl.softmax(tl.load(f + i)) + tl.sigmoid(tl.load(f + i)) + tl.cdiv(N, 3))


@kernel("*fp32 *fp32", N=64)
def tuples(x, y, N: tl.constexpr):
    i = tl.arange(0, N)
    pairs = (tl.load(x + i), tl.load(y + i))
    for step in tl.static_range(3):
        pairs = (pairs[1] + step, pairs[0] * 2)
    for _ in range(tl.load(x).to(tl.int32)):
        pairs = (pairs[1], pairs[0])
    tl.store(y + i, pairs[0] - pairs[1])


@kernel("*i32 i32")
def blocks(x, n):
    if n > 0:
        if tl.load(x) > 3:
            return
    for i in range(n):
        tl.store(x + i, i)
    if n == 7:
        tl.store(x, 0)
        return
    tl.store(x, 1)
