"""Code objects of made texts: which of them say that they are the vendor's, and with which lines."""

import dis
import importlib.util
import inspect
import linecache
import marshal
import os
import sys
import textwrap
import traceback

import pytest

from triton_spec import _lines, _stage
from triton_spec._finder import StageFinder

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
    assert _lines.module_name(member) == name


# --- bytecode ------------------------------------------------------------------------------------

VENDOR = """\
# A comment that the made text lacks.


def fail():
    raise ValueError("vendor")
"""
MADE = "import os\ndef own(): return 1\n# spec: from vendor.py:4\n" + VENDOR.partition("lacks.\n\n\n")[2]


@pytest.fixture
def stage(tmp_path, monkeypatch):
    """A stage with one made module `triton.made`: (its folder, {member: Spans}, the vendor's file)."""
    folder = tmp_path / "stages/key"
    (folder / "triton").mkdir(parents=True)
    (folder / "triton/__init__.py").write_text("")
    (folder / "triton/made.py").write_text(MADE)
    vendor = tmp_path / "vendor.py"
    vendor.write_text(VENDOR)
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    monkeypatch.setattr(linecache, "cache", {})
    return str(folder), {"triton/made.py": _lines.Spans([[4, 2, str(vendor), 4]])}, vendor


def cached(folder):
    return importlib.util.cache_from_source(os.path.join(folder, "triton/made.py"))


def traceback_of(module):
    """The last frame of what the module's function raises."""
    with pytest.raises(ValueError) as raised:
        module.fail()
    frame = traceback.extract_tb(raised.tb)[-1]
    return frame.filename, frame.lineno, frame.line


def imported(folder, finder=None):
    """The made module, imported as any other, without a place in sys.modules."""
    path = os.path.join(folder, "triton/made.py")
    spec = (importlib.util.spec_from_file_location("triton.made", path) if finder is None
            else finder.find_spec("triton.made", [os.path.join(folder, "triton")]))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_bytecode_is_used_as_it_is(stage):
    folder, members, vendor = stage
    assert _lines.prepare(folder, members) == {}
    module = imported(folder)
    assert traceback_of(module) == (str(vendor), 5, 'raise ValueError("vendor")')
    assert module.own.__code__.co_filename == os.path.join(folder, "triton/made.py")
    with open(cached(folder), "rb") as file:
        header = file.read(16)
        assert any(c.co_filename == str(vendor) for c in code_objects(marshal.load(file)))
    assert header == importlib.util.MAGIC_NUMBER + b"\1\0\0\0" + importlib.util.source_hash(MADE.encode())
    assert os.listdir(os.path.dirname(cached(folder))) == [os.path.basename(cached(folder))]


def test_bytecode_is_written_once(stage):
    folder, members, _ = stage
    _lines.prepare(folder, members)
    before = os.stat(cached(folder))
    _lines.prepare(folder, members)
    assert os.stat(cached(folder)) == before


@pytest.mark.parametrize("other", [b"", b"garbage of some length", None])
def test_other_bytecode_is_replaced(stage, other):
    """Half a file, another interpreter's, or one that Python itself has made of the text."""
    folder, members, vendor = stage
    if other is None:
        assert traceback_of(imported(folder))[0] != str(vendor) and os.path.isfile(cached(folder))
    else:
        os.makedirs(os.path.dirname(cached(folder)))
        with open(cached(folder), "wb") as file:
            file.write(other)
    assert _lines.prepare(folder, members) == {}
    assert traceback_of(imported(folder))[0] == str(vendor)


@pytest.mark.parametrize("why", ["asked not to", "no folder", "leads elsewhere"])
def test_where_none_can_be_written_a_finder_compiles(stage, why, monkeypatch, tmp_path):
    folder, members, vendor = stage
    if why == "asked not to":
        monkeypatch.setattr(sys, "dont_write_bytecode", True)
    elif why == "no folder":
        (tmp_path / "stages/key/triton/__pycache__").write_text("a file")
    else:
        (tmp_path / "elsewhere").mkdir()
        (tmp_path / "stages/key/triton/__pycache__").symlink_to(tmp_path / "elsewhere")
    left = _lines.prepare(folder, members)
    assert list(left) == ["triton.made"]
    for _ in range(2):
        assert traceback_of(imported(folder, StageFinder(folder, left)))[:2] == (str(vendor), 5)
    assert not os.path.isfile(cached(folder)) and not list(tmp_path.glob("elsewhere/*"))


def test_the_prefix_for_bytecode(stage, monkeypatch, tmp_path):
    folder, members, vendor = stage
    monkeypatch.setattr(sys, "pycache_prefix", str(tmp_path / "prefix"))
    assert _lines.prepare(folder, members) == {}
    assert cached(folder).startswith(str(tmp_path / "prefix")) and os.path.isfile(cached(folder))
    assert traceback_of(imported(folder))[0] == str(vendor)
    assert not (tmp_path / "stages/key/triton/__pycache__").exists()


def test_a_text_that_does_not_compile_fails_when_it_is_imported(stage, tmp_path):
    folder, members, _ = stage
    (tmp_path / "stages/key/triton/made.py").write_text("def f(:\n")
    assert list(_lines.prepare(folder, members)) == ["triton.made"]
    with pytest.raises(SyntaxError) as raised:
        imported(folder, StageFinder(folder, _lines.prepare(folder, members)))
    assert raised.value.filename == os.path.join(folder, "triton/made.py") and raised.value.lineno == 1


# --- texts ---------------------------------------------------------------------------------------

@pytest.mark.parametrize("edit", [None, "x = 1\n", "", b"\xff", "gone"])
def test_the_text_that_runs_is_shown(stage, edit):
    """Unedited, the vendor's file is shown as it is; else what the stage holds of it."""
    folder, members, vendor = stage
    _lines.prepare(folder, members)
    module = imported(folder)
    if edit == "gone":
        vendor.unlink()
    elif edit is not None:
        vendor.write_bytes(edit.encode() if isinstance(edit, str) else edit)
    _lines.keep_texts(folder, members)
    assert inspect.getsource(module.fail) == 'def fail():\n    raise ValueError("vendor")\n'
    assert linecache.getline(str(vendor), 1) == ("\n" if edit is not None else VENDOR.split("\n")[0] + "\n")
    vendor.write_text("edited later\n" * 9)
    linecache.checkcache()
    assert inspect.getsourcelines(module.fail)[1] == 4
    assert traceback_of(module) == (str(vendor), 5, 'raise ValueError("vendor")')


def test_indentation_may_differ(tmp_path, monkeypatch):
    """Methods are indented as the trunk's class is."""
    monkeypatch.setattr(linecache, "cache", {})
    (tmp_path / "made.py").write_text("class C:\n  def m(self):\n    return 1\n")
    (tmp_path / "v.py").write_text("class C:  # spec: methods\n    def m(self):\n        return 1\n")
    _lines.keep_texts(str(tmp_path), {"made.py": _lines.Spans([[2, 2, str(tmp_path / "v.py"), 2]])})
    assert linecache.getline(str(tmp_path / "v.py"), 3) == "        return 1\n"


def test_spans_are_the_vendors_alone(tmp_path):
    """Lines of the trunk are the stage's own; a patch's lines begin with a sign."""
    (tmp_path / "lines.json").write_text(textwrap.dedent("""\
        {"triton/a.py": [[1, 2, "/site/triton/a.py", 1], [3, 1, "/v/spec/triton/a.py", 9],
                         [4, 1, "/v/spec/triton/a.py.patch", 2]],
         "triton/b.py": [[1, 2, "/site/triton/b.py", 1]], "triton/c.txt": [[1, 1, "/v/c.py", 1]]}"""))
    found = _stage.read_spans(str(tmp_path), "/site")
    assert {name: spans.rows for name, spans in found.items()} == {
        "triton/a.py": [(3, 1, "/v/spec/triton/a.py", 9)]}
