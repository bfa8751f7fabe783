"""Patches of the trunk's modules in live mode: what runs, and what tracebacks and sources say."""

import difflib
import inspect
import pathlib
import textwrap

import pytest

from support.live import TRUNK, Site

TESTING = "triton/testing.py"


def patch_of(name, *changes, trunk=None):
    """The diff of one module of the trunk with (old, new) texts exchanged."""
    old = textwrap.dedent(TRUNK[name]) if trunk is None else trunk
    new = old
    for before, after in changes:
        assert before in new
        new = new.replace(before, after)
    return "".join(difflib.unified_diff(old.splitlines(True), new.splitlines(True), name, name))


CHANGES = (("trunk bench", "patched bench"),
           ("def caller", "def added(x):\n    return 1 / x\n\n\ndef caller"))


@pytest.fixture
def patched(tmp_path):
    """A changed function, and a new one before another."""
    return Site(tmp_path, {TESTING + ".patch": patch_of(TESTING, *CHANGES)})


def test_a_patched_module_runs(patched):
    assert patched.active("""
        from triton import testing
        show([testing.bench(lambda: 1), testing.unchanged(), testing.caller(lambda: 2),
              testing.added(2), [[o["trunk"], o["action"]] for o in overlay.overrides]])
        """) == [["patched bench", 1, 1], "trunk unchanged", ["patched bench", 2, 2], 0.5,
                 [[TESTING, "patch"]]]


def test_sources_and_tracebacks_are_what_runs(patched):
    """Triton's compiler takes a kernel's text from inspect: a '+' before each line would break it."""
    source, trace = patched.active("""
        import inspect, traceback
        from triton import testing
        try:
            testing.added(0)
        except ZeroDivisionError:
            trace = traceback.format_exc()
        show([inspect.getsource(testing.added), trace])
        """)
    assert source == "def added(x):\n    return 1 / x\n"
    assert f'{TESTING}", line' in trace
    assert "    return 1 / x\n" in trace


def test_the_trunk_is_left_alone(patched):
    before = (patched.site / TESTING).read_bytes()
    patched.active("import triton.testing; show(1)")
    assert (patched.site / TESTING).read_bytes() == before


def test_a_patch_that_does_not_fit(patched):
    patched.add({TESTING + ".patch": patch_of(TESTING, ("trunk bench", "patched"), trunk=textwrap.dedent(
        TRUNK[TESTING]).replace("times=2", "times=3"))})
    said = patched.fails("import triton_spec; triton_spec.activate('acme')")
    where = patched.vendor(TESTING + ".patch")
    assert f"{where}:" in said
    assert "hunk 1 does not fit 'triton/testing.py': at line 2, the nearest place, line 4 is " \
        "'def bench(fn, times=2):' where the patch has 'def bench(fn, times=3):'" in said


def test_an_edit_of_the_patch_is_another_stage(patched):
    show = "from triton import testing; show([overlay.key, testing.bench(lambda: 1, 0)])"
    first, told = patched.active(show)
    assert told == ["patched bench"]
    patched.add({TESTING + ".patch": patch_of(TESTING, ("trunk bench", "another bench"))})
    second, told = patched.active(show)
    assert told == ["another bench"]
    assert first != second


def test_layers(patched):
    below = textwrap.dedent(TRUNK[TESTING])
    for old, new in CHANGES:
        below = below.replace(old, new)
    patched.add({TESTING + ".patch": patch_of(TESTING, ("trunk unchanged", "patched twice"),
                                              trunk=below)}, "top")
    (patched.vendors / "top/spec.ini").write_text("[backend]\nbase = acme\n")
    out = patched.python("""
        import triton_spec
        triton_spec.activate("top")
        from triton import testing
        print(testing.unchanged(), testing.bench(lambda: 1, 0), testing.added(1))
        """)
    assert out == "patched twice ['patched bench'] 1.0\n"


def test_a_function_of_the_stock_wheel(tmp_path):
    """On the real trunk: the text is read from the installed wheel, and only a patch is made."""
    triton = pytest.importorskip("triton", reason="needs the wheel of requirements.txt")
    installed = pathlib.Path(inspect.getfile(triton)).parent
    text = (installed / "testing.py").read_text()
    name = "def nvsmi(attrs):\n"
    assert text.count(name) == 1
    site = Site(tmp_path, {TESTING + ".patch": patch_of(
        TESTING, (name, name + "    if not attrs:\n        return ['patched']\n"), trunk=text)}, trunk={})
    site.site.mkdir()
    (site.site / "triton").symlink_to(installed)
    assert site.active("from triton.testing import nvsmi; show(nvsmi([]))") == ["patched"]
