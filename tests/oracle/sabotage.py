"""Faults that are made on purpose, in place of the engine's own: the oracle must notice each.

Each is a program that runs the real one and then spoils what it has written, as a fault in the engine
would. Which property notices it stands beside it.
"""

import stat

# Python code: `spec` is the folder of results, `step` the command that has just been run.
FAULTS = {
    # name: (code, kinds of outcome that notice it)
    "no unit is told of an override": ("""
if step == "place":
    edit("place.cmake", lambda text: re.sub(r'_spec_unit\\((?:"[^"]*"|[^)"])*\\)', "", text))
""", {"text", "verify"}),
    "units lose their include folders": ("""
if step == "place":
    edit("place.cmake", lambda text: re.sub(r'(_spec_unit\\("[^"]*" \\w+) "[^"]*"', r'\\1 ""', text))
""", {"text", "preprocess"}),
    "sources are not swapped": ("""
if step == "place":
    edit("place.cmake", lambda text: re.sub(r'set_property\\(TARGET(?:"[^"]*"|[^)"])*\\)', "", text))
""", {"text", "units"}),
    "a link of the stage leads to the trunk": ("""
if step == "place":
    for link in sorted(p for p in (spec / "stage").rglob("*") if p.is_symlink()):
        own = trunk / link.relative_to(spec / "stage")
        if own.is_file():
            link.unlink()
            link.symlink_to(own)
""", {"text"}),
    "the stage holds what a patch was to change": ("""
if step == "place":
    for path in sorted(p for p in (spec / "stage").rglob("*") if p.is_file() and not p.is_symlink()):
        path.write_text((trunk / path.relative_to(spec / "stage")).read_text())
""", {"text"}),
    "a neighbour is missing in the stage": ("""
if step == "place":
    for link in sorted(p for p in (spec / "stage").rglob("*.h") if p.is_symlink()):
        if str(trunk) in os.readlink(link) and "spec_cpp" not in os.readlink(link):
            link.unlink()
""", {"text", "preprocess"}),
    "tblgen is not wrapped": ("""
if step == "stage":
    for wrapper in (spec / "tblgen").glob("*/tblgen"):
        wrapper.write_text('#!/bin/sh\\nexec "$@"\\n')
""", {"tablegen"}),
    "the proof sees nothing": ("""
if step == "verify":
    print('{"overrides": 1, "proved": 1, "configured": 0, "pending": 0, "findings": []}')
    raise SystemExit(0)
""", {"verify"}),
    "the package keeps the trunk's module": ("""
if step in ("stage", "check"):  # each writes it
    for path in (spec / "python").rglob("*.py"):
        if not path.is_symlink():
            path.write_text("x = 'trunk'\\n")
""", {"package"}),
}

_PROGRAM = '''#!{python}
import os, pathlib, re, subprocess, sys
step = sys.argv[1]
done = subprocess.run([{program!r}, *sys.argv[1:]], capture_output=step == "verify", check=False)
if done.returncode not in (0, 1):
    raise SystemExit(done.returncode)
words = sys.argv
spec = pathlib.Path(words[words.index("--out") + 1]) if "--out" in words else None
if step == "check":
    spec = pathlib.Path(words[-1]) / "spec"
trunk = pathlib.Path(words[words.index("--trunk") + 1]) if "--trunk" in words else None


def edit(name, change):
    path = spec / name
    path.write_text(change(path.read_text()))

{code}
if done.stdout:
    sys.stdout.buffer.write(done.stdout)
raise SystemExit(done.returncode)
'''


def write_program(path, program, fault, python):
    """Writes a program to `path` that does what `program` does, and then the fault."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(_PROGRAM.format(python=python, program=str(program), code=FAULTS[fault][0]))
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path
