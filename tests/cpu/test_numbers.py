"""Numbers of every format, as `ttcpu cat` and mlir-opt spell them."""

import random
import shutil
import subprocess

import pytest

from support.toy import clean_environment

from test_reader import cat, ttcpu  # noqa: F401  (a fixture)

FLOATS = {"f64": 64, "f32": 32, "tf32": 19, "f16": 16, "bf16": 16, "f8E4M3": 8, "f8E4M3FN": 8, "f8E5M2": 8,
          "f8E3M4": 8, "f8E4M3FNUZ": 8, "f8E5M2FNUZ": 8, "f8E4M3B11FNUZ": 8, "f8E8M0FNU": 8, "f6E2M3FN": 6,
          "f6E3M2FN": 6, "f4E2M1FN": 4}
EDGES = ("0.7", "0.9", "0.01", "123456.5", "1234567.0", "100.0", "1000000.0", "3.4e38", "1.17549435e-38",
         "5.0e-324", "1.5e-5", "0.00012", "0.99999", "65504.0", "65520.0", "-0.0", "16777216.0", "448.0", "464.0")
INTEGERS = (("-1", "i8"), ("255", "i8"), ("-128", "i8"), ("18446744073709551615", "i64"), ("0xFF", "i8"),
            ("-9223372036854775808", "i64"), ("4294967295", "i32"), ("7", "index"), ("-1", "i1"),
            ("12345678901234567890123", "i128"))
DENSE = (("dense<[1, 2, -3]>", "tensor<3xi32>"), ("dense<[[true, false], [true, true]]>", "tensor<2x2xi1>"),
         ("dense<[1.5, 1.5]>", "tensor<2xf16>"), ("dense<\"0x01020304\">", "tensor<2xi16>"),
         ("dense<>", "tensor<0xf32>"), ("dense<[]>", "tensor<0xf32>"), ("dense<5>", "tensor<i32>"),
         ("dense<[8]>", "tensor<1xi32>"), ("dense<[0x7FC00000, -1.0]>", "tensor<2xf32>"),
         (f"dense<{list(range(120))}>", "tensor<120xi8>"), (f"dense<{list(range(120))}>", "tensor<120xindex>"))


def constants():
    """Pairs of a value and its type."""
    chance = random.Random(1)
    for name, width in FLOATS.items():
        patterns = range(1 << width) if width <= 8 else [chance.getrandbits(width) for _ in range(500)]
        yield from ((f"0x{bits:X}", name) for bits in patterns)
    for name in ("f64", "f32", "f16", "bf16"):
        yield from ((number, name) for number in EDGES)
        least, most = (-4, 4) if name == "f16" else (-30, 30)
        for _ in range(200):
            yield f"{10 ** chance.uniform(least, most):.7e}", name
            yield f"{10 ** chance.uniform(-2, 4):.3f}", name
    yield from INTEGERS
    yield from DENSE


def test_mlir_spells_them_so(ttcpu, tmp_path):  # noqa: F811
    mlir_opt = shutil.which("mlir-opt-22") or shutil.which("mlir-opt")
    if mlir_opt is None:
        pytest.skip("no mlir-opt: tools/bootstrap mlir")
    lines = [f'%{i} = "arith.constant"() <{{value = {value} : {kind}}}> : () -> {kind}\n'
             for i, (value, kind) in enumerate(constants())]
    text = ('"builtin.module"() ({\n"tt.func"() <{function_type = () -> (), sym_name = "f"}> ({\n'
            + "".join(lines) + '"tt.return"() : () -> ()\n}) : () -> ()\n}) : () -> ()\n')
    (tmp_path / "numbers.mlir").write_text(text)
    spelled = subprocess.run(
        [mlir_opt, "--allow-unregistered-dialect", "--mlir-print-op-generic", tmp_path / "numbers.mlir"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=clean_environment())
    assert spelled.returncode == 0, spelled.stderr[-2000:]
    ours = cat(ttcpu, text.encode())
    assert (ours.returncode, ours.stderr) == (0, b"")
    wrong = [pair for pair in zip(ours.stdout.splitlines(), spelled.stdout.splitlines()) if pair[0] != pair[1]]
    assert wrong == [] and len(lines) > 5000
    assert ours.stdout.strip() == spelled.stdout.strip()
