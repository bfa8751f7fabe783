"""Precompiled headers: one that reaches an override holds for the whole target."""

import pytest

from support.toy import Run, prints, returns

PCH = {
    "CMakeLists.txt": "include_directories(include)\nadd_executable(app main.c A.c B.c)\n"
                      "target_precompile_headers(app PRIVATE {})\n",
    "include/toy/all.h": '#include <stdio.h>\n#include "toy/X.h"\n',
    "include/toy/X.h": '#define X "trunk X"\n',
    "A.c": returns("a", "X"),
    "B.c": '#include "toy/X.h"\n' + returns("b", "X"),
    "main.c": prints("a", "b"),
}


@pytest.mark.parametrize("header", ["include/toy/all.h", "<toy/all.h>", "[[\"toy/all.h\"]]"])
@pytest.mark.parametrize("path", ["include/toy/X.h", "include/toy/all.h", "A.c"])
def test_precompiled_header(toy, header, path):
    """An override that the precompiled header reaches holds for the whole target."""
    toy.write({**PCH, "CMakeLists.txt": PCH["CMakeLists.txt"].format(header)})
    text = PCH[path].replace("trunk", "vendor")
    if path == "include/toy/all.h":
        text += '#undef X\n#define X "vendor all"\n'
        toy.write({"B.c": returns("b", "X")})
    if path == "A.c":
        text = returns("a", "vendor A")
    toy.overlay({f"spec_cpp/{path}": text})
    assert toy.plain() == ["trunk X", "trunk X"]
    lines = toy.make()
    assert lines == toy.merged() and lines[0].startswith("vendor")


def test_precompiled_header_reused_from_another_target(toy):
    toy.write({**PCH, "CMakeLists.txt": "include_directories(include)\nadd_library(L OBJECT A.c)\n"
               "target_precompile_headers(L PRIVATE include/toy/all.h)\nadd_executable(app main.c B.c)\n"
               "target_precompile_headers(app REUSE_FROM L)\ntarget_link_libraries(app L)\n"})
    toy.overlay({"spec_cpp/include/toy/X.h": '#define X "vendor X"\n'})
    assert toy.plain() == ["trunk X", "trunk X"]
    assert toy.make() == ["vendor X", "vendor X"]


def test_source_that_skips_the_precompiled_header(toy):
    toy.write({**PCH, "CMakeLists.txt": PCH["CMakeLists.txt"].format("include/toy/all.h") +
               "set_property(SOURCE A.c PROPERTY SKIP_PRECOMPILE_HEADERS ON)\n",
               "A.c": "#ifdef X\n#error precompiled\n#endif\n" + returns("a", "trunk A")})
    toy.overlay({"spec_cpp/A.c": "#ifdef X\n#error precompiled\n#endif\n" + returns("a", "vendor A")})
    assert toy.make() == ["vendor A", "trunk X"]


# --- what a compiler takes a precompiled header for ----------------------------------------------

COMPILERS = ["gcc", "clang-22"]
# A precompiled header that a compiler can't take is an error, and so is one that it takes wrongly.
STRICT = "-DCMAKE_C_FLAGS=-Werror"

# L compiles the header, app uses L's, and n.c takes none.
SHARED = {
    "CMakeLists.txt": "include_directories(include)\nadd_library(L OBJECT A.c n.c)\n"
                      "set_source_files_properties(n.c PROPERTIES SKIP_PRECOMPILE_HEADERS ON SKIP_UNITY_BUILD_INCLUSION ON)\n"
                      "target_precompile_headers(L PRIVATE include/toy/all.h)\n"
                      "add_executable(app main.c B.c C.c)\n"
                      "target_precompile_headers(app REUSE_FROM L)\ntarget_link_libraries(app L)\n",
    "include/toy/all.h": '#include <stdio.h>\n#include "toy/X.h"\n',
    "include/toy/X.h": '#define X "trunk X"\n',
    "include/toy/Y.h": '#define Y "trunk Y"\n',
    "A.c": returns("a", "X"),
    "B.c": returns("b", "X"),
    "C.c": '#include "toy/Y.h"\n' + returns("c", "Y"),
    "n.c": "#ifdef X\n#error precompiled\n#endif\n" + '#include "toy/X.h"\n' + returns("n", "X"),
    "main.c": prints("a", "b", "c", "n"),
}
PLAIN = ["trunk X", "trunk X", "trunk Y", "trunk X"]


def override(*paths):
    """Overrides of these files, which say "vendor" where the trunk's say "trunk"."""
    return {f"spec_cpp/{path}": SHARED[path].replace("trunk", "vendor") for path in paths}


def from_interface(text):
    """The same targets, with the header asked for by a library that both link."""
    return text.replace("target_precompile_headers(L PRIVATE include/toy/all.h)",
                        "add_library(i INTERFACE)\ntarget_link_libraries(L i)\n"
                        "target_precompile_headers(i INTERFACE ${CMAKE_CURRENT_SOURCE_DIR}/include/toy/all.h)"
                        ).replace("target_precompile_headers(app REUSE_FROM L)\ntarget_link_libraries(app L)",
                                  "target_link_libraries(app L i)")


WAYS = {
    "reused": lambda text: text,
    "interface": from_interface,
    "unity": lambda text: text + "set_property(TARGET L app PROPERTY UNITY_BUILD ON)\n",
    "unity_of_one": lambda text: text + "set_property(TARGET app PROPERTY UNITY_BUILD ON)\n",
    "unity_of_the_other": lambda text: text + "set_property(TARGET L PROPERTY UNITY_BUILD ON)\n",
}


@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("paths", [["include/toy/X.h"], ["include/toy/X.h", "include/toy/Y.h"]])
def test_shared_header(toy, compiler, way, paths):
    chosen = [f"-DCMAKE_C_COMPILER={compiler}", STRICT]
    toy.write({**SHARED, "CMakeLists.txt": WAYS[way](SHARED["CMakeLists.txt"])})
    toy.overlay(override(*paths))
    build = toy.configure(*chosen)
    assert build.make() == [line.replace("trunk", "vendor") if f"include/toy/{line[-1]}.h" in paths else line
                            for line in PLAIN]
    toy.verify(build)


@pytest.mark.parametrize("compiler", COMPILERS)
def test_edits_after_the_first_build(toy, compiler):
    """Add, edit and remove what the header includes: each time as in a fresh build."""
    chosen = [f"-DCMAKE_C_COMPILER={compiler}", STRICT]
    toy.write(SHARED)
    folder = toy.overlay(override("include/toy/Y.h"))
    build = toy.configure(*chosen)
    assert build.make() == ["trunk X", "trunk X", "vendor Y", "trunk X"]
    toy.overlay(override("include/toy/X.h"))
    assert build.make() == ["vendor X", "vendor X", "vendor Y", "vendor X"]
    toy.overlay({"spec_cpp/include/toy/X.h": '#define X "vendor 2"\n'})
    assert build.make() == ["vendor 2", "vendor 2", "vendor Y", "vendor 2"]
    (folder / "spec_cpp/include/toy/X.h").unlink()
    assert build.make() == ["trunk X", "trunk X", "vendor Y", "trunk X"]
    assert "no work to do" in build.ninja().text
    toy.verify(build)


@pytest.mark.parametrize("generator", ["Ninja", "Ninja Multi-Config"])
def test_header_of_the_current_folder(toy, generator):
    """CMAKE_INCLUDE_CURRENT_DIR puts the folder before all that a target has."""
    toy.write({"CMakeLists.txt": "set(CMAKE_INCLUDE_CURRENT_DIR ON)\nadd_executable(app main.c A.c)\n"
               "target_precompile_headers(app PRIVATE include/all.h)\n",
               "include/all.h": "#include <stdio.h>\n#include <X.h>\n", "X.h": '#define X "trunk X"\n',
               "A.c": returns("a", "X"), "main.c": prints("a")})
    toy.overlay({"spec_cpp/X.h": '#define X "vendor X"\n'})
    build = toy.configure(generator=generator)
    build.ninja()
    assert Run([build.path / ("Debug" if " " in generator else "") / "app"]).expect(0).out == "vendor X\n"
    toy.verify(build)
