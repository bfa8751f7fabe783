"""A baked wheel in the hands of pip and of Python: installed, replaced, asked for its version, imported."""

import importlib.metadata
import json
import subprocess
import sys

import pytest
from packaging.utils import parse_wheel_filename
from packaging.version import Version

from support.live import OVERLAY, TRUNK
from support.packages import PACKAGES
from support.toy import clean_environment

from test_bake import Bench, dedented

STOCK = {**dedented(TRUNK), "triton/language/gone.py": "gone = 1\n", "triton/bin/tool": "#!/bin/sh\n"}
HOOKS = {"triton/__init__.py": "def hook(x):\n    return ['hook', x]\n"}


def python(*words, folder=None, status=0):
    """Runs this Python with the packages of a folder; what it printed."""
    path = {} if folder is None else {"PYTHONPATH": str(folder)}
    done = subprocess.run([sys.executable, *map(str, words)], capture_output=True, text=True,
                          check=False, env=clean_environment(PYTHONDONTWRITEBYTECODE="1", **path))
    assert done.returncode == status, done.stdout + done.stderr
    return done.stdout


def pip(*words, **how):
    """Runs pip, which must not look anywhere but here."""
    return python("-m", "pip", "--disable-pip-version-check", "--no-input", *words, **how)


@pytest.fixture(scope="module")
def bench(tmp_path_factory, triton_spec):
    """A stock wheel and its baked one, with hooks and a removal."""
    made = Bench(tmp_path_factory.mktemp("pip"), triton_spec, STOCK, {**OVERLAY, **HOOKS},
                 executable=["triton/bin/tool"], info={
                     "entry_points.txt": "[console_scripts]\ntoy = triton.testing:unchanged\n"})
    (made.vendors / "acme/spec.ini").write_text("[remove]\npath = triton/language/gone.py\n")
    made.run()
    return made


@pytest.fixture(scope="module")
def site(bench, tmp_path_factory):
    """The baked wheel, installed into a folder."""
    folder = tmp_path_factory.mktemp("site")
    pip("install", "--quiet", "--no-deps", "--no-index", "--target", folder, bench.made())
    return folder


def test_the_name_says_what_the_metadata_does(bench):
    project, version, build, tags = parse_wheel_filename(bench.made().name)
    assert (project, version, build) == ("triton", Version("3.9.0+acme"), ())
    assert {str(tag) for tag in tags} == {"py3-none-any"}
    assert version > Version("3.9.0") and version.public == "3.9.0"


def test_what_is_installed_is_what_record_says(site):
    distribution, = importlib.metadata.distributions(path=[str(site)])
    assert (distribution.name, distribution.version) == ("triton", "3.9.0+acme")
    assert {point.name for point in distribution.entry_points} == {"toy"}
    for file in distribution.files:
        if file.parts[0] == "..":  # a script: --target puts it elsewhere
            continue
        assert file.locate().is_file()
        assert file.hash is None or file.name == "RECORD" or len(file.read_binary()) == file.size
    manifest = json.loads(distribution.read_text("spec-manifest.json"))
    assert (manifest["backend"], manifest["mode"]) == ("acme", "baked")


def test_it_runs_without_triton_spec(site):
    answers = python("-c", """if True:
        import importlib.util, json, os, triton
        from triton import testing
        from triton.language import Derived
        from triton._flagtree_spec import spec_call, spec_func, spec_has
        from triton._flagtree_backend import FLAGTREE_BACKEND
        import triton.runtime.cache, triton.spec.acme.triton.runtime.cache as alias
        print(json.dumps([
            importlib.util.find_spec("triton_spec") is None, testing.caller(lambda: 1),
            testing.unchanged(), Derived().name(), triton.runtime.cache.key(),
            triton.runtime.cache.neighbour(), spec_call("hook", 1), spec_has("none"),
            spec_func("none"), FLAGTREE_BACKEND, alias is triton.runtime.cache,
            os.access(os.path.join(triton.__path__[0], "bin", "tool"), os.X_OK)]))
        """, folder=site)
    assert json.loads(answers) == [
        True, ["vendor bench", 1, 1], "trunk unchanged", "vendor base", "vendor cache",
        "vendor data\n", ["hook", 1], False, None, "acme", True, True]


def test_pip_replaces_the_stock_wheel_and_takes_all_away(bench, tmp_path):
    """With both at hand, a requirement without a label gets the newer one: the baked."""
    python("-m", "venv", "--without-pip", tmp_path / "env")
    both = tmp_path / "both"
    both.mkdir()
    for wheel in (bench.wheel, bench.made()):
        (both / wheel.name).write_bytes(wheel.read_bytes())
    inside = ["--python", tmp_path / "env/bin/python"]
    install = [*inside, "install", "--no-deps", "--no-index", "--no-compile"]
    pip(*install, bench.wheel)
    library, = (tmp_path / "env/lib").glob("python*/site-packages")
    assert (library / "triton/language/gone.py").is_file()
    said = pip(*install, "--upgrade", "--find-links", both, "triton==3.9.0")
    assert "Successfully uninstalled triton-3.9.0" in said
    assert "Successfully installed triton-3.9.0+acme" in said
    assert [path.name for path in library.glob("*.dist-info")] == ["triton-3.9.0+acme.dist-info"]
    assert not (library / "triton/language/gone.py").exists()
    assert (tmp_path / "env/bin/toy").is_file()
    pip(*inside, "uninstall", "--yes", "triton")
    assert list(library.iterdir()) == [] and not (tmp_path / "env/bin/toy").exists()


def test_tracebacks_and_sources_are_those_of_the_package(site):
    said = python("-c", """if True:
        import inspect, traceback
        from triton import testing
        print(inspect.getsource(testing.bench).splitlines()[0])
        try:
            testing.bench(None, times=0)
        except ValueError as error:
            print(traceback.extract_tb(error.__traceback__)[-1].filename)
        """, folder=site).splitlines()
    assert said == ["@decorate", str(site / "triton/testing.py")]


def test_live_mode_finds_that_there_is_nothing_to_do(bench, site):
    said = python("-c", f"""if True:
        import sys
        sys.path.append({str(PACKAGES)!r})
        import triton_spec
        overlay = triton_spec.activate("acme", {str(bench.vendors)!r}, quiet=True)
        print(overlay.mode, overlay.path, len(overlay.overrides))
        import triton
        print(triton.__path__[0])
        """, folder=site).splitlines()
    assert said == [f"baked {site} 7", str(site / "triton")]


