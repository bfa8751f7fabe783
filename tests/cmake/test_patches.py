"""Patches of every kind: the build uses the trunk's file with the patch applied.

The vendor's side of each test is a text; `patch()` makes of it what `diff -u` would.
"""

import difflib
import re

from support.toy import Run, prints, returns
from test_faults_td import BASE, OPS, TREE, generated, td_toy
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


def test_edits(toy):
    """Edits of patches and of what they patch: what depends on the result is made, without CMake."""
    both = {"lib/B.c": vendor("lib/B.c"), "include/t/Y.h": vendor("include/t/Y.h")}
    steps = started(toy, both)
    before = (steps.build.spec / "stage/lib/B.c").stat().st_mtime_ns

    # Another patch.
    steps.overlay(patched({"include/t/Y.h": '#define Y "other"\n'}))
    steps.gives(["A.c.o", "app"], ["other", "vendor", "trunk", "trunk"], configured=False)

    # The trunk's file, away from the hunk: it moves.
    steps.trunk({"lib/B.c": "// zero\n" + TRUNK["lib/B.c"]})
    steps.gives(["B.c.o", "app"], ["other", "vendor", "trunk", "trunk"], configured=False)
    assert (steps.build.spec / "stage/lib/B.c").read_text() == "// zero\n" + vendor("lib/B.c")
    assert (steps.build.spec / "stage/lib/B.c").stat().st_mtime_ns > before

    # The same bytes, whatever the patch's own look: nothing is made.
    text = toy.trunk / "third_party/acme/spec_cpp/lib/B.c.patch"
    text.write_text("Why this is so.\n" + text.read_text())
    steps.gives([], ["other", "vendor", "trunk", "trunk"], configured=False)

    # What somebody wrote into the result does not stay.
    (steps.build.spec / "stage/include/t/Y.h").write_text('#define Y "lost"\n')
    steps.ninja()
    assert steps.output() == ["other", "vendor", "trunk", "trunk"]


def test_coming_and_going(toy):
    """Patches that come, break, turn from copies and go."""
    steps = Steps(toy).start(TRUNK, {"spec_cpp/main.c": TRUNK["main.c"] + "// the vendor's\n"})
    steps.overlay(patched({"lib/B.c": vendor("lib/B.c")}))
    steps.gives(["B.c.o", "app"], ["trunk", "vendor", "trunk", "trunk"], configured=True)

    # Broken, in conflict, empty, a misfit: the build stops and says where; what was built stays.
    sound = patched({"lib/B.c": vendor("lib/B.c")})["spec_cpp/lib/B.c.patch"]
    for broken, code, line in ((sound.replace("+1,3", "+1,4"), "patch-broken", 7),
                               (sound.replace("-const", "-int"), "patch-misfit", 6),
                               ("<<<<<<< a\n=======\n>>>>>>> b\n" + sound, "conflict-markers", 1),
                               ("", "patch-broken", None)):
        steps.overlay({"spec_cpp/lib/B.c.patch": broken})
        done = steps.ninja(status=1)[2]
        assert f"[{code}]" in done.words, done.text
        where = "B.c.patch" + (f":{line}" if line else "")
        assert where in done.words.replace(" ", ""), done.text
        assert steps.output() == ["trunk", "vendor", "trunk", "trunk"]
    steps.overlay({"spec_cpp/lib/B.c.patch": sound})
    steps.ninja()
    assert steps.output() == ["trunk", "vendor", "trunk", "trunk"]

    # A copy in its place, and back: the same commands, so that ccache can answer.
    commands = steps.build.commands()
    steps.overlay({"spec_cpp/lib/B.c.patch": None, "spec_cpp/lib/B.c": vendor("lib/B.c")})
    steps.ninja()
    assert steps.build.commands() == commands
    assert (steps.build.spec / "stage/lib/B.c").is_symlink()
    steps.overlay({"spec_cpp/lib/B.c.patch": sound, "spec_cpp/lib/B.c": None})
    steps.ninja()
    assert steps.build.commands() == commands
    assert not (steps.build.spec / "stage/lib/B.c").is_symlink()
    assert steps.output() == ["trunk", "vendor", "trunk", "trunk"]

    steps.overlay({"spec_cpp/lib/B.c.patch": None})
    steps.gives(["app"], ["trunk"] * 4, configured=True)  # the trunk's object is still there


def test_cmake_files(toy):
    """An edit of a patch of a CMake file, or of the file that it changes, configures again."""
    steps = started(toy, {path: vendor(path) for path in ("lib/CMakeLists.txt", "cmake/Words.cmake")})
    assert steps.output() == ["trunk", "trunk", "vendor", "vendor"]
    steps.overlay(patched({"cmake/Words.cmake": TRUNK["cmake/Words.cmake"].replace("trunk", "other")}))
    steps.gives(["A.c.o", "B.c.o", "app"], ["trunk", "trunk", "vendor", "other"], configured=True)
    steps.trunk({"lib/CMakeLists.txt": TRUNK["lib/CMakeLists.txt"] +
                 "target_compile_definitions(L PRIVATE MORE)\n"})
    steps.gives(["A.c.o", "B.c.o", "app"], ["trunk", "trunk", "vendor", "other"], configured=True)


def test_what_names_the_file(toy):
    """Compile errors, __FILE__, debug lines, clangd's database and `why` lead to the result's lines."""
    staged = "spec/stage/lib/B.c"
    text = vendor("lib/B.c").replace("// two\n", "// two\n// three\n") + "const char *file(void) { return __FILE__; }\n"
    overlay = patched({"lib/B.c": text, "include/t/Y.h": vendor("include/t/Y.h")})
    steps = Steps(toy).start(TRUNK, overlay, args=["-DCMAKE_BUILD_TYPE=Debug"])
    build = steps.build
    made = next(build.path.rglob("B.c.o"))
    lines = Run(["objdump", "--dwarf=decodedline", made], env=toy.env).expect(0).text
    assert re.search(r"B\.c\s+4\s", lines), lines
    assert str(build.path / staged).encode() in made.read_bytes()

    database = Run([toy.program, "build", build.path], env=toy.env).expect(0)
    files = re.findall(r'"file": "(.*)"', (build.spec / "compile_commands.json").read_text())
    assert str(build.path / staged) in files and str(build.spec / "stage/include/t/Y.h") in files, database.text
    assert not [file for file in files if file.endswith(".patch")]

    for path in ("lib/B.c", build.path / staged, "spec_cpp/lib/B.c.patch"):
        said = Run([toy.program, "why", "--build", build.path, path], env=toy.env).expect(0).text
        assert "B.c.patch" in said and staged in said and "hunk 1, line 3 of the patch: from line 1 on\n" in said

    steps.overlay(patched({"lib/B.c": text.replace("return __FILE__", "return FILE")}))
    done = steps.ninja(status=1)[2]
    assert f"{build.path / staged}:5:" in done.text and "FILE" in done.text


def test_layers_and_additions(toy):
    """A patch over a lower layer's copy and patch; one that makes a file, with an owner."""
    new = returns("b", "NEW") .replace("const", '#include "t/New.h"\nconst', 1)
    toy.write({**TRUNK, "lib/CMakeLists.txt": TRUNK["lib/CMakeLists.txt"].replace(" B.c", "")})
    toy.overlay({"spec_cpp/include/t/X.h": TRUNK["include/t/X.h"] + "// base\n",
                 **patched({"include/t/Y.h": '#define Y "base"\n'})}, backend="base")
    toy.overlay({"spec.ini": "[backend]\nbase = base\n", "spec.cmake": "spec_target_sources(L lib/New.c)\n",
                 "spec_cpp/include/t/Y.h.patch": patch("Y.h", '#define Y "base"\n', '#define Y "acme"\n'),
                 "spec_cpp/include/t/X.h.patch": patch("X.h", TRUNK["include/t/X.h"] + "// base\n",
                                                       TRUNK["include/t/X.h"] + "// acme\n"),
                 "spec_cpp/lib/New.c.patch": patch("New.c", None, new),
                 "spec_cpp/include/t/New.h.patch": patch("New.h", None, '#define NEW "new"\n')})
    build = toy.configure()
    assert build.make() == ["acme", "new", "trunk", "trunk"]
    assert "lib/New.c -> L (added)" in build.swaps
    assert (build.spec / "stage/include/t/X.h").read_text().endswith("// acme\n")
    toy.verify(build)

    tree = toy.root / "exported"
    Run([toy.program, "export", "--trunk", toy.trunk, "--backend", "acme", "-o", tree], env=toy.env).expect(0)
    for path in ("lib/New.c", "include/t/New.h", "include/t/X.h", "include/t/Y.h"):
        assert (tree / path).read_text() == (build.spec / "stage" / path).read_text()
