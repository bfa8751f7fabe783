"""The two routes, through C and through MLIR's own passes, give the same numbers: the kernels of kernels.py, four
cases each."""

import array
import functools
import pathlib
import random
import struct
import subprocess
import sys

import pytest
import routes
import triton
import triton.language as tl
import triton_cpu
from triton_cpu import _toolchain

from support.toy import clean_environment

pytestmark = pytest.mark.xdist_group("routes")  # one worker compiles them all

HERE = pathlib.Path(__file__).parent
RT = HERE.parents[1] / "third_party/cpu/rt"
CC = ["clang-22", "-O2", "-march=native", "-ffp-contract=off", "-fno-math-errno", "-std=gnu11", "-w", "-fPIC", "-shared",
      "-I", str(RT)]

# Of the scalar arguments, by place, in each case; 5 where nothing is said.
SCALARS = {
    "matmul": [{3: 64, 4: 64}, {3: 40, 4: 64}, {3: 1, 4: 64}, {3: 0, 4: 64}],
    "elementwise": [{2: 100}, {2: 128}, {2: 0}, {2: 500}],
    "descriptors": [{2: 64, 3: 64}, {2: 20, 3: 40}, {2: 33, 3: 36}, {2: 1, 3: 4}],
    "descriptor_rows": [{3: 40, 4: 64}, {3: 4, 4: 36}, {3: 10, 4: 32}, {3: 1, 4: 20}],
    "control": [{1: 9, 2: 4.0}, {1: -1, 2: 0.0}, {1: 2, 2: 100.0}, {1: 4, 2: -1.0}],
    "blocks": [{1: 0}, {1: 7}, {1: -3}, {1: 20}],
    "messages": [{1: 5}, {1: 6}, {1: 7}, {1: 1000}],
}
GRIDS = {"elementwise": (4, 1, 1), "descriptors": (2, 2, 1), "addresses": (1, 3, 2)}
COUNT = 8192  # elements of each array: more than any kernel touches


@pytest.fixture(scope="session")
def libraries(triton_spec, tmp_path_factory):
    """A function that compiles a kernel, once: (its library through C, its library through MLIR)."""
    programs = triton_spec.parents[1] / "third_party/cpu"
    if not (programs / "mlir/ttcpu-mlir").is_file():
        pytest.skip("ttcpu-mlir is not built, for want of MLIR 22: tools/bootstrap mlir")
    folder = tmp_path_factory.mktemp("routes")
    environment = {**clean_environment(), "PYTHONDONTWRITEBYTECODE": "1"}
    subprocess.run([sys.executable, "-W", "ignore", HERE / "generic.py", folder, "--lowered"], check=True,
                   env=environment, stdout=subprocess.PIPE)

    @functools.lru_cache(maxsize=None)
    def build(name):
        c, linalg, stub, o = (folder / f"{name}{end}" for end in (".c", ".linalg", ".stub.c", ".o"))
        for form, out in (("c", c), ("linalg", linalg)):
            with out.open("wb") as file:
                subprocess.run([programs / "tool/ttcpu", "compile", "--to", form, folder / f"{name}.mlir"],
                               check=True, stdout=file)
        subprocess.run([programs / "mlir/ttcpu-mlir", linalg, "--object", o, "--stub", stub], check=True)
        subprocess.run([*CC, c, "-o", c.with_suffix(".so"), "-lm"], check=True)
        subprocess.run([*CC, stub, o, "-o", o.with_suffix(".mlir.so"), "-lm"], check=True)
        return c.with_suffix(".so"), o.with_suffix(".mlir.so")
    return build


def types_of(name):
    import kernels
    _, types, constants = kernels.KERNELS[name]
    return [kind for kind in types.values() if kind != "constexpr"]


def arguments_of(name, case):
    """Both routes get arguments of their own, with the same numbers."""
    types = types_of(name)
    scalars = SCALARS.get(name, [{}] * 4)[case]
    made = routes.make_arguments(types, case, COUNT, scalars)
    if name == "addresses":  # of an array of its own, behind what the kernel gets as x
        made[1].value = routes.ctypes.addressof(made[0]) + 4 * 1024
    if name == "control":  # a number that grows: another never ends its loop
        routes.ctypes.c_float.from_buffer(made[0]).value = 1.5
    if name == "waiting":
        routes.ctypes.memset(made[0], 1, 1)
        routes.ctypes.memset(routes.ctypes.addressof(made[0]) + 1, 0, 3)
    places = {"descriptor_rows": 2, "hints": 0}.get(name)
    if places is not None:
        for row in range(32):
            routes.ctypes.c_int32.from_buffer(made[places], 4 * row).value = (row * 7 + case) % 32
    return types, made


def kernel_names():
    import kernels
    return sorted(set(kernels.KERNELS) - {"assembly"})


@pytest.mark.parametrize("name", kernel_names())
@pytest.mark.parametrize("case", range(4))
def test_routes_agree(libraries, name, case):
    by_c, by_mlir = (routes.Library(path) for path in libraries(name))
    assert (by_c.kernel.name, by_c.kernel.params) == (by_mlir.kernel.name, by_mlir.kernel.params)
    grid = GRIDS.get(name, (1, 1, 1))
    types, left = arguments_of(name, case)
    before = [bytes(a) for a in left]
    said = by_c.run(left, grid)
    _, right = arguments_of(name, case)
    assert by_mlir.run(right, grid) == said
    for i, kind in enumerate(types):
        if kind.startswith("*"):
            assert routes.differences(kind[1:], bytes(left[i]), bytes(right[i])) == [], f"argument {i}, {kind}"
    assert said or [bytes(a) for a in left] != before or (name, case) in UNTOUCHED


# Cases that leave everything as it was.
UNTOUCHED = {("control", 1), ("elementwise", 2), ("blocks", 2)}


@triton.jit
def product(x, y, z, k, N: tl.constexpr):
    i = tl.arange(0, N)
    at = i[:, None] * N + i[None, :]
    sum = tl.zeros((N, N), tl.float32)
    for step in range(k):
        tl.device_assert(step < 3, "three steps at most")
        sum = tl.dot(tl.load(x + at), tl.load(y + at), sum)
    tl.store(z + at + tl.program_id(0) * N * N, sum)
    tl.device_print("k ", k)


def product_arrays():
    numbers = [random.uniform(-1, 1) for _ in range(256)]
    return (triton_cpu.array(array.array("f", numbers)), triton_cpu.array(array.array("f", numbers[::-1])),
            triton_cpu.array(array.array("f", [0] * 512)))


@pytest.fixture
def mlir(device, monkeypatch):
    if not _toolchain.MLIR.is_file():
        pytest.skip("ttcpu-mlir is not built, for want of MLIR 22: tools/bootstrap mlir")
    monkeypatch.setenv("TTCPU_ROUTE", "mlir")


def test_triton_takes_the_route(mlir, capfd):
    x, y, z = product_arrays()
    kernel = product[(2,)](x, y, z, 2, N=16, debug=True)
    assert list(kernel.asm) == ["source", "ttir", "tile", "linalg", "so"] and "linalg.generic" in kernel.asm["linalg"]
    for m in range(16):
        for n in range(16):
            wanted = 2 * sum(x.base[16 * m + k] * y.base[16 * k + n] for k in range(16))
            assert z.base[16 * m + n] == pytest.approx(wanted, abs=1e-5)
    assert z.base[:256] == z.base[256:]
    assert sorted(capfd.readouterr().out.splitlines()) == ["pid (0, 0, 0) idx () k: 2", "pid (1, 0, 0) idx () k: 2"]


def test_an_assertion_raises_on_the_route(mlir):
    with pytest.raises(RuntimeError, match="three steps at most"):
        product[(1,)](*product_arrays(), 4, N=16, debug=True)


def test_the_route_is_part_of_the_key(mlir):
    by_mlir = product.warmup(*product_arrays(), 2, N=16, grid=(1,))
    assert product.warmup(*product_arrays(), 2, N=16, grid=(1,), route="c").hash != by_mlir.hash
    with pytest.raises(ValueError, match="route='llvm', or TTCPU_ROUTE"):
        product.warmup(*product_arrays(), 2, N=16, grid=(1,), route="llvm")


def test_what_the_route_lacks_is_named(extension, monkeypatch, tmp_path):
    with pytest.raises(_toolchain.ToolchainError, match="no form in linalg .line 3: so.: compile it by way of C"):
        _toolchain.build_linalg("// line 3: so\n")
    monkeypatch.setattr(_toolchain, "MLIR", tmp_path / "none")
    with pytest.raises(_toolchain.ToolchainError, match="apt install libmlir-22-dev"):
        _toolchain.build_linalg("module {}")


@triton.jit
def round_to(x, z, N: tl.constexpr):
    i = tl.arange(0, N)
    tl.store(z + i, tl.load(x + i).to(z.dtype.element_ty))


@pytest.mark.parametrize("kind", ["float8e5", "float8e4nv", "float8e4b8", "float8e5b16"])
def test_small_floats_are_rounded_alike(mlir, kind):
    """Every number of 16 bits, among which are all ties, and all numbers of 8 bits, by tables and by bits."""
    x = triton_cpu.array(array.array("f", struct.unpack("<65536e", bytes(array.array("H", range(1 << 16))))))
    found = []
    for route in ("c", "mlir"):
        small = triton_cpu.array(array.array("B", bytes(1 << 16)), kind)
        wide = triton_cpu.array(array.array("f", [0] * (1 << 16)))
        round_to[(1,)](x, small, N=1 << 16, route=route)
        round_to[(1,)](small, wide, N=1 << 16, route=route)
        found.append((bytes(small.base), bytes(wide.base)))
    for size, left, right in zip((1, 4), *found):
        differing = [i for i in range(1 << 16) if left[size * i:size * i + size] != right[size * i:size * i + size]]
        assert [(x.base[i], left[size * i:size * i + size], right[size * i:size * i + size]) for i in differing[:4]] == []
    assert len(set(found[0][0])) > 200
