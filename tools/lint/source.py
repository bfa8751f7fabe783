"""Reads a source tree: its files, and C text as the rules want to see it."""

import dataclasses
import os
import pathlib
import re
import subprocess


@dataclasses.dataclass(frozen=True)
class Finding:
    """One broken rule. `line` counts from 1; 0 means the file as a whole."""

    path: str
    line: int
    rule: str
    message: str

    def __str__(self):
        place = f"{self.path}:{self.line}" if self.line else self.path
        return f"{place}: {self.rule}: {self.message}"


class Tree:
    """The files below a root, named by their path from it, with `/` between the parts."""

    def __init__(self, root, files):
        self.root = pathlib.Path(root)
        self.files = sorted(files)

    @classmethod
    def of_git(cls, root):
        """The files that git tracks or would add. Raises CalledProcessError outside a repository."""
        listing = subprocess.run(
            ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
            cwd=root, check=True, capture_output=True).stdout.decode()
        names = filter(None, listing.split("\0"))
        return cls(root, {name for name in names if os.path.isfile(os.path.join(root, name))})

    @classmethod
    def of_folder(cls, root):
        """Every file below a folder."""
        root = pathlib.Path(root)
        return cls(root, {p.relative_to(root).as_posix() for p in root.rglob("*") if p.is_file()})

    def matching(self, suffixes, below=("",), outside=()):
        """The paths with one of the suffixes, below one of the folders and outside the others."""
        return [path for path in self.files
                if path.endswith(tuple(suffixes)) and path.startswith(tuple(below))
                and not path.startswith(tuple(outside) or "\0")]

    def exists(self, path):
        """Whether the path names a file of the tree or a folder that holds one."""
        prefix = path.rstrip("/") + "/"
        return path in self.files or any(name.startswith(prefix) for name in self.files)

    def text(self, path):
        """The file's text, or None if it isn't text (a NUL byte, not UTF-8)."""
        data = (self.root / path).read_bytes()
        try:
            return None if b"\0" in data else data.decode()
        except UnicodeDecodeError:
            return None


_C_TOKEN = re.compile(
    r'//(?:\\\n|[^\n])*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.DOTALL)


def _blank(match):
    token = match.group()
    blank = re.sub(r"[^\n]", " ", token)
    # A literal keeps its quotes, so that `#include "x"` and `f("x")` still look like themselves.
    return token[0] + blank[1:-1] + token[-1] if token[0] in "\"'" else blank


def c_code(text):
    """C text with comments and the insides of literals blanked; every line keeps its number."""
    return _C_TOKEN.sub(_blank, text)


def c_includes(text):
    """Yields (line, name) for each #include that no comment hides."""
    code = c_code(text).split("\n")
    for number, line in enumerate(text.split("\n"), 1):
        if not re.match(r"\s*#\s*include\b", code[number - 1]):
            continue
        match = re.match(r'\s*#\s*include\s*(?:"([^"]+)"|<([^>]+)>)', line)
        if match:
            yield number, match.group(1) or match.group(2)


def _file_level(text):
    """C code without what has braces or semicolons but is neither a function nor a declaration: the
    preprocessor's lines with their continuations, and `extern "C" {`."""
    def blank(match):
        return re.sub(r"[^\n]", " ", match.group())
    code = re.sub(r"^[ \t]*#(?:\\\n|[^\n])*", blank, c_code(text), flags=re.MULTILINE)
    return re.sub(r'\bextern\s*"[^"]*"\s*\{', blank, code)


def _statements(text):
    """Yields (head, first line, last line, tail) for each file-level statement of C text: `head` is
    the text up to its `;` or its first brace, `tail` what follows the braces, None without braces."""
    code = _file_level(text)
    depth, start, head, end = 0, 0, None, None
    for match in re.finditer(r"[{};]", code):
        position, char = match.start(), match.group()
        if char == "{":
            head = code[start:position] if depth == 0 and head is None else head
            depth += 1
            continue
        if char == "}" and depth == 0:  # the end of extern "C"
            start = position + 1
            continue
        depth -= char == "}"
        end = position + 1 if char == "}" and depth == 0 and end is None else end
        # `struct x {...};` and `= {...};` go on after the brace; a function's end is its brace.
        if depth or (char == "}" and not _is_function(head or "")):
            continue
        statement = code[start:position]
        first = start + len(statement) - len(statement.lstrip())
        yield (statement if head is None else head, code.count("\n", 0, first) + 1,
               code.count("\n", 0, position) + 1, None if head is None else code[end:position])
        start, head, end = position + 1, None, None


def _is_function(head):
    """Whether a statement's head is that of a function: `T f(...)`, and no `T x = ...`."""
    return bool(re.search(r"\w\s*\(.*\)\s*$", head, re.DOTALL)) and "=" not in head


def _name(head):
    """The name before a head's first parenthesis: `static int f(int (*g)(void))` gives f."""
    match = re.search(r"(\w+)\s*\(", head)
    return match.group(1) if match else ""


def c_functions(text):
    """Yields (name, first line, last line) for each function that C text defines."""
    for head, first, last, tail in _statements(text):
        if tail is not None and _is_function(head):
            yield _name(head), first, last


def c_declarations(text):
    """Yields (name, first line, last line) for each function that C text declares."""
    for head, first, last, tail in _statements(text):
        if tail is None and _is_function(head) and not re.match(r"\s*(typedef|_Static_assert)\b", head):
            yield _name(head), first, last


def c_variables(text):
    """Yields (declaration, line) for each variable that C text keeps from call to call: at file level, or
    static in a function."""
    other = re.compile(r"\s*(typedef|extern|_Static_assert|PyDoc_STRVAR"
                       r"|((static|const)\s+)*(enum|union|struct)\b\s*\w*\s*$)")
    for head, first, _last, tail in _statements(text):
        if tail and re.match(r"\s*\**\w", tail):
            head += tail  # struct x {...} name;
        if not _is_function(head) and not other.match(head) and not re.search(r"\)\s*$", head):
            yield head.split("=")[0].strip(), first
    lines = c_code(text).split("\n")
    for _name, first, last in c_functions(text):
        for number in range(first, last):
            match = re.match(r"\s+static\s+([^;=(]*?)\s*[;=]", lines[number])
            if match:
                yield match.group(1), number + 1
