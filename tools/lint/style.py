"""Sizes of files and functions, functions that C should have left behind, the comments of public
interfaces, and the names of test modules."""

import ast
import re

from .source import Finding, c_code, c_declarations, c_functions

FILE_LINES = 500
FUNCTION_LINES = 60

# Trees that play somebody else's: they keep the style of what they stand for.
OTHERS = ("tests/trunk/", "templates/")

SOURCES = (".c", ".h", ".cpp", ".cc", ".hpp", ".td", ".py", ".cmake", "CMakeLists.txt", "Makefile")

# function -> what to use instead
_LENGTH = "it doesn't know the size of its target; use spec_buf or snprintf"
_STATE = "it keeps its state in a static variable; scan with strcspn"
_ERRORS = "it can't report an error; use strtol or strtod"
BANNED = {
    **dict.fromkeys(("strcpy", "strcat", "stpcpy", "sprintf", "vsprintf", "gets"), _LENGTH),
    **dict.fromkeys(("strncpy", "strncat"), "it may leave the end unmarked; use snprintf"),
    **dict.fromkeys(("strtok", "strtok_r"), _STATE),
    **dict.fromkeys(("atoi", "atol", "atoll", "atof"), _ERRORS),
    **dict.fromkeys(("gmtime", "localtime", "ctime", "asctime"),
                    "it returns a static buffer; use the _r form"),
    **dict.fromkeys(("tmpnam", "tempnam", "mktemp"), "the name may be taken; use mkstemp"),
    **dict.fromkeys(("system", "popen"), "a shell would read the paths; use an argument vector"),
    "alloca": "it can't fail cleanly; use the arena",
}

_BANNED_CALL = re.compile(r"(?<![\w.])(?<!->)(" + "|".join(BANNED) + r")\s*\(")


def _functions(path, text):
    """Yields (name, first line, last line) for each function of a C, Python or CMake file."""
    if path.endswith((".c", ".h")):
        yield from c_functions(text)
    elif path.endswith(".py"):
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                yield node.name, node.lineno, node.end_lineno
    elif path.endswith((".cmake", "CMakeLists.txt")):
        for name, first, last, _macro in _cmake_functions(text):
            yield name, first, last


def _cmake_functions(text):
    """Yields (name, first line, last line, keyword) for each function and macro of a CMake file."""
    opened = None
    for number, line in enumerate(text.split("\n"), 1):
        match = re.match(r"\s*(function|macro)\s*\(\s*([\w.]+)", line, re.IGNORECASE)
        if match:
            opened = (match.group(2), number, match.group(1).lower())
        elif opened and re.match(r"\s*end" + opened[2] + r"\s*\(", line, re.IGNORECASE):
            yield opened[0], opened[1], number, opened[2]
            opened = None


def check_sizes(tree):
    """Files over FILE_LINES lines and functions over FUNCTION_LINES."""
    findings = []
    for path in tree.matching(SOURCES):
        text = tree.text(path) or ""
        lines = text.count("\n")
        if lines > FILE_LINES:
            findings.append(Finding(path, 0, "size", f"{lines} lines, at most {FILE_LINES}: split it"))
        if path.startswith(OTHERS):
            continue
        for name, first, last in _functions(path, text):
            if last - first + 1 > FUNCTION_LINES:
                findings.append(Finding(path, first, "size", (
                    f"{name} has {last - first + 1} lines, at most {FUNCTION_LINES}: "
                    "name a part of it")))
    return findings


def check_banned(tree):
    """Calls of functions in BANNED, in any C file."""
    findings = []
    for path in tree.matching((".c", ".h"), outside=OTHERS):
        for number, line in enumerate(c_code(tree.text(path) or "").split("\n"), 1):
            for match in _BANNED_CALL.finditer(line):
                name = match.group(1)
                findings.append(Finding(path, number, "banned", f"{name}: {BANNED[name]}"))
    return findings


def check_header_comments(tree, header="spec/include/spec.h"):
    """Functions of the public header without a comment. One comment serves the declarations that
    follow it line by line; an empty line ends its reach."""
    findings = []
    text = tree.text(header) if header in tree.files else ""
    lines = text.split("\n")
    covered = 0  # the last line of the declaration that a comment reached
    for name, first, last in c_declarations(text):
        above = lines[first - 2].strip() if first > 1 else ""
        beside = re.search(r";\s*(/\*|//)", lines[last - 1])
        if above.endswith("*/") or above.startswith("//") or beside or covered == first - 1 > 0:
            covered = last
        else:
            findings.append(Finding(header, first, "comments", (
                f"{name} has no comment: say what it returns, who owns it, how it fails")))
    return findings


def check_cmake_comments(tree, reference="docs/reference/cmake.md"):
    """Public CMake functions without a comment before them or without a place in the reference."""
    findings = []
    known = tree.text(reference) if reference in tree.files else ""
    for path in tree.matching((".cmake",), below=("cmake/",)):
        text = tree.text(path) or ""
        lines = text.split("\n")
        for name, first, _last, _keyword in _cmake_functions(text):
            if not re.match(r"(spec|flagtree|set_flagtree)_", name):
                continue
            above = lines[first - 2].strip() if first > 1 else ""
            if not (above.startswith("#") or above.endswith("]]")):
                findings.append(Finding(path, first, "comments", (
                    f"{name} has no comment: say what it takes and when it fails")))
            if not re.search(rf"\b{name}\b", known):
                findings.append(Finding(path, first, "comments", f"{name} is not in {reference}"))
    return findings


def check_modules(tree):
    """Test modules of one name, outside packages: pytest, run over all tests at once, imports only the first."""
    findings, first = [], {}
    for path in tree.matching((".py",), below=("tests/",)):
        folder, name = path.rsplit("/", 1)
        if not name.startswith("test_") or folder + "/__init__.py" in tree.files:
            continue
        other = first.setdefault(name, path)
        if other != path:
            findings.append(Finding(path, 0, "modules", f"{other} has the same name: give it another"))
    return findings


def check(tree):
    """All findings of this module."""
    return (check_sizes(tree) + check_banned(tree) + check_header_comments(tree)
            + check_cmake_comments(tree) + check_modules(tree))
