"""The distribution triton-spec: what `pip install .` gives, and that it works away from these sources."""

import os
import pathlib
import re
import subprocess
import sys
import venv
import zipfile

import pytest

from support.live import Site
from support.packages import ROOT

VERSION = re.search(r'#define SPEC_VERSION "(.*)"', (ROOT / "spec/include/spec.h").read_text()).group(1)


class Installed(Site):
    """A virtual environment in which pip has installed the wheel."""

    def __init__(self, folder, wheel):
        super().__init__(folder, {"triton/runtime/cache.py": "def key():\n    return 'vendor'\n"})
        venv.create(folder / "venv", symlinks=True)
        self.interpreter = folder / "venv/bin/python"
        self.program = folder / "venv/bin/triton-spec"
        self.before = self.files()
        self.pip("install", "--no-index", "--no-deps", wheel)

    def pip(self, *words):
        """Runs pip for the environment."""
        subprocess.run([sys.executable, "-m", "pip", "--python", self.interpreter,
                        "--disable-pip-version-check", *words], check=True, capture_output=True)

    def files(self):
        """What lies in the environment, bytecode aside."""
        return {path for path in (self.folder / "venv").rglob("*") if "__pycache__" not in path.parts}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """The wheel, built from these sources without an environment of pip's own."""
    folder = tmp_path_factory.mktemp("wheel")
    env = {**os.environ, "CMAKE_C_COMPILER_LAUNCHER": "ccache"}
    done = subprocess.run([sys.executable, "-m", "pip", "wheel", "--no-build-isolation", "--no-deps",
                           "--no-index", "-w", folder, ROOT], check=False, env=env, text=True,
                          capture_output=True)
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}\n(tools/bootstrap python installs what it needs)"
    return next(folder.glob("*.whl"))


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory):
    """That wheel, installed."""
    return Installed(tmp_path_factory.mktemp("installed"), wheel)


@pytest.mark.slow
def test_the_wheel_holds_the_whole_package(wheel):
    assert wheel.name.startswith(f"triton_spec-{VERSION}-cp3")
    with zipfile.ZipFile(wheel) as file:
        names = {name for name in file.namelist() if ".dist-info" not in name and not name.endswith(".so")}
    sources = {f"triton_spec/{path.relative_to(ROOT / 'python/triton_spec')}"
               for path in (ROOT / "python/triton_spec").rglob("*.py*") if "__pycache__" not in path.parts}
    assert sources | {"triton_spec/py.typed"} <= names
    data = {name.partition(".data/data/")[2] for name in names if ".data/" in name}
    cmake = {f"lib/cmake/TritonSpec/{path.name}" for path in (ROOT / "cmake").glob("*.cmake")}
    templates = {f"share/triton-spec/backend/{path.relative_to(ROOT / 'templates/backend')}"
                 for path in (ROOT / "templates/backend").rglob("*") if path.is_file()}
    assert data - cmake - templates == {
        "bin/triton-spec", "libexec/triton-spec/triton-spec-git", "lib/cmake/TritonSpec/TritonSpecConfigVersion.cmake",
        "share/man/man1/triton-spec.1", "share/bash-completion/completions/triton-spec",
        "share/zsh/site-functions/_triton-spec"}
    assert cmake | templates <= data


@pytest.mark.slow
def test_the_program(installed):
    (installed.folder / "trunk").mkdir()
    done = subprocess.run([installed.program, "--version"], check=True, capture_output=True, text=True)
    assert done.stdout == f"triton-spec {VERSION}\n"
    done = subprocess.run([installed.program, "lock", "--help"], check=True, capture_output=True, text=True)
    assert "usage: triton-spec lock" in done.stdout  # of the second program
    installed.vendors.joinpath("acme/spec_cpp").mkdir()
    done = subprocess.run([installed.program, "cmake-args", "--trunk", "trunk", "--backend", "acme"],
                          env=installed.environment(), cwd=installed.folder, capture_output=True,
                          check=False, text=True)
    prefix = pathlib.Path(os.path.realpath(installed.folder)) / "venv/lib/cmake/TritonSpec"
    assert f"{prefix}/SpecInject.cmake" in done.stdout, done.stderr


@pytest.mark.slow
def test_live_mode(installed):
    env = {"PYTHONPATH": str(installed.site), "VIRTUAL_ENV": str(installed.folder / "venv")}
    code = "import triton, triton_spec; print(triton.runtime.key(), triton_spec.__file__)"
    package = next((installed.folder / "venv/lib").glob("python*/site-packages/triton_spec"))
    expected = f"vendor {package}/__init__.py\n"
    done = subprocess.run([installed.program, "run", "--backend", "acme", "-c", code], check=True, text=True,
                          capture_output=True, env=installed.environment(**env), cwd=installed.folder)
    assert done.stdout == expected
    subprocess.run([installed.program, "enable"], check=True, env=installed.environment(**env))
    assert installed.run("-c", code, env={**env, "FLAGTREE_BACKEND": "acme"}).stdout == expected


@pytest.mark.slow
def test_uninstalling_leaves_nothing(installed):
    installed.pip("uninstall", "-y", "triton-spec")
    left = {path for path in installed.files() - installed.before if not path.is_dir()}
    assert left == set()
