"""Patches that diff, git and difflib make of random edits, applied by the engine.

Whatever the engine does must be what the rule in patches.py says, and an exact base must always
become the new text. The engine's program is the one built beside `triton-spec`.
"""

import difflib
import random
import subprocess

import pytest

from support.toy import clean_environment

from .patches import (APPLIES, NO_NEWLINE, UPSTREAMED, Engine, expect, find, lines_of, place,
                      read_hunks)

# Few of them, so that contexts repeat; some that differ in what cannot be seen.
WORDS = [b"", b"", b"}", b"    return x", b"\treturn x", b"    return x ", b"a", b"b", b"-- a",
         b"++ b", b"@@ -1 +1 @@", b"\\ No newline", "\u00e9".encode(), b"\xff\xfe", b"\xef\xbb\xbfa"]


@pytest.fixture(scope="module")
def engine(triton_spec):
    """The engine, ready to apply."""
    engine = Engine(triton_spec.parent.parent / "tests/patch/apply_patches")
    yield engine
    engine.close()


def random_text(rng):
    """Up to 50 lines; of half the texts most lines differ."""
    end = rng.choice([b"\n", b"\n", b"\n", b"\r\n"])
    unique = rng.random() < 0.5
    lines = [(b"line %d" % n if unique and rng.random() < 0.8 else rng.choice(WORDS)) + end
             for n in range(rng.choice([0, 1, 2, 7, 20, 50]))]
    text = b"".join(lines)
    return text[:-len(end)] if rng.random() < 0.2 and text != end else text


def random_edit(rng, text):
    """The text with up to four places changed."""
    lines = lines_of(text)
    end = b"\r\n" if lines and lines[0].endswith(b"\r\n") and rng.random() < 0.8 else b"\n"
    for _ in range(rng.randint(1, 4)):
        at = rng.randint(0, len(lines))
        new = [rng.choice([*WORDS, b"new %d" % rng.randint(0, 9)]) + end
               for _ in range(rng.randint(0, 3))]
        if 0 < at == len(lines) and not lines[-1].endswith(b"\n"):
            lines[-1] += end
        lines[at:at + rng.choice([0, 0, 1, 1, 3])] = new
    text = b"".join(lines)
    return text[:-1] if rng.random() < 0.1 and text.endswith(b"x\n") else text


def by_difflib(old, new, context):
    """difflib's diff, with the lines about a missing newline that it leaves out."""
    rows = difflib.diff_bytes(difflib.unified_diff, lines_of(old), lines_of(new), b"x.py", b"x.py",
                              n=context)
    return b"".join(row if row.endswith(b"\n") else row + b"\n" + NO_NEWLINE for row in rows)


def by_program(folder, command):
    """A maker of patches that runs `command` on files named old/x.py and new/x.py."""
    for name in ("old", "new"):
        (folder / name).mkdir(exist_ok=True)

    def make(old, new, context):
        (folder / "old/x.py").write_bytes(old)
        (folder / "new/x.py").write_bytes(new)
        done = subprocess.run([*command, f"-U{context}", "old/x.py", "new/x.py"], cwd=folder,
                              env=clean_environment(), stdout=subprocess.PIPE, check=False)
        assert done.returncode == 1
        return done.stdout
    return make


def makers(folder):
    """name -> (a maker of patches, how many to make)."""
    git = ["git", "-c", "core.autocrlf=false", "diff", "--no-index", "--no-color", "--text"]
    return {"difflib": (by_difflib, 700), "diff": (by_program(folder, ["diff", "--text"]), 100),
            "git": (by_program(folder, git), 100)}


def check(engine, patch, base, exact):
    """The engine's answer, held against the model's."""
    answer = engine.apply(patch, base, exact)
    states, result = expect(patch, base, exact)
    case = (patch, base, exact, answer)
    if result is None:
        assert answer.code != 0, case
        assert b"hunk %d" % (1 + next(i for i, s in enumerate(states) if s > UPSTREAMED)) in \
            answer.text, case
    else:
        assert answer.code == 0, case
        assert answer.text == result, case
        assert [state for state, _, _ in answer.places] == states, case
        check_spans(answer, patch, base)
    return answer


def check_spans(answer, patch, base):
    """Each line of the result is the one that its span names."""
    result, sources = lines_of(answer.text), (lines_of(base), lines_of(patch))
    line = 1
    for start, count, from_patch, source in answer.spans:
        assert start == line and count > 0
        for n in range(count):
            wanted = sources[from_patch][source - 1 + n]
            assert result[line - 1].rstrip(b"\r\n") == wanted[from_patch:].rstrip(b"\r\n")
            line += 1
    assert line == len(result) + 1


def insert_elsewhere(rng, patch, base):
    """The base with a few lines more, none of them within the old lines of a hunk."""
    lines, free = lines_of(base), set(range(len(lines_of(base)) + 1))
    for hunk in read_hunks(patch):
        free -= set(range(hunk.old_line, hunk.old_line + len(hunk.old) - 1))
    if lines and not lines[-1].endswith(b"\n"):
        free.discard(len(lines))
    for at in sorted(rng.sample(sorted(free), min(len(free), 2)), reverse=True):
        lines[at:at] = [b"inserted %d\n" % n for n in range(rng.randint(1, 3))]
    return b"".join(lines)


def spoil(rng, patch, base):
    """The base with one line changed that a hunk shows, or as it is when none shows any."""
    lines = lines_of(base)
    hunk = rng.choice(read_hunks(patch))
    if hunk.old:
        at = hunk.old_line - 1 + rng.randrange(len(hunk.old))
        lines[at] = rng.choice([b" ", b"other", b"X"]) + lines[at]
    return b"".join(lines)


@pytest.mark.parametrize("name", ["difflib", "diff", "git"])
def test_patches_of_random_edits(engine, tmp_path, name):
    """Exact base: the new text. The same base, one that grew and one that was changed: as the rule
    says, and never where a line differs."""
    make, cases = makers(tmp_path)[name]
    rng = random.Random(f"patches of {name}")
    seen = {"moved": 0, "refused": 0, "upstreamed": 0}
    for _ in range(cases):
        old = random_text(rng)
        new = random_edit(rng, old)
        if old == new:
            continue
        patch = make(old, new, rng.choice([0, 1, 3, 3, 3, 5]))
        assert check(engine, patch, old, exact=True).text == new
        for base in (old, insert_elsewhere(rng, patch, old), spoil(rng, patch, old), new):
            for exact in (False, True):
                answer = check(engine, patch, base, exact)
                seen["refused"] += answer.code != 0
                seen["moved"] += any(state == APPLIES and offset for state, _, offset in answer.places)
                seen["upstreamed"] += any(state == UPSTREAMED for state, _, _ in answer.places)
    assert min(seen.values()) > cases // 4, seen


def test_lines_inserted_elsewhere_move_hunks_and_nothing_else(engine):
    """Where every context is the only one of its kind, the outcome is known without the rule."""
    rng = random.Random("inserted elsewhere")
    for _ in range(300):
        old = [b"line %d\n" % n for n in range(60)]
        at = sorted(rng.sample(range(5, 55), 3))
        new = [b"changed %d\n" % n if n in at else line for n, line in enumerate(old)]
        patch = by_difflib(b"".join(old), b"".join(new), 2)
        gap = next(n for n in range(60) if all(abs(n - a) > 3 for a in at))
        more = [b"inserted\n"] * rng.randint(1, 5)
        answer = engine.apply(patch, b"".join(old[:gap] + more + old[gap:]), exact=False)
        assert answer.code == 0
        assert answer.text == b"".join(new[:gap] + more + new[gap:])
        for hunk, (state, line, offset) in zip(read_hunks(patch), answer.places, strict=True):
            assert (state, line) == (APPLIES, hunk.old_line + offset)
            assert offset == (len(more) if hunk.old_line > gap else 0)


def test_the_model_sees_what_it_should():
    """The second opinion is none if it agrees with everything."""
    hunk = read_hunks(b"@@ -2,3 +2,3 @@\n a\n-b\n+c\n d\n")[0]
    lines = [b"a\n", b"b\n", b"d\n"]
    assert (hunk.old, hunk.new) == (lines, [b"a\n", b"c\n", b"d\n"])
    assert find(lines * 2, [b"b\n"]) == [1, 4]
    assert place(hunk, lines, exact=False) == (APPLIES, 0)
    assert place(hunk, lines * 2, exact=False)[0] > UPSTREAMED
    assert place(hunk, [b"x\n", *hunk.new], exact=False)[0] == UPSTREAMED
