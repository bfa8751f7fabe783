"""Code objects of a stage's modules that name the vendor's file and line.

A vendor's whole module is copied into the stage, and a merged one holds pieces of his file. What runs
from them should say so: tracebacks, ``inspect.getsource`` (from which a JIT takes a kernel's text),
coverage and debuggers go by a code object's file and first line.
"""

import bisect
import linecache
import tokenize


class Spans:
    """Which lines of a module are lines of a vendor's file.

    `rows` are (first line, number of lines, file, first line in that file), all from 1; what no row
    covers is a line of the trunk or of this project. whole: the module is the vendor's file.
    """

    def __init__(self, rows, whole=False):
        self.rows = sorted(tuple(row) for row in rows)
        self.whole = whole
        self._starts = [row[0] for row in self.rows]

    def place(self, first, last):
        """(file, line there) of lines `first` to `last`, or None if they are not of one piece."""
        index = bisect.bisect_right(self._starts, first) - 1
        if index < 0:
            return None
        line, count, file, there = self.rows[index]
        return (file, there + first - line) if last < line + count else None


def _extent(code):
    """(code object, its last line, the same of the code objects in it)."""
    inner = [_extent(value) for value in code.co_consts if hasattr(value, "co_code")]
    last = max((line for _, _, line in code.co_lines() if line), default=code.co_firstlineno)
    return code, max([last, code.co_firstlineno, *(end for _, end, _ in inner)]), inner


def _mapped(extent, spans):
    """The code object with the vendor's files and lines; only what differs is made anew."""
    code, last, inner = extent
    changes = {}
    new = {id(old[0]): _mapped(old, spans) for old in inner}
    if any(new[id(old[0])] is not old[0] for old in inner):
        changes["co_consts"] = tuple(new.get(id(value), value) for value in code.co_consts)
    own = code.co_name == "<module>" and not spans.whole
    place = None if own else spans.place(code.co_firstlineno, last)
    if place is not None:
        # Lines are kept relative to the first one, so all of them move with it.
        changes["co_filename"], changes["co_firstlineno"] = place
    return code.replace(**changes) if changes else code


def _move_error(error, spans):
    """Makes a SyntaxError name the vendor's file and line."""
    place = spans.place(error.lineno, error.lineno) if error.lineno else None
    if place is None and spans.whole:  # of the file as such, its encoding say
        error.filename = spans.rows[0][2]
    elif place is not None:
        if error.end_lineno:
            error.end_lineno += place[1] - error.lineno
        error.filename, error.lineno = place


def compile_text(text, path, spans, optimize=-1):
    """The code object of the module `text` (bytes), which lies at `path`. SyntaxError."""
    try:
        code = compile(text, path, "exec", dont_inherit=True, optimize=optimize)
    except ValueError as error:  # a NUL, before Python 3.12
        raise SyntaxError(str(error), (spans.rows[0][2], None, None, None)) from None
    except SyntaxError as error:
        _move_error(error, spans)
        raise
    return _mapped(_extent(code), spans)


def keep_texts(path, spans):
    """Makes what asks for the vendor's lines get those of the module at `path`, also after an edit of
    his file.

    A kernel's text is read when its module is imported: from an edited file, it would be another's.
    """
    try:
        pieces = _pieces(path, spans)
    except (OSError, SyntaxError, UnicodeDecodeError):  # its import says what is wrong with it
        return
    for vendor, piece in pieces.items():
        if vendor not in linecache.cache:  # of another module
            lines = _text_of(vendor, piece)
            # No time of change: linecache never looks at the file again.
            linecache.cache[vendor] = sum(map(len, lines)), None, lines, vendor


def _pieces(path, spans):
    """{vendor's file: {line: text}} of all that a module holds of it."""
    found = {}
    with tokenize.open(path) as file:
        lines = file.readlines()
    for first, count, vendor, there in spans.rows:
        piece = lines[first - 1:first - 1 + count]
        found.setdefault(vendor, {}).update(enumerate(piece, there))
    return found


def _text_of(vendor, piece):
    """The lines of the vendor's file as the module knows it: the file's own unless it was edited."""
    try:
        with tokenize.open(vendor) as file:
            lines = file.readlines()
    except (OSError, SyntaxError, UnicodeDecodeError):
        lines = []
    if all(line <= len(lines) and lines[line - 1].strip() == text.strip()
           for line, text in piece.items()):
        return lines
    return [piece.get(line, "\n") for line in range(1, max(piece) + 1)]
