"""Files that the build makes: looked into as they lie there; until then `verify` is who knows."""

import pytest

from support.toy import prints, returns

COPY = "COMMAND ${{CMAKE_COMMAND}} -E copy ${{CMAKE_SOURCE_DIR}}/{0} {1}"
X = {"include/t/X.h": '#define X "trunk"\n', "main.c": prints("a")}
VENDOR = {"spec_cpp/include/t/X.h": '#define X "vendor"\n'}


def made(output, template):
    """A rule of the build that copies a file of the trunk into the build folder."""
    path = "${CMAKE_BINARY_DIR}/" + output
    return f"add_custom_command(OUTPUT {path} {COPY.format(template, path)} DEPENDS {template})\n"


ONE = "include_directories(include {})\nadd_executable(app main.c {})\n"
GEN = '#include "t/X.h"\n#define G X\n'

# name: (CMakeLists.txt, other files)
WAYS = {
    "header": (ONE.format("${CMAKE_BINARY_DIR}/gen", "A.c ${CMAKE_BINARY_DIR}/gen/G.h") + made("gen/G.h", "G.in"),
               {"G.in": GEN, "A.c": '#include "G.h"\n' + returns("a", "G")}),
    "header_below_include": (
        ONE.format("${CMAKE_BINARY_DIR}/include", "A.c ${CMAKE_BINARY_DIR}/include/t/G.h") +
        made("include/t/G.h", "G.in"), {"G.in": GEN, "A.c": "#include <t/G.h>\n" + returns("a", "G")}),
    "inc": (ONE.format("${CMAKE_BINARY_DIR}", "A.c ${CMAKE_BINARY_DIR}/G.inc") + made("G.inc", "G.in"),
            {"G.in": GEN, "A.c": '#include "G.inc"\n' + returns("a", "G")}),
    "inc_with_tablegens_head": (
        ONE.format("${CMAKE_BINARY_DIR}", "A.c ${CMAKE_BINARY_DIR}/G.h.inc") + made("G.h.inc", "G.in"),
        {"G.in": "/*===- TableGen'erated file ---*- C++ -*-===*\\\n\\*===---===*/\n" + GEN,
         "A.c": '#include "G.h.inc"\n' + returns("a", "G")}),
    "through_another": (
        ONE.format("${CMAKE_BINARY_DIR}", "A.c ${CMAKE_BINARY_DIR}/G.h ${CMAKE_BINARY_DIR}/d/H.h") +
        made("G.h", "G.in") + made("d/H.h", "H.in"),
        {"G.in": '#include "d/H.h"\n', "H.in": GEN, "A.c": "#include <G.h>\n" + returns("a", "G")}),
    "source": (ONE.format("", "${CMAKE_BINARY_DIR}/A.c") + made("A.c", "A.in"),
               {"A.in": '#include "t/X.h"\n' + returns("a", "X")}),
    "source_and_a_header_beside_it": (
        ONE.format("", "${CMAKE_BINARY_DIR}/s/A.c ${CMAKE_BINARY_DIR}/s/G.h") + made("s/A.c", "A.in") +
        made("s/G.h", "G.in"), {"A.in": '#include "G.h"\n' + returns("a", "G"), "G.in": GEN}),
    "source_of_a_library": (
        ONE.format("", "") + "add_library(L OBJECT ${CMAKE_BINARY_DIR}/A.c)\ntarget_link_libraries(app L)\n" +
        made("A.c", "A.in"), {"A.in": '#include "t/X.h"\n' + returns("a", "X")}),
    "by_a_macro": (ONE.format("${CMAKE_BINARY_DIR}", "A.c ${CMAKE_BINARY_DIR}/G.h") + made("G.h", "G.in"),
                   {"G.in": "#define NAME <t/X.h>\n#include NAME\n#define G X\n",
                    "A.c": '#include "G.h"\n' + returns("a", "G")}),
}


@pytest.mark.parametrize("way", WAYS)
def test_first_build_is_refused_and_the_second_is_right(toy, way):
    lists, files = WAYS[way]
    toy.write({"CMakeLists.txt": lists, **X, **files})
    toy.overlay(VENDOR)
    build = toy.configure("-DTRITON_SPEC_UNUSED=warn")
    assert build.make() == ["trunk"]
    said = toy.verify(build, 1).words
    assert "error[shadowed]" in said and "'include/t/X.h'" in said
    assert build.make() == ["vendor"]
    toy.verify(build)
    assert "no work to do" in build.ninja().text


@pytest.mark.parametrize("generator", ["Ninja", "Ninja Multi-Config"])
def test_what_cmake_generates_last(toy, generator):
    """file(GENERATE) writes when placing is done; Ninja sees it before it builds."""
    place = "${CMAKE_BINARY_DIR}/$<CONFIG>"
    toy.write({"CMakeLists.txt": ONE.format(place, f"A.c {place}/B.c") +
               f"file(GENERATE OUTPUT {place}/G.h INPUT ${{CMAKE_SOURCE_DIR}}/G.in)\n"
               f"file(GENERATE OUTPUT {place}/B.c INPUT ${{CMAKE_SOURCE_DIR}}/B.in)\n",
               **X, "main.c": prints("a", "b"), "G.in": GEN, "A.c": '#include "G.h"\n' + returns("a", "G"),
               "B.in": '#include <t/X.h>\n' + returns("b", "X")})
    toy.overlay(VENDOR)
    kind = ["-DCMAKE_BUILD_TYPE=Debug"] if generator == "Ninja" else []
    build = toy.configure("-DTRITON_SPEC_UNUSED=warn", *kind, generator=generator)
    build.ninja()
    toy.verify(build)
    used = build.manifest["overrides"][0]["used_by"]
    assert [name.split("/")[-1] for name in used] == ["A.c.o", "B.c.o"]


def test_generated_header_that_no_longer_includes_the_override(toy):
    lists, files = WAYS["header"]
    toy.write({"CMakeLists.txt": lists.replace("A.c ", "A.c B.c "), **X, **files, "main.c": prints("a", "b"),
               "B.c": '#include "t/X.h"\n' + returns("b", "X")})
    toy.overlay(VENDOR)
    build = toy.configure()
    build.ninja()
    assert build.make() == ["vendor", "vendor"]
    assert "TRITON_SPEC_DIGEST" in build.command("/A.c")
    toy.write({"G.in": '#define G "no override"\n'})
    build.ninja()
    assert build.make() == ["no override", "vendor"]
    assert "TRITON_SPEC_DIGEST" not in build.command("/A.c")
    toy.verify(build)
