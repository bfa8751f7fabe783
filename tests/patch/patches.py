"""A second opinion on patches: the rule "where all old lines are, exactly once" in plain Python."""

import subprocess
from typing import NamedTuple

NO_NEWLINE = b"\\ No newline at end of file\n"

APPLIES, UPSTREAMED, NOWHERE, AMBIGUOUS, CLASHES, OFF_EDGE, BLIND = range(7)


class Hunk(NamedTuple):
    """A hunk as lines with their ends; numbers count from 1 as in its header."""

    old_line: int
    new_line: int
    old: list
    new: list
    before: int  # lines of context
    after: int


class Answer(NamedTuple):
    """What the engine says: code (0: applied), bytes of the result or error, states, spans."""

    code: int
    text: bytes
    places: list  # (state, line, offset)
    spans: list   # (line, count, from_patch, source)


def lines_of(text):
    """The lines with their LF; the last may have none."""
    return text.splitlines(keepends=True) if b"\r" not in text else [
        part + b"\n" for part in text.split(b"\n")[:-1]] + (
            [text.rsplit(b"\n", 1)[-1]] if not text.endswith(b"\n") and text else [])


def read_hunks(patch):
    """The hunks of a patch that is known to be sound."""
    hunks = []
    rows = patch.split(b"\n")
    for at, row in enumerate(rows):
        if row.startswith(b"@@ -"):
            old, new = row.split(b" ")[1:3]
            numbers = [[int(n) for n in part[1:].split(b",")] for part in (old, new)]
            counts = [part[1] if len(part) > 1 else 1 for part in numbers]
            hunks.append(_hunk(rows[at + 1:], [part[0] for part in numbers], counts))
    return hunks


def _hunk(rows, starts, counts):
    body = []
    left = list(counts)
    for at, row in enumerate(rows):
        if row.startswith(b"\\"):
            body[-1] = (body[-1][0], body[-1][1][:-1])
        elif left == [0, 0]:
            break
        else:
            body.append((row[:1], row[1:] + b"\n"))
            left[0] -= row[:1] in b" -"
            left[1] -= row[:1] in b" +"
    marks = b"".join(mark for mark, _ in body)
    return Hunk(*starts, [line for mark, line in body if mark in b" -"],
                [line for mark, line in body if mark in b" +"],
                len(marks) - len(marks.lstrip(b" ")), len(marks) - len(marks.rstrip(b" ")))


def find(lines, part):
    """Where `part` is in `lines`, all places, from 0."""
    return [at for at in range(len(lines) - len(part) + 1) if lines[at:at + len(part)] == part]


def place(hunk, lines, exact):
    """(state, place from 0) of one hunk; the place is None where there is none."""
    def keeps_end(at):
        return not hunk.new or hunk.new[-1].endswith(b"\n") or at + len(hunk.old) == len(lines)

    def fits(at):
        first = hunk.before == 0 < hunk.after and hunk.old_line == 1
        last = hunk.after == 0 < hunk.before
        return ((not first or at == 0) and (not last or at + len(hunk.old) == len(lines))
                and keeps_end(at))

    def upstreamed():
        places = find(lines, hunk.new) if hunk.new else []
        return hunk.new_line - 1 in places or (hunk.before + hunk.after >= 3 and len(places) == 1)

    if not hunk.old:
        at = hunk.old_line if lines else 0
        joins = lines and at == len(lines) and not lines[-1].endswith(b"\n")
        if (exact or not lines) and at <= len(lines) and not joins and keeps_end(at):
            return APPLIES, at
        return (UPSTREAMED if upstreamed() else BLIND), None
    places = find(lines, hunk.old)
    if exact and hunk.old_line - 1 in places and keeps_end(hunk.old_line - 1):
        return APPLIES, hunk.old_line - 1
    if len(places) > 1:
        return AMBIGUOUS, None
    if places and fits(places[0]):
        return APPLIES, places[0]
    if upstreamed():
        return UPSTREAMED, None
    return (OFF_EDGE, places[0]) if places else (NOWHERE, None)


def expect(patch, base, exact):
    """States of all hunks and the result, or None when a hunk has no place."""
    lines, states, out, end = lines_of(base), [], [], 0
    for hunk in read_hunks(patch):
        state, at = place(hunk, lines, exact)
        if state == APPLIES and at < end:
            state = CLASHES
        if state == APPLIES:
            out += lines[end:at] + hunk.new
            end = at + len(hunk.old)
        states.append(state)
    result = b"".join(out + lines[end:]) if max(states) <= UPSTREAMED else None
    return states, result


class Engine:
    """The program apply_patches, kept running."""

    def __init__(self, program):
        self.process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def apply(self, patch, base, exact):
        """Asks the engine to apply `patch` to `base` (None: no file)."""
        head = f"{int(exact)} {-1 if base is None else len(base)} {len(patch)}\n".encode()
        self.process.stdin.write(head + (base or b"") + patch)
        self.process.stdin.flush()
        out = self.process.stdout
        code, size, hunks = map(int, out.readline().split())
        places = [tuple(map(int, out.readline().split())) for _ in range(hunks)]
        spans = [tuple(map(int, row.split())) for row in iter(out.readline, b"\n")]
        return Answer(code, out.read(size), places, spans)

    def close(self):
        """Ends the program; its exit status must be 0."""
        self.process.stdin.close()
        assert self.process.wait() == 0
        self.process.stdout.close()
