"""The stock wheel of Triton, rebuilt from where it is installed, with a backend baked into it."""

import importlib.metadata
import json
import pathlib
import shutil
import subprocess
import sys
import time
import zipfile

import pytest

from support.live import write
from support.packages import PACKAGES
from support.toy import clean_environment
from support.wheels import checked, packed, stock_wheel

STOCK = importlib.metadata.distribution("triton")
PACKAGE = pathlib.Path(STOCK.locate_file("triton"))

# A merge of one function, a whole module, a module of its own and the hooks.
OVERLAY = {
    "triton/testing.py": """\
        def nvsmi(attrs):
            return ["acme", *attrs]
        """,
    "triton/language/extra/acme.py": "LANES = 128\n",
    "triton/__init__.py": "def device_name():\n    return 'acme one'\n",
}

KERNEL = """\
import json, sys, triton, triton.language as tl
from triton.backends.compiler import GPUTarget


@triton.jit
def double(x_ptr, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(x_ptr + at, 2 * tl.load(x_ptr + at, at < n), at < n)


source = triton.compiler.ASTSource(double, {"x_ptr": "*fp32", "n": "i32", "BLOCK": "constexpr"},
                                   {(2,): 128})
made = triton.compile(source, target=GPUTarget("cuda", 90, 32))
print(json.dumps([triton.__file__, "cubin" in made.asm]))
"""


class Baked:
    """A stock wheel, an overlay, and the wheel that comes of them."""

    def __init__(self, folder, program, light):
        self.stock, self.vendors = stock_wheel(folder, light), folder / "vendors"
        write(self.vendors / "acme/spec", OVERLAY)
        # The whole of a module, with a line more: it looks for its template beside itself.
        tool = (PACKAGE / "tools/compile.py").read_text() + "ACME = True\n"
        write(self.vendors / "acme/spec", {"triton/tools/compile.py": tool.encode()})
        start = time.perf_counter()
        self.said = subprocess.run(
            [program, "bake", "--wheel", self.stock, "--backend", "acme", "--root", self.vendors,
             "--out", folder / "out"], check=True, capture_output=True, text=True,
            env=clean_environment()).stdout
        self.seconds = time.perf_counter() - start
        self.wheel, = (folder / "out").iterdir()


@pytest.fixture(scope="module")
def light(tmp_path_factory, triton_spec):
    """Without the contents of large files."""
    return Baked(tmp_path_factory.mktemp("light"), triton_spec, light=True)


@pytest.fixture(scope="module")
def site(light, tmp_path_factory):
    """The baked package, complete with the libraries of the installed one."""
    folder = tmp_path_factory.mktemp("site")
    with zipfile.ZipFile(light.wheel) as archive:
        archive.extractall(folder)
    for path in (folder / "triton").rglob("*"):
        installed = PACKAGE / path.relative_to(folder / "triton")
        if installed.is_file() and installed.stat().st_size > 1 << 20:
            path.unlink()
            path.symlink_to(installed)
    return folder


def python(folder, code):
    """Runs code with the packages of a folder; the JSON that it printed."""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False,
                          env=clean_environment(PYTHONPATH=str(folder), PYTHONDONTWRITEBYTECODE="1"))
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_it_is_sound(light):
    data = checked(light.wheel)
    assert f"{STOCK.version}+acme" in light.wheel.name
    assert data["triton/language/extra/acme.py"] == b"LANES = 128\n"
    assert data["triton/tools/compile.py"].endswith(b"ACME = True\n")
    assert b"def nvsmi(attrs):\n    return [\"acme\", *attrs]\n" in data["triton/testing.py"]


def test_all_else_is_as_it_was(light):
    old, new = packed(light.stock), packed(light.wheel)
    renamed = {name: name.replace(f"{STOCK.version}.dist", f"{STOCK.version}+acme.dist") for name in old}
    other = {name for name in old if new[renamed[name]][1] != old[name][1]}
    assert {name.split("/", 1)[1] for name in other} <= {
        "testing.py", "tools/compile.py", "runtime/cache.py", "compiler/compiler.py", "METADATA",
        "RECORD"}
    assert 4 < len(other) < len(old) // 50
    for name in old.keys() - other:
        assert new[renamed[name]][0].external_attr == old[name][0].external_attr


def test_it_is_imported_without_triton_spec(site):
    assert python(site, """if True:
        import importlib.metadata, importlib.util, inspect, json, triton
        from triton import testing
        from triton._flagtree_spec import spec_call
        from triton.language.extra import acme
        from triton.tools import compile
        print(json.dumps([triton.__file__, importlib.metadata.version("triton"), acme.LANES,
                          testing.nvsmi(["x"]), spec_call("device_name"), compile.ACME,
                          importlib.util.find_spec("triton_spec") is None]))
        """) == [str(site / "triton/__init__.py"), f"{STOCK.version}+acme", 128, ["acme", "x"],
                 "acme one", True, True]


def test_live_mode_makes_the_same_texts(light, tmp_path):
    """Of each member that is not the trunk's, but for the module through which hooks are called."""
    trunk = tmp_path / "trunk"
    with zipfile.ZipFile(light.stock) as archive:
        archive.extractall(trunk)
    stage = pathlib.Path(subprocess.run(
        [sys.executable, "-c", "import sys, triton_spec\n"
         "print(triton_spec.activate('acme', sys.argv[1], quiet=True).path)", light.vendors],
        env=clean_environment(PYTHONPATH=f"{PACKAGES}:{trunk}", TRITON_SPEC_CACHE=str(tmp_path)),
        check=True, capture_output=True, text=True).stdout.strip())
    data, live = checked(light.wheel), json.loads((stage / "manifest.json").read_text())
    for member in live["members"]:
        if member["path"] != "triton/_flagtree_spec.py":
            assert data[member["path"]] == (stage / member["path"]).read_bytes(), member["path"]
    info = f"triton-{STOCK.version}+acme.dist-info/"
    baked = json.loads(data[info + "spec-manifest.json"])
    assert (baked["digest"], baked["members"]) == (live["digest"], live["members"])
    # What no member stands for is the trunk's.
    same = {member["path"] for member in live["members"]} | set(live["removed"])
    with zipfile.ZipFile(light.stock) as archive:
        for name in archive.namelist():
            if name.startswith("triton/") and name not in same:
                assert data[name] == archive.read(name), name


@pytest.mark.slow
def test_the_whole_wheel(triton_spec, tmp_path):
    """A gigabyte; installed as it is, it compiles a kernel."""
    baked = Baked(tmp_path, triton_spec, light=False)
    print(f"{baked.stock.stat().st_size} bytes baked in {baked.seconds:.2f} s")
    with zipfile.ZipFile(baked.wheel) as archive:
        archive.extractall(tmp_path / "site")
        for info in archive.infolist():  # ptxas must be executable
            (tmp_path / "site" / info.filename).chmod(info.external_attr >> 16 & 0o777)
    shutil.rmtree(tmp_path / "out")
    (tmp_path / "kernel.py").write_text(KERNEL)
    done = subprocess.run([sys.executable, tmp_path / "kernel.py"], check=False, capture_output=True,
                          text=True, env=clean_environment(PYTHONPATH=str(tmp_path / "site"),
                                                           TRITON_CACHE_DIR=str(tmp_path / "cache")))
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == [str(tmp_path / "site/triton/__init__.py"), True]
