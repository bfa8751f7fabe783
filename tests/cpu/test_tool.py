"""The program ttcpu by itself: libraries, kernels that run without Python, errors. What it reads is test_reader.py's
matter."""

import pathlib
import struct
import subprocess

import pytest

from support.toy import clean_environment
from test_reader import ttcpu  # noqa: F401  (a fixture)

# A program adds 4 of n numbers: x + y to z.
ADD = """\
"builtin.module"() ({
  "tt.func"() <{function_type = (!tt.ptr<f32>, !tt.ptr<f32>, !tt.ptr<f32>, i32) -> (), sym_name = "add"}> ({
  ^bb0(%x: !tt.ptr<f32>, %y: !tt.ptr<f32>, %z: !tt.ptr<f32>, %n: i32):
    %0 = "arith.constant"() <{value = 0 : i32}> : () -> i32
    %1 = "arith.constant"() <{value = 4 : i32}> : () -> i32
    %2 = "tt.get_program_id"() <{axis = 0 : i32}> : () -> i32
    %3 = "arith.muli"(%2, %1) : (i32, i32) -> i32
    %4 = "tt.make_range"() <{end = 4 : i32, start = 0 : i32}> : () -> tensor<4xi32>
    %5 = "tt.splat"(%3) : (i32) -> tensor<4xi32>
    %6 = "arith.addi"(%5, %4) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
    %7 = "arith.cmpi"(%n, %0) <{predicate = 4 : i64}> : (i32, i32) -> i1
    "tt.assert"(%7) <{message = "n is positive"}> : (i1) -> ()
    %8 = "tt.splat"(%n) : (i32) -> tensor<4xi32>
    %9 = "arith.cmpi"(%6, %8) <{predicate = 2 : i64}> : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %10 = "tt.splat"(%x) : (!tt.ptr<f32>) -> tensor<4x!tt.ptr<f32>>
    %11 = "tt.addptr"(%10, %6) : (tensor<4x!tt.ptr<f32>>, tensor<4xi32>) -> tensor<4x!tt.ptr<f32>>
    %12 = "tt.load"(%11, %9) <{operandSegmentSizes = array<i32: 1, 1, 0>}> : (tensor<4x!tt.ptr<f32>>, tensor<4xi1>) -> tensor<4xf32>
    %13 = "tt.splat"(%y) : (!tt.ptr<f32>) -> tensor<4x!tt.ptr<f32>>
    %14 = "tt.addptr"(%13, %6) : (tensor<4x!tt.ptr<f32>>, tensor<4xi32>) -> tensor<4x!tt.ptr<f32>>
    %15 = "tt.load"(%14, %9) <{operandSegmentSizes = array<i32: 1, 1, 0>}> : (tensor<4x!tt.ptr<f32>>, tensor<4xi1>) -> tensor<4xf32>
    %16 = "arith.addf"(%12, %15) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %17 = "tt.splat"(%z) : (!tt.ptr<f32>) -> tensor<4x!tt.ptr<f32>>
    %18 = "tt.addptr"(%17, %6) : (tensor<4x!tt.ptr<f32>>, tensor<4xi32>) -> tensor<4x!tt.ptr<f32>>
    "tt.store"(%18, %16, %9) : (tensor<4x!tt.ptr<f32>>, tensor<4xf32>, tensor<4xi1>) -> ()
    "tt.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
"""

# Stores (a + b) * 2 + c at x[program], and prints the program's number.
SHOW = """\
"builtin.module"() ({
  "tt.func"() <{function_type = (!tt.ptr<bf16>, bf16, f32, i8) -> (), sym_name = "show"}> ({
  ^bb0(%x: !tt.ptr<bf16>, %a: bf16, %b: f32, %c: i8):
    %0 = "arith.constant"() <{value = 2.000000e+00 : f32}> : () -> f32
    %1 = "tt.get_program_id"() <{axis = 0 : i32}> : () -> i32
    "tt.print"(%1) <{hex = false, isSigned = array<i32: 1>, prefix = " p: "}> : (i32) -> ()
    %2 = "tt.addptr"(%x, %1) : (!tt.ptr<bf16>, i32) -> !tt.ptr<bf16>
    %3 = "arith.extf"(%a) : (bf16) -> f32
    %4 = "arith.addf"(%3, %b) : (f32, f32) -> f32
    %5 = "arith.mulf"(%4, %0) : (f32, f32) -> f32
    %6 = "arith.sitofp"(%c) : (i8) -> f32
    %7 = "arith.addf"(%5, %6) : (f32, f32) -> f32
    %8 = "arith.truncf"(%7) : (f32) -> bf16
    "tt.store"(%2, %8) : (!tt.ptr<bf16>, bf16) -> ()
    "tt.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
"""


# Counts the programs at x[0], and waits until n have come.
MEET = """\
"builtin.module"() ({
  "tt.func"() <{function_type = (!tt.ptr<i32>, i32) -> (), sym_name = "meet"}> ({
  ^bb0(%x: !tt.ptr<i32>, %n: i32):
    %0 = "arith.constant"() <{value = 0 : i32}> : () -> i32
    %1 = "arith.constant"() <{value = 1 : i32}> : () -> i32
    %2 = "arith.constant"() <{value = true}> : () -> i1
    %3 = "tt.atomic_rmw"(%x, %1, %2) <{atomic_rmw_op = 4 : i32, scope = 1 : i32, sem = 4 : i32}> : (!tt.ptr<i32>, i32, i1) -> i32
    "scf.while"(%3) ({
    ^bb0(%seen: i32):
      %4 = "arith.cmpi"(%seen, %n) <{predicate = 2 : i64}> : (i32, i32) -> i1
      "scf.condition"(%4) : (i1) -> ()
    }, {
      %5 = "tt.atomic_rmw"(%x, %0, %2) <{atomic_rmw_op = 4 : i32, scope = 1 : i32, sem = 4 : i32}> : (!tt.ptr<i32>, i32, i1) -> i32
      "scf.yield"(%5) : (i32) -> ()
    }) : (i32) -> ()
    "tt.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
"""


@pytest.fixture
def tool(ttcpu, tmp_path):  # noqa: F811
    """A function that runs ttcpu in a folder with add.mlir, show.mlir and meet.mlir: what it printed, after its status was
    held against the one that is wanted, and that no temporary file stays."""
    (tmp_path / "add.mlir").write_text(ADD)
    (tmp_path / "show.mlir").write_text(SHOW)
    (tmp_path / "meet.mlir").write_text(MEET)
    (tmp_path / "temp").mkdir()

    def run(*words, status=0, **variables):
        done = subprocess.run([ttcpu, *words], cwd=tmp_path, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              env=clean_environment(TMPDIR=str(tmp_path / "temp"), **variables))
        assert done.returncode == status, done.stderr
        assert list((tmp_path / "temp").iterdir()) == []
        return done.stderr if status else done.stdout
    run.folder = tmp_path
    return run


def test_help_names_the_commands_and_forms(tool):
    text = tool("--help")
    assert text == tool("-h")
    for word in ("ttcpu cat", "ttcpu compile", "ttcpu run", "tile|c|linalg|so", "--grid", "--threads", "--cooperative", ":out", "TTCPU_CC", "Exit status"):
        assert word in text


def test_a_library_exports_the_kernel(tool, extension):
    tool("compile", "--to", "so", "-o", "add.so", "add.mlir")
    library = (tool.folder / "add.so").read_bytes()
    kernel = extension.load(library, tool.folder)
    assert (kernel.name, kernel.params) == ("add", "pppw")


def test_clang_gets_the_flags_that_the_package_gives_it(tool):
    from triton_cpu import _toolchain
    (tool.folder / "cc").write_text('#!/bin/sh\nprintf "%s\\n" "$@" > "$LOG"\n')
    (tool.folder / "cc").chmod(0o755)
    tool("compile", "--to", "so", "add.mlir", status=2, TTCPU_CC=str(tool.folder / "cc"), LOG="log")
    words = (tool.folder / "log").read_text().split("\n")
    *flags, include = _toolchain.flags(True)
    assert words[:len(flags) + 2] == [*flags, "-shared", "-I"] and include.startswith("-I")
    assert pathlib.Path(words[len(flags) + 2]).resolve() == pathlib.Path(include[2:]).resolve()


def test_what_clang_lacks_is_named(tool):
    compile_so = ("compile", "--to", "so", "add.mlir")
    assert "apt install clang-22" in tool(*compile_so, status=2, PATH=str(tool.folder), TTCPU_CC="")
    assert "TTCPU_CC names no program: no-clang" in tool(*compile_so, status=2, TTCPU_CC="no-clang")
    assert "refuses the C of the kernel, status 1" in tool(*compile_so, status=2, TTCPU_CC="false")
    assert "no ttrt.h in 'temp'" in tool(*compile_so, "--rt", "temp", status=2)


@pytest.mark.parametrize("words, message", [
    ([], "no command"),
    (["link"], "unknown command 'link'"),
    (["cat", "--fast", "add.mlir"], "unknown option '--fast'"),
    (["compile", "add.mlir", "--to"], "--to wants a value"),
    (["compile", "--to", "exe", "add.mlir"], "compile wants"),
    (["compile", "--to", "c", "none.mlir"], "cannot read 'none.mlir': No such file"),
    (["compile", "--to", "c", "-o", "no/folder", "add.mlir"], "cannot write 'no/folder': No such file"),
])
def test_wrong_use_is_named(tool, words, message):
    assert message in tool(*words, status=2)


@pytest.fixture(scope="module")
def library(ttcpu, tmp_path_factory):  # noqa: F811
    """add as a library, for tests of what happens to arguments."""
    path = tmp_path_factory.mktemp("library") / "add.so"
    subprocess.run([ttcpu, "compile", "--to", "so", "-o", path, "-"], input=ADD, text=True, check=True)
    return path


def test_a_module_and_its_library_run_alike(tool, library):
    words = ("--grid", "3", "f32[10]=arange", "f32[10]=0.1", "f32[10]=-1:out", "i32=9")
    wanted = " ".join(f"{i}.1" for i in range(9)) + " -1\n"
    assert tool("run", "add.mlir", *words) == tool("run", library, "--threads", "1", *words) == wanted


def test_prints_come_in_order_before_the_arrays(tool):
    printed = tool("run", "--grid", "3", "--threads", "2", "show.mlir", "bf16[4]:out", "bf16=0.1", "f32=1", "i8=-3")
    lines = printed.splitlines()
    assert [line.split()[-2:] for line in lines[:3]] == [["p:", str(i)] for i in range(3)]
    assert lines[3:] == ["-0.8 -0.8 -0.8 0"]


def test_programs_that_wait_for_later_ones_have_threads_of_their_own(tool):
    assert tool("run", "--cooperative", "--grid", "40", "meet.mlir", "i32[1]:out", "i32=40") == "40\n"


def test_bytes_come_from_files_and_go_to_them(tool, library):
    (tool.folder / "x").write_bytes(struct.pack("<4f", 1, 2, 3, 4))
    words = (library, "f32[4]=@x", "f32[4]=0x10", "f32[4]:out=z")
    assert tool("run", *words, "i32=4") == ""
    assert struct.unpack("<4f", (tool.folder / "z").read_bytes()) == (17, 18, 19, 20)
    (tool.folder / "x").write_bytes(b"12345")
    assert "'x' has 5 bytes, but 4 elements of f32 have 16" in tool("run", *words, "i32=4", status=2)


@pytest.mark.parametrize("word, printed", [
    ("i1[5]=arange", "0 1 0 1 0"), ("i8[3]=-128", "-128 -128 -128"), ("u16[2]=0xffff", "65535 65535"),
    ("i64[1]=-9223372036854775808", "-9223372036854775808"), ("u64[1]=18446744073709551615", "18446744073709551615"),
    ("f16[2]=0.1", "0.1 0.1"), ("bf16[3]=arange", "0 1 2"), ("f64[1]=0.30000000000000004", "0.30000000000000004"),
    ("f8E4M3FN[1]=449", "448"), ("f8E5M2[2]=-inf", "-inf -inf"), ("f32[1]=nan", "nan"), ("f32[0]", ""),
])
def test_elements_of_every_kind_come_out_as_they_went_in(tool, library, word, printed):
    assert tool("run", "--grid", "0", library, f"{word}:out", "f32[1]", "f32[1]", "i32=1") == printed + "\n"


def test_random_numbers_hang_on_the_place_alone(tool, library):
    def draw():
        return tool("run", "--grid", "0", library, "f32[64]=random:out", "f32[64]=random:out", "i8[64]=random:out", "i32=1")
    first, second, integers = ([float(word) for word in line.split()] for line in draw().splitlines())
    assert draw() == draw() and first != second
    assert all(0 <= number <= 1 for number in first) and len(set(first)) == 64
    assert min(integers) < -64 and max(integers) > 64


def test_an_assertion_that_fails_is_status_1(tool, library):
    message = tool("run", "--grid", "2", library, "f32[8]", "f32[8]", "f32[8]:out", "i32=0", status=1)
    assert message == "ttcpu: program (0, 0, 0) of 'add' fails: n is positive\n"


@pytest.mark.parametrize("words, message", [
    (["f32[4]", "f32[4]", "f32[4]"], "'add' takes 4 arguments (pppw), not 3"),
    (["f32[4]", "f32[4]", "f32=4", "i32=1"], "argument 3, 'f32=4': 'add' takes an array"),
    (["f32[4]", "f32[4]", "f32[4]", "i64=1"], "argument 4, 'i64=1': 'add' takes i32 or u32 there"),
    (["g32[4]", "f32[4]", "f32[4]", "i32=1"], "argument 1, 'g32[4]': unknown type 'g32'"),
    (["f32[x]", "f32[4]", "f32[4]", "i32=1"], "argument 1, 'f32[x]': no number of elements"),
    (["f32[4]=x", "f32[4]", "f32[4]", "i32=1"], "'x' is no number of type f32, nor is it arange"),
    (["f32[4]", "f32[4]", "f32[4]", "i32=2147483648"], "'2147483648' is no number of type i32"),
    (["f32[4]", "f32[4]", "f32[4]", "i32=1:out"], "argument 4, 'i32=1:out': a number is TYPE=NUMBER"),
    (["f32[4]", "f32[4]", "f32[4]", "i32"], "argument 4, 'i32': a number is TYPE=NUMBER"),
    (["--grid", "1,2,3,4"], "--grid '1,2,3,4': wanted are one to three numbers"),
    (["--grid", "2000000000,2000000000,2000000000"], "too many programs"),
    (["--cooperative", "--threads", "2"], "--cooperative has a thread for each program: leave --threads out"),
    (["--threads", "0"], "--threads '0': wanted is a number from 1 to 1024"),
])
def test_arguments_that_do_not_fit_are_named(tool, library, words, message):
    assert message in tool("run", library, *words, status=2)


def test_what_is_no_kernel_is_named(tool):
    assert "run wants a FILE" in tool("run", status=2)
    subprocess.run(["cc", "-shared", "-o", tool.folder / "other.so", "-x", "c", "/dev/null"], check=True)
    assert "other.so has no symbol 'ttcpu_kernel'" in tool("run", "other.so", status=2)
    (tool.folder / "torn.so").write_bytes(b"\x7fELF and no more")
    assert "torn.so cannot be loaded" in tool("run", "torn.so", status=2)
    (tool.folder / "text.mlir").write_text("module {}")
    assert tool("run", "text.mlir", status=1).startswith("text.mlir:1:1: ")
