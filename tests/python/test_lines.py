"""Code objects of a stage's modules: which of them say that they are the vendor's, and with which
lines; and the texts that are shown for them."""

import dis
import importlib.util
import inspect
import json
import linecache
import marshal
import os
import sys
import traceback

import pytest

from triton_spec import _finder, _lines, _stage
from triton_spec._finder import StageFinder, cached

# Each shape stands at some line of the vendor's file and at another one of the made text.
SHAPES = {
    "function": "def f(a, b=1, *, c=2):\n    '''text'''\n    return a + (\n        b / c)\n",
    "decorated": "@first\n@second(\n    lambda: 1)\ndef f():\n    return 1\n",
    "class": "class C(Base):\n    '''text'''\n    x = 1\n\n    def m(self):\n        return self.x\n",
    "decorated class": "@first\nclass C:\n    @property\n    def p(self):\n        return [i for i in range(3)]\n",
    "nested": "def f():\n    def g():\n        class D:\n            def h(self):\n                return 1\n"
              "        return D\n    return g\n",
    "comprehensions": "def f(x):\n    a = [i for i in x]\n    b = {\n        k: v\n        for k, v in x}\n"
                      "    return {i for i in a}, b, (\n        i\n        for i in x)\n",
    "lambdas": "def f(x=lambda: 0):\n    return lambda: (\n        lambda: x)\n",
    "async": "async def f(x):\n    async with x as y:\n        yield [z async for z in y]\n",
    "assigned": "f = lambda x: [\n    i for i in x]\n",
    "many lines": "def f():\n" + "".join(f"    x{i} = {i}\n" for i in range(700)) + "    return x1\n",
    "long gap": "def f():\n    a = 1\n" + "\n" * 400 + "    return a\n",
}


def code_objects(code):
    """All code objects in one, itself first."""
    yield code
    for value in code.co_consts:
        if inspect.iscode(value):
            yield from code_objects(value)


def described(code):
    """What a code object does, where: name, file, all instructions with their lines."""
    return [(c.co_name, c.co_filename, c.co_firstlineno,
             [(i.opname, i.offset) for i in dis.get_instructions(c)],
             [line for _, _, line in c.co_lines()]) for c in code_objects(code)]


@pytest.mark.parametrize("optimize", [0, 1, 2])
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("before, there", [(0, 40), (300, 1), (7, 8)])
def test_a_piece_is_compiled_as_in_its_file(shape, before, there, optimize):
    """All code objects but the module's are those that the vendor's file itself would give."""
    text = SHAPES[shape]
    count = text.count("\n")
    spans = _lines.Spans([[before + 1, count, "/v/vendor.py", there]])
    made = ("\n" * before + text + "x = lambda: 1\n").encode()
    vendors = compile("\n" * (there - 1) + text, "/v/vendor.py", "exec", optimize=optimize)
    got = described(_lines.compile_text(made, "/stage/made.py", spans, optimize))
    assert got[1:-1] == described(vendors)[1:]
    assert got[0][1] == got[-1][1] == "/stage/made.py" and got[-1][2] == before + count + 1


def test_what_is_not_of_one_piece_is_of_the_made_text():
    text = b"class C:\n    def mine(self):\n        return 1\n    def theirs(self):\n        return 2\n"
    code = _lines.compile_text(text, "made.py", _lines.Spans([[2, 2, "v.py", 50]]))
    assert [(c.co_name, c.co_filename, c.co_firstlineno) for c in code_objects(code)] == [
        ("<module>", "made.py", 1), ("C", "made.py", 1), ("mine", "v.py", 50), ("theirs", "made.py", 4)]


@pytest.mark.parametrize("rows, place", [
    ([], None), ([[5, 3, "v", 1]], None), ([[1, 3, "v", 1]], None), ([[2, 2, "v", 1]], None),
    ([[2, 3, "v", 7]], ("v", 7)), ([[1, 9, "v", 7]], ("v", 8)), ([[1, 2, "v", 1], [3, 2, "w", 1]], None),
    ([[1, 1, "v", 1], [2, 3, "w", 9]], ("w", 9)),
])
def test_place(rows, place):
    """Lines 2 to 4 of a text with these rows."""
    assert _lines.Spans(rows).place(2, 4) == place


@pytest.mark.parametrize("member, name", [
    ("triton/__init__.py", "triton"), ("triton/a.py", "triton.a"), ("triton/a/__init__.py", "triton.a"),
    ("triton/a/b.py", "triton.a.b")])
def test_module_name(member, name):
    assert _stage.module_name(member) == name


def test_a_whole_module_is_the_vendors(tmp_path):
    """Its own code too; an error of its syntax names his file in any case."""
    spans = _lines.Spans([[1, 3, "v.py", 1]], whole=True)
    code = _lines.compile_text(b"x = 1\ndef f():\n    return x\n", "copy.py", spans)
    assert {c.co_filename for c in code_objects(code)} == {"v.py"}
    for whole, there in (True, 1), (False, 8):
        spans = _lines.Spans([[1, 3, "v.py", there]], whole)
        with pytest.raises(SyntaxError) as raised:
            _lines.compile_text(b"x = 1\ndef f(:\n    return x\n", "copy.py", spans)
        assert (raised.value.filename, raised.value.lineno) == ("v.py", there + 1)
        assert raised.value.end_lineno == there + 1


# --- loading -------------------------------------------------------------------------------------

VENDOR = """\
# A comment that the made text lacks.


def fail():
    raise ValueError("vendor")
"""
MADE = "import os\ndef own(): return 1\n# spec: from vendor.py:4\n" + VENDOR.partition("lacks.\n\n\n")[2]
PLACE = 5, 'raise ValueError("vendor")'


class Stage:
    """A stage of one merged module, `triton.made`."""

    def __init__(self, folder):
        self.folder, self.made = folder, folder / "stages/key/triton/made.py"
        self.vendor, self.cache = folder / "vendor.py", folder / "stages/key/triton/__pycache__"
        self.made.parent.mkdir(parents=True)
        self.made.write_text(MADE)
        self.vendor.write_text(VENDOR)

    def load(self):
        """The module, as the finder of an activation loads it."""
        members = {"triton.made": (str(self.made), _lines.Spans([[4, 2, str(self.vendor), 4]]))}
        finder = StageFinder(str(self.folder / "stages/key"), members, False)
        spec = finder.find_spec("triton.made", [str(self.made.parent)])
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module

    def load_unaware(self):
        """The module, as a process loads it that only has the stage on its path."""
        spec = importlib.util.spec_from_file_location("triton.made", self.made)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module


@pytest.fixture
def stage(tmp_path, monkeypatch):
    """The stage, for a Python that writes bytecode, and has read no source yet."""
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    monkeypatch.setattr(linecache, "cache", {})
    return Stage(tmp_path)


def frame_of(module):
    """(file, line, text) of what the module's function raises."""
    with pytest.raises(ValueError) as raised:
        module.fail()
    frame = traceback.extract_tb(raised.tb)[-1]
    return frame.filename, frame.lineno, frame.line


def test_a_merged_module_is_loaded(stage):
    module = stage.load()
    assert frame_of(module) == (str(stage.vendor), *PLACE)
    assert module.own.__code__.co_filename == module.__file__ == str(stage.made)
    assert inspect.getsource(module) == MADE and module.__spec__.has_location


def test_bytecode_is_kept(stage, monkeypatch):
    stage.load()
    kept = cached(str(stage.made))
    with open(kept, "rb") as file:
        assert file.read(16) == (importlib.util.MAGIC_NUMBER + b"\1\0\0\0"
                                 + importlib.util.source_hash(MADE.encode()))
        assert any(c.co_filename == str(stage.vendor) for c in code_objects(marshal.load(file)))
    before = os.stat(kept)
    monkeypatch.setattr(_lines, "compile_text", None)
    assert frame_of(stage.load())[0] == str(stage.vendor) and os.stat(kept) == before
    assert os.listdir(stage.cache) == [os.path.basename(kept)]


def test_processes_that_know_of_no_vendor_make_their_own(stage):
    """They need the stage's own text: nothing tells them when the vendor's file is edited."""
    for module in stage.load_unaware(), stage.load(), stage.load_unaware():
        ours = isinstance(module.__loader__, _finder._Loader)
        assert frame_of(module)[0] == str(stage.vendor if ours else stage.made)
    assert len(os.listdir(stage.cache)) == 2


@pytest.mark.parametrize("found", [b"", b"garbage", importlib.util.MAGIC_NUMBER + b"\1\0\0\0", None])
def test_bytecode_that_is_none_is_made_anew(stage, found):
    stage.cache.mkdir()
    kept = cached(str(stage.made))
    with open(kept, "wb") as file:
        file.write(found if found is not None else b"\0\0\r\n" + bytes(12) + marshal.dumps(1))
    assert frame_of(stage.load()) == (str(stage.vendor), *PLACE)
    assert os.path.getsize(kept) > 200


@pytest.mark.parametrize("why", ["asked not to", "no folder", "leads elsewhere"])
def test_where_none_can_be_written(stage, why, monkeypatch):
    elsewhere = stage.folder / "elsewhere"
    elsewhere.mkdir()
    if why == "asked not to":
        monkeypatch.setattr(sys, "dont_write_bytecode", True)
    elif why == "no folder":
        stage.cache.write_text("a file")
    else:
        stage.cache.symlink_to(elsewhere)
    for _ in range(2):
        assert frame_of(stage.load()) == (str(stage.vendor), *PLACE)
    assert not os.path.isfile(cached(str(stage.made))) and not list(elsewhere.iterdir())


def test_the_prefix_for_bytecode(stage, monkeypatch):
    monkeypatch.setattr(sys, "pycache_prefix", str(stage.folder / "prefix"))
    assert frame_of(stage.load()) == (str(stage.vendor), *PLACE)
    assert cached(str(stage.made)).startswith(f"{stage.folder}/prefix/") and not stage.cache.exists()
    assert os.path.isfile(cached(str(stage.made)))


@pytest.mark.parametrize("line, note", [(1, False), (4, True)])
def test_an_error_of_the_import_says_whose_line_it_is(stage, line, note):
    lines = MADE.split("\n")
    lines[line - 1] = "1 / 0" if line == 1 else "def fail(x=1 / 0):"
    stage.made.write_text("\n".join(lines))
    with pytest.raises(ZeroDivisionError) as raised:
        stage.load()
    expected = [f"{stage.made}:4 is line 4 of {stage.vendor}"] if note else []
    if sys.version_info >= (3, 11):
        assert getattr(raised.value, "__notes__", []) == expected


# --- texts ---------------------------------------------------------------------------------------

@pytest.mark.parametrize("edit", [None, "x = 1\n", b"\xff", "gone"])
def test_the_text_that_runs_is_shown(stage, edit):
    """Unedited, the vendor's file is shown as it is; else what the stage holds of it."""
    if edit == "gone":
        stage.vendor.unlink()
    elif edit is not None:
        stage.vendor.write_bytes(edit.encode() if isinstance(edit, str) else edit)
    module = stage.load()
    assert inspect.getsource(module.fail) == 'def fail():\n    raise ValueError("vendor")\n'
    assert linecache.getline(str(stage.vendor), 1) == (
        "\n" if edit is not None else VENDOR.split("\n")[0] + "\n")
    stage.vendor.write_text("edited later\n" * 9)
    linecache.checkcache()
    assert inspect.getsourcelines(module.fail)[1] == 4
    assert frame_of(module) == (str(stage.vendor), *PLACE)


def test_indentation_may_differ(tmp_path, monkeypatch):
    """Methods are indented as the trunk's class is."""
    monkeypatch.setattr(linecache, "cache", {})
    made, vendor = tmp_path / "made.py", tmp_path / "v.py"
    made.write_text("class C:\n  def m(self):\n    return 1\n")
    vendor.write_text("class C:  # spec: methods\n    def m(self):\n        return 1\n")
    _lines.keep_texts(str(made), _lines.Spans([[2, 2, str(vendor), 2]]))
    assert linecache.getline(str(vendor), 3) == "        return 1\n"


def test_members_are_the_vendors_alone(tmp_path):
    """Lines of the trunk are the stage's own; a patch's lines begin with a sign."""
    rows = {"triton/a.py": [[1, 2, "/site/triton/a.py", 1], [3, 1, "/v/spec/triton/a.py", 9],
                            [4, 1, "/v/spec/triton/a.py.patch", 2]],
            "triton/b.py": [[1, 2, "/site/triton/b.py", 1]], "triton/c.txt": [[1, 1, "/v/c.py", 1]],
            "triton/d/__init__.py": [[1, 7, "/v/spec/triton/d/__init__.py", 1]]}
    (tmp_path / "lines.json").write_text(json.dumps(rows))
    found = _stage.read_members(str(tmp_path), "/site")
    assert {name: (path, spans.rows, spans.whole) for name, (path, spans) in found.items()} == {
        "triton.a": (f"{tmp_path}/triton/a.py", [(3, 1, "/v/spec/triton/a.py", 9)], False),
        "triton.d": (f"{tmp_path}/triton/d/__init__.py", [(1, 7, "/v/spec/triton/d/__init__.py", 1)], True)}
