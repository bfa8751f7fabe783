"""The program ttcpu by itself: `ttcpu compile --to so`, and its errors. The text of modules is test_reader.py's matter."""

import pathlib
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


@pytest.fixture
def tool(ttcpu, tmp_path):  # noqa: F811
    """A function that runs ttcpu in a folder where add.mlir lies: what it printed, after its status was held
    against the one that is wanted. Temporary files go to temp/."""
    (tmp_path / "add.mlir").write_text(ADD)
    (tmp_path / "temp").mkdir()

    def run(*words, status=0, **variables):
        done = subprocess.run([ttcpu, *words], cwd=tmp_path, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              env={**clean_environment(), "TMPDIR": str(tmp_path / "temp"), **variables})
        assert done.returncode == status, done.stderr
        assert list((tmp_path / "temp").iterdir()) == []
        return done.stderr if status else done.stdout
    run.folder = tmp_path
    return run


def test_help_names_the_commands_and_forms(tool):
    text = tool("--help")
    assert text == tool("-h")
    for word in ("ttcpu cat", "ttcpu compile", "tile|c|linalg|so", "TTCPU_CC", "Exit status"):
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
    flags = (tool.folder / "log").read_text().split("\n")
    include = flags.index("-I")
    assert flags[:include] == _toolchain.flags(True)[:-1]
    assert pathlib.Path(flags[include + 1]).resolve() == _toolchain.RT.resolve()


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
