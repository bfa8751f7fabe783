"""How accurate the functions of the cpu backend's kernels are, against the C library's of double."""

import pathlib
import shutil
import subprocess

import pytest

HERE = pathlib.Path(__file__).parent
RT = HERE.parents[1] / "third_party" / "cpu" / "rt"
CLANG = shutil.which("clang-22")
MOST = 3  # units in the last place


@pytest.fixture(scope="module")
def accuracy(tmp_path_factory):
    """The program of accuracy.c, as kernels are compiled."""
    program = tmp_path_factory.mktemp("accuracy") / "accuracy"
    subprocess.run([CLANG, "-std=gnu11", "-O2", "-march=native", "-fno-math-errno", "-ffp-contract=fast", f"-I{RT}",
                    HERE / "accuracy.c", "-o", program, "-lm"], check=True)
    return program


@pytest.mark.skipif(CLANG is None, reason="there is no clang-22")
@pytest.mark.parametrize("stride", [200003, pytest.param(257, marks=pytest.mark.slow)])
def test_functions_are_within_three_units(accuracy, stride):
    lines = subprocess.run([accuracy, str(stride)], check=True, capture_output=True, text=True).stdout.splitlines()
    assert len(lines) == 25
    measured = {line.split()[0]: float(line.split()[1]) for line in lines}
    assert {name: most for name, most in measured.items() if not most <= MOST} == {}
