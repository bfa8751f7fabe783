"""TTIR inputs in MLIR's generic form, made at test time by the installed Triton wheel.

As a module: ``generic_ttir(name)`` gives the text of one kernel, ``KERNELS`` names them all.
As a program: ``python ttir_inputs.py -o DIR [name...]`` writes ``DIR/<name>.mlir``; no GPU is needed.

Triton's Python API prints only the pretty form. MLIR's printer falls back to the generic form when a module does not
verify, so the module is given, for the printing only, an attribute that no dialect owns; the mark is then cut from the
text.
"""

import argparse
import functools
import sys
from pathlib import Path

import triton
import triton.language as tl
from triton._C.libtriton import ir
from triton.backends.compiler import GPUTarget
from triton.compiler.compiler import ASTSource, make_backend
from triton.language.extra import libdevice

TARGET = GPUTarget("cuda", 90, 32)
"""The target whose options shape the TTIR; nothing is compiled beyond TTIR."""

MARK = "generic"
"""Name of the module attribute that no dialect owns; see the module's docstring."""

KERNELS = {}
"""Kernel name -> (jit function, argument types, values of the constexpr arguments)."""


def kernel(**arguments):
    """Register a jit function as an input: a str is an argument's Triton type, anything else a constexpr's value."""

    def register(function):
        signature = {key: value if isinstance(value, str) else "constexpr" for key, value in arguments.items()}
        constants = {key: value for key, value in arguments.items() if not isinstance(value, str)}
        KERNELS[function.__name__] = (function, signature, constants)
        return function

    return register


@kernel(x="*fp32", y="*fp32", out="*fp32", n="i32", BLOCK=256)
@triton.jit
def vector_add(x, y, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    total = tl.load(x + at, mask=inside) + tl.load(y + at, mask=inside, other=0.0)
    tl.store(out + at, total, mask=inside)


@kernel(x="*fp32", out="*fp32", stride="i32", columns="i32", BLOCK=1024)
@triton.jit
def softmax(x, out, stride, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0) * stride
    at = tl.arange(0, BLOCK)
    values = tl.load(x + row + at, mask=at < columns, other=-float("inf"), cache_modifier=".cg")
    powers = tl.exp(values - tl.max(values, axis=0))
    tl.store(out + row + at, powers / tl.sum(powers, axis=0), mask=at < columns, eviction_policy="evict_first")


@kernel(a="*fp16", b="*fp16", c="*fp32", M="i32", N="i32", K="i32", BM=32, BN=64, BK=32)
@triton.jit
def matmul(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    columns = tl.program_id(1) * BN + tl.arange(0, BN)
    inner = tl.arange(0, BK)
    left = a + rows[:, None] * K + inner[None, :]
    right = b + inner[:, None] * N + columns[None, :]
    total = tl.zeros((BM, BN), dtype=tl.float32)
    for k in range(0, K, BK):
        total = tl.dot(tl.load(left, mask=inner[None, :] < K - k, other=0.0),
                       tl.load(right, mask=inner[:, None] < K - k, other=0.0), total)
        left += BK
        right += BK * N
    tl.store(c + rows[:, None] * N + columns[None, :], total, mask=(rows[:, None] < M) & (columns[None, :] < N))


@kernel(x="*fp32", weight="*fp32", bias="*fp32", out="*fp32", columns="i32", epsilon="fp32", BLOCK=512)
@triton.jit
def layer_norm(x, weight, bias, out, columns, epsilon, BLOCK: tl.constexpr):
    row = tl.program_id(0) * columns
    at = tl.arange(0, BLOCK)
    inside = at < columns
    values = tl.load(x + row + at, mask=inside, other=0.0)
    centred = tl.where(inside, values - tl.sum(values, axis=0) / columns, 0.0)
    scale = tl.rsqrt(tl.sum(centred * centred, axis=0) / columns + epsilon)
    shaped = centred * scale * tl.load(weight + at, mask=inside) + tl.load(bias + at, mask=inside)
    tl.store(out + row + at, shaped, mask=inside)


@kernel(q="*fp16", k="*fp16", v="*fp16", out="*fp16", length="i32", scale="fp32", BM=64, BN=32, HEAD=64)
@triton.jit
def flash_attention(q, k, v, out, length, scale, BM: tl.constexpr, BN: tl.constexpr, HEAD: tl.constexpr):
    head = tl.program_id(1).to(tl.int64) * length * HEAD
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    inner = tl.arange(0, HEAD)
    query = tl.load(q + head + rows[:, None] * HEAD + inner[None, :])
    highest = tl.full((BM, ), -float("inf"), tl.float32)
    weight = tl.zeros((BM, ), tl.float32)
    total = tl.zeros((BM, HEAD), tl.float32)
    for start in range(0, length, BN):
        columns = start + tl.arange(0, BN)
        keys = tl.load(k + head + columns[:, None] * HEAD + inner[None, :])
        score = tl.dot(query, tl.trans(keys)) * scale
        score = tl.where(rows[:, None] >= columns[None, :], score, -float("inf"))
        reached = tl.maximum(highest, tl.max(score, axis=1))
        powers = tl.exp2(score - reached[:, None])
        fade = tl.exp2(highest - reached)
        weight = weight * fade + tl.sum(powers, axis=1)
        values = tl.load(v + head + columns[:, None] * HEAD + inner[None, :])
        total = tl.dot(powers.to(tl.float16), values, total * fade[:, None])
        highest = reached
    tl.store(out + head + rows[:, None] * HEAD + inner[None, :], (total / weight[:, None]).to(tl.float16))


@kernel(x="*i32", histogram="*i32", best="*fp32", lock="*i32", n="i32", BLOCK=128)
@triton.jit
def atomics(x, histogram, best, lock, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    values = tl.load(x + at, mask=inside, other=0)
    tl.atomic_add(histogram + values, 1, mask=inside, sem="relaxed", scope="cta")
    tl.atomic_xor(histogram + at, values, mask=inside)
    tl.atomic_max(best, tl.max(values, axis=0).to(tl.float32))
    while tl.atomic_cas(lock, 0, 1) == 1:
        pass
    tl.atomic_xchg(lock, 0, sem="release")


@triton.jit
def _keep_last(left, left_at, right, right_at):
    take = right_at >= left_at
    return tl.where(take, right, left), tl.where(take, right_at, left_at)


@kernel(x="*fp32", out="*fp32", last="*fp32", ROWS=8, COLUMNS=64)
@triton.jit
def scan(x, out, last, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    at = tl.arange(0, ROWS)[:, None] * COLUMNS + tl.arange(0, COLUMNS)[None, :]
    values = tl.load(x + at)
    tl.store(out + at, tl.cumsum(values, axis=1, reverse=True))
    kept, _ = tl.associative_scan((values, at), 0, _keep_last)
    tl.store(last + at, kept)


@triton.jit
def _larger_of_pair(value, at, other, other_at):
    take = (other > value) | ((other == value) & (other_at < at))
    return tl.where(take, other, value), tl.where(take, other_at, at)


@kernel(x="*fp32", value="*fp32", index="*i32", ROWS=16, COLUMNS=32)
@triton.jit
def reduce_pairs(x, value, index, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    row = tl.arange(0, ROWS)
    column = tl.arange(0, COLUMNS)
    values = tl.load(x + row[:, None] * COLUMNS + column[None, :])
    places = tl.broadcast_to(column[None, :], (ROWS, COLUMNS))
    largest, where = tl.reduce((values, places), 1, _larger_of_pair)
    tl.store(value + row, largest)
    tl.store(index + row, where)


@kernel(x="*fp32", index="*i32", out="*fp32", ROWS=16, COLUMNS=32)
@triton.jit
def gather(x, index, out, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    at = tl.arange(0, ROWS)[:, None] * COLUMNS + tl.arange(0, COLUMNS)[None, :]
    tl.store(out + at, tl.gather(tl.load(x + at), tl.load(index + at), axis=1))


@triton.jit(noinline=True)
def _hypotenuse_and_sum(a, b):
    return tl.sqrt(a * a + b * b), a + b


@kernel(x="*fp32", out="*fp32")
@triton.jit
def noinline_call(x, out):
    length, total = _hypotenuse_and_sum(tl.load(x), tl.load(x + 1))
    tl.store(out, length)
    tl.store(out + 1, total)


@kernel(x="*i32", out="*i32", n="i32", limit="i32")
@triton.jit
def loops(x, out, n, limit):
    if tl.program_id(0) >= n:
        return
    start = tl.load(x + tl.program_id(0))
    steps = 0
    while (start != 1) & (steps < limit):
        if start % 2 == 0:
            start = start // 2
        else:
            start = 3 * start + 1
        steps += 1
    for skip in range(n, 0, -2):
        if skip > limit:
            steps += skip
    tl.store(out + tl.program_id(0), steps)


@triton.jit
def _order(a, b):
    return tl.where(a < b, -1, tl.where(a > b, 1, 0))


@kernel(x="*fp32", y="*fp32", out="*i32", SIZE=64)
@triton.jit
def map_elementwise(x, y, out, SIZE: tl.constexpr):
    at = tl.arange(0, SIZE)
    tl.store(out + at, tl.map_elementwise(_order, tl.load(x + at), tl.load(y + at)))


@kernel(x="*fp32", bits="*i32", out="*fp32", SIZE=64)
@triton.jit
def views_and_casts(x, bits, out, SIZE: tl.constexpr):
    at = tl.arange(0, SIZE)
    values = tl.load(x + at)
    pairs = tl.join(values, tl.clamp(values, -1.0, 1.0))
    even, odd = tl.split(tl.reshape(tl.trans(pairs), (SIZE, 2)))
    raised = tl.fdiv(tl.sqrt_rn(even), tl.div_rn(odd, 3.0))
    small = raised.to(tl.float8e4nv).to(tl.float32)
    tl.store(out + at, small)
    tl.store(out + tl.arange(0, 2 * SIZE), tl.cat(even, odd))
    word = values.to(tl.int32, bitcast=True)
    tl.store(bits + at, tl.umulhi(word, at) + tl.histogram(word, SIZE) + tl.num_programs(1))


@kernel(x="*fp32", addresses="*i64", out="*fp32", SIZE=32)
@triton.jit
def foreign_code(x, addresses, out, SIZE: tl.constexpr):
    at = tl.arange(0, SIZE)
    elsewhere = tl.load(addresses + at).to(tl.pointer_type(tl.float32))
    values = libdevice.pow(tl.load(x + at), tl.load(elsewhere))
    tl.store(out + at, tl.inline_asm_elementwise("neg.f32 $0, $1;", "=r,r", [values], tl.float32, True, 1))
    tl.store(addresses + at, elsewhere.to(tl.int64))


@kernel(x="*fp32", n="i32", SIZE=32)
@triton.jit
def debugging(x, n, SIZE: tl.constexpr):
    tl.assume(n > 0)
    values = tl.load(x + tl.arange(0, SIZE))
    tl.device_print("values", values, n)
    tl.device_assert(values > 0.0, "a value is not positive")
    tl.debug_barrier()
    tl.store(x + tl.arange(0, SIZE), values, cache_modifier=".wt")


def _lower_to_ttir(name, context):
    """Return the module of one kernel after the backend's own TTIR passes."""
    function, signature, constants = KERNELS[name]
    source = ASTSource(function, signature, constexprs=constants)
    backend = make_backend(TARGET)
    options = backend.parse_options({"debug": True, "sanitize_overflow": False, "enable_fp_fusion": True})
    ir.load_dialects(context)
    backend.load_dialects(context)
    module = source.make_ir(TARGET, options, backend.get_codegen_implementation(options), backend.get_module_map(),
                            context)
    stages = {}
    backend.add_stages(stages, options, source.language)
    return stages["ttir"](module, {})


def _print_generic(module):
    """Return the module's generic form; raise ValueError if the mark is not where the printer puts it."""
    module.set_attr(MARK, ir.builder(module.context).get_unit_attr())
    body, end, tail = module.str_nodebug().rpartition("\n})")
    attributes, colon, types = tail.partition(" : ")
    names = [entry for entry in attributes.strip().strip("{}").split(", ") if entry]
    if not end or not colon or MARK not in names:
        raise ValueError(f"the printed module does not end in an attribute list that holds '{MARK}': '{tail}'")
    names.remove(MARK)
    kept = f" {{{', '.join(names)}}}" if names else ""
    return body + end + kept + colon + types.rstrip("\n") + "\n"


@functools.lru_cache(maxsize=None)
def generic_ttir(name):
    """Return the TTIR of kernel ``name`` as generic-form text without locations; KeyError names all kernels."""
    if name not in KERNELS:
        raise KeyError(f"no kernel '{name}'; there are: {', '.join(sorted(KERNELS))}")
    context = ir.context()
    return _print_generic(_lower_to_ttir(name, context))


def main(arguments=None):
    """Write the chosen kernels (all by default) and print one path a line."""
    parser = argparse.ArgumentParser(description="write TTIR test inputs in MLIR's generic form")
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="DIR", help="folder to write into")
    parser.add_argument("names", nargs="*", metavar="name", help="one of: " + ", ".join(sorted(KERNELS)))
    options = parser.parse_args(arguments)
    unknown = sorted(set(options.names) - set(KERNELS))
    if unknown:
        parser.error(f"no kernel '{unknown[0]}'; there are: {', '.join(sorted(KERNELS))}")
    options.output.mkdir(parents=True, exist_ok=True)
    for name in options.names or sorted(KERNELS):
        path = options.output / f"{name}.mlir"
        path.write_text(generic_ttir(name))
        print(path)


if __name__ == "__main__":
    sys.exit(main())
