"""What must hold for Python's own tools with an overlay active: the answers of behaviour_probe.py, in a
program that `run` starts and in one that calls activate()."""

import json
import pathlib
import textwrap

import pytest

from support.live import OVERLAY, TRUNK, Site, write

PROBE = pathlib.Path(__file__).parent / "behaviour_probe.py"

TESTING = '''\
import functools
import logging
import warnings


def decorate(fn):
    @functools.wraps(fn)
    def wrapper(*args, **kwargs):
        return fn(*args, **kwargs)
    return wrapper


@decorate
def bench(fn, times=2):
    """The vendor's.

    >>> bench(int, 1)
    ['vendor bench', 0]
    """
    if times == 0:
        raise ValueError("vendor")
    return ["vendor bench", *[fn() for _ in range(times)]]


def warn():
    warnings.warn("toy")


def log():
    logging.getLogger("toy").warning("toy")
'''
HOOKS = '''\
from triton.language import core


def hook():
    return core.add(1, 1)


def fails():
    raise LookupError
'''
EXTRA_TRUNK = "\n\ndef trunk_fails():\n    raise OSError\n"
EXTRA_CACHE = "\n\ndef fails():\n    return [1 / 0 for _ in range(1)]\n"


def line(text, wanted):
    """The number of the first line that has these words."""
    return next(n for n, found in enumerate(text.split("\n"), 1) if wanted in found)


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The toy, with more of everything; an installed distribution of the name triton."""
    made = Site(tmp_path_factory.mktemp("behaviour"))
    made.add({"triton/testing.py": TESTING, "triton/__init__.py": HOOKS,
              **{f"triton/runtime/late{n}.py": f"import time\ntime.sleep(0.01)\nx = {n}\n" for n in range(8)}})
    for name, more in ("site/triton/testing.py", EXTRA_TRUNK), ("vendors/acme/spec/triton/runtime/cache.py", EXTRA_CACHE):
        path = made.folder / name
        path.write_text(path.read_text() + more)
    write(made.site, {"triton-1.0.dist-info/METADATA": "Metadata-Version: 2.1\nName: triton\nVersion: 1.0\n",
                      "triton-1.0.dist-info/top_level.txt": "triton\n"})
    return made


@pytest.fixture(scope="module", params=["run", "activate"])
def answers(request, site):
    """{probe: answer}."""
    words = ["-m", "triton_spec", "run", "--backend", "acme", PROBE]
    if request.param == "activate":
        head = "import triton_spec\ntriton_spec.activate('acme')\n"
        path = site.folder / "activated_probe.py"
        path.write_text(head + PROBE.read_text())
        words = [path]
    return json.loads(site.run(*words).stdout)


def vendor(name, text, wanted, function=""):
    """`<vendors>/...:line function`, as the probe shows a place in a vendor's file."""
    return f"<vendors>/acme/spec/triton/{name}:{line(text, wanted)}{function and ' ' + function}"


def text_of(name):
    """The text of one of the toy overlay's files, as it is written."""
    return textwrap.dedent(OVERLAY[f"triton/{name}"])


def test_tracebacks(answers, site):
    cache = (site.vendors / "acme/spec/triton/runtime/cache.py").read_text()
    caller, inner, trunk, whole = answers["tracebacks"]
    assert caller[0].startswith("<stage>/triton/testing.py:") and caller[0].endswith(" caller")
    assert caller[1:] == [vendor("testing.py", TESTING, "return fn(*args", "wrapper"),
                          vendor("testing.py", TESTING, 'raise ValueError("vendor")', "bench")]
    core = text_of("language/core.py")
    assert inner == [vendor("language/core.py", core, "raise KeyError", "fail")]
    assert len(trunk) == 1 and trunk[0].startswith("<stage>/triton/testing.py:")
    assert whole[0] == vendor("runtime/cache.py", cache, "1 / 0", "fails")


def test_the_text_of_a_traceback(answers):
    text = answers["traceback_text"]
    assert text[-1] == "ValueError: vendor" and 'raise ValueError("vendor")' in "".join(text)


def test_source(answers):
    core, cache = text_of("language/core.py"), text_of("runtime/cache.py")
    source = answers["source"]
    assert source["bench"] == ["@decorate", line(TESTING, "@decorate"), "<vendors>/acme/spec/triton/testing.py"]
    assert source["unchanged"][0] == "def unchanged():" and source["unchanged"][2] == "<stage>/triton/testing.py"
    assert source["Base"][0] == "class Base:"
    assert source["Base.Inner.fail"] == ["def fail(self):", line(core, "def fail"),
                                         "<vendors>/acme/spec/triton/language/core.py"]
    assert source["key"] == ["def key():", line(cache, "def key"), "<vendors>/acme/spec/triton/runtime/cache.py"]
    assert answers["module_source"] == [True, True, True]


def test_files_lie_in_the_stage(answers):
    assert answers["files"] == [f"<stage>/triton/{name}" for name in
                                ("__init__.py", "testing.py", "runtime/cache.py", "language/core.py")]
    assert answers["find_spec"] == ["<stage>/triton/__init__.py", "<stage>/triton/testing.py",
                                    "<stage>/triton/runtime/data.py", None]


def test_pickles(answers):
    assert answers["pickle"] == [True] * 5
    assert answers["spawn"] == [["vendor bench", 0], "vendor cache", "vendor base"]


def test_packages(answers):
    names = {name.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
             for name in (*TRUNK, *OVERLAY) if name.endswith(".py")}
    names |= {f"triton.runtime.late{n}" for n in range(8)}
    found = set(answers["walk_packages"])
    assert names - {"triton"} <= found
    assert {name for name in found - names if not name.startswith(("triton.spec", "triton._flagtree"))} == set()


def test_resources(answers):
    text, names = answers["resources"]
    assert text == answers["pkgutil_data"] == "vendor data\n"
    assert names == sorted(["cache.py", "data.py", "data.txt", *(f"late{n}.py" for n in range(8))])


def test_reload(answers):
    assert answers["reload"] == [[True] * 3, True, ["vendor bench", 0],
                                 vendor("testing.py", TESTING, 'raise ValueError("vendor")', "bench")]


def test_metadata(answers):
    assert answers["metadata"] == ["1.0", "triton", ["triton"]]


def test_doctests(answers):
    assert answers["doctest"] == [["triton.testing.bench"], [0]]


def test_coverage(answers):
    wanted = [vendor("testing.py", TESTING, words) for words in
              ("return fn(*args", "if times == 0", 'return ["vendor bench"')]
    assert set(wanted) <= set(answers["coverage"])
    rest = set(answers["coverage"]) - set(wanted)
    assert len(rest) == 1 and rest.pop().startswith("<stage>/triton/testing.py:")


def test_breakpoints(answers):
    assert answers["breakpoint"] == [True, "<vendors>/acme/spec/triton/testing.py"]


def test_what_asks_for_the_caller(answers):
    assert answers["warning"] == vendor("testing.py", TESTING, "warnings.warn")
    assert answers["logging"] == vendor("testing.py", TESTING, "logging.getLogger", "log")


def test_patching(answers):
    assert answers["patching"] == ["patched", "patched"]


def test_one_file_is_one_module(answers):
    same, hook, file, raised = answers["one_file_one_module"]
    assert same and hook == 2 and file == "<stage>/triton/spec/acme/triton/__init__.py"
    assert raised == [vendor("__init__.py", HOOKS, "raise LookupError", "fails")]


def test_relative_imports_mean_the_trunks_package(answers):
    assert answers["relative_imports"] == [True, "triton.runtime.data", "triton.runtime"]


def test_threads(answers):
    assert answers["threads"] == list(range(8))


def test_help(answers):
    assert answers["help"] is True
