"""A build of triton's sources by a setup.py that knows nothing of overlays: the plugin bakes one in."""

import json
import os
import re
import shutil
import subprocess
import sys
import textwrap

import pytest

from support.live import OVERLAY, TRUNK, Site, write
from support.packages import ROOT

# Its build_py is a class of its own, as Triton's is.
SETUP = """\
    from setuptools import find_packages, setup
    from setuptools.command.build_py import build_py


    class Own(build_py):
        def run(self):
            print("own build_py")
            super().run()


    setup(name="triton", version="1.0", packages=find_packages("python"), package_dir={"": "python"},
          package_data={"triton.runtime": ["*.txt"]}, cmdclass={"build_py": Own})
    """


class Source(Site):
    """A source tree of the toy trunk, and triton-spec as if it were installed."""

    def __init__(self, folder):
        super().__init__(folder, trunk={"nothing.txt": ""})
        self.tree, self.lib = folder / "tree", folder / "tree/build/lib"
        write(self.tree, {"setup.py": SETUP, **{f"python/{name}": text for name, text in TRUNK.items()}})
        text = (ROOT / "pyproject.toml").read_text()
        group, line = re.search(r'\[project.entry-points."(.*)"\]\n(.*)\n', text).groups()
        write(self.site, {"triton_spec-0.1.0.dist-info/METADATA": "Name: triton-spec\nVersion: 0.1.0\n",
                          "triton_spec-0.1.0.dist-info/entry_points.txt": f"[{group}]\n" + line.replace('"', "") + "\n"})

    def build(self, backend=None, *words, check=True, **env):
        """Runs setup.py; the finished process."""
        return self.run("setup.py", *(words or ["build"]), cwd=self.tree, check=check,
                        env={"FLAGTREE_BACKEND": backend, **env})

    def built(self, code):
        """What code prints that imports the built package, where there is no triton_spec."""
        return self.run("-S", "-c", textwrap.dedent(code), env={"PYTHONPATH": str(self.lib)}).stdout

    def files(self):
        """{path: bytes} of what was built."""
        return {str(path.relative_to(self.lib)): path.read_bytes()
                for path in self.lib.rglob("*") if path.is_file() and "__pycache__" not in path.parts}


@pytest.fixture
def source(tmp_path):
    return Source(tmp_path)


CHECK = """
    import triton, sys
    from triton import testing
    print(testing.bench(int, 1), testing.unchanged(), triton.runtime.key(), triton.runtime.cache.neighbour(),
          triton.language.Derived().name(), "triton_spec" in sys.modules, end="")
    """
WITH = "['vendor bench', 0] trunk unchanged vendor cache vendor data\n vendor base False"
WITHOUT = "['trunk bench', 0] trunk unchanged trunk cache trunk data\n trunk base False"


def test_a_build_has_the_overlay_in_it(source):
    done = source.build("acme")
    assert "own build_py" in done.stdout and source.built(CHECK) == WITH
    assert "SPEC: triton/testing.py -> acme/spec/triton/testing.py (merged)" in done.stdout
    manifest = json.loads((source.lib / "triton/_spec_manifest.json").read_text())
    assert (manifest["backend"], manifest["mode"], manifest["trunk"]) == ("acme", "baked", "triton")
    assert str(source.folder) not in json.dumps(manifest)


def test_without_a_backend_nothing_is_done(source):
    source.build()
    assert source.built(CHECK) == WITHOUT
    plain = source.files()
    shutil.rmtree(source.tree / "build")
    shutil.rmtree(source.site / "triton_spec-0.1.0.dist-info")
    source.build("acme")  # where triton-spec is not installed
    assert source.files() == plain


def test_nothing_of_an_earlier_build_stays(source):
    source.build()
    plain = source.files()
    source.build("acme")
    first = source.files()
    source.build("acme")
    assert source.files() == first
    source.add({"triton/testing.py": "def bench(fn, times=2):\n    return 'edited'\n"})
    (source.vendors / "acme/spec/triton/runtime/data.py").unlink()
    source.add({"triton/runtime/cache.py": "def key():\n    return 'less'\n"})
    source.build("acme")
    assert source.built("from triton import runtime, testing; print(testing.bench(int), runtime.key())") == "edited less\n"
    assert "triton/runtime/data.py" not in source.files()
    source.build()
    assert source.files() == plain


def test_the_versions_label(source):
    versions = {backend: source.build(backend, "--version").stdout.split()[-1]
                for backend in (None, "acme", "with_base")}
    assert versions == {None: "1.0", "acme": "1.0+acme", "with_base": "1.0+with.base"}
    path = source.tree / "setup.py"
    for before, after in ("1.0+git1", "1.0+git1.acme"), ("1.0+acme", "1.0+acme"):
        path.write_text(textwrap.dedent(SETUP).replace('"1.0"', f'"{before}"'))
        assert source.build("acme", "--version").stdout.split()[-1] == after


def test_a_folder_is_baked_once(source):
    source.build("acme")
    code = "import os, triton_spec._spec as s; s.bake_folder('acme', [os.environ['SPEC_PATH']], 'build/lib')"
    said = source.fails(code, cwd=source.tree)
    assert "SpecInvalid: the package in '" in said and "is baked already" in said and "mend: " in said


@pytest.mark.parametrize("place", ["third_party", "../third_party"])
def test_the_trunks_own_backends(source, place):
    shutil.copytree(source.vendors, source.tree / place)
    source.build("acme", SPEC_PATH=None)
    assert source.built(CHECK) == WITH


def test_a_refused_overlay_ends_the_build(source):
    source.add({"triton/knobs.py": "x = 1\n"})
    write(source.tree, {"python/triton/knobs.py": "x = 0\n"})
    done = source.build("acme", check=False)
    assert done.returncode == 1 and "error[closed]: " in done.stderr and "Traceback" not in done.stderr
    assert source.built(CHECK) == WITHOUT and not (source.lib / "triton/_spec_manifest.json").exists()
    done = source.build("no_such", check=False)
    assert done.returncode == 1 and "error[not-found]: backend 'no_such' does not exist" in done.stderr


def test_an_editable_install_is_for_live_mode(source):
    """setuptools marks the command so, after its options are read."""
    text = textwrap.dedent(SETUP).replace("    def run(self):", "    def finalize_options(self):\n"
                                          "        super().finalize_options()\n"
                                          "        self.editable_mode = True\n\n    def run(self):", 1)
    (source.tree / "setup.py").write_text(text)
    done = source.build("acme")
    assert "triton-spec run --backend acme" in done.stdout + done.stderr
    assert not source.lib.exists() or "triton/_spec_manifest.json" not in source.files()


def test_other_projects_are_left_alone(source):
    write(source.tree, {"setup.py": textwrap.dedent(SETUP).replace('name="triton"', 'name="other"')
                        .replace('find_packages("python")', '["other"]').replace("triton.runtime", "other"),
                        "python/other/__init__.py": "x = 1\n"})
    for backend in ("acme", "no_such"):
        assert source.build(backend, "--version").stdout.split()[-1] == "1.0"
        source.build(backend)
    assert set(source.files()) == {"other/__init__.py"}


@pytest.mark.slow
def test_pip_makes_a_wheel_of_it(source):
    write(source.tree, {"pyproject.toml": "[build-system]\nrequires = ['setuptools']\n"
                        "build-backend = 'setuptools.build_meta'\n"})
    subprocess.run([sys.executable, "-m", "pip", "wheel", "--no-build-isolation", "--no-deps", "--no-index",
                    "--disable-pip-version-check", "-w", source.folder / "out", source.tree], check=True,
                   env=source.environment(FLAGTREE_BACKEND="acme"), capture_output=True)
    wheel, = os.listdir(source.folder / "out")
    assert wheel.startswith("triton-1.0+acme-py3-none-any.whl")
    subprocess.run([sys.executable, "-m", "pip", "install", "--no-deps", "--no-index", "--target", source.lib,
                    source.folder / "out" / wheel], check=True, capture_output=True)
    assert source.built(CHECK) == WITH
    code = "import triton_spec; print(triton_spec.activate('acme').mode)"
    path = f"{source.environment()['PYTHONPATH']}:{source.lib}"
    assert source.python(code, env={"PYTHONPATH": path}) == "baked\n"
    assert set(OVERLAY) <= set(source.files())
