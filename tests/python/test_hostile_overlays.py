"""Overlays that a process should not survive by luck: each gives the right result, or an error that
names the vendor's file. Trunk and overlay stay as they were."""

import os

import pytest

from support.engine import fingerprint
from support.live import Site, write

ACTIVATE = "import triton_spec; overlay = triton_spec.activate('acme')\n"
CACHE = "triton/runtime/cache.py"
V = "triton/runtime/"

# name -> (files of the overlay, code that runs with it, what it prints)
RIGHT = {
    "named like builtins": (
        {f"{V}sys.py": "mine = True\n", f"{V}builtins.py": "mine = True\n", f"{V}_io.py": "mine = True\n"},
        "import sys, builtins; from triton.runtime import sys as a, builtins as b, _io as c\n"
        "print(a.mine, b.mine, c.mine, hasattr(sys, 'mine'), hasattr(builtins, 'mine'))",
        "True True True False False"),
    "named like the standard library": (
        {f"{V}json.py": "import json\nmine = json.dumps([1])\n", f"{V}os/__init__.py": "mine = 2\n"},
        "import json, os; from triton.runtime import json as a, os as b\n"
        "print(a.mine, b.mine, hasattr(json, 'mine'), os.sep)", "[1] 2 False /"),
    "named like ours": (
        {f"{V}triton_spec.py": "mine = 1\n", f"{V}spec.py": "mine = 2\n", f"{V}triton/__init__.py": "mine = 3\n"},
        "from triton.runtime import triton_spec as a, spec as b, triton as c; print(a.mine, b.mine, c.mine)",
        "1 2 3"),
    "named like no identifier": (
        {f"{V}a-b.py": "x = 1\n", f"{V}1.py": "x = 2\n", f"{V}with space.py": "x = 3\n", f"{V}ü.py": "x = 4\n",
         f"{V}class.py": "x = 5\n"},
        "import importlib; print([importlib.import_module('triton.runtime.' + n).x for n in "
        "('a-b', '1', 'with space', 'ü', 'class')])", "[1, 2, 3, 4, 5]"),
    "cyclic": (
        {f"{V}a.py": "from . import b\nx = 1\n", f"{V}b.py": "from . import a\ndef f(): return a.x\n"},
        "from triton.runtime import b; print(b.f())", "1"),
    "a package that forgets its children": (
        {f"{V}__init__.py": "from .cache import key\n__path__ = []\n"},
        "from triton.runtime import key\nprint(key())\ntry: import triton.runtime.data\n"
        "except ModuleNotFoundError as error: print(error.name)", "trunk cache\ntriton.runtime.data"),
    "a package that finds other children": (
        {f"{V}__init__.py": "import os\nfrom .cache import key\n__path__.insert(0, os.environ['ELSEWHERE'])\n"},
        "import triton.runtime.guest as g; print(g.x, g.__file__ == g.os.environ['ELSEWHERE'] + '/guest.py')",
        "guest True"),
    "a module that replaces itself": (
        {CACHE: "import sys, types\nm = types.ModuleType(__name__)\nm.key = lambda: 'other'\n"
                "sys.modules[__name__] = m\n"},
        "from triton.runtime.cache import key; print(key())", "other"),
    "a module that deletes its name": (
        {CACHE: "def key(): return __name__\ndel __file__, __spec__, __loader__\n"},
        "from triton.runtime.cache import key; print(key())", "triton.runtime.cache"),
    "a module that removes finders": (
        {CACHE: "import sys\nsys.meta_path[:] = sys.meta_path[-1:]\ndef key(): return 'alone'\n",
         f"{V}late.py": "x = 1\n"},
        "from triton.runtime import late; print(late.x, triton_spec.active() is overlay)", "1 True"),
    "an empty module": ({f"{V}data.py": b""}, "import triton.runtime.data as d; print(d.__doc__)", "None"),
    "a byte order mark": ({CACHE: b"\xef\xbb\xbfdef key(): return '\xc3\xbc'\n"},
                          "from triton.runtime.cache import key; print(ascii(key()))", r"'\xfc'"),
    "a coding of old": ({CACHE: b"# coding: latin-1\ndef key(): return '\xe4'\n"},
                        "from triton.runtime.cache import key; import inspect\n"
                        "print(ascii(key()), ascii(inspect.getsource(key)))",
                        r"""'\xe4' "def key(): return '\xe4'\n" """.strip()),
    "carriage returns": ({CACHE: b"def key():\r\n    x = 1 / 1\r    return x\n"},
                         "from triton.runtime.cache import key; print(key())", "1.0"),
    "a module and a package of one name": (
        {f"{V}both.py": "x = 'module'\n", f"{V}both/__init__.py": "x = 'package'\n"},
        "from triton.runtime import both; print(both.x)", "package"),
    "a very deep package": (
        {f"{V}{'d/' * 40}m.py": "x = 1\n"},
        f"import importlib; print(importlib.import_module('triton.runtime.{'d.' * 40}m').x)", "1"),
    "a long line": ({CACHE: f"def key(): return len('{'x' * 1_000_000}')\n"},
                    "from triton.runtime.cache import key; print(key())", "1000000"),
}


@pytest.fixture
def bare(tmp_path):
    """The trunk, and no overlay yet; elsewhere/guest.py."""
    site = Site(tmp_path, {})
    write(tmp_path, {"elsewhere/guest.py": "import os\nx = 'guest'\n"})
    return site


@pytest.mark.parametrize("name", RIGHT)
def test_right(bare, name):
    files, code, printed = RIGHT[name]
    bare.add(files)
    before = [fingerprint(bare.site), fingerprint(bare.vendors)]
    env = {"ELSEWHERE": str(bare.folder / "elsewhere"), "PYTHONUTF8": "1"}
    assert bare.run("-c", ACTIVATE + code, env=env, encoding="utf-8").stdout == printed + "\n"
    assert [fingerprint(bare.site), fingerprint(bare.vendors)] == before


# name -> (files, what the activation says, of which file)
REFUSED = {
    "no UTF-8, to be merged": ({"triton/testing.py": b"def bench(): return '\xe4'\n"}, "error[merge-encoding]",
                               "triton/testing.py"),
    "closed by the policy": ({"triton/experimental/tle/x.py": "x = 1\n"}, "error[closed]", "triton/experimental/tle/x.py"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(bare, name):
    files, says, where = REFUSED[name]
    bare.add(files)
    write(bare.site, {"triton/experimental/tle/x.py": "x = 0\n"})
    said = bare.fails(ACTIVATE)
    assert "SpecRefused: " in said and says in said and f"at: {bare.vendor(where)}" in said


@pytest.mark.parametrize("target", ["../../../../../site/triton/testing.py", "/etc/hostname", "/nowhere", "cache.py"])
def test_links_that_lead_out_or_nowhere(bare, target):
    folder = bare.vendors / "acme/spec/triton/runtime"
    folder.mkdir(parents=True)
    (folder / "cache.py").symlink_to(target)
    said = bare.fails(ACTIVATE)
    assert "SpecRefused: " in said and str(folder / "cache.py") in said


# name -> (files, the error of `import triton.runtime.cache`, the file and line that its traceback ends with)
RAISED = {
    "syntax": ({CACHE: "def key():\n    return (\n"}, "SyntaxError", (CACHE, 2)),
    "no UTF-8": ({CACHE: b"def key(): return '\xe4'\n"}, "SyntaxError", (CACHE, "")),
    "an unknown coding": ({CACHE: b"# coding: no-such\n"}, "SyntaxError", (CACHE, "")),
    "a NUL": ({CACHE: b"x = 1\n# \0\n"}, "SyntaxError", (CACHE, "")),
    "import of nothing": ({CACHE: "x = 1\nimport no_such_module\n"}, "ModuleNotFoundError: No module named "
                          "'no_such_module'", (CACHE, 2)),
    "import of what is not there": ({CACHE: "from ..testing import no_such_name\n"}, "ImportError: cannot import name "
                                    "'no_such_name' from 'triton.testing'", (CACHE, 1)),
    "cyclic names": ({CACHE: "from .a import x\n", f"{V}a.py": "from .cache import key\nx = 1\n"},
                     "ImportError: cannot import name 'key' from partially initialized module", (f"{V}a.py", 1)),
    "reading": ({CACHE: "def f():\n    return open('/nowhere/x')\nf()\n"}, "FileNotFoundError", (CACHE, 2)),
    "wrong type": ({CACHE: "class C:\n    x = len(3)\n"}, "TypeError", (CACHE, 2)),
    "endless": ({CACHE: "def f():\n    f()\n\n\nf()\n"}, "RecursionError", (CACHE, 2)),
    "exit": ({CACHE: "import sys\nsys.exit(3)\n"}, "SystemExit: 3", (CACHE, 2)),
    "interrupt": ({CACHE: "raise KeyboardInterrupt\n"}, "KeyboardInterrupt", (CACHE, 1)),
}

SHOW = """
import traceback
for again in range(2):
    try: import triton.runtime.cache
    except BaseException as error:
        text = "".join(traceback.format_exception(error))
print(text)
"""


@pytest.mark.parametrize("name", RAISED)
def test_raised(bare, name):
    """A vendor's error names his file, and is the same when the import is tried again."""
    files, says, (where, line) = RAISED[name]
    bare.add(files)
    said = bare.python(ACTIVATE + SHOW)
    assert says in said
    last = said.rpartition('  File "')[2] if line else said
    assert (f'{bare.vendor(where)}", line {line}' if line else bare.vendor(where)) in last, said


# --- while it runs --------------------------------------------------------------------------------

def test_files_that_go_while_it_runs(bare):
    """Overlay and trunk: what is imported later comes from the stage."""
    bare.add({CACHE: "def key():\n    return 'vendor'\n", f"{V}late.py": "def f():\n    return 1\n",
              f"{V}data.txt": "vendor data\n"})
    assert bare.python(ACTIVATE + f"""if True:
        import shutil, inspect
        shutil.rmtree({str(bare.vendors)!r})
        shutil.rmtree({str(bare.site / "triton")!r})
        import triton.testing
        from triton.runtime import cache, late
        print(cache.key(), inspect.getsource(late.f), triton.testing.unchanged())
        """) == "vendor def f():\n    return 1\n trunk unchanged\n"


def test_ten_thousand_modules(bare):
    bare.add({f"triton/runtime/many/m{n}.py": f"x = {n}\n" for n in range(10_000)})
    assert bare.python(ACTIVATE + """if True:
        import os
        from triton.runtime.many import m9999
        print(m9999.x, len(os.listdir(os.path.dirname(m9999.__file__))) >= 10_000)
        """) == "9999 True\n"


def test_a_stage_that_somebody_spoiled_is_told(bare):
    """Nobody writes into a stage; if somebody does, no other overlay is used in silence."""
    bare.add({CACHE: "def key():\n    return 'vendor'\n"})
    path = bare.python(ACTIVATE + "print(overlay.path, end='')")
    os.unlink(f"{path}/lines.json")
    said = bare.fails(ACTIVATE)
    assert f"{path}/lines.json" in said
