"""Copies that become patches, and trunk files that are edited: what is left makes the same text."""

import os
import random
import shutil

import pytest

from support.engine import Engine, fingerprint

from .forks import BASE, Entry, compose, edited, file, git, numbered, read_tree, write_repository, write_tree


@pytest.fixture
def engine(tmp_path, triton_spec):
    """The program, a trunk in a repository of its own, and the backend acme."""
    engine = Engine(tmp_path, triton_spec)
    shutil.rmtree(engine.trunk)
    write_repository(tmp_path / "trunk.git", {"main": BASE})
    git(tmp_path, "clone", "-q", "trunk.git", "trunk")
    return engine


def put(engine, tree):
    """Writes files of the backend."""
    write_tree(engine.acme, tree)


def change(engine, step, *words, status=0, **how):
    """Runs a command that changes the overlay, never the trunk; its Outcome."""
    before = fingerprint(engine.trunk)
    outcome = engine.run(step, *words, sources_change=True, **how)
    assert outcome.status == status, outcome.text
    assert fingerprint(engine.trunk) == before
    return outcome


def place(path):
    """Where the copy of a trunk path lies."""
    return path.replace("python/triton/", "spec/triton/", 1) if path.startswith("python/triton/") \
        else f"spec_cpp/{path}"


COPIED = ["lib/a.cpp", "lib/crlf.cpp", "lib/unended.inc", "include/toy/Ops.td", "lib/b.cpp",
          "lib/CMakeLists.txt", "python/src/main.cc", "python/triton/runtime/jit.py", "bin/run.cpp"]


def run_cases(engine, seed, cases):
    """Random copies, all made patches at once; what they make is what they were."""
    rng = random.Random(seed)
    patches = stays = 0
    for _ in range(cases):
        shutil.rmtree(engine.acme)
        fork = {path: BASE[path]._replace(data=edited(rng, BASE[path].data)) for path in COPIED}
        put(engine, {place(path): entry for path, entry in fork.items()})
        change(engine, "lock")
        before = compose(BASE, read_tree(engine.acme), "acme")
        answer = change(engine, "patchify", "--all", "--json").json
        overlay = read_tree(engine.acme)
        assert compose(BASE, overlay, "acme") == before
        for item in answer["files"]:
            there = [name in overlay for name in (item["overlay"], item["overlay"] + ".patch")]
            assert there == ([True, False] if "stays" in item else [False, True])
            if "stays" not in item:
                assert len(overlay[item["overlay"] + ".patch"].data) == item["bytes_after"] \
                    <= item["bytes_before"] / 2
        patches += sum("stays" not in item for item in answer["files"])
        stays += sum("stays" in item for item in answer["files"])
    assert patches > 2 * cases and stays > cases


def test_random_copies(engine):
    run_cases(engine, "copies", 10)


@pytest.mark.slow
def test_many_random_copies(engine):
    run_cases(engine, "many copies", 500)


def test_what_stays_and_why(engine):
    changed = {path: entry._replace(data=b"changed;\n" + entry.data) for path, entry in BASE.items()
               if not entry.link}
    put(engine, {
        "spec_cpp/lib/a.cpp": changed["lib/a.cpp"],
        "spec_cpp/lib/b.cpp": BASE["lib/b.cpp"],
        "spec_cpp/lib/new.cpp": file("int n;\n"),
        "spec_cpp/lib/crlf.cpp": file(numbered(20, "other")),
        "spec/triton/testing.py": file("def f1():\n    return 2\n"),
        "spec/triton/runtime/data.json": changed["python/triton/runtime/data.json"],
        "spec_cpp/lib/unended.inc.patch": file("--- a/unended.inc\n+++ b/unended.inc\n@@ -1 +1 @@\n-1,\n"
                                               "+0,\n"),
    })
    os.symlink("a.cpp", engine.acme / "spec_cpp/lib/empty.h")
    change(engine, "lock")
    before = read_tree(engine.acme)
    outcome = change(engine, "patchify", "--all", "--dry-run")
    assert read_tree(engine.acme) == before
    lines = outcome.out.decode().split("\n")
    assert lines[:7] == [
        "  patch   spec_cpp/lib/a.cpp.patch: 7 lines for 241",
        "  stays   spec_cpp/lib/b.cpp: it is the trunk's file: delete it",
        "  stays   spec_cpp/lib/crlf.cpp: it differs in so much that a patch would be larger than half "
        "of it",
        "  stays   spec_cpp/lib/empty.h: it is a link",
        "  stays   spec_cpp/lib/new.cpp: it is of no file of the trunk",
        "  stays   spec/triton/runtime/data.json: it is data of the package",
        "  stays   spec/triton/testing.py: it holds definitions that are merged",
    ]
    assert lines[7].startswith("1 of 7 would be patches: 7 lines for 241, ")
    change(engine, "patchify", "lib/a.cpp")
    after = read_tree(engine.acme)
    assert set(before) - set(after) == {"spec_cpp/lib/a.cpp"}
    assert set(after) - set(before) == {"spec_cpp/lib/a.cpp.patch"}
    assert after["spec.lock"] == before["spec.lock"]


def test_the_base_is_the_locked_one_whatever_the_trunk_has_now(engine):
    put(engine, {"spec_cpp/lib/a.cpp": file(b"vendor;\n" + BASE["lib/a.cpp"].data)})
    change(engine, "lock")
    (engine.trunk / "lib/a.cpp").write_bytes(b"upstream;\n" + BASE["lib/a.cpp"].data)
    change(engine, "patchify", "--all")
    overlay = read_tree(engine.acme)
    assert b"upstream" not in overlay["spec_cpp/lib/a.cpp.patch"].data
    assert compose(BASE, overlay, "acme")["lib/a.cpp"].data.startswith(b"vendor;\na 0;\n")


def test_without_a_lock_the_revision_is_named(engine):
    put(engine, {"spec_cpp/lib/a.cpp": file(b"vendor;\n" + BASE["lib/a.cpp"].data)})
    change(engine, "patchify", "--all").says(0, "is not in spec.lock")
    change(engine, "patchify", "--all", "--rev", "HEAD").says(0, "1 of 1 are patches now")
    locked = read_tree(engine.acme)["spec.lock"]
    change(engine, "lock")
    assert read_tree(engine.acme)["spec.lock"] == locked


def test_a_run_that_was_killed_is_finished_by_the_next(engine):
    copy = file(b"vendor;\n" + BASE["lib/a.cpp"].data)
    put(engine, {"spec_cpp/lib/a.cpp": copy})
    change(engine, "lock")
    change(engine, "patchify", "--all")
    done = read_tree(engine.acme)
    put(engine, {"spec_cpp/lib/a.cpp": copy})  # as if only the patch had been written
    change(engine, "patchify", "--all").says(0, "1 of 1 are patches now")
    assert read_tree(engine.acme) == done
    put(engine, {"spec_cpp/lib/a.cpp": copy, "spec_cpp/lib/a.cpp.patch": file("something else\n")})
    change(engine, "patchify", "--all").says(0, "has another patch beside it")
    assert read_tree(engine.acme)["spec_cpp/lib/a.cpp"] == copy


@pytest.mark.parametrize("words, said", [
    ([], "needs names of overrides, or --all"),
    (["--all", "lib/a.cpp"], "needs names of overrides, or --all"),
    (["lib/z.cpp"], "has no override 'lib/z.cpp'"),
    (["--all", "--rev", "nowhere"], "no revision 'nowhere'"),
])
def test_mistakes(engine, words, said):
    put(engine, {"spec_cpp/lib/a.cpp": file("x\n")})
    change(engine, "patchify", *words, status=2).says(2, said)


def test_the_locked_text_may_be_out_of_reach(engine):
    """Another repository, or none: said, and nothing is changed."""
    put(engine, {"spec_cpp/lib/a.cpp": file(b"vendor;\n" + BASE["lib/a.cpp"].data)})
    change(engine, "lock")
    shutil.rmtree(engine.trunk / ".git")
    (engine.trunk / "lib/a.cpp").write_text("upstream\n")
    before = read_tree(engine.acme)
    change(engine, "patchify", "--all", status=2)
    assert read_tree(engine.acme) == before
    (engine.trunk / "lib/a.cpp").write_bytes(BASE["lib/a.cpp"].data)
    change(engine, "patchify", "--all").says(0, "1 of 1 are patches now")


def test_modes(engine):
    """A copy that may be executed while the trunk's file may not is a patch that says so."""
    put(engine, {"spec_cpp/lib/a.cpp": Entry(b"vendor;\n" + BASE["lib/a.cpp"].data, True)})
    change(engine, "lock")
    change(engine, "patchify", "--all")
    overlay = read_tree(engine.acme)
    assert b"\nnew mode 100755\n" in overlay["spec_cpp/lib/a.cpp.patch"].data
    assert compose(BASE, overlay, "acme")["lib/a.cpp"].executable


def test_an_upgrade_that_is_not_finished_comes_first(engine):
    put(engine, {"spec_cpp/lib/a.cpp": file(b"vendor;\n" + BASE["lib/a.cpp"].data),
                 ".spec-upgrade/journal": file("# triton-spec upgrade 1\nto\t-\tmain\n")})
    before = read_tree(engine.acme)
    for words in (["patchify", "--all"], ["edit", "lib/a.cpp", "--from", "/dev/null"]):
        change(engine, *words, status=2).says(2, "is not finished", "--continue", "--abort")
    assert read_tree(engine.acme) == before
