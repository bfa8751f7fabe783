"""`triton-spec edit`: the scratch copy, and what becomes of what changed in it."""

import random

import pytest

from support.engine import fingerprint

from .forks import BASE, Entry, compose, edited, file, read_tree
from .test_patchify import change, engine, place, put  # noqa: F401  the fixture

CHANGE = 'sed -i "s/a 30;/vendor;/"'


def made(engine, path):  # noqa: F811
    """What trunk and overlay make of a path."""
    return compose(BASE, read_tree(engine.acme), "acme")[path]


def edit(engine, path, editor, status=0, **how):  # noqa: F811
    """Edits with a command; scratch copies go below the test's folder."""
    scratch = engine.root / "scratch"
    scratch.mkdir(exist_ok=True)
    env = {"EDITOR": editor, "VISUAL": "", "TMPDIR": str(scratch), **how.pop("env", {})}
    return change(engine, "edit", path, status=status, env=env, **how)


def scratches(engine):  # noqa: F811
    """What is left in the folder of scratch copies."""
    return read_tree(engine.root / "scratch")


def test_a_new_patch_and_its_line_in_the_lock(engine):  # noqa: F811
    edit(engine, "lib/a.cpp", CHANGE).says(0, "1 hunk, +1 -1 lines")
    overlay = read_tree(engine.acme)
    assert set(overlay) == {"spec_cpp/lib/a.cpp.patch", "spec.lock"}
    assert made(engine, "lib/a.cpp").data == BASE["lib/a.cpp"].data.replace(b"a 30;", b"vendor;")
    change(engine, "lock", "--check")
    edit(engine, "spec_cpp/lib/a.cpp.patch", "sed -i s/vendor/again/").says(0, "1 hunk")
    assert made(engine, "lib/a.cpp").data == BASE["lib/a.cpp"].data.replace(b"a 30;", b"again;")
    edit(engine, "lib/a.cpp", "sed -i s/again/a.30/")
    assert b"a.30;" in made(engine, "lib/a.cpp").data
    edit(engine, "lib/a.cpp", "sed -i s/a[.]30/a\\ 30/").says(0, "it is the trunk's file again")
    assert read_tree(engine.acme).keys() == {"spec.lock"}
    change(engine, "lock", "--check")
    assert scratches(engine) == {}


def test_nothing_changed_writes_nothing(engine):  # noqa: F811
    put(engine, {"spec_cpp/lib/b.cpp": file("x;\n")})
    before = fingerprint(engine.acme)
    for path in ("lib/a.cpp", "lib/b.cpp"):
        edit(engine, path, "true").says(0, "nothing changed")
    assert fingerprint(engine.acme) == before
    assert scratches(engine) == {}


def test_a_copy_stays_a_copy(engine):  # noqa: F811
    put(engine, {"spec_cpp/lib/a.cpp": BASE["lib/a.cpp"]._replace(executable=True)})
    change(engine, "lock")
    edit(engine, "lib/a.cpp", CHANGE).says(0, "a copy of")
    assert made(engine, "lib/a.cpp") == Entry(BASE["lib/a.cpp"].data.replace(b"a 30;", b"vendor;"), True)


def test_definitions_that_are_merged_stay_what_they_are(engine):  # noqa: F811
    put(engine, {"spec/triton/testing.py": file("def f1():\n    return 5\n")})
    edit(engine, "python/triton/testing.py", "sed -i s/5/6/").says(0, "a copy of")
    assert read_tree(engine.acme)["spec/triton/testing.py"].data == b"def f1():\n    return 6\n"


@pytest.mark.parametrize("path, text, kind", [
    ("python/triton/testing.py", b"all new\n", "patch"),  # a copy would be merged
    ("python/triton/__init__.py", b"all new\n", "patch"),
    ("python/triton/runtime/jit.py", b"all new\n", "copy"),
    ("python/triton/runtime/data.json", b'{"a": 2}\n', "copy"),
    ("lib/crlf.cpp", BASE["lib/crlf.cpp"].data.replace(b" 7;", b"x;"), "patch"),
    ("lib/unended.inc", b"all\nnew", "copy"),
    ("python/src/main.cc", b"all new\n", "copy"),
])
def test_where_a_new_override_lies_and_what_it_is(engine, tmp_path, path, text, kind):  # noqa: F811
    (tmp_path / "new").write_bytes(text)
    answer = change(engine, "edit", path, "--json", "--from", tmp_path / "new").json
    wanted = engine.acme / (place(path) + (".patch" if kind == "patch" else ""))
    assert (answer["form"], answer["path"]) == (kind, str(wanted))
    assert wanted.is_file()
    assert made(engine, path).data == text


def test_random_edits(engine, tmp_path):  # noqa: F811
    """Edit upon edit of one file, each from what the last has left."""
    rng = random.Random("edits")
    text = BASE["lib/b.cpp"].data
    for _ in range(15):
        text = edited(rng, text)
        (tmp_path / "new").write_bytes(text)
        change(engine, "edit", "lib/b.cpp", "--from", tmp_path / "new")
        assert made(engine, "lib/b.cpp").data == text


def test_a_drifted_override_is_edited_against_its_own_base(engine):  # noqa: F811
    edit(engine, "lib/a.cpp", CHANGE)
    (engine.trunk / "lib/a.cpp").write_bytes(b"upstream;\n" + BASE["lib/a.cpp"].data)
    edit(engine, "lib/a.cpp", 'sed -i "s/a 40;/more;/"').says(0, "2 hunks")
    assert made(engine, "lib/a.cpp").data == BASE["lib/a.cpp"].data.replace(
        b"a 30;", b"vendor;").replace(b"a 40;", b"more;")


def test_a_failing_editor_writes_nothing_and_keeps_the_text(engine):  # noqa: F811
    outcome = edit(engine, "lib/a.cpp", "f() { echo kept > \"$1\"; exit 3; }; f", status=2)
    outcome.says(2, "ended with status 3", "nothing was written", "the scratch copy is kept: ")
    assert read_tree(engine.acme) == {}
    assert [entry.data for entry in scratches(engine).values()] == [b"kept\n"]


def test_somebody_else_may_write_meanwhile(engine):  # noqa: F811
    put(engine, {"spec_cpp/lib/a.cpp": file("x\n")})
    theirs = engine.acme / "spec_cpp/lib/a.cpp"
    outcome = edit(engine, "lib/a.cpp", f"f() {{ echo mine > \"$1\"; echo theirs > {theirs}; }}; f", status=2)
    outcome.says(2, "somebody else has changed", "the scratch copy is kept: ")
    assert theirs.read_text() == "theirs\n"
    assert [entry.data for entry in scratches(engine).values()] == [b"mine\n"]


def test_an_overlay_that_cannot_be_written_keeps_the_text(engine):  # noqa: F811
    put(engine, {"spec_cpp": file("in the way\n")})
    edit(engine, "lib/a.cpp", CHANGE, status=2).says(2, "the scratch copy is kept: ")
    assert len(scratches(engine)) == 1
    assert set(read_tree(engine.acme)) == {"spec_cpp"}


@pytest.mark.parametrize("path, said", [
    ("lib/none.cpp", "neither the trunk nor the overlay has 'lib/none.cpp'"),
    ("lib", "no overlay can hold 'lib'"),
    ("../secret.cpp", "is no path below the trunk"),
    ("/etc/passwd", "is no path below the trunk"),
    ("lib/../../x.cpp", "is no path below the trunk"),
    ("CMakeLists.txt", "no overlay can hold 'CMakeLists.txt'"),
    ("setup.py", "Python outside of the package"),
    ("python/triton/knobs.py", "policy closes 'triton/knobs.py'"),
    ("lib/b.cpp", "spec.ini removes 'lib/b.cpp'"),
    ("lib/crlf.cpp", "both stand for 'lib/crlf.cpp'"),
    ("lib/unended.inc", "is a link"),
    ("docs/link", "no overlay can hold 'docs/link'"),
])
def test_what_cannot_be_edited(engine, path, said):  # noqa: F811
    put(engine, {"spec.ini": file("[remove]\npath = lib/b.cpp\n"), "spec_cpp/lib/crlf.cpp": file("x\n"),
                 "spec_cpp/lib/crlf.cpp.patch": file("x\n"), "spec_cpp/x.inc": file("x\n"),
                 "spec_cpp/lib/unended.inc": Entry(b"../x.inc", link=True)})
    before = fingerprint(engine.acme)
    edit(engine, path, "echo changed >", status=2).says(2, said)
    assert fingerprint(engine.acme) == before
    assert scratches(engine) == {}


def test_without_an_editor(engine):  # noqa: F811
    edit(engine, "lib/a.cpp", "", status=2).says(2, "neither VISUAL nor EDITOR", "--from FILE")


def test_a_patch_that_does_not_fit_is_not_lost(engine):  # noqa: F811
    broken = file("--- a/a.cpp\n+++ b/a.cpp\n@@ -1 +1 @@\n-nowhere\n+x\n")
    put(engine, {"spec_cpp/lib/a.cpp.patch": broken})
    edit(engine, "lib/a.cpp", CHANGE, status=2).says(2, "hunk 1")
    assert read_tree(engine.acme) == {"spec_cpp/lib/a.cpp.patch": broken}
