"""What an overlay made of a fork is to a build: the exported tree is the fork's."""

import random
import shutil

import pytest

from .forks import BASE, edited, read_tree, random_fork, write_repository, write_tree
from .test_extract import engine, extract  # noqa: F401  the fixture
from .test_patchify import COPIED, change, place, put

# What an export has besides: docs/reference/export.md.
MADE = (".triton-spec/", "python/triton/FLAGTREE_BACKEND", "python/triton/_flagtree_",
        "python/triton/spec/")


def is_python(data):
    """Whether a module can be compiled; others are refused."""
    try:
        compile(data, "x", "exec")
    except (SyntaxError, ValueError):
        return False
    return True


def sound(tree, base):
    """The tree with modules that are no Python as the base has them, or gone."""
    out = {}
    for path, entry in tree.items():
        if path.startswith("python/triton/") and path.endswith(".py") and not is_python(entry.data):
            if path not in base:
                continue
            entry = base[path]
        out[path] = entry
    return out


def exported(engine, trunk, vendors):  # noqa: F811
    """The files of an export, but for what it has of its own."""
    out = engine.root / "exported"
    if out.exists():
        shutil.rmtree(out)
    done = engine.run_command([engine.program, "export", "--trunk", str(trunk), "--root", str(vendors),
                               "--backend", "acme", "--out", str(out)])
    assert done.status == 0, done.text
    return {path: entry for path, entry in read_tree(out).items() if not path.startswith(MADE)}


def run_cases(engine, tmp_path, seed, cases):  # noqa: F811
    """Random forks: extracted, put over the base again, and exported."""
    rng = random.Random(seed)
    forks = {f"fork{n}": sound(random_fork(rng, BASE), BASE) for n in range(cases)}
    repository = write_repository(tmp_path / "trunk.git", {"base": BASE, **forks})
    trunk = write_tree(tmp_path / "trunk", BASE)
    for name, fork in forks.items():
        if fork == BASE:
            continue
        answer = extract(engine, tmp_path / name / "acme", "--fork", name, "--base", "base",
                         "--repository", repository, "--allow-rest")
        left = {item["trunk"] for item in answer["files"] if item["form"] in ("rest", "own")}
        got = exported(engine, trunk, tmp_path / name)
        for path in {*BASE, *fork}:
            wanted = (BASE if path in left else fork).get(path)
            if wanted is None or not wanted.link:  # an export has copies in the place of links
                assert got.get(path) == wanted, path


def test_the_export_is_the_fork(engine, tmp_path):  # noqa: F811
    run_cases(engine, tmp_path, "exports", 15)


@pytest.mark.slow
def test_many_exports_are_forks(engine, tmp_path):  # noqa: F811
    run_cases(engine, tmp_path, "many exports", 500)


def test_patchified_copies_export_as_they_were(engine, tmp_path):  # noqa: F811
    rng = random.Random("patchified")
    shutil.rmtree(engine.trunk)
    write_tree(engine.trunk, BASE)
    for _ in range(4):
        shutil.rmtree(engine.acme)
        fork = sound({path: BASE[path]._replace(data=edited(rng, BASE[path].data)) for path in COPIED}, BASE)
        put(engine, {place(path): entry for path, entry in fork.items() if entry != BASE[path]})
        change(engine, "lock")
        before = exported(engine, engine.trunk, engine.vendors)
        change(engine, "patchify", "--all")
        assert exported(engine, engine.trunk, engine.vendors) == before
