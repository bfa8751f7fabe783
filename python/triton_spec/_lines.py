"""Bytecode of made texts that names the vendor's file and line.

A stage's made module (a merge, say) holds pieces of the vendor's files. What runs from such a piece
should say so: tracebacks, ``inspect.getsource`` (from which a JIT takes a kernel's text), coverage
and debuggers go by a code object's file and first line. So the text is compiled here, the code objects
that come wholly from one piece get the vendor's file and their line in it, and the result is put where
Python looks for bytecode. It is marked as not to be checked against its source: a stage's files never
change, another content is another stage.

Where no bytecode may be written, the finder of _finder.py compiles the same way at each start.
"""

import bisect
import importlib.util
import linecache
import marshal
import os
import sys

# PEP 552: the flags of bytecode that is never compared with its source.
_UNCHECKED = (1).to_bytes(4, "little")
HEADER = importlib.util.MAGIC_NUMBER + _UNCHECKED


class Spans:
    """Which lines of a made text are lines of a vendor's file.

    `rows` are (first line, number of lines, file, first line in that file), all from 1; what no row
    covers is a line of the trunk or of this project.
    """

    def __init__(self, rows):
        self.rows = sorted(tuple(row) for row in rows)
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
    # The module's own code is of the made text, whatever it holds: Python sets its file's name.
    place = spans.place(code.co_firstlineno, last) if code.co_name != "<module>" else None
    if place is not None:
        # Lines are kept relative to the first one, so all of them move with it.
        changes["co_filename"], changes["co_firstlineno"] = place
    return code.replace(**changes) if changes else code


def compile_text(text, path, spans, optimize=-1):
    """The code object of the module `text` (bytes), which lies at `path`. SyntaxError names `path`."""
    code = compile(text, path, "exec", dont_inherit=True, optimize=optimize)
    return _mapped(_extent(code), spans)


# --- where Python looks for it --------------------------------------------------------------------

def _has_bytecode(cached):
    """Whether bytecode of ours for this interpreter lies there."""
    try:
        with open(cached, "rb") as file:
            return file.read(len(HEADER)) == HEADER
    except OSError:
        return False


def _write(cached, data):
    """Writes the file by one rename, so that another process never reads half of it."""
    folder = os.path.dirname(cached)
    os.makedirs(folder, exist_ok=True)
    if os.path.islink(folder):
        raise OSError(f"'{folder}' leads out of the stage")
    temporary = f"{cached}.{os.getpid()}"
    try:
        with open(temporary, "xb") as file:
            file.write(data)
        os.replace(temporary, cached)
    except OSError:
        try:
            os.unlink(temporary)
        except OSError:
            pass
        raise


def _prepare(path, spans):
    """Puts bytecode where this interpreter looks for that of `path`; whether it lies there now."""
    cached = importlib.util.cache_from_source(path)
    if _has_bytecode(cached):
        return True
    if sys.dont_write_bytecode:
        return False
    try:
        with open(path, "rb") as file:
            text = file.read()
        code = compile_text(text, path, spans)
        _write(cached, HEADER + importlib.util.source_hash(text) + marshal.dumps(code))
    except (OSError, SyntaxError, ValueError):
        return False  # the module's own import says what is wrong with it
    return True


def prepare(stage, members):
    """Sees to the bytecode of a stage's made modules, for this interpreter and optimization level.

    `members` is {path below the stage: Spans}. Returns those, as {module name: (path, Spans)}, whose
    bytecode is not there and could not be written.
    """
    left = {}
    for name, spans in members.items():
        path = os.path.join(stage, name)
        if not _prepare(path, spans):
            left[module_name(name)] = path, spans
    return left


def module_name(member):
    """"triton/runtime/__init__.py" -> "triton.runtime"."""
    stem = member[:-len(".py")].replace("/", ".")
    return stem[:-len(".__init__")] if stem.endswith(".__init__") else stem


# --- the texts ------------------------------------------------------------------------------------

def _pieces(stage, members):
    """{vendor's file: {line: text}} of all that the stage holds of it."""
    found = {}
    for name, spans in members.items():
        with open(os.path.join(stage, name), encoding="utf-8-sig") as file:
            lines = file.readlines()
        for first, count, vendor, there in spans.rows:
            piece = lines[first - 1:first - 1 + count]
            found.setdefault(vendor, {}).update(enumerate(piece, there))
    return found


def _text_of(vendor, piece):
    """The lines of the vendor's file as the stage knows it: the file's own unless it was edited."""
    try:
        with open(vendor, encoding="utf-8-sig") as file:
            lines = file.readlines()
    except (OSError, UnicodeDecodeError):
        lines = []
    if all(line <= len(lines) and lines[line - 1].strip() == text.strip()
           for line, text in piece.items()):
        return lines
    return [piece.get(line, "\n") for line in range(1, max(piece) + 1)]


def keep_texts(stage, members):
    """Makes what asks for the vendor's lines get those that run, also after an edit of his file.

    A kernel's text is read when its module is imported: with an edited file, it would be another
    kernel's.
    """
    for vendor, piece in _pieces(stage, members).items():
        lines = _text_of(vendor, piece)
        # No time of change: linecache never looks at the file again.
        linecache.cache[vendor] = sum(map(len, lines)), None, lines, vendor
