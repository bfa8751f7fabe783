"""The runner of the built package, in this process and on other versions of Triton."""

import json
import os
import pathlib
import subprocess
import sys

import pytest

from support.packages import PACKAGES
from support.trunks import path_of

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(PACKAGES), str(HERE)]
os.environ.setdefault("TRITON_DEFAULT_FP_FUSION", "1")  # Triton 3.9 warns of a default that will change


@pytest.fixture(scope="session")
def environment():
    """environment(folder, path): of another process, whose home and cache are in the folder; path: for its imports."""
    def of(folder, path=(PACKAGES,)):
        return {"PATH": os.environ["PATH"], "HOME": str(folder), "PYTHONPATH": os.pathsep.join(map(str, path)),
                "TRITON_CACHE_DIR": str(folder / "cache"), "TRITON_DEFAULT_FP_FUSION": "1"}
    return of


@pytest.fixture(scope="session")
def probe(environment):
    """probe(version, what, folder): the answer of probe.py on that version of Triton."""
    def ask(version, what, folder):
        path = [PACKAGES, *path_of(version)]
        done = subprocess.run([sys.executable, HERE / "probe.py", what, folder], env=environment(folder, path), text=True,
                              capture_output=True, check=False)
        assert done.returncode == 0, done.stderr
        answer = json.loads(done.stdout.splitlines()[-1])
        assert answer["triton"] == version
        return answer["answer"]
    return ask


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    """A folder for a module's tests, with a cache of Triton that they share, in its folder cache."""
    folder = tmp_path_factory.mktemp("kept")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TRITON_CACHE_DIR", str(folder / "cache"))
        yield folder


@pytest.fixture(scope="module")
def toy_registered():
    """The tests' own backend, while a module's tests run."""
    from toy_backend import TOY
    from triton.backends import backends
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(backends, "toy", TOY)
        yield


@pytest.fixture
def cache(tmp_path, monkeypatch):
    """A fresh cache of Triton for this test."""
    folder = tmp_path / "triton-cache"
    monkeypatch.setenv("TRITON_CACHE_DIR", str(folder))
    return folder
