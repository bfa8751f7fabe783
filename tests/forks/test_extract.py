"""Overlays made of forks: put over the base, each gives the fork, but for what is listed."""

import hashlib
import random

import pytest

from support.engine import Engine

from .forks import BASE, Entry, compose, file, numbered, random_fork, read_tree, write_repository, write_tree


@pytest.fixture
def engine(tmp_path, triton_spec):
    """The program; its trunk is not used."""
    return Engine(tmp_path / "engine", triton_spec)


def extract(engine, out, *words, status=0):
    """Runs the command; its JSON."""
    command = [engine.program, "extract", "--json", "--out", out, *words]
    outcome = engine.run_command([str(word) for word in command])
    assert outcome.status == status, outcome.text
    return outcome.json


def blob_id(data):
    """git's id of these bytes."""
    return hashlib.sha1(b"blob %d\0" % len(data) + data).hexdigest()


def check(base, fork, out, answer, commit):
    """The overlay is the fork, by a second opinion, and says so of itself."""
    overlay = read_tree(out)
    items = {item["trunk"]: item for item in answer["files"]}
    rest = {path for path, item in items.items() if item["form"] == "rest"}
    differing = {path for path in {*base, *fork} if base.get(path) != fork.get(path)}
    assert set(items) == differing
    made = compose(base, overlay, out.name)
    for path in {*base, *fork}:
        assert made.get(path) == (base if path in rest else fork).get(path), (path, items.get(path))
    assert answer["proved"] == len({*base, *fork}) - len(rest)
    rows = [row.split("\t") for row in overlay["spec.lock"].data.decode().split("\n")[1:-1]]
    assert rows == sorted([path, blob_id(base[path].data) if path in base else "-", commit]
                          for path, item in items.items() if item["form"] not in ("own", "rest"))
    for path, item in items.items():
        if item["form"] == "copy" and not path.endswith((".json", ".txt")):
            continue
        if item["form"] == "patch" and path != "python/triton/__init__.py":
            assert len(overlay[item["overlay"]].data) <= len(fork[path].data) / 2, path


def run_cases(engine, tmp_path, seed, cases):
    """Random forks in one repository, each extracted."""
    rng = random.Random(seed)
    forks = {f"fork{n}": random_fork(rng, BASE) for n in range(cases)}
    repository = write_repository(tmp_path / "trunk.git", {"base": BASE, **forks})
    seen = {form: 0 for form in ("patch", "copy", "addition", "removal", "own", "rest")}
    for name, fork in forks.items():
        out = tmp_path / name / "acme"
        if fork == BASE:
            continue
        answer = extract(engine, out, "--fork", name, "--base", "base", "--repository", repository,
                         "--allow-rest")
        check(BASE, fork, out, answer, answer["base"])
        for item in answer["files"]:
            seen[item["form"]] += 1
    assert min(seen.values()) > cases // 20, seen


def test_random_forks(engine, tmp_path):
    run_cases(engine, tmp_path, "forks", 60)


@pytest.mark.slow
def test_two_thousand_random_forks(engine, tmp_path):
    run_cases(engine, tmp_path, "many forks", 2000)


FORK = {
    **BASE,
    "lib/a.cpp": file(BASE["lib/a.cpp"].data.replace(b"a 30;", b"changed;")),
    "lib/CMakeLists.txt": file("add_library(toy\n  a.cpp\n  b.cpp\n  named.cpp\n)\n"),
    "lib/named.cpp": file("int named;\n"),
    "lib/stray.cpp": file("int stray;\n"),
    "python/triton/knobs.py": file(b"KNOB = 2\n" + BASE["python/triton/knobs.py"].data),
    "python/triton/testing.py": file("def f():\n    return 0\n"),
    "setup.py": file("import setuptools  # changed\n"),
    "third_party/acme/backend/driver.py": file("driver = 1\n", executable=True),
}
del FORK["python/triton/runtime/jit.py"]


@pytest.mark.parametrize("sides", [("rev", "rev"), ("tree", "rev"), ("rev", "tree"), ("tree", "tree")])
def test_folders_and_revisions_are_the_same(engine, tmp_path, sides):
    repository = write_repository(tmp_path / "trunk.git", {"base": BASE, "fork": FORK})
    where = {"base": BASE, "fork": FORK}
    words = []
    for (side, tree), form in zip(where.items(), sides, strict=True):
        name = str(write_tree(tmp_path / f"{side} tree", tree)) if form == "tree" else side
        words += [f"--{side}", name]
    answer = extract(engine, tmp_path / "acme", *words, "--repository", repository, "--allow-rest")
    check(BASE, FORK, tmp_path / "acme", answer, "-" if sides[0] == "tree" else answer["base"])


def test_what_each_file_becomes(engine, tmp_path):
    repository = write_repository(tmp_path / "trunk.git", {"base": BASE, "fork": FORK})
    out = tmp_path / "vendor/acme"
    words = ["--fork", "fork", "--base", "base", "--repository", repository]
    answer = extract(engine, out, *words, status=1)
    forms = {item["trunk"]: (item["form"], item.get("overlay")) for item in answer["files"]}
    assert forms == {
        "lib/CMakeLists.txt": ("copy", "spec_cpp/lib/CMakeLists.txt"),
        "lib/a.cpp": ("patch", "spec_cpp/lib/a.cpp.patch"),
        "lib/named.cpp": ("addition", "spec_cpp/lib/named.cpp"),
        "lib/stray.cpp": ("addition", "spec_cpp/lib/stray.cpp"),
        "python/triton/knobs.py": ("copy", "spec/triton/knobs.py"),
        "python/triton/runtime/jit.py": ("removal", "spec.ini"),
        "python/triton/testing.py": ("copy", "spec/triton/testing.py"),
        "setup.py": ("rest", None),
        "third_party/acme/backend/driver.py": ("own", "backend/driver.py"),
    }
    assert [item["trunk"] for item in answer["files"] if item["unowned"]] == ["lib/stray.cpp"]
    assert (out / "spec.ini").read_text() == (
        "[policy]\ntriton/knobs.py = whole\ntriton/testing.py = whole\n\n"
        "[remove]\npath = python/triton/runtime/jit.py\n")
    shown = engine.run_command([engine.program, "extract", *map(str, words), "-o",
                                str(tmp_path / "again/acme")])
    shown.says(1, "  patches       1", "setup.py", "Python outside of the package",
               "spec_target_sources(<target> lib/stray.cpp)", "error[refused]: the overlay does without 1 file of the fork", "--allow-rest")
    assert read_tree(tmp_path / "again/acme") == read_tree(out)


def test_a_fork_without_its_own_folder_new(engine, tmp_path):
    """What the base has in third_party/acme too is the trunk's, not the backend's."""
    base = {**BASE, "third_party/acme/lib/x.cpp": file(numbered(40))}
    fork = {**base, "third_party/acme/lib/x.cpp": file(numbered(41)),
            "third_party/acme/lib/y.cpp": file("int y;\n"), "third_party/acme/z.py": file("z = 1\n")}
    repository = write_repository(tmp_path / "trunk.git", {"base": base, "fork": fork})
    answer = extract(engine, tmp_path / "acme", "--fork", "fork", "--base", "base", "--repository",
                     repository, "--allow-rest")
    assert [(item["trunk"], item["form"]) for item in answer["files"]] == [
        ("third_party/acme/lib/x.cpp", "patch"), ("third_party/acme/lib/y.cpp", "addition"),
        ("third_party/acme/z.py", "rest")]
    check(base, fork, tmp_path / "acme", answer, answer["base"])


@pytest.mark.parametrize("change, words, said", [
    ({}, ["--fork", "nowhere"], ["no revision 'nowhere'"]),
    ({}, ["--fork", "base"], ["differs from its base in nothing"]),
    ({}, ["--out", "{tmp}/Bad-Name"], ["'Bad-Name' is no backend's name"]),
    ({}, ["--out", "{tmp}/taken"], ["taken' exists"]),
    ({}, ["--repository", "{tmp}/taken"], ["git"]),
])
def test_mistakes_leave_nothing(engine, tmp_path, change, words, said):
    repository = write_repository(tmp_path / "trunk.git", {"base": BASE, "fork": {**FORK, **change}})
    (tmp_path / "taken").mkdir()
    usual = ["--fork", "fork", "--base", "base", "--repository", repository, "--out", tmp_path / "acme"]
    outcome = engine.run_command([engine.program, "extract", *map(str, usual),
                                  *(word.format(tmp=tmp_path) for word in words)], cwd=tmp_path)
    outcome.says(2, "error[", *said)
    assert {path.name for path in tmp_path.iterdir()} == {"engine", "trunk.git", "taken"}
    assert list((tmp_path / "taken").iterdir()) == []


@pytest.mark.parametrize("missing", ["--fork", "--base", "--out"])
def test_all_three_are_needed(engine, tmp_path, missing):
    words = {"--fork": "a", "--base": "b", "--out": str(tmp_path / "acme")}
    del words[missing]
    engine.run_command([engine.program, "extract", *sum(words.items(), ())]).says(
        2, "'extract' needs --fork, --base and --out")


def test_what_a_tree_may_hold_besides_files(engine, tmp_path):
    """Links, submodules, build folders, and a file where the base has a folder or the reverse."""
    base = {"lib/a.cpp": file("int a;\n"), "x.h": file("x\n"), "y/z.h": file("z\n"),
            "link.h": Entry(b"x.h", link=True)}
    fork = {"lib/a.cpp": file("int a;\n"), "x.h/deep.h": file("x\n"), "y": file("y\n"),
            "link.h": file("no link\n"), "to.h": Entry(b"x.h", link=True)}
    write_tree(tmp_path / "base", base)
    write_tree(tmp_path / "fork", fork)
    for extra in ("build/CMakeFiles", "sub/.git", "__pycache__"):
        (tmp_path / "fork" / extra).mkdir(parents=True)
    for extra in ("build/CMakeCache.txt", "build/x.cpp", "sub/x.cpp", "__pycache__/x.pyc"):
        (tmp_path / "fork" / extra).write_text("")
    answer = extract(engine, tmp_path / "acme", "--base", tmp_path / "base", "--fork",
                     tmp_path / "fork", "--allow-rest")
    assert {item["trunk"]: item.get("reason") for item in answer["files"]} == {
        "link.h": "the base has no regular file there", "to.h": "a symbolic link",
        "sub": "a submodule", "y": "neither source, header, TableGen nor CMake file",
        "x.h/deep.h": "the base has a file where its folder is",
        **{path: "removed by the fork: only sources and modules can be taken out, so override what "
                 "uses it" for path in ("x.h", "y/z.h")}}


def test_odd_names(engine, tmp_path):
    """Bytes that CMake cannot carry are listed, whatever they are; the others come through."""
    odd = ["lib/new\nline.cpp", "lib/ta\tb.cpp", "lib/b\\slash.cpp", 'lib/quo"te.cpp', "lib/semi;colon.cpp",
           "lib/$var.cpp", "lib/[x].cpp", "lib/\udcff.cpp"]
    fine = ["lib/sp ace.cpp", "lib/-dash.cpp", "lib/caf\u00e9.cpp", "lib/a=b.cpp", "lib/#hash.cpp",
            "lib/.hidden.cpp", "lib/%41.cpp", "lib/a.patch.cpp", "lib/(x){y}.cpp", "python/triton/a=b.py",
            "python/triton/#x.py"]
    base = {"lib/a.cpp": file("int a;\n"), **{path: file(numbered(60)) for path in fine[:5]}}
    fork = {**base, **{path: file(numbered(61)) for path in odd + fine}}
    write_tree(tmp_path / "base", base)
    write_tree(tmp_path / "fork", fork)
    answer = extract(engine, tmp_path / "acme", "--base", tmp_path / "base", "--fork", tmp_path / "fork",
                     "--allow-rest")
    items = {item["trunk"]: item for item in answer["files"]}
    assert len(items) == len(odd + fine)
    listed = {path for path, item in items.items() if item["form"] == "rest"}
    assert listed.isdisjoint(fine) and len(listed) == len(odd)
    assert {item["form"] for path, item in items.items() if path in fine[:5]} == {"patch"}
    made = compose(base, read_tree(tmp_path / "acme"), "acme")
    assert {path: entry for path, entry in made.items() if path in fine} == {
        path: fork[path] for path in fine}


def test_names_that_a_line_of_spec_ini_cannot_hold(engine, tmp_path):
    """Too long for one, or with its separators: listed, and the rest is proved all the same."""
    long = "python/triton/" + "x" * 180 + ".py"
    closed = "python/triton/experimental/tle/a=b.py"
    base = {"lib/a.cpp": file("int a;\n"), long: file("x = 1\n"), closed: file("x = 1\n")}
    fork = {"lib/a.cpp": file("int b;\n"), closed: file("x = 2\n")}
    write_tree(tmp_path / "base", base)
    write_tree(tmp_path / "fork", fork)
    answer = extract(engine, tmp_path / "acme", "--base", tmp_path / "base", "--fork", tmp_path / "fork",
                     "--allow-rest")
    assert {item["trunk"]: item.get("reason") for item in answer["files"]} == {
        "lib/a.cpp": None, long: "a path too long for a line of spec.ini",
        closed: "policy needs a line in spec.ini, which cannot hold this name"}


def test_half_megabyte_lines_and_bytes_of_all_sorts(engine, tmp_path):
    """What is no text is compared all the same."""
    rng = random.Random("bytes")
    noise = rng.randbytes(200_000)
    base = {"lib/a.cpp": file(noise), "lib/b.cpp": file(b"x" * 500_000), "lib/c.h": file(b"\0\0\n" * 9999)}
    fork = {"lib/a.cpp": file(noise[:100_000] + b"!" + noise[100_000:]),
            "lib/b.cpp": file(b"x" * 500_000 + b"y\n"), "lib/c.h": file(b"\0\0\n" * 9998)}
    write_tree(tmp_path / "base", base)
    write_tree(tmp_path / "fork", fork)
    answer = extract(engine, tmp_path / "acme", "--base", tmp_path / "base", "--fork", tmp_path / "fork")
    check(base, fork, tmp_path / "acme", answer, "-")
    assert [item["form"] for item in answer["files"]] == ["patch", "copy", "patch"]
