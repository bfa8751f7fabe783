"""Unity builds: a batch stays the batch that it is in the trunk, and counts as one unit."""

import re

import pytest

from support.toy import Run, prints, returns

COMPILERS = ["gcc", "clang-22"]

# Two batches: B.c compiles only behind A.c, and D.c only behind C.c.
TRUNK = {
    "CMakeLists.txt": "include_directories(include)\nadd_library(L OBJECT A.c B.c C.c D.c)\n"
                      "set_target_properties(L PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 2)\n"
                      "add_executable(app main.c)\ntarget_link_libraries(app L)\n",
    "include/toy/X.h": '#pragma once\n#define X "trunk X"\n',
    "include/toy/Y.h": '#pragma once\n#define Y "trunk Y"\n',
    "A.c": '#include "toy/X.h"\n#define NEAR X\n' + returns("a", "trunk A"),
    "B.c": returns("b", "NEAR"),
    "C.c": '#include <toy/Y.h>\n#define FAR Y\n' + returns("c", "trunk C"),
    "D.c": returns("d", "FAR"),
    "main.c": prints("a", "b", "c", "d"),
}
PLAIN = ["trunk A", "trunk X", "trunk C", "trunk Y"]


def vendor(*paths):
    """Overrides of these files of the trunk."""
    return {f"spec_cpp/{path}": re.sub("return (NEAR|FAR)", r'return "vendor " \1', TRUNK[path])
            .replace('"trunk', '"vendor') for path in paths}


def batches(build):
    """What each object of L is made of: the sources of a batch, or the source itself."""
    found = []
    for file in build.commands():
        if "/Unity/" in file:
            found.append(re.findall(r'#include "([^"]+)"', (build.path / file).read_text()))
        else:
            found.append([file])
    return sorted([path.split("/")[-1] for path in paths] for paths in found)


@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize("paths", [["A.c"], ["B.c"], ["include/toy/X.h"], ["D.c", "include/toy/Y.h"]])
def test_batch_stays_a_batch(toy, compiler, paths):
    toy.write(TRUNK)
    toy.overlay(vendor(*paths))
    chosen = f"-DCMAKE_C_COMPILER={compiler}"
    build = toy.configure(chosen)
    lines = build.make()
    assert lines == toy.merged(chosen) and lines != PLAIN
    assert batches(build) == [["A.c", "B.c"], ["C.c", "D.c"], ["main.c"]]
    toy.verify(build)


def test_multi_config(toy):
    toy.write(TRUNK)
    toy.overlay(vendor("B.c", "include/toy/Y.h"))
    build = toy.configure(generator="Ninja Multi-Config")
    for kind in ("Debug", "Release"):
        build.ninja("-f", f"build-{kind}.ninja")
        lines = Run([build.path / kind / "app"], env=toy.env).expect(0).out.splitlines()
        assert lines == ["trunk A", "vendor trunk X", "trunk C", "vendor Y"]
    toy.verify(build)


def test_other_targets_keep_their_commands(toy):
    toy.write(TRUNK)
    toy.overlay(vendor("A.c"))
    build, plain = toy.configure(), toy.cmake(build="plain")[0]
    assert build.command("main.c") == plain.command("main.c").replace("/plain", "/build")
    assert all("TRITON_SPEC_TARGET" in build.command(f"unity_{n}_c.c") for n in (0, 1))


def test_source_outside_the_batches_is_a_unit_by_itself(toy):
    alone = "set_property(SOURCE E.c PROPERTY SKIP_UNITY_BUILD_INCLUSION ON)\n"
    toy.write({**TRUNK, "CMakeLists.txt": TRUNK["CMakeLists.txt"].replace("D.c)", "D.c E.c)") + alone,
               "E.c": '#include "toy/Z.h"\n' + returns("e", "Z"), "include/toy/Z.h": '#define Z "trunk Z"\n',
               "main.c": prints("e", "b")})
    toy.overlay({"spec_cpp/include/toy/Z.h": '#define Z "vendor Z"\n'})
    build, plain = toy.configure(), toy.cmake(build="plain")[0]
    assert build.make() == ["vendor Z", "trunk X"]
    for name in ("unity_0_c.c", "unity_1_c.c"):
        assert build.command(name) == plain.command(name).replace("/plain", "/build")
    toy.verify(build)


@pytest.mark.parametrize("path", ["A.c", "C.c", "include/toy/Y.h"])
def test_groups(toy, path):
    """A and B are a group; the others are none, and compiled one by one."""
    toy.write({**TRUNK, "CMakeLists.txt": TRUNK["CMakeLists.txt"] +
               "set_property(TARGET L PROPERTY UNITY_BUILD_MODE GROUP)\n"
               "set_property(SOURCE A.c B.c PROPERTY UNITY_GROUP one)\n",
               "D.c": TRUNK["C.c"].replace("c(void)", "d(void)").replace('"trunk C"', "FAR")})
    toy.overlay(vendor(path))
    build = toy.configure()
    assert build.make() == toy.merged() != PLAIN
    assert batches(build) == [["A.c", "B.c"], ["C.c"], ["D.c"], ["main.c"]]
    toy.verify(build)


def test_removed_source_leaves_its_batch(toy):
    toy.write({**TRUNK, "main.c": prints("a", "b", "d"), "D.c": returns("d", "trunk D")})
    toy.overlay({"spec.ini": "[remove]\npath = C.c\n", **vendor("A.c")})
    build = toy.configure()
    assert build.make() == ["vendor A", "trunk X", "trunk D"]
    assert batches(build) == [["A.c", "B.c"], ["D.c"], ["main.c"]]


@pytest.mark.parametrize("mode", ["", "set_property(TARGET L PROPERTY UNITY_BUILD_MODE GROUP)\n"
                                      "set_property(SOURCE A.c B.c PROPERTY UNITY_GROUP one)\n"
                                      "set_property(SOURCE C.c D.c PROPERTY UNITY_GROUP two)\n"])
def test_current_folder_comes_before_all_that_a_target_has(toy, mode):
    toy.write({**TRUNK, "CMakeLists.txt": "set(CMAKE_INCLUDE_CURRENT_DIR ON)\n" + TRUNK["CMakeLists.txt"] + mode,
               "X.h": '#define X "trunk X"\n', "A.c": TRUNK["A.c"].replace('"toy/X.h"', "<X.h>")})
    toy.overlay({"spec_cpp/X.h": '#define X "vendor X"\n'})
    build = toy.configure()
    assert build.make() == toy.merged() == ["trunk A", "vendor X", "trunk C", "trunk Y"]
    assert batches(build) == [["A.c", "B.c"], ["C.c", "D.c"], ["main.c"]]
    toy.verify(build)


def test_source_of_a_batch_and_of_another_target(toy):
    """Properties of a source hold for the folder: they would take it out of the batch."""
    toy.write({**TRUNK, "CMakeLists.txt": TRUNK["CMakeLists.txt"] + "add_library(M SHARED A.c)\n"})
    toy.overlay(vendor("include/toy/X.h"))
    build = toy.configure()
    assert build.make() == ["trunk A", "vendor X", "trunk C", "trunk Y"]
    assert "TRITON_SPEC_TARGET" in build.command("/A.c")
    toy.verify(build)


def test_earlier_folder_wins_for_all_of_a_batch(toy):
    """A reaches two/y.h; B finds x.h in the folder before, also when the stage has two/x.h."""
    toy.write({"CMakeLists.txt": "add_executable(app main.c A.c B.c C.c)\n"
               "set_target_properties(app PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 2)\n"
               "target_include_directories(app PRIVATE one two)\n",
               "one/x.h": '#define X "trunk one"\n', "two/x.h": '#define X "trunk two"\n',
               "two/y.h": '#define Y "trunk y"\n', "main.c": prints("a", "b", "c"),
               "A.c": '#include <y.h>\n' + returns("a", "Y"), "B.c": '#include <x.h>\n' + returns("b", "X"),
               "C.c": '#include <x.h>\n#undef X\n#include "two/x.h"\n' + returns("c", "X")})
    toy.overlay({"spec_cpp/two/x.h": '#define X "vendor two"\n', "spec_cpp/two/y.h": '#define Y "vendor y"\n'})
    build = toy.configure()
    assert build.make() == toy.merged() == ["vendor y", "trunk one", "vendor two"]
    toy.verify(build)


@pytest.mark.parametrize("compiler", COMPILERS)
def test_edits_after_the_first_build(toy, compiler):
    """Add, edit, re-point to an older file and remove: each time what a fresh build would give."""
    chosen = f"-DCMAKE_C_COMPILER={compiler}"
    toy.write(TRUNK)
    folder = toy.overlay(vendor("D.c"))
    build = toy.configure(chosen)
    assert build.make() == PLAIN[:3] + ["vendor trunk Y"]
    for path in ("A.c", "include/toy/X.h", "include/toy/Y.h"):
        toy.overlay(vendor(path))
    assert build.make() == ["vendor A", "vendor X", "trunk C", "vendor vendor Y"]
    toy.overlay({"spec_cpp/include/toy/X.h": '#define X "vendor 2"\n'})
    assert build.make() == ["vendor A", "vendor 2", "trunk C", "vendor vendor Y"]
    (folder / "spec_cpp/A.c").unlink()
    (folder / "spec_cpp/include/toy/X.h").unlink()
    assert build.make() == ["trunk A", "trunk X", "trunk C", "vendor vendor Y"]
    assert "no work to do" in build.ninja().text
    toy.verify(build)
