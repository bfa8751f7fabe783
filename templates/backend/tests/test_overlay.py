"""What was built over the trunk has the overrides. README.md says how to build it: 'The overlay'.

BUILD is the build folder (default: build, beside this folder).
"""

import json
import os
import pathlib
import subprocess

import pytest

BUILD = pathlib.Path(os.environ.get("BUILD", pathlib.Path(__file__).parents[1] / "build"))


def built(path):
    """A file of the build; a test fails with what to do where there is none."""
    file = BUILD / path
    assert file.is_file(), f"{file} is missing: build the overlay as README.md says"
    return file


@pytest.fixture(scope="module")
def info():
    """What triton-info prints, as a dict."""
    text = subprocess.run([built("bin/triton-info")], check=True, capture_output=True, text=True).stdout
    return dict(line.split(" = ", 1) for line in text.splitlines())


def test_header(info):
    assert info["flavour"] == "@name@"


def test_patched_header(info):
    assert "@name@:1" in info["targets"].split(",")


def test_source(info):
    assert info["build"].endswith(" for @name@")


def test_cmake_file(info):
    assert info["default-target"] == "@name@"


def test_tablegen_file():
    generated = built("include/triton/Conversion/TritonToTritonGPU/Passes.h.inc").read_text()
    assert "int32_t threadsPerWarp = 1;" in generated


def test_python_module():
    module = built("spec/python/triton/testing.py").read_text()
    assert "on @name@ at least one" in module and "def count_ops(" in module


def test_every_override_is_proved():
    done = subprocess.run(["triton-spec", "verify", "--json", BUILD], capture_output=True, text=True)
    proof = json.loads(done.stdout)
    assert (done.returncode, proof["findings"]) == (0, []), done.stdout + done.stderr
