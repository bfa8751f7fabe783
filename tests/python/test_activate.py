"""triton_spec.activate(): an overlay over the installed triton of one process."""

import os
import shutil
import subprocess
import zipfile

import pytest

from support.engine import fingerprint
from support.live import Site, write
from support.wheels import toy_wheel

ACTIVATE = "import triton_spec; overlay = triton_spec.activate('acme')\n"
KEY = "from triton.runtime.cache import key; print(key())\n"


@pytest.fixture
def site(tmp_path):
    """The toy trunk with the toy overlay, and nothing in the cache."""
    return Site(tmp_path)


@pytest.fixture
def small(tmp_path):
    """One whole module."""
    return Site(tmp_path, {"triton/runtime/cache.py": "def key():\n    return 'vendor'\n"})


# --- what it does --------------------------------------------------------------------------------

def test_every_override_is_used(site):
    before = [fingerprint(site.site), fingerprint(site.vendors)]
    assert site.active("""
        import triton
        from triton import language, runtime, testing
        show({"merged": testing.bench(int, 1), "captured": testing.caller(int, 1),
              "kept": testing.unchanged(), "whole": runtime.key(), "re-exported": runtime.cache.key(),
              "data": runtime.cache.neighbour(), "base": language.Derived().name(), "sum": triton.add(1, 2),
              "new": triton.runtime.data.WHERE})
        """) == {"merged": ["vendor bench", 0], "captured": ["vendor bench", 0],
                 "kept": "trunk unchanged", "whole": "vendor cache", "re-exported": "vendor cache",
                 "data": "vendor data\n", "base": "vendor base", "sum": 3, "new": "triton.runtime.data"}
    assert [fingerprint(site.site), fingerprint(site.vendors)] == before


def test_info(small):
    info = small.active("""
        show([overlay.backend, overlay.mode, overlay.path, overlay.key, overlay.trunk, overlay.root,
              [[o["trunk"], o["action"], o["vendor"]] for o in overlay.overrides], repr(overlay)])
        """)
    key = info[3]
    assert info[:3] == ["acme", "live", f"{small.cache}/stages/{key}"]
    assert info[4:6] == [str(small.site), str(small.vendors)]
    assert info[6] == [["triton/runtime/cache.py", "replace", small.vendor("triton/runtime/cache.py")]]
    assert info[7] == f"<Overlay acme, live, 1 overrides, {info[2]}>"


def test_the_stage_is_first(small):
    assert small.active("""
        import sys, triton
        show([sys.path[0] == overlay.path, triton.__path__ == [overlay.path + "/triton"]])
        """) == [True, True]


def test_the_same_again_is_the_same(small):
    assert small.active("""
        import sys
        once = list(sys.path)
        again = [triton_spec.activate("acme"), triton_spec.activate("acme", ["/elsewhere"])]
        import triton
        again += [triton_spec.activate("acme"), triton_spec.active()]
        show([all(one is overlay for one in again), sys.path == once])
        """) == [True, True]


def test_another_backend_is_refused(small):
    small.add({"triton/runtime/cache.py": "def key():\n    return 'other'\n"}, "other")
    said = small.fails(ACTIVATE + "triton_spec.activate('other')")
    assert "SpecInvalid: 'other' cannot be activated: 'acme' is active" in said
    assert "mend: a process has one backend" in said


@pytest.mark.parametrize("env, arguments", [
    ({"FLAGTREE_BACKEND": "acme"}, ""),
    ({"FLAGTREE_BACKEND": "acme", "SPEC_PATH": None}, "roots=[VENDORS]"),
    ({"FLAGTREE_BACKEND": "other", "SPEC_PATH": None}, "'acme', VENDORS"),
    ({"SPEC_PATH": None}, "'acme', pathlib.Path(VENDORS)"),
    ({"SPEC_PATH": "/nowhere:{vendors}"}, "'acme'"),
    ({"SPEC_PATH": None, "TRITON_PLUGIN_DIRS": "/nowhere;{vendors}"}, "'acme'"),
])
def test_where_name_and_roots_come_from(small, env, arguments):
    env = {key: value and value.format(vendors=small.vendors) for key, value in env.items()}
    code = f"import pathlib, triton_spec\nVENDORS = {str(small.vendors)!r}\n"
    assert small.python(f"{code}triton_spec.activate({arguments})\n{KEY}", env=env) == "vendor\n"


def test_where_nothing_can_be_written(site):
    """Once the stage is there; all that an owner may still do is to date its last use."""
    def state():
        return {path: found for path, found in fingerprint(site.folder).items() if not path.endswith(b"/.lock")}
    expected = site.python(ACTIVATE + KEY + "import triton; print(triton.testing.bench(int, 1))")
    for bytecode in site.cache.rglob("*.pyc"):
        bytecode.unlink()
    before = state()
    site.freeze()
    code = ACTIVATE + "import triton\n" + KEY + """if True:
        import inspect
        print(triton.testing.bench(int, 1))
        assert inspect.getsourcefile(inspect.unwrap(triton.testing.bench)).endswith("acme/spec/triton/testing.py")
        try: open(overlay.path + "/x", "w")
        except PermissionError: pass
        """
    assert site.python(code) == expected == "vendor cache\n['vendor bench', 0]\n"
    assert state() == before


def test_a_stage_that_cannot_be_made(small):
    small.python(ACTIVATE)
    small.add({"triton/runtime/cache.py": "def key():\n    return 'edited'\n"})
    small.freeze()
    said = small.fails(ACTIVATE)
    assert "SpecSystemError: " in said and "mend: set TRITON_SPEC_CACHE to a folder that can be written" in said


def test_a_fork_has_it_too(small):
    assert small.python(ACTIVATE + """if True:
        import os
        if os.fork() == 0:
            from triton.runtime.cache import key
            print(key(), triton_spec.active() is overlay, flush=True)
            os._exit(0)
        os.wait()
        """) == "vendor True\n"


def test_threads_activate_once(small):
    assert small.python("""
        import threading, triton_spec
        barrier, found = threading.Barrier(8), []
        def one():
            barrier.wait()
            found.append(triton_spec.activate("acme"))
        threads = [threading.Thread(target=one) for _ in range(8)]
        for thread in threads: thread.start()
        for thread in threads: thread.join()
        print(len(found), len(set(map(id, found))))
        """) == "8 1\n"


def test_an_edit_is_seen_by_the_next_process(small):
    vendor = small.vendors / "acme/spec/triton/runtime/cache.py"
    before = os.stat(vendor)
    assert small.python(ACTIVATE + KEY) == "vendor\n"
    vendor.write_text("def key():\n    return 'edited'\n")
    os.utime(vendor, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert os.stat(vendor).st_size == before.st_size
    assert small.python(ACTIVATE + KEY) == "edited\n"


def test_a_used_stage_is_not_removed(small):
    assert small.python(ACTIVATE + """if True:
        import os, subprocess, sys
        with open(overlay.overrides[0]["vendor"], "a") as file:
            file.write("OTHER = 1\\n")
        code = "import triton_spec; print(triton_spec.activate('acme').path)"
        other = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True,
                               env={**os.environ, "TRITON_SPEC_CACHE_DAYS": "0"}).stdout.strip()
        print(other != overlay.path, os.path.isdir(other), os.path.isdir(overlay.path))
        """) == "True True True\n"


# --- when it is too late, or too early ------------------------------------------------------------

def test_after_the_import_it_is_refused(small):
    said = small.fails("import triton.testing\n" + ACTIVATE)
    assert "SpecInvalid: 'acme' cannot be activated: " in said
    assert "modules of triton are imported already (triton, triton.language, " in said
    assert f"at: {small.site}/triton/__init__.py" in said
    assert "python -m triton_spec run --backend acme" in said


def test_a_few_modules_are_all_named(small):
    said = small.fails("import sys, types\nsys.modules['triton.x'] = types.ModuleType('triton.x')\n"
                       "sys.modules['tritonless'] = sys\n" + ACTIVATE)
    assert "1 modules of triton are imported already (triton.x)" in said


def test_active_and_deactivate(small):
    assert small.python("""
        import sys, triton_spec
        before = list(sys.path), list(sys.meta_path)
        assert triton_spec.active() is None and triton_spec.deactivate() is None
        overlay = triton_spec.activate("acme")
        assert triton_spec.active() is overlay
        triton_spec.deactivate()
        assert triton_spec.active() is None and (sys.path, sys.meta_path) == before
        import triton
        print(triton.runtime.key(), triton_spec.active())
        """) == "trunk cache None\n"


def test_after_the_import_it_stays(small):
    said = small.fails(ACTIVATE + "import triton\ntriton_spec.deactivate()")
    assert "SpecInvalid: 'acme' cannot be deactivated: triton is imported" in said


def test_a_stage_on_the_path_needs_no_call(small):
    path = small.python(ACTIVATE + "print(overlay.path, end='')")
    code = "import triton, triton_spec; print(triton_spec.active()); print(triton_spec.activate('acme'))"
    said = small.python(code, env={"PYTHONPATH": f"{path}:{small.environment()['PYTHONPATH']}"})
    assert said == f"<Overlay acme, live, 1 overrides, {path}>\n" * 2


def test_the_stage_of_the_parent_is_kept(small):
    """A job runs one code, whatever is edited meanwhile; other roots are another wish."""
    path = small.python(ACTIVATE + "print(overlay.path, end='')")
    env = {"PYTHONPATH": f"{path}:{small.environment()['PYTHONPATH']}"}
    write(small.folder / "more", {"acme/spec/triton/runtime/cache.py": "def key():\n    return 'more'\n"})
    small.add({"triton/runtime/cache.py": "def key():\n    return 'edited'\n"})
    assert small.python(ACTIVATE + KEY, env=env) == "vendor\n"
    assert small.python(f"import triton_spec; triton_spec.activate('acme', {str(small.vendors)!r})\n" + KEY,
                        env=env) == "vendor\n"
    assert small.python("import triton_spec; triton_spec.activate('acme', ['more'])\n" + KEY, env=env) == "more\n"


# --- what cannot be done -------------------------------------------------------------------------

@pytest.mark.parametrize("arguments, env, says", [
    ("", {}, "SpecInvalid: no backend is named"),
    ("'acmee'", {}, "SpecNotFound: backend 'acmee' does not exist\n  mend: backends found: acme"),
    ("'acme', ['/nowhere']", {}, "SpecNotFound"),
    ("'../acme'", {}, "SpecInvalid"),
    ("'acme'", {"SPEC_PATH": None}, "SpecNotFound"),
])
def test_no_such_backend(small, arguments, env, says):
    assert says in small.fails(f"import triton_spec; triton_spec.activate({arguments})", env=env)


def test_findings_are_listed(small):
    small.add({"triton/knobs.py": "x = 1\n"})
    write(small.site, {"triton/knobs.py": "x = 0\n"})
    said = small.fails(ACTIVATE)
    assert "SpecRefused: " in said and "error[closed]: " in said
    assert f"at: {small.vendor('triton/knobs.py')}" in said


def test_what_failed_can_be_tried_again(small):
    vendor = small.vendors / "acme/spec/triton/runtime/cache.py"
    assert small.python(f"""
        import sys, triton_spec
        before = list(sys.path)
        try: triton_spec.activate("acme", ["/nowhere"])
        except triton_spec.SpecNotFound: assert sys.path == before and triton_spec.active() is None
        triton_spec.activate("acme")
        import triton
        print(triton.runtime.key(), {str(vendor)!r} != "")
        """) == "vendor True\n"


@pytest.mark.parametrize("files, says", [
    ({}, "SpecNotFound: no package 'triton' is installed"),
    ({"triton.py": "x = 1\n"}, "SpecInvalid: 'triton' is a module, not a package"),
    ({"triton/notes.txt": ""}, "SpecNotFound: 'triton' is only a folder without __init__.py"),
])
def test_no_package_is_installed(tmp_path, files, says):
    site = Site(tmp_path, trunk={"other.txt": "", **files})
    # Without site-packages: the tests' own environment may have triton.
    said = site.fails(ACTIVATE, "-S")
    assert says in said and "mend: " in said


def test_a_zipped_package_is_refused(small):
    archive = small.folder / "triton.zip"
    with zipfile.ZipFile(archive, "w") as file:
        file.write(small.site / "triton/__init__.py", "triton/__init__.py")
    said = small.fails(ACTIVATE, "-S", env={"PYTHONPATH": f"{small.environment()['PYTHONPATH']}".replace(
        str(small.site), str(archive))})
    assert "SpecInvalid: the installed 'triton' is zipped" in said and f"at: {archive}" in said


def test_compiled_files_alone_are_refused(small):
    small.run("-m", "compileall", "-q", "-b", small.site)
    (small.site / "triton/__init__.py").unlink()
    assert "SpecInvalid: the installed 'triton' has no source text" in small.fails(ACTIVATE, "-S")


@pytest.mark.parametrize("cache", ["/proc/triton-spec", "/dev/null"])
def test_a_cache_that_cannot_be_written(small, cache):
    said = small.fails(ACTIVATE, env={"TRITON_SPEC_CACHE": cache})
    assert "SpecSystemError: " in said and "mend: " in said and cache in said


@pytest.fixture
def baked(small, triton_spec):
    """The trunk as a wheel with acme baked in, unpacked in the trunk's place."""
    files = {str(path.relative_to(small.site)): path.read_bytes()
             for path in small.site.rglob("*") if path.is_file()}
    wheel = toy_wheel(small.folder, files, "1.0")
    subprocess.run([triton_spec, "bake", "--wheel", wheel, "--backend", "acme", "--root", small.vendors,
                    "--out", small.folder / "baked"], check=True, capture_output=True)
    shutil.rmtree(small.site)
    with zipfile.ZipFile(next((small.folder / "baked").glob("*.whl"))) as file:
        file.extractall(small.site)
    return small


def test_a_baked_package_is_active_as_it_is(baked):
    assert baked.active("""
        import sys
        path = list(sys.path)
        import triton
        show([overlay.mode, overlay.path, overlay.key, triton_spec.active() is overlay, triton.runtime.key(),
              path == sys.path, [o["trunk"] for o in overlay.overrides]])
        """) == ["baked", str(baked.site), None, True, "vendor", True, ["triton/runtime/cache.py"]]
    assert baked.python("import triton, triton_spec; print(triton_spec.active().mode)") == "baked\n"
    assert not baked.cache.exists()


def test_a_package_baked_for_another_backend_is_refused(baked):
    baked.add({"triton/runtime/cache.py": "def key():\n    return 'other'\n"}, "other")
    said = baked.fails("import triton_spec; triton_spec.activate('other')")
    assert "SpecInvalid: the installed triton is baked for 'acme', not for 'other'" in said


# --- where the trunk may be ----------------------------------------------------------------------

def test_a_folder_that_a_pth_file_adds(small):
    moved = small.folder / "moved"
    shutil.move(small.site / "triton", moved / "triton")
    write(small.site, {"trunk.pth": f"{moved}\n"})
    code = f"import site; site.addsitedir({str(small.site)!r})\n{ACTIVATE}print(overlay.trunk)\n{KEY}"
    assert small.python(code, "-S") == f"{moved}\nvendor\n"


EDITABLE = """
import sys
from importlib.util import spec_from_file_location
class Editable:
    @classmethod
    def find_spec(cls, name, path=None, target=None):
        if name.partition(".")[0] == "triton":
            stem = FOLDER + "/" + name.replace(".", "/")
            for file in stem + "/__init__.py", stem + ".py":
                try: open(file).close()
                except OSError: continue
                return spec_from_file_location(name, file)
"""


@pytest.mark.parametrize("place", ["sys.meta_path.append(Editable)", "sys.meta_path.insert(0, Editable)"])
def test_an_editable_install(small, place):
    """setuptools puts its finder behind the path's, scikit-build-core before it."""
    moved = small.folder / "moved"
    shutil.move(small.site / "triton", moved / "triton")
    code = f"FOLDER = {str(moved)!r}\n{EDITABLE}{place}\n{ACTIVATE}print(overlay.trunk)\n{KEY}"
    assert small.python(code + "import triton.testing as t; print(t.__file__ == overlay.path + "
                        "'/triton/testing.py')", "-S") == f"{moved}\nvendor\nTrue\n"


# --- what it says --------------------------------------------------------------------------------

def said_by(site, env, arguments="'acme'"):
    """Standard error of an activation."""
    return site.run("-c", f"import triton_spec; triton_spec.activate({arguments})", env=env).stderr


def test_what_it_says(small):
    total = f"SPEC: acme: 1 override over {small.site}/triton\n"
    line = f"SPEC: triton/runtime/cache.py -> {small.vendor('triton/runtime/cache.py')}\n"
    assert said_by(small, {"TRITON_SPEC_LOG": None}) == total
    assert said_by(small, {"TRITON_SPEC_LOG": "1"}) == line + total
    assert said_by(small, {"TRITON_SPEC_LOG": "0"}) == ""
    assert said_by(small, {"TRITON_SPEC_LOG": None}, "'acme', quiet=True") == ""
    assert said_by(small, {"TRITON_SPEC_LOG": "1"}, "'acme', quiet=True") == ""


def test_it_says_nothing_where_there_is_nobody_to_hear(small):
    small.run("-c", "import sys; sys.stderr = None; import triton_spec; triton_spec.activate('acme')",
              env={"TRITON_SPEC_LOG": "1"})
