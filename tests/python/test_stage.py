"""Stages as the engine makes them: what is in them, and that nothing old is ever executed.

Faults P5 and P9 of FlagTree's search path are here, since a stage is what cures them.
"""

import itertools
import json
import os
import pathlib
import subprocess
import sys
import threading

import jsonschema
import pytest

from conftest import ROOT
from support.live import Site, write
from support.packages import PACKAGES
from triton_spec import SpecInvalid, SpecNotFound, SpecRefused, _spec

TRUNK = {
    "triton/__init__.py": "from . import language\n",
    "triton/language/__init__.py": "from .core import add\n",
    "triton/language/core.py": "def add(a, b):\n    return a + b\n",
    "triton/language/extra/__init__.py": "",
    "triton/language/extra/cuda/__init__.py": "",
    "triton/language/extra/cuda/gdc.py": "name = 'trunk gdc'\n",
    "triton/runtime/__init__.py": "",
    "triton/runtime/jit.py": "name = 'trunk jit'\n",
    "triton/runtime/cache.py": """\
        import hashlib


        def triton_key():
            with open(__file__, "rb") as file:
                return hashlib.sha256(file.read()).hexdigest()
        """,
    "triton/testing.py": "def bench():\n    return 'trunk bench'\n",
    "triton/tools/__init__.py": "",
    "triton/tools/link.py": """\
        import pathlib

        text = (pathlib.Path(__file__).resolve().parent / "extra" / "acme" / "link.h").read_text()
        """,
}


@pytest.fixture
def site(tmp_path):
    """A Site with a trunk of Triton's shape and an empty overlay of backend acme."""
    made = Site(tmp_path, overlay={}, trunk=TRUNK)
    (made.vendors / "acme/spec").mkdir(parents=True)
    return made


def stage(site, **options):
    """What the engine says of the stage."""
    return _spec.stage(**{"backend": "acme", "roots": [str(site.vendors)], "trunk": str(site.site),
                          "cache": str(site.cache), **options})


def answer(site, code, *flags):
    """What code prints in a process that has the stage first on its path."""
    made = stage(site)
    path = f"{made['path']}:{PACKAGES}"
    done = site.run(*flags, "-c", code, env={"PYTHONPATH": path}, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


# --- what is found -------------------------------------------------------------------------------

@pytest.mark.parametrize("has_init", [False, True])
def test_added_and_trunk_modules_of_one_package(site, has_init):
    """P5: without an __init__.py the vendor's file could not be reached, with one the trunk's child."""
    site.add({"triton/language/extra/libdevice.py": "name = 'vendor'\n"})
    if has_init:
        site.add({"triton/language/extra/__init__.py": "own = 1\n"})
    assert answer(site, "import triton.language.extra.libdevice as a, triton.language.extra.cuda.gdc as b; "
                        "print(a.name, b.name)") == "vendor trunk gdc"


def test_every_file_is_used(site):
    """P9: files beside the few packages that FlagTree hooks were never used, and nothing said so."""
    site.add({"triton/testing.py": "def bench():\n    return 'vendor bench'\n",
              "triton/runtime/jitt.py": "name = 'vendor jitt'\n"})
    assert answer(site, "import triton.testing, triton.runtime.jitt; "
                        "print(triton.testing.bench(), triton.runtime.jitt.name)") == "vendor bench vendor jitt"


def test_a_module_that_looks_beside_its_real_path(site):
    site.add({"triton/tools/extra/acme/link.h": "vendor header"})
    assert answer(site, "import triton.tools.link as a; print(a.text)") == "vendor header"


def test_a_removed_module(site):
    write(site.vendors, {"acme/spec.ini": "[remove]\npath = python/triton/runtime/jit.py\n"})
    assert answer(site, "import importlib.util as u; print(u.find_spec('triton.runtime.jit'))") == "None"


def test_packages_that_the_overlay_adds_are_walked(site):
    site.add({"triton/language/acme/math/fast.py": "x = 1\n"})
    assert "triton.language.acme.math.fast" in answer(
        site, "import pkgutil, triton; print(*(m.name for m in pkgutil.walk_packages(triton.__path__, 'triton.')))")


def test_hooks_that_extend_globals(site):
    site.add({"triton/__init__.py": "def triton_extend_globals(scope):\n    scope['acme'] = 1\n"
                                    "def language_extend_globals(scope):\n    scope['lanes'] = scope['add'](1, 1)\n"})
    assert answer(site, "import triton; print(triton.acme, triton.language.lanes, hasattr(triton, '_spec_call'))"
                  ) == "1 2 False"


def test_layers(site):
    write(site.vendors, {"acme/spec.ini": "[backend]\nbase = common\n"})
    site.add({"triton/testing.py": "def bench():\n    return 'common'\n\n\ndef more():\n    return 'common'\n",
              "triton/__init__.py": "def a(): return 'common'\ndef b(): return 'common'\n"}, "common")
    site.add({"triton/testing.py": "def bench():\n    return 'acme'\n", "triton/__init__.py": "def a(): return 'acme'\n"})
    assert answer(site, "import triton.testing as t; from triton._flagtree_spec import spec_call; "
                        "print(t.bench(), t.more(), spec_call('a'), spec_call('b'))") == "acme common acme common"


def test_nothing_is_written_elsewhere(site):
    site.add({"triton/runtime/jit.py": "name = 'vendor'\n"})
    before = sorted(map(str, [*site.site.rglob("*"), *site.vendors.rglob("*")]))
    assert answer(site, "import triton.runtime.jit") == ""
    assert sorted(map(str, [*site.site.rglob("*"), *site.vendors.rglob("*")])) == before


# --- nothing old is executed ---------------------------------------------------------------------

def put_same(path, text):
    """Writes a text of the same length, and sets all dates back that can be set."""
    before = path.stat()
    assert before.st_size == len(text)
    path.write_text(text)
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


@pytest.mark.parametrize("merged", [False, True], ids=["whole", "merged"])
def test_an_edit_of_same_size_and_date(site, merged):
    name = "triton/testing.py" if merged else "triton/runtime/jit.py"
    text = "def bench():\n    return 'vendor {}'\n"
    site.add({name: text.format("a")})
    code = f"import {name[:-3].replace('/', '.')} as m; print(m.bench())"
    assert answer(site, code) == "vendor a"
    put_same(site.vendors / "acme/spec" / name, text.format("b"))
    assert answer(site, code) == "vendor b"


def test_an_edit_of_the_trunk_with_its_bytecode(site):
    """The trunk's own bytecode stays as it was and says that it fits: Python alone would execute it."""
    site.add({"triton/testing.py": "def other():\n    pass\n"})
    code = "import triton.runtime.jit as m; print(m.name)"
    subprocess.run([sys.executable, "-m", "compileall", "-q", site.site], check=True)
    assert answer(site, code) == "trunk jit"
    compiled = stage(site)["path"] + f"/triton/runtime/__pycache__/jit.{sys.implementation.cache_tag}.pyc"
    assert os.path.isfile(compiled)
    put_same(site.site / "triton/runtime/jit.py", "name = 'TRUNK JIT'\n")
    assert site.python(code) == "trunk jit\n"  # so it is without us
    assert answer(site, code) == "TRUNK JIT"


def test_bytecode_comes_along(site):
    """Where it is of the very text: a module that was touched since is compiled anew."""
    site.add({"triton/testing.py": "def other():\n    pass\n"})
    subprocess.run([sys.executable, "-m", "compileall", "-q", site.site], check=True)
    os.utime(site.site / "triton/runtime/cache.py", ns=(0, 0))
    found = {path.name.partition(".")[0] for path in pathlib.Path(stage(site)["path"]).rglob("*.pyc")}
    assert {"core", "jit", "link", "gdc"} <= found
    assert not {"testing", "cache"} & found  # merged, or touched


def test_triton_key(site):
    """An edit of any override is another key, none the same; and so in every folder."""
    ask = "import triton.runtime.cache as c; print(c.triton_key())"
    site.add({"triton/runtime/jit.py": "name = 'vendor a'\n"})
    plain, first = site.python(ask).strip(), answer(site, ask)
    assert plain != first == answer(site, ask)
    site.vendors.rename(site.folder / "elsewhere")
    site.vendors = site.folder / "elsewhere"
    assert answer(site, ask) == first
    put_same(site.vendors / "acme/spec/triton/runtime/jit.py", "name = 'vendor b'\n")
    assert answer(site, ask) not in (plain, first)


# --- the call ------------------------------------------------------------------------------------

def test_what_the_call_returns(site):
    site.add({"triton/runtime/jit.py": "name = 'vendor'\n"})
    first, second = stage(site), stage(site)
    assert first["fresh"] and not second["fresh"]
    assert (first["path"], first["key"]) == (second["path"], second["key"])
    assert first["path"] == str(site.cache / "stages" / first["key"])
    manifest = json.loads(pathlib.Path(first["manifest"]).read_text())
    assert (manifest["mode"], manifest["key"], manifest["backend"]) == ("live", first["key"], "acme")
    assert [o["trunk"] for o in manifest["overrides"]] == ["triton/runtime/jit.py"]
    assert {m["path"]: m["origin"] for m in manifest["members"]}["triton/runtime/jit.py"] == "vendor"


def test_the_manifest_has_the_documented_form(site):
    """Each action and origin, and two layers."""
    write(site.vendors, {"acme/spec.ini": "[backend]\nbase = common\n[remove]\npath = triton/language/extra/cuda/gdc.py\n"})
    site.add({"triton/testing.py": "def bench():\n    return 1\n", "triton/more.txt": "", "triton/__init__.py": "a = 1\n"})
    site.add({"triton/runtime/jit.py": "name = 'common'\n"}, "common")
    made = stage(site)
    schema = json.loads((ROOT / "docs/reference/manifest.schema.json").read_text())
    manifest = json.loads(pathlib.Path(made["manifest"]).read_text())
    jsonschema.Draft202012Validator(schema).validate(manifest)
    assert {member["origin"] for member in manifest["members"]} == {"vendor", "made"}
    assert manifest["removed"] == ["triton/language/extra/cuda/gdc.py"]
    lines = json.loads(pathlib.Path(made["path"], "lines.json").read_text())
    assert [row[1:] for row in lines["triton/runtime/jit.py"]] == [[1, site.vendor("triton/runtime/jit.py", "common"), 1]]
    del manifest["digest"]
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.Draft202012Validator(schema).validate(manifest)


def test_findings(site):
    site.add({"triton/testing.py": "def bench(fn):\n    return 1\n"})
    told = []
    made = stage(site, on_event=told.append)
    assert [finding["code"] for finding in told] == ["merge-signature"] and made["findings"] == told
    assert stage(site)["findings"] == told  # whatever is known from before
    with pytest.raises(SpecRefused) as refused:
        stage(site, strict=True)
    assert refused.value.code == "refused"
    assert [(f["code"], f["severity"]) for f in refused.value.findings] == [("merge-signature", "error")]


def test_an_event_that_raises_ends_it(site):
    site.add({"triton/testing.py": "def bench(fn):\n    return 1\n"})

    def on_event(_finding):
        raise KeyError("of the caller")
    for _ in range(2):
        with pytest.raises(KeyError, match="of the caller"):
            stage(site, on_event=on_event)


@pytest.mark.parametrize("options, kind, word", [
    ({"backend": "nobody"}, SpecNotFound, "nobody"),
    ({"backend": "../acme"}, SpecInvalid, "not a valid name"),
    ({"trunk": "/nowhere"}, SpecNotFound, "/nowhere"),
    ({"roots": []}, SpecNotFound, "no overlay root"),
    ({"roots": ["/nowhere"]}, SpecNotFound, "acme"),
])
def test_what_cannot_be_done(site, options, kind, word):
    with pytest.raises(kind, match=word) as raised:
        stage(site, **options)
    assert raised.value.mend


@pytest.mark.parametrize("arguments", [{"roots": ("a",)}, {"roots": [1]}, {"trunk": None}, {"backend": b"acme"},
                                       {"cache": 1}, {"other": 1}, {"backend": "a\0b"}, {"roots": ["a\0b"]}])
def test_wrong_arguments(site, arguments):
    with pytest.raises((TypeError, ValueError)):
        stage(site, **arguments)


def test_threads(site):
    """Many calls at once, in one process: one makes it, and nobody waits for the interpreter's lock."""
    site.add({"triton/runtime/jit.py": "name = 'vendor'\n"})
    made = []
    threads = [threading.Thread(target=lambda: made.append(stage(site))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({one["path"] for one in made}) == 1 and sum(one["fresh"] for one in made) == 1


# --- killed --------------------------------------------------------------------------------------

MAKE = "import sys; from triton_spec import _spec; _spec.stage(*eval(sys.argv[1]))"


@pytest.fixture(scope="module")
def killer(tmp_path_factory):
    """The library that kills a program at its n-th change of the file system."""
    library = tmp_path_factory.mktemp("killer") / "kill_at.so"
    source = pathlib.Path(__file__).resolve().parents[1] / "crash/kill_at.c"
    subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", library, source, "-ldl"], check=True)
    return library


def test_killed_at_any_moment(site, killer):
    """Nothing that is left counts, and the next run clears it away."""
    write(site.site, {"triton/runtime/data.bin": "trunk"})
    site.add({"triton/testing.py": "def bench():\n    return 'vendor'\n"})
    left = 0
    for moment in itertools.count(1, 4):
        cache = site.folder / f"cache-{moment}"
        arguments = repr(("acme", [str(site.vendors)], str(site.site), str(cache)))
        done = site.run("-B", "-S", "-c", MAKE, arguments, check=False,
                        env={"LD_PRELOAD": str(killer), "KILL_AT": str(moment)})
        if done.returncode == 0:
            break
        assert done.returncode == -9, done.stderr
        left += any(name.endswith(".tmp") for name in os.listdir(cache / "stages")
                    ) if (cache / "stages").is_dir() else 0
        made = stage(site, cache=str(cache))
        names = os.listdir(cache / "stages")
        if made["fresh"]:
            assert sorted(names) == [".lock", made["key"]]
        text = pathlib.Path(made["path"], "triton/testing.py").read_text()
        assert "return 'vendor'" in text and "data.bin" in os.listdir(f"{made['path']}/triton/runtime")
        json.loads(pathlib.Path(made["manifest"]).read_text())
    assert moment > 40 and left > 5
