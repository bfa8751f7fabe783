"""tl.extra.libdevice: every function of the table is compiled; what they give against Python's own."""

import math

import numpy as np
import pytest
import triton
import triton.language as tl
from triton.language.extra import libdevice as interface

import triton_cpu
from arrays import guarded
from triton_cpu import libdevice

pytestmark = pytest.mark.usefixtures("device")
STORED = {"f": np.float32, "d": np.float64, "i": np.int32, "u": np.uint32, "l": np.int64, "L": np.uint64, "b": bool}
N = 16

SOURCE = """import triton
import triton.language as tl
from triton.language.extra import libdevice


@triton.jit
def call({places}, out, N: tl.constexpr):
    i = tl.arange(0, N)
    tl.store(out + i, libdevice.{name}({loads}))
"""


def test_the_table_has_every_function_of_the_interface():
    import inspect
    names = {name for name, value in vars(interface).items() if inspect.isfunction(value)}
    assert names - set(libdevice._TABLE) == set()


def call(name, kind, arguments, folder):
    """What a kernel's call of that function gives for arrays."""
    places = [f"a{at}" for at in range(len(arguments))]
    path = folder / f"call_{name}_{kind}.py"
    path.write_text(SOURCE.format(name=name, places=", ".join(places),
                                  loads=", ".join(f"tl.load({place} + i)" for place in places)))
    import importlib.util
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    out = guarded(np.zeros(N, STORED[kind[-1]]))
    module.call[(1,)](*[triton_cpu.array(guarded(np.asarray(value, STORED[letter]))) for value, letter
                        in zip(arguments, kind)], triton_cpu.array(out), N=N)
    return out


X = np.linspace(-0.9, 0.9, N)
P = np.linspace(0.1, 6, N)
BITS = np.array([0, 1, -1, 2, 255, -256, 1 << 30, -(1 << 31), 12345678, -7, 3, 1 << 20, 99, -99, 77, 42])


def erfinv(x):
    low, high = -6.0, 6.0
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (middle, high) if math.erf(middle) < x else (low, middle)
    return low


CASES = [
    ("sin", "dd", [X], math.sin), ("sinpi", "dd", [P], lambda x: math.sin(math.pi * x)),
    ("cospi", "ff", [P], lambda x: math.cos(math.pi * np.float32(x))), ("exp10", "dd", [X], lambda x: 10.0 ** x),
    ("cbrt", "dd", [P], lambda x: x ** (1 / 3)), ("rcbrt", "ff", [P], lambda x: x ** (-1 / 3)),
    ("rsqrt", "ff", [P], lambda x: x ** -0.5), ("erfinv", "dd", [X], erfinv), ("erfinv", "ff", [X], erfinv),
    ("erfcinv", "dd", [P / 4], lambda x: erfinv(1 - x)), ("normcdf", "dd", [X], lambda x: 0.5 * math.erfc(-x / 2**0.5)),
    ("normcdfinv", "dd", [P / 7], lambda x: 2**0.5 * erfinv(2 * x - 1)),
    ("erfcx", "dd", [P], lambda x: math.exp(x * x) * math.erfc(x)), ("lgamma", "dd", [P], math.lgamma),
    ("tgamma", "ff", [P], math.gamma), ("hypot", "ddd", [X, P], math.hypot), ("atan2", "fff", [X, P], math.atan2),
    ("pow", "fff", [P, X], math.pow), ("pow", "did", [X, BITS % 9 - 4], lambda x, n: x ** float(n)),
    ("fmod", "ddd", [P, P[::-1]], math.fmod), ("remainder", "ddd", [P, P[::-1]], math.remainder),
    ("ldexp", "fif", [X, BITS % 9 - 4], lambda x, n: math.ldexp(x, int(n))), ("fdim", "ddd", [X, -X], lambda x, y: max(x - y, 0)),
    ("copysign", "fff", [P, X], math.copysign), ("norm3d", "dddd", [X, P, X], lambda *v: math.hypot(*v)),
    ("rnorm4d", "fffff", [X, P, X, P], lambda *v: 1 / math.hypot(*v)),
    ("cyl_bessel_i0", "dd", [P], lambda x: sum((x / 2) ** (2 * k) / math.factorial(k) ** 2 for k in range(60))),
    ("cyl_bessel_i1", "ff", [P], lambda x: sum((x / 2) ** (2 * k + 1) / math.factorial(k) / math.factorial(k + 1)
                                               for k in range(60))),
    ("fma_rn", "dddd", [X, P, X], lambda x, y, z: x * y + z), ("saturatef", "ff", [X * 3], lambda x: min(max(x, 0), 1)),
    ("llround", "dl", [X * 9], lambda x: math.floor(abs(x) + 0.5) * (1 if x > 0 else -1)),
    ("llrint", "fl", [X * 9], round), ("ilogb", "di", [P], lambda x: math.frexp(x)[1] - 1),
    ("double2int_rd", "di", [X * 9], math.floor), ("double2int_ru", "di", [X * 9], math.ceil),
    ("float2int_rz", "fi", [X * 9], math.trunc), ("float2ll_rn", "fl", [X * 9], round),
    ("clz", "ii", [BITS], lambda x: 32 - int(x % 2**32).bit_length()), ("popc", "ii", [BITS], lambda x: bin(x % 2**32).count("1")),
    ("ffs", "li", [BITS], lambda x: int(x & -x).bit_length() if x else 0),
    ("brev", "ii", [BITS], lambda x: (int(f"{x % 2**32:032b}"[::-1], 2) ^ 1 << 31) - (1 << 31)),
    ("mulhi", "lll", [BITS * 2**31, BITS * 12345], lambda x, y: int(x) * int(y) >> 64),
    ("mulhi", "uuu", [BITS % 2**32, BITS % 2**31 * 2], lambda x, y: int(x) * int(y) >> 32),
    ("hadd", "iii", [BITS, BITS[::-1]], lambda x, y: (int(x) + int(y)) >> 1),
    ("sad", "uuuu", [BITS % 1000, BITS % 77, BITS % 50], lambda x, y, z: abs(int(x) - int(y)) + z),
    ("float_as_int", "fi", [X], lambda x: int(np.float32(x).view(np.int32))),
    ("double2hiint", "di", [X], lambda x: int(np.float64(x).view(np.int64)) >> 32),
    ("byte_perm", "iiii", [BITS, BITS[::-1], BITS * 0 + 0x6240], lambda x, y, s: int(np.array(
        [x & 255, y & 255, x >> 16 & 255, y >> 16 & 255], np.uint8).view(np.int32)[0])),
    ("isnan", "fb", [np.where(BITS > 0, np.nan, 1)], math.isnan), ("isinf", "db", [np.where(BITS > 0, np.inf, 1)], math.isinf),
]


@pytest.mark.parametrize("name, kind, arguments, reference", CASES, ids=[f"{case[0]}-{case[1]}" for case in CASES])
def test_values(name, kind, arguments, reference, tmp_path):
    found = call(name, kind, arguments, tmp_path)
    stored = [np.asarray(value, STORED[letter]) for value, letter in zip(arguments, kind)]
    wanted = [reference(*values) for values in zip(*(value.tolist() for value in stored))]
    if kind[-1] in "fd":
        np.testing.assert_allclose(found, wanted, rtol=4e-6 if kind[-1] == "f" else 1e-9, atol=1e-7 if kind[-1] == "f" else 1e-12)
    else:
        assert found.tolist() == wanted


@pytest.mark.parametrize("how, towards", [("rz", 0), ("rd", -math.inf), ("ru", math.inf)])
def test_directed_roundings(how, towards, tmp_path):
    from fractions import Fraction
    random = np.random.default_rng(5)
    x, y = random.uniform(-3, 3, N).astype(np.float32), random.uniform(-1e-3, 5, N).astype(np.float32)
    for name, exact in (("add", lambda a, b: a + b), ("mul", lambda a, b: a * b), ("div", lambda a, b: a / b)):
        found = call(f"{name}_{how}", "fff", [x, y], tmp_path)
        for a, b, r in zip(x, y, found):
            value = exact(Fraction(float(a)), Fraction(float(b)))
            error = Fraction(float(r)) - value
            step = Fraction(float(np.spacing(np.abs(r))))
            assert abs(error) < step
            assert error <= 0 if how == "rd" or how == "rz" and value > 0 else error >= 0


def test_every_function_is_compiled(tmp_path):
    """All symbols of the table are in the header, with as many arguments."""
    from triton_cpu import _toolchain
    types = {"f": "float", "d": "double", "i": "int32_t", "u": "uint32_t", "l": "int64_t", "L": "uint64_t", "b": "uint8_t"}
    text = ['#include "ttrt.h"', '#include "ttlibdevice.h"']
    count = 0
    for name, line in libdevice._TABLE.items():
        kinds, _, other = line.partition(" = ")
        for kind, (symbol, _) in zip(kinds.split(), libdevice._rows(line, name).values()):
            arguments = ", ".join(f"{types[letter]} a{at}" for at, letter in enumerate(kind[:-1]))
            values = ", ".join(f"a{at}" for at in range(len(kind) - 1))
            text.append(f"{types[kind[-1]]} call{count}({arguments}) {{ return {symbol}({values}); }}")
            count += 1
    assert count > 300
    assert _toolchain.build("\n".join(text)).startswith(b"\x7fELF")


def test_a_call_with_other_arguments_is_named(tmp_path):
    with pytest.raises(triton.compiler.errors.CompilationError):
        call("sin", "ii", [BITS], tmp_path)
