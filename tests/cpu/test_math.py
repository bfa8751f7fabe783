"""How accurate the functions of the cpu backend's kernels are, against the C library's of double, and that their
conversions are exact."""

import pathlib
import shutil
import subprocess

import pytest

HERE = pathlib.Path(__file__).parent
RT = HERE.parents[1] / "third_party" / "cpu" / "rt"
CLANG = shutil.which("clang-22")
MOST = 3  # units in the last place


pytestmark = pytest.mark.skipif(CLANG is None, reason="there is no clang-22")


def program(folder, *sources):
    """The program of the sources, compiled as kernels are."""
    path = folder / "program"
    subprocess.run([CLANG, "-std=gnu11", "-O2", "-march=native", "-fno-math-errno", "-ffp-contract=fast", f"-I{RT}",
                    f"-I{RT.parent}", f"-I{RT.parent}/compiler", *sources, "-o", path, "-lm"], check=True)
    return path


@pytest.fixture(scope="module")
def accuracy(tmp_path_factory):
    return program(tmp_path_factory.mktemp("accuracy"), HERE / "accuracy.c")


@pytest.fixture(scope="module")
def conversions(tmp_path_factory):
    compiler = RT.parent / "compiler"
    return program(tmp_path_factory.mktemp("conversions"), HERE / "conversions.c", compiler / "read/number.c", compiler / "base.c")


@pytest.mark.parametrize("stride", [200003, pytest.param(257, marks=pytest.mark.slow)])
def test_functions_are_within_three_units(accuracy, stride):
    lines = subprocess.run([accuracy, str(stride)], check=True, capture_output=True, text=True).stdout.splitlines()
    assert len(lines) == 25
    measured = {line.split()[0]: float(line.split()[1]) for line in lines}
    assert {name: most for name, most in measured.items() if not most <= MOST} == {}


@pytest.mark.parametrize("stride", [20011, pytest.param(251, marks=pytest.mark.slow)])
def test_conversions_are_exact(conversions, stride):
    lines = subprocess.run([conversions, str(stride)], check=True, capture_output=True, text=True).stdout.splitlines()
    assert len(lines) == 9
    assert [line for line in lines if not line.endswith(" 0")] == []
