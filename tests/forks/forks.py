"""Trunks and forks of them, and a second opinion on what an overlay makes of a trunk.

A tree is {path: Entry}. `compose` puts an overlay over a tree by the words of the documents, with the
plain reader of patches in tests/patch.
"""

import os
import subprocess
from typing import NamedTuple

from support.toy import clean_environment
from patch.patches import expect, lines_of


class Entry(NamedTuple):
    """A file of a tree, or a link when the mode says so."""

    data: bytes
    executable: bool = False
    link: bool = False


def file(text, executable=False):
    """A file of this text."""
    return Entry(text if isinstance(text, bytes) else text.encode(), executable)


def numbered(count, word="line"):
    """Text of lines that all differ."""
    return "".join(f"{word} {n};\n" for n in range(count))


# What every random fork begins with: each kind that an overlay knows, and some that it does not.
BASE = {
    "CMakeLists.txt": file("project(toy)\nadd_subdirectory(lib)\n"),
    "README.md": file("# toy\n"),
    "setup.py": file("import setuptools\n"),
    "include/toy/Ops.td": file(numbered(120, "def")),
    "include/toy/Ops.h": file(numbered(160, "int")),
    "lib/CMakeLists.txt": file("add_library(toy\n  a.cpp\n  b.cpp\n)\n"),
    "lib/a.cpp": file(numbered(240, "a")),
    "lib/b.cpp": file("".join("  x;\n" for _ in range(40)) + numbered(90, "b")),
    "lib/crlf.cpp": file("".join(f"c {n};\r\n" for n in range(80))),
    "lib/unended.inc": file("1,\n2,\n3"),
    "lib/empty.h": file(""),
    "cmake/Toy.cmake": file("set(TOY 1)\n"),
    "python/src/main.cc": file(numbered(100, "m")),
    "python/triton/__init__.py": file("from . import runtime\n" * 9 + "__version__ = '1'\n"),
    "python/triton/testing.py": file("".join(f"def f{n}():\n    return {n}\n\n" for n in range(40))),
    "python/triton/knobs.py": file("KNOB = 1\n" * 8),
    "python/triton/runtime/jit.py": file(numbered(120, "x = ")),
    "python/triton/runtime/data.json": file('{"a": 1}\n'),
    "python/test/test_toy.py": file("def test(): pass\n"),
    "test/toy.mlir": file("// RUN: toy\n"),
    "bin/run.cpp": file("int main() {}\n", executable=True),
    "docs/link": Entry(b"../README.md", link=True),
}

FRESH = ["lib/new.cpp", "lib/sub/CMakeLists.txt", "lib/sub/deep.cc", "include/toy/New.td", "lib/New.h",
         "python/triton/fresh.py", "python/triton/runtime/fresh/__init__.py",
         "python/triton/experimental/tle/x.py", "python/triton/more.txt", "test/new.mlir", "notes.md",
         "third_party/acme/backend/driver.py", "third_party/acme/CMakeLists.txt",
         "third_party/acme/spec.ini", "lib/with space.cpp", "lib/q'uote.cpp", "tools/gen.py"]


def edited(rng, data):
    """The bytes with one to three places changed; now and then wholly others."""
    if rng.random() < 0.1:
        return b"".join(b"other %d\n" % rng.randrange(1000) for _ in range(rng.randrange(9)))
    lines = lines_of(data)
    for _ in range(rng.randint(1, 3)):
        at = rng.randint(0, len(lines))
        if 0 < at == len(lines) and not lines[-1].endswith(b"\n"):
            lines[-1] += b"\n"
        lines[at:at + rng.choice([0, 0, 1, 2])] = [
            rng.choice([b"new %d;\n" % rng.randrange(99), b"  x;\n", b"\n", b"y\r\n"])
            for _ in range(rng.choice([0, 1, 1, 4]))]
    data = b"".join(lines)
    return data[:-1] if rng.random() < 0.1 else data


def random_fork(rng, base):
    """A tree made of another by up to ten changes of all sorts."""
    fork = dict(base)
    for _ in range(rng.randint(1, 10)):
        path = rng.choice(sorted(fork))
        entry, what = fork[path], rng.random()
        if what < 0.55:
            fork[path] = entry._replace(data=b"../elsewhere" if entry.link else edited(rng, entry.data))
        elif what < 0.65:
            del fork[path]
        elif what < 0.7 and not entry.link:
            fork[path] = entry._replace(executable=not entry.executable)
        elif what < 0.73:
            fork[path] = Entry(b"target", link=not entry.link)
        else:
            path = rng.choice(FRESH)
            if not any(name.startswith(path + "/") for name in fork):
                fork[path] = Entry(edited(rng, b"one\ntwo\n"), rng.random() < 0.1)
    return fork


def write_tree(folder, tree):
    """Writes a tree into a folder, which may be there."""
    for path, entry in tree.items():
        full = folder / path
        full.parent.mkdir(parents=True, exist_ok=True)
        if entry.link:
            os.symlink(entry.data, os.fsencode(full))
        else:
            full.write_bytes(entry.data)
            full.chmod(0o755 if entry.executable else 0o644)
    return folder


def read_tree(folder):
    """The tree that lies in a folder."""
    tree = {}
    for root, folders, names in os.walk(folder):
        for name in [*names, *(n for n in folders if os.path.islink(os.path.join(root, n)))]:
            full = os.path.join(root, name)
            path = os.path.relpath(full, folder)
            if os.path.islink(full):
                tree[path] = Entry(os.readlink(os.fsencode(full)), link=True)
            else:
                with open(full, "rb") as stream:
                    tree[path] = Entry(stream.read(), bool(os.stat(full).st_mode & 0o100))
    return tree


def git(folder, *words, data=None):
    """Runs git in a folder; its output."""
    who = {f"GIT_{role}_{key}": value for role in ("AUTHOR", "COMMITTER")
           for key, value in (("NAME", "A"), ("EMAIL", "a@example.com"), ("DATE", "1700000000 +0000"))}
    done = subprocess.run(["git", "-c", "core.quotePath=false", *words], cwd=folder, input=data,
                          env=clean_environment(GIT_CONFIG_NOSYSTEM="1", GIT_CONFIG_GLOBAL="/dev/null",
                                                **who),
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout


def write_repository(folder, trees):
    """A bare repository with a branch for each tree: {branch: tree}."""
    folder.mkdir()
    git(folder, "init", "-q", "--bare", "-b", "main", ".")
    script = []
    for branch, tree in trees.items():
        script.append(b"commit refs/heads/%s\ncommitter A <a@example.com> 1700000000 +0000\n"
                      b"data 1\nx\n" % branch.encode())
        for path, entry in sorted(tree.items()):
            mode = b"120000" if entry.link else b"100755" if entry.executable else b"100644"
            script.append(b"M %s inline %s\ndata %d\n%s\n" % (mode, path.encode(), len(entry.data),
                                                             entry.data))
        script.append(b"\n")
    git(folder, "fast-import", "--quiet", data=b"".join(script))
    return folder


def _mode_of(patch, executable):
    """Whether the file is executable once the patch is applied."""
    for row in patch.split(b"\n"):
        if row.startswith(b"new mode "):
            return row.endswith(b"755")
        if row.startswith(b"@@"):
            break
    return executable


def compose(base, overlay, name):
    """The tree that an overlay makes of another, by the rules that the documents state."""
    tree = dict(base)
    ini = overlay.get("spec.ini", Entry(b"")).data.decode()
    for row in ini.split("\n"):
        if row.startswith("path = "):
            del tree[row.removeprefix("path = ")]
    for path, entry in overlay.items():
        if path in ("spec.ini", "spec.lock"):
            continue
        top, _, inner = path.partition("/")
        trunk = inner if top == "spec_cpp" else f"python/{inner}" if top == "spec" else \
            f"third_party/{name}/{path}"
        if trunk.endswith(".patch"):
            trunk = trunk.removesuffix(".patch")
            _, data = expect(entry.data, base[trunk].data, exact=True)
            tree[trunk] = Entry(data, _mode_of(entry.data, base[trunk].executable))
        else:
            tree[trunk] = entry
    return tree
