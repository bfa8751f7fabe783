"""Patches that the engine makes of random edits: the engine, git and `patch` apply each to the same
new text, and a base that has drifted elsewhere leaves no hunk in doubt.
"""

import random
import subprocess
from typing import NamedTuple

import pytest

from support.toy import clean_environment

from .patches import APPLIES, Engine, lines_of, read_hunks
from .test_patches import insert_elsewhere, random_edit, random_text


class Made(NamedTuple):
    """A patch, and what its maker says of it."""

    text: bytes
    hunks: int
    removed: int
    added: int
    ambiguous: int


class Maker:
    """The program make_patches, kept running."""

    def __init__(self, program):
        self.process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def make(self, old, new, context=3, path="x.py", executable=(0, 0)):
        """Asks for the patch that makes `new` of `old` (None: no file)."""
        sizes = (-1 if text is None else len(text) for text in (old, new))
        head = " ".join(map(str, [context, *sizes, *executable, path])) + "\n"
        self.process.stdin.write(head.encode() + (old or b"") + (new or b""))
        self.process.stdin.flush()
        out = self.process.stdout
        code, size, *numbers = map(int, out.readline().split())
        assert code == 0
        return Made(out.read(size), *numbers)

    def close(self):
        """Ends the program; its exit status must be 0."""
        self.process.stdin.close()
        assert self.process.wait() == 0
        self.process.stdout.close()


@pytest.fixture(scope="module")
def maker(triton_spec):
    """The engine, ready to make patches."""
    maker = Maker(triton_spec.parent.parent / "tests/patch/make_patches")
    yield maker
    maker.close()


@pytest.fixture(scope="module")
def engine(triton_spec):
    """The engine, ready to apply them."""
    engine = Engine(triton_spec.parent.parent / "tests/patch/apply_patches")
    yield engine
    engine.close()


def run(folder, command, status=0):
    """Runs a program; its output."""
    done = subprocess.run(command, cwd=folder, env=clean_environment(), stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, check=False)
    assert done.returncode == status, done.stdout
    return done.stdout


def test_random_edits_round_trip(engine, maker):
    """Exactly the new text; from a base that may be another one too, if no hunk is ambiguous; and
    from one with lines inserted elsewhere, what has these lines and the edit."""
    rng = random.Random("made")
    seen = {"several": 0, "moved": 0}
    for _ in range(1500):
        old = random_text(rng)
        new = random_edit(rng, old)
        made = maker.make(old, new, rng.choice([1, 3, 3]))
        if old == new:
            assert made == Made(b"", 0, 0, 0, 0)
            continue
        for exact in (True, False)[:1 if made.ambiguous else 2]:
            answer = engine.apply(made.text, old, exact)
            assert (answer.code, answer.text) == (0, new), (old, new, made)
        seen["several"] += made.hunks > 1
        base = insert_elsewhere(rng, made.text, old)
        at_edge = any(lines_of(base)[at].startswith(b"inserted") for at in (0, -1)) if base else True
        if made.ambiguous or at_edge:
            continue
        answer = engine.apply(made.text, base, exact=False)
        assert answer.code == 0, (base, made)
        assert all(state == APPLIES for state, _, _ in answer.places)
        inserted = [line for line in lines_of(base) if line.startswith(b"inserted")]
        assert sorted(lines_of(answer.text)) == sorted(lines_of(new) + inserted)
        seen["moved"] += any(offset for _, _, offset in answer.places)
    assert min(seen.values()) > 20, seen


def test_git_and_patch_apply_them(maker, tmp_path):
    """What other tools make of a patch, byte for byte, and that git's is no smaller."""
    rng = random.Random("by others")
    for number in range(60):
        old, path = random_text(rng), tmp_path / "x.py"
        new = random_edit(rng, old)
        if old == new:
            continue
        made = maker.make(old, new)
        (tmp_path / "p").write_bytes(made.text)
        git = ["git", "-c", "core.autocrlf=false", "apply", "--whitespace=nowarn", "p"]
        for command in (git, ["patch", "--binary", "-s", "-F0", "-p1", "-i", "p"])[:1 + number % 2]:
            path.write_bytes(old)
            run(tmp_path, command)
            # `patch` removes a file that becomes empty.
            assert (path.read_bytes() if path.exists() else b"") == new, (old, new, made.text)
        (tmp_path / "old").write_bytes(old)
        path.write_bytes(new)
        stat = run(tmp_path, ["git", "diff", "--no-index", "--numstat", "--text", "--minimal", "old",
                              "x.py"], status=1)
        added, removed = map(int, stat.split()[:2])
        assert made.removed + made.added <= added + removed, (old, new)


@pytest.mark.parametrize("path", ["x.py", "a b/x y.py", "sub/q\"uo\\te.py", "caf\u00e9/x.py"])
def test_files_that_come_and_go_and_modes(maker, tmp_path, path):
    """git reads the headers too, whatever the name."""
    file = tmp_path / path
    for old, new, executable in ((None, b"a\n", (0, 0)), (None, b"", (0, 1)), (b"a\n", None, (0, 0)),
                                 (b"", None, (0, 0)), (b"a\n", b"b\n", (0, 1)),
                                 (b"a\n", b"b\n", (1, 0))):
        file.parent.mkdir(parents=True, exist_ok=True)  # git removes empty folders
        file.unlink(missing_ok=True)
        if old is not None:
            file.write_bytes(old)
            file.chmod(0o755 if executable[0] else 0o644)
        (tmp_path / "p").write_bytes(maker.make(old, new, 3, path, executable).text)
        run(tmp_path, ["git", "apply", "p"])
        assert file.exists() == (new is not None)
        if new is not None:
            assert file.read_bytes() == new
            assert bool(file.stat().st_mode & 0o100) == bool(executable[1])


def test_hunks_show_what_makes_them_unique(maker):
    """The same twelve lines three times: a hunk in the second shows more than three of them."""
    part = [b"line %d\n" % n for n in range(12)]
    old = part * 3
    new = list(old)
    new[18] = b"changed\n"
    made = maker.make(b"".join(old), b"".join(new))
    hunk = read_hunks(made.text)[0]
    assert made.ambiguous == 0 and len(hunk.old) > 12 and len(hunk.old) <= 26
