"""`triton-spec bake`: what the new wheel holds, byte by byte, and what is refused."""

import itertools
import json
import os
import subprocess
import textwrap
import zipfile

import jsonschema
import pytest

from support.live import OVERLAY, TRUNK, Site, write
from support.packages import ROOT
from support.toy import clean_environment
from support.wheels import DATE, checked, packed, toy_wheel

INFO = "triton-3.9.0.dist-info/"
NEW_INFO = "triton-3.9.0+acme.dist-info/"
STOCK = {**TRUNK, "triton/bin/tool": b"\x7fELF\0" * 100, "triton/language/gone.py": "gone = 1\n"}


class Bench:
    """A folder with a stock wheel, a vendor's overlay, and what bake makes of them."""

    def __init__(self, folder, program, files=None, overlay=None, **wheel):
        self.folder, self.program = folder, program
        self.wheel = toy_wheel(folder / "stock", dedented(STOCK if files is None else files), **wheel)
        self.vendors = folder / "vendors"
        write(self.vendors / "acme" / "spec", OVERLAY if overlay is None else overlay)

    def run(self, *words, env=None, status=0, **how):
        """Runs bake; what it printed, on both streams."""
        done = subprocess.run(
            [self.program, "bake", "--wheel", self.wheel, "--root", self.vendors, "--out",
             self.folder / "out", *words], capture_output=True, text=True, check=False,
            env=clean_environment(FLAGTREE_BACKEND="acme", **env or {}), cwd=self.folder, **how)
        assert done.returncode == status, done.stdout + done.stderr
        return done.stdout + done.stderr

    def made(self):
        """The only file in the folder of results."""
        path, = (self.folder / "out").iterdir()
        return path

    def bake(self, *words, **how):
        """Runs bake; {name: bytes} of the wheel, which is sound."""
        self.run(*words, **how)
        return checked(self.made())


def dedented(files):
    """The files as Site writes them."""
    return {name: text if isinstance(text, bytes) else textwrap.dedent(text)
            for name, text in files.items()}


def constants(module):
    """{name: value} of a module's text."""
    scope = {}
    exec(module, scope)
    return scope


@pytest.fixture
def bench(tmp_path, triton_spec):
    """The usual one."""
    return Bench(tmp_path, triton_spec, executable=["triton/bin/tool"],
                 folders=["triton/", "triton/language/"])


# --- what it holds -------------------------------------------------------------------------------

def test_members_are_those_of_the_merged_package(bench):
    data = bench.bake()
    assert data["triton/runtime/cache.py"].startswith(b"from . import data\n")
    assert data["triton/runtime/data.txt"] == b"vendor data\n"
    assert data["triton/runtime/data.py"] == b"WHERE = __name__\n"
    merged = data["triton/testing.py"].decode()
    assert "vendor bench" in merged and "trunk unchanged" in merged and "trunk bench" not in merged
    assert "# spec: from spec/triton/testing.py:" in merged
    assert data["triton/FLAGTREE_BACKEND"] == b"acme"
    backend = constants(data["triton/_flagtree_backend.py"])
    assert (backend["FLAGTREE_BACKEND"], backend["LAYERS"]) == ("acme", ("acme",))
    assert data["triton/_flagtree_spec.py"] == (ROOT / "python/baked/_flagtree_spec.py").read_bytes()
    new = {"triton/FLAGTREE_BACKEND", "triton/_flagtree_backend.py", "triton/_flagtree_spec.py",
           "triton/runtime/data.py", "triton/spec/__init__.py", "triton/spec/acme/__init__.py",
           "triton/spec/acme/triton/__init__.py", NEW_INFO + "spec-manifest.json"}
    old = {name.replace(INFO, NEW_INFO) for name in checked(bench.wheel)}
    assert data.keys() - old == new and old - data.keys() == set()


def test_what_stays_is_as_it_was(bench):
    bench.run()
    old, new = packed(bench.wheel), packed(bench.made())
    changed = {"triton/testing.py", "triton/language/core.py", "triton/runtime/cache.py",
               "triton/runtime/data.txt", INFO + "METADATA", INFO + "RECORD"}
    kept = [name for name in old if name not in changed]
    assert len(kept) > 5
    for name in kept:
        (was, was_bytes), (is_now, bytes_now) = old[name], new[name.replace(INFO, NEW_INFO)]
        assert bytes_now == was_bytes, name
        for field in ("date_time", "compress_type", "create_system", "create_version", "flag_bits",
                      "extract_version", "external_attr", "internal_attr", "CRC", "file_size",
                      "extra", "comment"):
            assert getattr(is_now, field) == getattr(was, field), (name, field)
    assert new["triton/bin/tool"][0].external_attr >> 16 == 0o100755
    assert [name.replace(INFO, NEW_INFO) for name in old] == [
        name for name in new if name.replace(NEW_INFO, INFO) in old]


def test_dates_and_modes_of_what_is_new(bench):
    script = bench.vendors / "acme/spec/triton/bin/script"
    write(bench.vendors / "acme/spec", {"triton/bin/script": "#!/bin/sh\n", "triton/bin/tool": "#!"})
    script.chmod(0o755)
    bench.run()
    new = packed(bench.made())
    assert new["triton/bin/script"][0].external_attr >> 16 == 0o100755
    assert new["triton/bin/tool"][0].external_attr >> 16 == 0o100644  # the vendor's says so
    assert new["triton/testing.py"][0].external_attr >> 16 == 0o100644
    assert new["triton/testing.py"][0].date_time == (1980, 1, 1, 0, 0, 0)
    assert new["triton/__init__.py"][0].date_time == DATE
    assert {info.create_system for info, _ in new.values()} == {3}


def test_records_stand_near_their_neighbours(bench):
    bench.run()
    with zipfile.ZipFile(bench.made()) as archive:
        record = archive.read(NEW_INFO + "RECORD").decode()
        names = [name for name in archive.namelist() if not name.endswith("/")]
    assert record.endswith(f"{NEW_INFO}RECORD,,\r\n") and record.count("\n") == record.count("\r\n")
    rows = [row.split(",")[0] for row in record.splitlines()]
    for order in (rows, names):
        assert order[order.index("triton/runtime/data.py") - 1] == "triton/runtime/cache.py"
        assert order[order.index(NEW_INFO + "spec-manifest.json") - 1] == NEW_INFO + "WHEEL"
        assert order[-1] == NEW_INFO + "RECORD"


def test_metadata_has_the_version_and_else_what_it_had(bench):
    data, old = bench.bake(), checked(bench.wheel)
    assert data[NEW_INFO + "METADATA"] == old[INFO + "METADATA"].replace(
        b"Version: 3.9.0\n", b"Version: 3.9.0+acme\n")
    assert data[NEW_INFO + "WHEEL"] == old[INFO + "WHEEL"]


def test_a_removed_member_is_gone_and_what_was_made_of_it(tmp_path, triton_spec):
    bench = Bench(tmp_path, triton_spec, {
        **STOCK, "triton/only/a.py": "", "triton/language/__pycache__/gone.cpython-311.pyc": "x",
        "triton/language/__pycache__/core.cpython-311.pyc": "x",
        "triton/language/__pycache__/__init__.cpython-311.pyc": "x"}, folders=["triton/only/"])
    (bench.vendors / "acme/spec.ini").write_text(
        "[remove]\npath = triton/language/gone.py\npath = triton/only/a.py\n")
    bench.run()
    names = packed(bench.made()).keys()
    assert not [name for name in names if "gone" in name or "only" in name]
    assert [name for name in names if "__pycache__" in name] == [
        "triton/language/__pycache__/__init__.cpython-311.pyc"]


def test_only_this_backends_files(bench):
    write(bench.vendors / "other/spec", {"triton/language/other.py": "other = 1\n"})
    assert not [name for name in bench.bake() if "other" in name]


def test_a_base_is_baked_too(bench):
    write(bench.vendors, {"acme/spec.ini": "[backend]\nbase = base\n",
                          "base/spec/triton/language/base.py": "base = 1\n",
                          "base/spec/triton/__init__.py": "def of_base():\n    return 1\n"})
    data = bench.bake()
    assert data["triton/language/base.py"] == b"base = 1\n"
    assert constants(data["triton/_flagtree_backend.py"])["LAYERS"] == ("acme", "base")
    assert data["triton/spec/base/triton/__init__.py"] == b"def of_base():\n    return 1\n"


# --- names ---------------------------------------------------------------------------------------

@pytest.mark.parametrize("version, words, expected", [
    ("3.9.0", [], "3.9.0+acme"),
    ("3.9.0", ["--label", "Acme_X-007"], "3.9.0+acme.x.7"),
    ("3.9.0+git5389ed79", [], "3.9.0+git5389ed79.acme"),
    ("3.10.0rc1.post2.dev3", ["--label=b"], "3.10.0rc1.post2.dev3+b"),
])
def test_versions(tmp_path, triton_spec, version, words, expected):
    bench = Bench(tmp_path, triton_spec, version=version, tail="7b-cp311-cp311-linux_x86_64")
    data = bench.bake(*words)
    assert bench.made().name == f"triton-{expected}-7b-cp311-cp311-linux_x86_64.whl"
    assert f"Version: {expected}\n".encode() in data[f"triton-{expected}.dist-info/METADATA"]


def test_the_data_folder_has_the_version_too(tmp_path, triton_spec):
    files = {**STOCK, "triton-3.9.0.data/scripts/proton": "#!python\n"}
    bench = Bench(tmp_path, triton_spec, files, executable=["triton-3.9.0.data/scripts/proton"])
    assert bench.bake()["triton-3.9.0+acme.data/scripts/proton"] == b"#!python\n"


def test_a_backends_name_with_an_underscore(bench):
    os.rename(bench.vendors / "acme", bench.vendors / "acme_two")
    bench.run("--backend", "acme_two")
    assert bench.made().name == "triton-3.9.0+acme.two-py3-none-any.whl"


# --- the same again ------------------------------------------------------------------------------

def test_the_same_input_gives_the_same_bytes(bench, tmp_path):
    bench.run()
    first = bench.made().read_bytes()
    other = tmp_path / "elsewhere"
    os.rename(bench.vendors, other)
    for path in other.rglob("*"):
        os.utime(path, (1, 1))
    bench.vendors = other
    before = bench.made().stat()
    for number, zone in enumerate(("UTC0", "XYZ-5", "CET-1CEST,M3.5.0,M10.5.0/3")):
        said = bench.run("-o", str(tmp_path / f"again{number}"), env={"TZ": zone, "TMPDIR": "."})
        assert "(already there)" not in said
        path, = (tmp_path / f"again{number}").iterdir()
        assert path.read_bytes() == first
    assert bench.run().endswith(" (already there)\n")
    after = bench.made().stat()
    assert (after.st_ino, after.st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


def test_other_bytes_are_replaced(bench):
    bench.run()
    write(bench.vendors / "acme/spec", {"triton/runtime/data.txt": "newer data\n"})
    assert bench.bake()["triton/runtime/data.txt"] == b"newer data\n"


def test_source_date_epoch(bench):
    bench.run(env={"SOURCE_DATE_EPOCH": "1700000000"})
    assert packed(bench.made())["triton/testing.py"][0].date_time == (2023, 11, 14, 22, 13, 20)
    for wrong in ("x", "1.5", "-1", "99999999999999999999"):
        assert "SOURCE_DATE_EPOCH is" in bench.run(env={"SOURCE_DATE_EPOCH": wrong}, status=2)
    bench.run(env={"SOURCE_DATE_EPOCH": "1"})
    assert packed(bench.made())["triton/testing.py"][0].date_time == (1980, 1, 1, 0, 0, 0)


# --- what it says --------------------------------------------------------------------------------

def test_the_log(bench):
    (bench.vendors / "acme/spec.ini").write_text("[remove]\npath = triton/language/gone.py\n")
    write(bench.vendors / "acme/spec", {"triton/__init__.py": "def hook():\n    pass\n"})
    said = [line for line in bench.run().splitlines() if line.startswith(("--", "/"))]
    assert said == [
        "-- =====================================",
        "-- flagtree backend wheel specialization",
        "-- SPEC: triton/language/core.py -> acme/spec/triton/language/core.py",
        "-- SPEC: triton/language/gone.py -> acme/spec.ini (removed)",
        "-- SPEC: triton/runtime/cache.py -> acme/spec/triton/runtime/cache.py",
        "-- SPEC: triton/runtime/data.py -> acme/spec/triton/runtime/data.py (added)",
        "-- SPEC: triton/runtime/data.txt -> acme/spec/triton/runtime/data.txt",
        "-- SPEC: triton/spec/acme/triton/__init__.py -> acme/spec/triton/__init__.py (hooks)",
        "-- SPEC: triton/testing.py -> acme/spec/triton/testing.py (merged)",
        "-- acme: 7 overrides; members: 4 replaced, 8 added, 1 removed, 9 as they were",
        "-- =====================================",
        f"{bench.made()}"]


def test_json(bench):
    schema = json.loads((ROOT / "docs/reference/manifest.schema.json").read_text())
    answer = json.loads(bench.run("--json"))
    jsonschema.validate(answer, {"$schema": schema["$schema"], "$defs": schema["$defs"],
                                 "$ref": "#/$defs/baked"})
    assert answer["wheel"] == str(bench.made())
    assert (answer["version"], answer["changed"]) == ("3.9.0+acme", True)
    assert answer["replaced"] + answer["kept"] + answer["removed"] == len(packed(bench.wheel))
    assert answer["replaced"] + answer["kept"] + answer["added"] == len(packed(bench.made()))
    assert json.loads(bench.run("--json"))["changed"] is False


def test_findings_are_told_and_nothing_is_written(bench):
    write(bench.vendors / "acme/spec", {"triton/runtime/data.txt": "trunk data\n",
                                        "triton/language/x.py": "import triton_spec\n"})
    said = bench.run(status=1)
    assert "error[redundant]: 'spec/triton/runtime/data.txt'" in said
    assert list(bench.folder.glob("out/*")) == []
    (bench.vendors / "acme/spec/triton/runtime/data.txt").unlink()
    said = bench.run(status=1)
    assert "error[imports-triton-spec]: 'spec/triton/language/x.py'" in said
    answer = json.loads(bench.run("--json", status=1))
    assert [finding["code"] for finding in answer["findings"]
            if finding["severity"] == "error"] == ["imports-triton-spec"]
    assert answer["error"]["code"] == "refused"


def test_redundant_may_only_warn(bench):
    write(bench.vendors / "acme/spec", {"triton/runtime/data.txt": "trunk data\n"})
    assert "warning[redundant]" in bench.run("--warn-redundant")


def test_a_strict_bake_minds_signatures(bench):
    write(bench.vendors / "acme/spec", {"triton/testing.py": "def caller(one):\n    return one\n"})
    assert "warning[merge-signature]" in bench.run()
    assert "error[merge-signature]" in bench.run("--strict", status=1)


# --- the manifest --------------------------------------------------------------------------------

def test_live_and_baked_manifests_agree(tmp_path, triton_spec):
    """But for paths and mode, and for the live stage's key."""
    site = Site(tmp_path)
    site.add({"triton/__init__.py": "def hook():\n    pass\n"})
    bench = Bench(tmp_path / "bake", triton_spec, TRUNK)
    bench.vendors = site.vendors
    live = site.active("show(json.load(open(overlay.path + '/manifest.json')))")
    baked = json.loads(bench.bake()[NEW_INFO + "spec-manifest.json"])
    assert (live.pop("mode"), baked.pop("mode")) == ("live", "baked")
    assert len(live.pop("key")) == 32
    for manifest in (live, baked):
        assert len(manifest["overrides"]) == 6 and len(manifest["members"]) > 6
    assert baked["trunk"] == bench.wheel.name
    without_paths(live, str(site.site), f"{site.vendors}/")
    without_paths(baked, bench.wheel.name, "")
    assert live == baked


def without_paths(manifest, trunk, vendors):
    """Takes the places of trunk and vendors out of a manifest, which must be where they are thought."""
    assert manifest.pop("trunk") == trunk
    for item, key in itertools.chain(((layer, "dir") for layer in manifest["layers"]),
                                     ((override, "vendor") for override in manifest["overrides"])):
        assert item[key].startswith(vendors)
        item[key] = item[key][len(vendors):]


# --- what is refused -----------------------------------------------------------------------------

def test_a_baked_wheel_is_not_baked_again(bench):
    bench.run()
    bench.wheel = bench.made()
    assert "error[invalid]: a backend has been baked into this wheel already" in bench.run(status=2)


@pytest.mark.parametrize("how, code, says", [
    ({"info": {"RECORD.jws": "{}"}}, "invalid", "the wheel is signed"),
    ({"info": {"WHEEL": "Wheel-Version: 2.0\n"}}, "invalid", "a version of the format"),
    ({"info": {"WHEEL": None}}, "parse", "this file is missing"),
    ({"info": {"METADATA": "Name: triton-nightly\nVersion: 3.9.0\n"}}, "parse", "its METADATA says"),
    ({"record": lambda text: text + b"triton/no.py,,\n"}, "parse", "a file that is not there"),
    ({"record": lambda text: text.split(b"\n", 1)[1]}, "parse", "RECORD does not list this file"),
    ({"record": lambda text: text.replace(b"sha256=", b"sha256=_")}, "parse",
     "is not what RECORD says of it"),
    ({"files": {**STOCK, "../evil.py": ""}}, "parse", "has an empty part, '.' or '..'"),
    ({"files": {**STOCK, "/tmp/evil.py": ""}}, "parse", "is an absolute path"),
    ({"files": {"tritonx/__init__.py": ""}}, "invalid", "not a wheel of triton"),
])
def test_wheels_that_are_refused(tmp_path, triton_spec, how, code, says):
    bench = Bench(tmp_path / "below", triton_spec, **how)
    said = bench.run(status=2)
    assert f"error[{code}]: " in said and says in said and "  mend: " in said
    assert list(tmp_path.rglob("evil.py")) == [] and not (tmp_path / "below/out").exists()


@pytest.mark.parametrize("words, says", [
    (["--label", "a b"], "'a b' cannot be the local label"),
    (["--backend", "none"], "backend 'none' does not exist"),
    (["--wheel", "absent-1-py3-none-any.whl"], "cannot read 'absent-1-py3-none-any.whl'"),
    (["--wheel", "stock"], "'stock' is not the name of a wheel"),
    (["--out", "stock/triton-3.9.0-py3-none-any.whl"], "something else has its name"),
])
def test_what_cannot_be_done(bench, words, says):
    said = bench.run(*words, status=2)
    assert "error[" in said and says in said


def test_no_wheel_is_named(triton_spec):
    done = subprocess.run([triton_spec, "bake", "--backend", "x"], capture_output=True, text=True,
                          check=False, env=clean_environment())
    assert done.returncode == 2 and "'bake' needs --wheel FILE" in done.stderr


def test_nothing_is_left_in_the_temporary_folder(bench, tmp_path):
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    bench.run(env={"TMPDIR": str(temporary)})
    write(bench.vendors / "acme/spec", {"triton/language/x.py": "import triton_spec\n"})
    bench.run(env={"TMPDIR": str(temporary)}, status=1)
    assert list(temporary.iterdir()) == []
    said = bench.run(env={"TMPDIR": str(tmp_path / "absent")}, status=2)
    assert "cannot make a folder for" in said
