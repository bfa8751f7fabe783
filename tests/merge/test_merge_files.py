"""Random merges against `git merge-file`, and what every merge must keep.

The engine's program is the one built beside `triton-spec`.
"""

import collections
import random
import re
import subprocess
from typing import NamedTuple

import pytest

from support.toy import clean_environment

# Few of them, so that lines repeat; some that only bytes tell apart, and some like markers.
WORDS = [b"", b"", b"}", b"{", b"  return x;", b"\treturn x;", b"  return x; ", b"f(a, b);",
         b"f(a,  b);", b"import a", b"import b", b"import c", b"#include <a>", b"#include <b>", b"x = [", b"]", b"def f():",
         b"<<<<<<< ours", b"=======", b">>>>>>> theirs", b"||||||| base", "\u00e9".encode(),
         b"\xff\xfe", b"\xef\xbb\xbfa"]
PATHS = ["a.py", "a.cpp", "CMakeLists.txt", "a.td"]
NAMES = ("ours", "base", "theirs")


class Piece(NamedTuple):
    """How a piece of the result was settled, and its bytes (none for a conflict)."""

    how: str
    text: bytes


class Merged(NamedTuple):
    """The engine's answer: by lines alone, and by everything it knows."""

    lines: bytes
    line_conflicts: bool
    text: bytes
    pieces: list


class Engine:
    """The program merge_files, kept running."""

    def __init__(self, program):
        self.process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def merge(self, base, ours, theirs, path="a.cpp"):
        """Asks the engine for one merge."""
        head = f"{len(base)} {len(ours)} {len(theirs)} {path}\n".encode()
        self.process.stdin.write(head + base + ours + theirs)
        self.process.stdin.flush()
        out = self.process.stdout
        code, line_len, conflicts, length, count = map(int, out.readline().split())
        rows = [out.readline().split() for _ in range(count)]
        lines, text = out.read(line_len), out.read(length)
        assert code == 0, text
        pieces, at = [], 0
        for how, size in rows:
            conflict = how == b"conflict"
            end = text.index(b">>>>>>> theirs", at) if conflict else at + int(size)
            pieces.append(Piece(how.decode(), b"" if conflict else text[at:end]))
            at = text.index(b"\n", end) + 1 if conflict else end
        return Merged(lines, bool(conflicts), text, pieces)

    def close(self):
        """Ends the program, which must not have crashed."""
        self.process.stdin.close()
        self.process.stdout.close()
        assert self.process.wait() == 0


@pytest.fixture(scope="module")
def engine(triton_spec):
    """The engine, ready to merge."""
    engine = Engine(triton_spec.parent.parent / "tests/merge/merge_files")
    yield engine
    engine.close()


def random_base(rng):
    """Up to 40 lines, of half the texts most are unique."""
    unique = rng.random() < 0.5
    return [b"line %d" % n if unique and rng.random() < 0.8 else rng.choice(WORDS)
            for n in range(rng.choice([0, 1, 3, 10, 40]))]


def random_edit(rng, lines):
    """The lines with up to four places changed: added, removed, exchanged, moved, indented."""
    lines = list(lines)
    for _ in range(rng.choice([0, 1, 1, 2, 4])):
        at = rng.randint(0, len(lines))
        count = rng.choice([0, 0, 1, 1, 3])
        new = [rng.choice([*WORDS, b"new %d" % rng.randint(0, 9)]) for _ in range(rng.randint(0, 3))]
        if rng.random() < 0.2:
            new = [b"  " + line for line in lines[at:at + count]]
        if rng.random() < 0.2:
            moved = lines[at:at + count]
            del lines[at:at + count]
            at, count, new = rng.randint(0, len(lines)), 0, moved
        lines[at:at + count] = new
    return lines


def random_case(rng):
    """Base, ours and theirs as bytes, now and then with odd ends."""
    base = random_base(rng)
    end = rng.choice([b"\n", b"\n", b"\n", b"\r\n"])
    texts = []
    for lines in (base, random_edit(rng, base), random_edit(rng, base)):
        text = b"".join(line + (end if rng.random() < 0.99 else b"\n") for line in lines)
        texts.append(text[:-1] if rng.random() < 0.1 else text)
    return texts


def by_git(folder, texts, *options):
    """What `git merge-file` prints, and whether it conflicts."""
    base, ours, theirs = texts
    for name, text in zip(NAMES, (ours, base, theirs), strict=True):
        (folder / name).write_bytes(text)
    labels = [word for name in NAMES for word in ("-L", name)]
    result = subprocess.run(["git", "merge-file", "-p", *options, *labels, *NAMES], cwd=folder,
                            env=clean_environment(), check=False, capture_output=True)
    assert 0 <= result.returncode < 128, result.stderr
    return result.stdout, result.returncode > 0


def bag(text):
    """How often each line is in a text, whatever ends it."""
    return collections.Counter(line.rstrip(b"\r") for line in text.split(b"\n"))


def has_markers(texts):
    """Whether a text has lines like markers, which the checks below could not tell from markers."""
    return any(re.search(rb"^(<{7}|\|{7}|={7}|>{7})", text, re.MULTILINE) for text in texts)


def check(merged, texts, folder):
    """What holds of every merge."""
    base, ours, theirs = texts
    git, conflicts = by_git(folder, texts)
    assert merged.lines == git
    assert merged.line_conflicts == conflicts
    if not conflicts:
        assert merged.text == git
        assert {piece.how for piece in merged.pieces} <= {"lines"}
    if ours == base:
        assert merged.text == theirs
    if theirs == base:
        assert merged.text == ours
    hows = {piece.how for piece in merged.pieces}
    if "conflict" not in hows:
        assert b"".join(piece.text for piece in merged.pieces) == merged.text
    if has_markers(texts):
        return
    if conflicts and "moved" not in hows:
        outside = re.sub(rb"^<{7}.*?^>{7}[^\n]*\n", b"", by_git(folder, texts, "--diff3")[0],
                         flags=re.DOTALL | re.MULTILINE)
        assert b"".join(piece.text for piece in merged.pieces if piece.how == "lines") == outside
    if "tokens" not in hows:
        lost = bag(ours) - bag(base) - bag(merged.text)
        assert not +lost, "the vendor's lines are lost"


def run(engine, folder, seeds):
    """Merges random cases, and says what was seen of each way of merging."""
    seen = collections.Counter()
    for seed in seeds:
        rng = random.Random(seed)
        texts = random_case(rng)
        merged = engine.merge(*texts, rng.choice(PATHS))
        try:
            check(merged, texts, folder)
        except AssertionError as error:
            raise AssertionError(f"seed {seed}: {texts}, {merged}") from error
        seen.update({piece.how for piece in merged.pieces})
    return seen


def test_random_merges(engine, tmp_path):
    """The stage of lines is git's, and nothing is lost."""
    seen = run(engine, tmp_path, range(300))
    assert set(seen) == {"lines", "histogram", "tokens", "united", "conflict"}


@pytest.mark.slow
def test_many_random_merges(engine, tmp_path):
    """The same of 10,000 cases."""
    run(engine, tmp_path, range(10_000, 20_000))


def test_bytes_that_are_no_text(engine):
    """A file with a NUL is one conflict, unless only one side changed it."""
    assert engine.merge(b"a\0\n", b"b\0\n", b"a\0\n").text == b"b\0\n"
    assert engine.merge(b"a\0\n", b"a\0\n", b"c\0\n").text == b"c\0\n"
    merged = engine.merge(b"a\0\n1\n2\n3\n", b"b\0\n1\n2\n3\n", b"a\0\n1\n2\n4\n")
    assert [piece.how for piece in merged.pieces] == ["conflict"]


BLOCKS = [b"".join(b"%s line %d\n" % (name, n) for n in range(5)) + b"\n" for name in (b"f", b"g", b"h")]


@pytest.mark.parametrize("ours_moves", [False, True])
def test_a_block_that_one_side_moved(engine, ours_moves):
    """The other side's change of it goes with it."""
    f, g, h = BLOCKS
    base, moved = f + g + h, g + h + f
    changed = base.replace(b"f line 2", b"f changed")
    merged = engine.merge(base, *((moved, changed) if ours_moves else (changed, moved)))
    assert merged.line_conflicts
    assert merged.text == g + h + f.replace(b"f line 2", b"f changed")
    assert [piece.how for piece in merged.pieces if piece.how != "lines"] == ["moved", "moved"]


def test_a_block_that_stands_twice_is_not_followed(engine):
    """Nobody knows which of the two it is."""
    f, g, h = BLOCKS
    merged = engine.merge(f + g + h, f.replace(b"f line 2", b"f changed") + g + h, g + f + h + f)
    assert "moved" not in {piece.how for piece in merged.pieces}
