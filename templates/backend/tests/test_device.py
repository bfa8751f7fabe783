"""Kernels run on @name@, and go through its compiler."""

import array
import os
import pathlib
import subprocess
import sys

import pytest

os.environ["TRITON_DEFAULT_BACKEND"] = "@name@"
ROOT = pathlib.Path(__file__).parents[1]
sys.path.append(str(ROOT / "kernels"))

import saxpy
import triton


@pytest.fixture(autouse=True, scope="module")
def cache(tmp_path_factory):
    """A cache of compiled kernels that nothing else has written to."""
    triton.knobs.cache.dir = str(tmp_path_factory.mktemp("cache"))


@pytest.mark.parametrize("length", [1, 255, 256, 1000])
def test_a_kernel_computes(length):
    x, y = array.array("f", range(length)), array.array("f", [1.0] * length)
    assert list(saxpy.run(3.0, x, y)[1]) == [3.0 * i + 1 for i in range(length)]


def test_it_went_through_our_compiler():
    kernel, _ = saxpy.run(1.0, array.array("f", [1.0]), array.array("f", [2.0]))
    assert kernel.metadata.target.backend == "@name@"
    assert list(kernel.asm)[-1] == "so" and "ttir" in kernel.asm
    assert kernel.asm["c"].startswith("/* for @name@ ")


def test_the_program_runs_by_itself(tmp_path):
    done = subprocess.run([sys.executable, ROOT / "kernels/saxpy.py"], capture_output=True, text=True,
                          env={**os.environ, "TRITON_CACHE_DIR": str(tmp_path)})
    assert (done.returncode, done.stdout[-7:]) == (0, " right\n"), done.stderr
