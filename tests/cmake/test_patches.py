"""Patches of every kind: the build uses the trunk's file with the patch applied.

The vendor's side of each test is a text; `patch()` makes of it what `diff -u` would.
"""

import difflib
import os
import re
import shutil

import pytest

from support.toy import Run, prints, returns, write_tree
from test_faults_td import BASE, OPS, TREE, TYPES, generated, td_toy
from test_rebuild import Steps

TRUNK = {
    "CMakeLists.txt": "include_directories(include)\nadd_subdirectory(lib)\n"
                      "add_executable(app main.c)\ntarget_link_libraries(app L)\n",
    "lib/CMakeLists.txt": "set(word trunk)\nadd_library(L OBJECT A.c B.c)\n"
                          "include(${PROJECT_SOURCE_DIR}/cmake/Words.cmake)\n",
    "cmake/Words.cmake": "target_compile_definitions(L PRIVATE\n"
                         "  FOLDER=\"${word}\"\n  MODULE=\"trunk\")\n",
    "include/t/X.h": '#pragma once\n#include "t/Y.h"\n#define X Y\n',
    "include/t/Y.h": '#define Y "trunk"\n',
    "lib/A.c": '#include "t/X.h"\n' + returns("a", "X") + returns("f", "FOLDER") + returns("m", "MODULE"),
    "lib/B.c": "// one\n// two\n" + returns("b", "trunk"),
    "main.c": prints("a", "b", "f", "m"),
}


def patch(path, old, new):
    """A unified diff between two texts, with the headers of `diff -u`."""
    lines = difflib.unified_diff((old or "").splitlines(True), new.splitlines(True),
                                 "/dev/null" if old is None else f"a/{path}", f"b/{path}")
    return "".join(lines)


def patched(files, trunk=None):
    """An overlay with a patch for each trunk path: {path: text that the file becomes}."""
    return {f"spec_cpp/{path}.patch": patch(path, (trunk or TRUNK).get(path), text)
            for path, text in files.items()}


def vendor(path, trunk=None):
    """The trunk's text of a path as a vendor has it."""
    return (trunk or TRUNK)[path].replace("trunk", "vendor")


def started(toy, files, trunk=None):
    """A toy with these patches, built once."""
    return Steps(toy).start(trunk or TRUNK, patched(files, trunk))


KINDS = {  # what is patched: what the program prints
    "lib/B.c": ["trunk", "vendor", "trunk", "trunk"],
    "include/t/Y.h": ["vendor", "trunk", "trunk", "trunk"],
    "lib/CMakeLists.txt": ["trunk", "trunk", "vendor", "trunk"],
    "cmake/Words.cmake": ["trunk", "trunk", "trunk", "vendor"],
}


def test_every_kind_at_once(toy):
    steps = started(toy, {path: vendor(path) for path in KINDS})
    assert steps.output() == ["vendor"] * 4
    for path in KINDS:
        staged = steps.build.spec / "stage" / path
        assert staged.read_text() == vendor(path) and not staged.is_symlink()
    assert [line for line in steps.build.swaps if "(patched)" not in line] == []
    toy.verify(steps.build)


def test_tablegen(toy):
    """The rule's own file and one that an include of it includes."""
    td_toy(toy, TREE)
    toy.overlay(patched({f"include/triton/{name}": text.replace("trunk", "vendor")
                         for name, text in (("Ops.td", OPS), ("Base.td", BASE))}, TREE))
    assert sorted(generated(toy.configure())) == ["trunk types", "vendor base", "vendor ops"]
