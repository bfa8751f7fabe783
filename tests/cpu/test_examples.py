"""The examples run, each in a process of its own as a user would start it, and notice a wrong result."""

import os
import pathlib
import re
import subprocess
import sys

import pytest

from support.toy import clean_environment

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples/cpu"
PROGRAMS = sorted(path.stem for path in EXAMPLES.glob("*.py") if path.stem != "checking")


@pytest.fixture(scope="module")
def environment(triton_spec, tmp_path_factory):
    """Variables of a user who has triton_cpu installed; one cache of kernels for all."""
    return clean_environment(PYTHONPATH=str(triton_spec.parents[1] / "third_party/cpu/runtime"),
                             PYTHONDONTWRITEBYTECODE="1", PYTHONWARNINGS="error",
                             TRITON_CACHE_DIR=str(tmp_path_factory.mktemp("kernels")))


@pytest.mark.parametrize("program", PROGRAMS)
def test_it_runs_and_is_right(environment, program):
    done = subprocess.run([sys.executable, EXAMPLES / f"{program}.py"], capture_output=True, text=True, env=environment,
                          cwd=os.path.sep)
    assert done.returncode == 0, done.stdout + done.stderr
    lines = done.stdout.splitlines()
    assert len(lines) >= 2 and all(re.search(r"error \S+ of \S+ allowed$", line) for line in lines), done.stdout


def test_there_are_the_classic_ones():
    listed = re.findall(r"^\| `(\w+)\.py` \|", (EXAMPLES / "README.md").read_text(), re.MULTILINE)
    assert sorted(listed) == PROGRAMS and len(PROGRAMS) >= 8


@pytest.mark.parametrize("result", ["wrong", "nan", "shape"])
def test_a_wrong_result_is_noticed(environment, result):
    code = ("import numpy; from checking import check; a = numpy.ones(4, numpy.float32); "
            + {"wrong": "b = a + 1e-3", "nan": "b = a * numpy.float32('nan')", "shape": "b = a[:1]"}[result]
            + "; check('it', b, a, 1e-5)")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment, cwd=EXAMPLES)
    assert done.stdout.endswith(": WRONG\n"), done.stdout + done.stderr
    assert done.returncode == 1
