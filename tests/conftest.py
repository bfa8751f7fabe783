"""Fixtures that all test folders share."""

import os
import pathlib
import shlex
import subprocess

import pytest

from support.compilers import Compilers
from support.groups import groups
from support.tally import Tally
from support.toy import Toy, clean_environment, write_tree

ROOT = pathlib.Path(__file__).resolve().parents[1]


def pytest_configure(config):
    """The process that leads pytest-xdist's workers collects no tests, and so reads no other conftest.py."""
    config.pluginmanager.register(Tally(), "tally")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config, items):
    """Gives what uses one built thing to one of pytest-xdist's workers, so that it is built once."""
    if config.pluginmanager.hasplugin("xdist"):
        for item, name in groups(items):
            item.add_marker(pytest.mark.xdist_group(name))


@pytest.fixture(scope="session")
def triton_spec():
    """Path of the built program: TRITON_SPEC, else the dev preset's."""
    path = pathlib.Path(os.environ.get("TRITON_SPEC", ROOT / "build/dev/spec/triton-spec"))
    assert path.is_file(), f"{path} does not exist: build it with `make build`, or set TRITON_SPEC"
    return path.resolve()


@pytest.fixture(scope="session")
def compilers(tmp_path_factory):
    """What CMake knows about the compilers, found out once."""
    return Compilers(tmp_path_factory.mktemp("compilers"))


@pytest.fixture(scope="session")
def killer(triton_spec, tmp_path_factory):
    """The library that kills a program at its n-th change of the file system."""
    if b"__asan_init" in triton_spec.read_bytes():
        pytest.skip("AddressSanitizer wants to be the first library")
    library = tmp_path_factory.mktemp("killer") / "kill_at.so"
    source = ROOT / "tests/crash/kill_at.c"
    subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", library, source, "-ldl"], check=True)
    return library


@pytest.fixture(scope="session")
def injection(triton_spec, tmp_path_factory):
    """The arguments that cmake-args gives for every backend, found with one that is sound."""
    trunk = tmp_path_factory.mktemp("sound")
    write_tree(trunk, {"a.c": "1\n", "third_party/sound/spec_cpp/a.c": "2\n"})
    text = subprocess.run([triton_spec, "cmake-args", "--trunk", trunk, "--backend", "sound"],
                          env=clean_environment(), check=True, capture_output=True, text=True).stdout
    return [arg for arg in shlex.split(text) if not arg.startswith("-DFLAGTREE_BACKEND=")]


@pytest.fixture
def toy(tmp_path, triton_spec, injection, compilers):
    """A fresh, empty Toy."""
    return Toy(tmp_path, triton_spec, injection, compilers)
