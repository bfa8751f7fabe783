"""Headers: in whatever way a file includes another, the override is what it gets.

Most cases compare with the merged tree, a copy of the trunk with the overlay copied over
it: the same sources, found by the compiler alone.
"""

import pytest

from support.toy import prints, returns

ONE = ("include_directories(include)\nadd_executable(app main.c lib/A.c)\n")
MAIN = {"main.c": prints("a")}


def a_returning(value, *includes):
    """lib/A.c with some include lines."""
    return "".join(f"#include {name}\n" for name in includes) + returns("a", value)


def vendor(text):
    """The same file as a vendor has it."""
    return text.replace("trunk", "vendor")


# name: (trunk files besides main.c and the two-line CMakeLists.txt, paths overridden)
WAYS = {
    "by_path": ({"include/t/X.h": '#define X "trunk"\n', "lib/A.c": a_returning("X", '"t/X.h"')},
                ["include/t/X.h"]),
    "angled": ({"include/t/X.h": '#define X "trunk"\n', "lib/A.c": a_returning("X", "<t/X.h>")},
               ["include/t/X.h"]),
    "angled_from_a_header": ({"include/t/X.h": '#define X "trunk"\n', "include/t/W.h": "#include <t/X.h>\n",
                              "lib/A.c": a_returning("X", '"t/W.h"')}, ["include/t/X.h"]),
    "beside_a_header": ({"include/t/X.h": '#define X "trunk"\n', "include/t/W.h": '#include "X.h"\n',
                         "lib/A.c": a_returning("X", '"t/W.h"')}, ["include/t/X.h"]),
    "two_beside": ({"include/t/X.h": '#define X "trunk"\n', "include/t/W.h": '#include "X.h"\n',
                    "include/t/V.h": '#include "W.h"\n', "lib/A.c": a_returning("X", '"t/V.h"')},
                   ["include/t/X.h"]),
    "beside_then_by_path": ({"include/t/X.h": '#define X "trunk"\n', "include/u/W.h": '#include "t/X.h"\n',
                             "include/u/V.h": '#include "W.h"\n', "lib/A.c": a_returning("X", '"u/V.h"')},
                            ["include/t/X.h"]),
    "parent": ({"include/t/X.h": '#define X "trunk"\n', "include/t/u/W.h": '#include "../X.h"\n',
                "lib/A.c": a_returning("X", '"t/u/W.h"')}, ["include/t/X.h"]),
    "parent_of_a_source": ({"X.h": '#define X "trunk"\n', "lib/A.c": a_returning("X", '"../X.h"')}, ["X.h"]),
    "far_parent": ({"include/X.h": '#define X "trunk"\n', "lib/u/W.h": '#include "../../include/X.h"\n',
                    "lib/A.c": a_returning("X", '"u/W.h"')}, ["include/X.h"]),
    "dots_in_the_middle": ({"include/t/X.h": '#define X "trunk"\n', "include/u/.keep": "",
                            "lib/A.c": a_returning("X", '"u/../t/./X.h"')}, ["include/t/X.h"]),
    "below_lib": ({"lib/X.h": '#define X "trunk"\n', "lib/A.c": a_returning("X", '"X.h"')}, ["lib/X.h"]),
    "def": ({"lib/X.def": 'ROW("trunk")\n', "lib/A.c": "#define ROW(x) static const char *row = x;\n"
             '#include "X.def"\nconst char *a(void) { return row; }\n'}, ["lib/X.def"]),
    "def_twice": ({"include/t/X.def": 'ROW("trunk")\n', "lib/A.c":
                   '#define ROW(x) static const char *one = x;\n#include "t/X.def"\n#undef ROW\n'
                   '#define ROW(x) static const char *two = x;\n#include "t/X.def"\n'
                   "const char *a(void) { return one[0] == two[0] ? two : one; }\n"}, ["include/t/X.def"]),
    "inc": ({"lib/X.inc": 'return "trunk";\n',
             "lib/A.c": 'const char *a(void) {\n#include "X.inc"\n}\n'}, ["lib/X.inc"]),
    "pragma_once": ({"include/t/X.h": '#pragma once\n#define X "trunk"\nstatic int once;\n',
                     "include/t/W.h": '#include "X.h"\n',
                     "lib/A.c": a_returning("X", '"t/W.h"', '"t/X.h"', '"../include/t/X.h"')},
                    ["include/t/X.h"]),
    "pragma_once_in_the_includer": (
        {"include/t/X.h": '#define X "trunk"\n', "include/t/W.h": '#pragma once\n#include "X.h"\nstatic int w;\n',
         "include/t/V.h": '#include "t/W.h"\n', "lib/A.c": a_returning("X", '"t/W.h"', '"t/V.h"', "<t/W.h>")},
        ["include/t/X.h"]),
    "guards": ({"include/t/X.h": '#ifndef X_H\n#define X_H\n#define X "trunk"\nstatic int x;\n#endif\n',
                "include/t/W.h": '#include "X.h"\n',
                "lib/A.c": a_returning("X", '"t/W.h"', '"t/X.h"')}, ["include/t/X.h"]),
    "macro": ({"include/t/X.h": '#define X "trunk"\n',
               "lib/A.c": '#define NAME "t/X.h"\n#include NAME\n' + returns("a", "X")}, ["include/t/X.h"]),
    "macro-up": ({"lib/sub/X.h": '#define X "trunk"\n', "lib/deep/d.h": "",
                  "lib/A.c": '#define NAME "deep/../sub/X.h"\n#include NAME\n' + returns("a", "X")},
                 ["lib/sub/X.h"]),
    "macro_beside": ({"lib/X.h": '#define X "trunk"\n',
                      "lib/A.c": '#define NAME "X.h"\n#include NAME\n' + returns("a", "X")}, ["lib/X.h"]),
    "macro_in_the_override": (
        {"lib/X.h": '#define X "trunk"\n', "lib/A.c": '#define NAME "X.h"\n#include NAME\n' + returns("a", "X")},
        ["lib/A.c"]),
    "has_include": ({"include/t/X.h": '#define X "trunk"\n',
                     "lib/A.c": '#if __has_include("t/X.h")\n#include "t/X.h"\n#endif\n' + returns("a", "X")},
                    ["include/t/X.h"]),
    "has_include_added": ({"lib/A.c": '#define X "trunk"\n#if __has_include("t/X.h")\n#undef X\n'
                           '#include "t/X.h"\n#endif\n' + returns("a", "X"),
                           "include/t/X.h": None}, ["include/t/X.h"]),
    "system_header": ({"include/t/X.h": '#define X "trunk"\n', "include/t/W.h": '#include "X.h"\n',
                       "include/t/V.h": '#pragma GCC system_header\n#include "W.h"\n',
                       "lib/A.c": a_returning("X", '"t/V.h"')}, ["include/t/X.h"]),
    "has_include_by_a_macro": (
        {"lib/A.c": '#define NAME "t/X.h"\n#if __has_include(NAME)\n#define X "vendor"\n#else\n#define X "trunk"\n'
         "#endif\n" + returns("a", "X"), "include/t/X.h": None}, ["include/t/X.h"]),
    "commented_line": ({"include/t/X.h": '#define X "trunk"\n',
                        "lib/A.c": "/* one\n two */ #include \"t/X.h\" // three\n" + returns("a", "X")},
                       ["include/t/X.h"]),
    "continued_line": ({"include/t/X.h": '#define X "trunk"\n',
                        "lib/A.c": "# \\\n include \\\n \"t/X.h\"\n" + returns("a", "X")}, ["include/t/X.h"]),
    "header_and_source": ({"include/t/X.h": '#define X "trunk"\n', "lib/A.c": a_returning("X", '"t/X.h"')},
                          ["include/t/X.h", "lib/A.c"]),
    "source_beside_header": ({"lib/X.h": '#define X "trunk"\n', "lib/A.c": a_returning("X", '"X.h"')},
                             ["lib/A.c"]),
    "header_that_includes_its_trunk_neighbour": (
        {"include/t/W.h": '#include "X.h"\n#define W X\n', "include/t/X.h": '#define X "trunk X"\n',
         "lib/A.c": a_returning("W", '"t/W.h"')}, ["include/t/W.h"]),
}


@pytest.mark.parametrize("way", WAYS)
def test_way_of_including(toy, way):
    files, overridden = WAYS[way]
    toy.write({"CMakeLists.txt": ONE, **MAIN, **{k: v for k, v in files.items() if v is not None}})
    toy.overlay({f"spec_cpp/{path}": vendor(files[path] or '#define X "trunk"\n') + "/* vendor */\n"
                 for path in overridden})
    build = toy.configure()
    assert build.make() == toy.merged()
    if way not in ("source_beside_header", "header_that_includes_its_trunk_neighbour",
                   "macro_in_the_override"):
        assert build.run() == ["vendor"] and toy.plain() == ["trunk"]
    kinds = {path: " (added)" if files[path] is None else "" for path in overridden}
    assert build.swaps == [f"{path} -> app{kinds[path]}" for path in sorted(overridden)]


def test_vendor_source_includes_what_the_trunk_did_not(toy):
    """The vendor's text is read too: its own includes reach overrides."""
    toy.write({"CMakeLists.txt": ONE, **MAIN, "lib/A.c": a_returning("trunk"),
               "include/t/X.h": '#define X "trunk"\n', "include/t/Y.h": '#include "X.h"\n'})
    toy.overlay({"spec_cpp/lib/A.c": a_returning("X", '"t/Y.h"'),
                 "spec_cpp/include/t/X.h": '#define X "vendor"\n'})
    assert toy.make() == ["vendor"]


def test_added_header_beside_the_vendors_source(toy):
    toy.write({"CMakeLists.txt": ONE, **MAIN, "lib/A.c": a_returning("trunk")})
    toy.overlay({"spec_cpp/lib/A.c": a_returning("X", '"New.h"', '"t/New.h"'),
                 "spec_cpp/lib/New.h": '#define X "vendor"\n', "spec_cpp/include/t/New.h": "\n"})
    build = toy.configure()
    assert build.make() == ["vendor"]
    assert build.swaps == ["include/t/New.h -> app (added)", "lib/A.c -> app", "lib/New.h -> app (added)"]


# --- the order of the search path ---------------------------------------------------------------

TWO_FOLDERS = {
    "one/x.h": '#define X "trunk one"\n', "two/x.h": '#define X "trunk two"\n',
    "two/y.h": '#define Y "trunk y"\n', "lib/A.c": a_returning("X", '"x.h"', '"y.h"') + returns("y", "Y"),
    "main.c": prints("a", "y"),
}


@pytest.mark.parametrize("form", ['"{}"', "<{}>"])
def test_override_does_not_win_over_an_earlier_folder(toy, form):
    toy.write({"CMakeLists.txt": "include_directories(one two)\nadd_executable(app main.c lib/A.c)\n",
               **TWO_FOLDERS,
               "lib/A.c": a_returning("X", form.format("x.h"), form.format("y.h")) + returns("y", "Y")})
    toy.overlay({"spec_cpp/two/y.h": '#define Y "vendor y"\n'})
    assert toy.make() == toy.merged() == ["trunk one", "vendor y"]


@pytest.mark.parametrize("form", ['"{}"', "<{}>"])
def test_override_of_a_shadowed_file_stays_shadowed(toy, form):
    """two/x.h is overridden, but one/x.h comes first; another unit reaches two/x.h."""
    toy.write({"CMakeLists.txt": "add_executable(app main.c lib/A.c lib/B.c)\n"
                                 "target_include_directories(app PRIVATE one two)\n",
               **TWO_FOLDERS, "lib/A.c": a_returning("X", form.format("x.h")),
               "lib/B.c": '#include "../two/x.h"\n' + returns("y", "X")})
    toy.overlay({"spec_cpp/two/x.h": '#define X "vendor two"\n'})
    assert toy.make() == toy.merged() == ["trunk one", "vendor two"]


def test_earlier_folder_wins_below_a_header_that_reaches_no_override(toy):
    """w.h reaches one/x.h alone, but the unit has the stage on its path, where two/x.h lies."""
    toy.write({"CMakeLists.txt": "add_executable(app main.c lib/A.c lib/B.c)\n"
                                 "target_include_directories(app PRIVATE one two)\n",
               **TWO_FOLDERS, "one/w.h": "#include <x.h>\n",
               "lib/A.c": a_returning("X", "<w.h>", "<y.h>"), "lib/B.c": '#include "../two/x.h"\n' + returns("y", "X")})
    toy.overlay({"spec_cpp/two/x.h": '#define X "vendor two"\n', "spec_cpp/two/y.h": '#define Y "vendor y"\n'})
    assert toy.make() == toy.merged() == ["trunk one", "vendor two"]


@pytest.mark.parametrize("name", ["<x.h>", '"x.h"'])
def test_earlier_folder_wins_for_a_macro(toy, name):
    """Nobody knows which header is meant, so each is found where the trunk finds it."""
    toy.write({"CMakeLists.txt": "add_executable(app main.c lib/A.c lib/B.c)\n"
                                 "target_include_directories(app PRIVATE one two)\n",
               **TWO_FOLDERS, "lib/A.c": f"#define NAME {name}\n" + a_returning("X", "NAME"),
               "lib/B.c": '#include "../two/x.h"\n' + returns("y", "X")})
    toy.overlay({"spec_cpp/two/x.h": '#define X "vendor two"\n'})
    assert toy.make() == toy.merged() == ["trunk one", "vendor two"]


def test_added_header_wins_over_a_later_folder(toy):
    """An addition in an earlier folder: its path comes first, so it is what is meant."""
    toy.write({"CMakeLists.txt": "include_directories(one two)\nadd_executable(app main.c lib/A.c)\n",
               "one/other.h": "\n", "two/x.h": '#define X "trunk two"\n',
               "lib/A.c": a_returning("X", '"x.h"'), **MAIN})
    toy.overlay({"spec_cpp/one/x.h": '#define X "vendor one"\n'})
    build = toy.configure()
    assert build.make() == toy.merged() == ["vendor one"]
    assert build.swaps == ["one/x.h -> app (added)"]


def test_added_header_behind_an_earlier_folder_is_unused(toy):
    toy.write({"CMakeLists.txt": "include_directories(one two)\nadd_executable(app main.c lib/A.c)\n",
               "two/other.h": "\n", "one/x.h": '#define X "trunk one"\n',
               "lib/A.c": a_returning("X", '"x.h"'), **MAIN})
    toy.overlay({"spec_cpp/two/x.h": '#define X "vendor two"\n'})
    assert "'spec_cpp/two/x.h'" in toy.refused().words


PATHS = {
    "target": "target_include_directories(app PRIVATE one two)",
    "before": "target_include_directories(app PRIVATE two)\ntarget_include_directories(app BEFORE PRIVATE one)",
    "options": "target_compile_options(app PRIVATE -I${CMAKE_CURRENT_SOURCE_DIR}/one "
               "-I${CMAKE_CURRENT_SOURCE_DIR}/two)",
    "isystem": 'target_compile_options(app PRIVATE "SHELL:-isystem ${CMAKE_CURRENT_SOURCE_DIR}/one" '
               '"SHELL:-isystem ${CMAKE_CURRENT_SOURCE_DIR}/two")',
    "linked": "add_library(i INTERFACE)\ntarget_include_directories(i INTERFACE one two)\n"
              "target_link_libraries(app i)",
    "linked_static": "add_library(s STATIC lib/S.c)\ntarget_include_directories(s PUBLIC one PRIVATE none "
                     "INTERFACE two)\ntarget_link_libraries(app s)",
    "linked_alias": "add_library(i INTERFACE)\nadd_library(N::i ALIAS i)\n"
                    "target_include_directories(i INTERFACE one two)\ntarget_link_libraries(app PRIVATE N::i)",
    "linked_object": "add_library(o OBJECT lib/S.c)\ntarget_include_directories(o PUBLIC one two)\n"
                     "target_link_libraries(app PRIVATE o)",
    "expression": "target_include_directories(app PRIVATE "
                  "$<BUILD_INTERFACE:${CMAKE_CURRENT_SOURCE_DIR}/one> "
                  '"$<$<COMPILE_LANGUAGE:C>:${CMAKE_CURRENT_SOURCE_DIR}/two>")',
    "current_dir": "set_property(TARGET app PROPERTY INCLUDE_DIRECTORIES "
                   "${CMAKE_CURRENT_SOURCE_DIR}/one/ ${CMAKE_CURRENT_SOURCE_DIR}/lib/../two)",
}


@pytest.mark.parametrize("path", PATHS)
def test_ways_to_get_on_the_search_path(toy, path):
    toy.write({"CMakeLists.txt": f"add_executable(app main.c lib/A.c)\n{PATHS[path]}\n", **TWO_FOLDERS,
               "lib/S.c": "int s;\n"})
    toy.overlay({"spec_cpp/two/y.h": '#define Y "vendor y"\n', "spec_cpp/one/x.h": '#define X "vendor one"\n'})
    assert toy.make() == toy.merged() == ["vendor one", "vendor y"]


SYSTEM = {
    "interface": "target_include_directories(one SYSTEM INTERFACE one)",
    "target": "target_include_directories(one INTERFACE one)\nset_property(TARGET one PROPERTY SYSTEM ON)",
    "option": 'target_compile_options(one INTERFACE "SHELL:-isystem ${CMAKE_CURRENT_SOURCE_DIR}/one")',
    "both": "target_include_directories(one INTERFACE one)\n"
            'target_compile_options(app PRIVATE "SHELL:-isystem ${CMAKE_CURRENT_SOURCE_DIR}/one")',
}


@pytest.mark.parametrize("compiler", ["gcc", "clang-22"])
@pytest.mark.parametrize("way", SYSTEM)
def test_system_folders_come_last(toy, way, compiler):
    """one/ is listed first, but the compiler looks into it last."""
    toy.write({"CMakeLists.txt": "add_executable(app main.c lib/A.c)\nadd_library(one INTERFACE)\n"
               "add_library(two INTERFACE)\ntarget_include_directories(two INTERFACE two)\n"
               f"target_link_libraries(app PRIVATE one two)\n{SYSTEM[way]}\n",
               **TWO_FOLDERS, "one/z.h": '#define Z "trunk z"\n', "main.c": prints("a", "y", "z"),
               "lib/A.c": a_returning("X", "<x.h>", "<y.h>", "<z.h>") + returns("y", "Y") + returns("z", "Z")})
    toy.overlay({"spec_cpp/two/x.h": '#define X "vendor two"\n', "spec_cpp/one/z.h": '#define Z "vendor z"\n'})
    chosen = f"-DCMAKE_C_COMPILER={compiler}"
    build = toy.configure(chosen)
    assert build.make() == toy.merged(chosen) == ["vendor two", "trunk y", "vendor z"]
    toy.verify(build)


def test_include_current_dir(toy):
    """CMAKE_INCLUDE_CURRENT_DIR puts the folder first; angle brackets find it there."""
    toy.write({"CMakeLists.txt": "set(CMAKE_INCLUDE_CURRENT_DIR ON)\nadd_subdirectory(lib)\n",
               "lib/CMakeLists.txt": "add_executable(app ../main.c A.c)\n",
               "lib/X.h": '#define X "trunk"\n', "lib/A.c": a_returning("X", "<X.h>"), **MAIN})
    toy.overlay({"spec_cpp/lib/X.h": '#define X "vendor"\n'})
    assert toy.make() == toy.merged() == ["vendor"]


def test_folder_that_only_the_overlay_has(toy):
    """The trunk names an include folder that it lacks."""
    toy.write({"CMakeLists.txt": "include_directories(extra include)\nadd_executable(app main.c lib/A.c)\n",
               "include/x.h": '#define X "trunk"\n', "lib/A.c": a_returning("X", "<x.h>"), **MAIN})
    toy.overlay({"spec_cpp/extra/x.h": '#define X "vendor"\n'})
    assert toy.make() == toy.merged() == ["vendor"]


def test_include_next(toy):
    toy.write({"CMakeLists.txt": "include_directories(one two)\nadd_executable(app main.c lib/A.c)\n",
               "one/x.h": "#include_next <x.h>\n#define ONE\n", "two/x.h": '#define X "trunk"\n',
               "lib/A.c": a_returning("X", "<x.h>"), **MAIN})
    toy.overlay({"spec_cpp/two/x.h": '#define X "vendor"\n'})
    assert toy.make() == toy.merged() == ["vendor"]


def test_has_include_next(toy):
    """Whether a later folder has the name decides what the text is."""
    toy.write({"CMakeLists.txt": "include_directories(one two)\nadd_executable(app main.c lib/A.c)\n",
               "one/x.h": '#if __has_include_next(<x.h>)\n#include_next <x.h>\n#else\n#define X "trunk"\n#endif\n',
               "two/y.h": "\n", "lib/A.c": a_returning("X", "<x.h>"), **MAIN})
    toy.overlay({"spec_cpp/two/x.h": '#define X "vendor"\n'})
    assert toy.plain() == ["trunk"]
    assert toy.make() == toy.merged() == ["vendor"]


@pytest.mark.parametrize("setting", [
    'target_compile_options(app PRIVATE -include ${CMAKE_CURRENT_SOURCE_DIR}/include/t/X.h)',
    'target_compile_options(app PRIVATE "SHELL:-include t/X.h")',
    'target_compile_options(app PRIVATE "SHELL:-include ${CMAKE_CURRENT_SOURCE_DIR}/include/t/X.h")',
    r'target_compile_options(app PRIVATE "SHELL:-include \"t/X.h\"")',
    r'target_compile_options(app PRIVATE "SHELL:-include \"${CMAKE_CURRENT_SOURCE_DIR}/include/t/X.h\"")',
    'add_library(i INTERFACE)\ntarget_compile_options(i INTERFACE -include t/X.h)\n'
    'target_link_libraries(app i)',
])
def test_forced_header(toy, setting):
    toy.write({"CMakeLists.txt": ONE + setting + "\n", "include/t/X.h": '#define X "trunk"\n',
               "lib/A.c": '#ifndef X\n#error X.h is not forced\n#endif\n' + returns("a", "X"), **MAIN})
    assert toy.plain() == ["trunk"]
    toy.overlay({"spec_cpp/include/t/X.h": '#define X "vendor"\n'})
    assert toy.make() == toy.merged() == ["vendor"]


def test_forced_header_from_the_command_line(toy):
    toy.write({"CMakeLists.txt": ONE, "include/t/X.h": '#define X "trunk"\n',
               "lib/A.c": returns("a", "X"), **MAIN})
    toy.overlay({"spec_cpp/include/t/X.h": '#define X "vendor"\n'})
    assert toy.make("-DCMAKE_C_FLAGS=-include t/X.h") == ["vendor"]


# --- files that CMake makes, and files outside the trunk ----------------------------------------

def test_configured_header_that_includes_an_override(toy):
    toy.write({"CMakeLists.txt": "set(VERSION 1)\nconfigure_file(V.h.in gen/V.h)\n"
               "include_directories(include ${CMAKE_CURRENT_BINARY_DIR}/gen)\n"
               "add_executable(app main.c lib/A.c)\n",
               "V.h.in": '#include "t/X.h"\n#define V @VERSION@\n', "include/t/X.h": '#define X "trunk"\n',
               "lib/A.c": a_returning("X", '"V.h"'), **MAIN})
    toy.overlay({"spec_cpp/include/t/X.h": '#define X "vendor"\n'})
    assert toy.make() == ["vendor"]


def test_configured_source_that_includes_an_override(toy):
    toy.write({"CMakeLists.txt": "include_directories(include)\nconfigure_file(A.c.in A.c)\n"
               "add_executable(app main.c ${CMAKE_CURRENT_BINARY_DIR}/A.c)\n",
               "A.c.in": a_returning("X", '"t/X.h"'), "include/t/X.h": '#define X "trunk"\n', **MAIN})
    toy.overlay({"spec_cpp/include/t/X.h": '#define X "vendor"\n'})
    assert toy.make() == ["vendor"]


def test_override_that_includes_a_generated_header(toy):
    toy.write({"CMakeLists.txt": "set(VERSION trunk)\nconfigure_file(V.h.in gen/V.h)\n"
               "include_directories(${CMAKE_CURRENT_BINARY_DIR}/gen include)\n"
               "add_executable(app main.c lib/A.c)\n",
               "V.h.in": '#define V "generated"\n', "include/t/X.h": '#define X "trunk"\n',
               "lib/A.c": a_returning("X", '"t/X.h"'), **MAIN})
    toy.overlay({"spec_cpp/include/t/X.h": '#include "V.h"\n#define X V\n'})
    assert toy.make() == ["generated"]


PLUGIN = {
    "CMakeLists.txt": "include_directories(include)\nadd_executable(app main.c)\n"
                      "add_subdirectory(${PLUGIN} plugin)\ntarget_link_libraries(app P)\n",
    "include/t/X.h": '#define X "trunk"\n', "include/t/W.h": '#include "X.h"\n', **MAIN,
    "../plugin/CMakeLists.txt": "add_library(P OBJECT lib/P.c)\n",
    "../plugin/lib/P.c": a_returning("X", '"P.h"'),
    "../plugin/lib/P.h": '#include "t/W.h"\n',
}


def test_plugin_outside_the_trunk_includes_trunk_headers(toy):
    toy.write(PLUGIN)
    toy.overlay({"spec_cpp/include/t/X.h": '#define X "vendor"\n'})
    build = toy.configure(f"-DPLUGIN={toy.root}/plugin")
    assert build.make() == ["vendor"]
    assert build.swaps == ["include/t/X.h -> P"]


def test_plugin_that_climbs_into_the_trunk_is_told(toy):
    """A relative path from outside can't be led through the stage: an error, never the trunk's file."""
    toy.write({**PLUGIN, "../plugin/lib/P.h": '#include "../../trunk/include/t/X.h"\n'})
    toy.overlay({"spec_cpp/include/t/X.h": '#define X "vendor"\n'})
    said = toy.refused(f"-DPLUGIN={toy.root}/plugin").words
    assert "lies outside the trunk and includes the overridden 'include/t/X.h' by a relative path" in said


def test_backend_whose_own_targets_include_trunk_headers(toy):
    """third_party/acme/lib, built by the backend's own CMakeLists.txt, sees its own overrides."""
    toy.write({"CMakeLists.txt": "include_directories(include)\nadd_executable(app main.c)\n"
               "add_subdirectory(third_party/acme)\ntarget_link_libraries(app P)\n",
               "include/t/X.h": '#define X "trunk"\n', **MAIN})
    toy.overlay({"CMakeLists.txt": "add_library(P OBJECT lib/P.c)\n", "lib/P.c": a_returning("X", '"t/X.h"'),
                 "spec_cpp/include/t/X.h": '#define X "vendor"\n'})
    assert toy.make() == ["vendor"]


def test_trunk_header_that_is_a_link(toy):
    toy.write({"CMakeLists.txt": ONE, "include/t/real.h": '#define X "trunk"\n',
               "lib/A.c": a_returning("X", '"t/X.h"') + '#undef X\n#include "t/real.h"\n' + returns("y", "X"),
               "main.c": prints("a", "y")})
    (toy.trunk / "include/t/X.h").symlink_to("real.h")
    toy.overlay({"spec_cpp/include/t/X.h": '#define X "vendor"\n'})
    assert toy.make() == ["vendor", "trunk"]


def test_unaffected_units_keep_their_command(toy):
    toy.write({"CMakeLists.txt": ONE.replace("lib/A.c", "lib/A.c lib/B.c"), "include/t/X.h": '#define X "trunk"\n',
               "lib/A.c": a_returning("X", '"t/X.h"'), "lib/B.c": returns("b", "trunk"), **MAIN})
    toy.overlay({"spec_cpp/include/t/X.h": '#define X "vendor"\n'})
    build, plain = toy.configure(), toy.cmake(build="plain")[0]
    for name in ("main.c", "lib/B.c"):
        assert build.command(name) == plain.command(name).replace("/plain", "/build")
    assert "TRITON_SPEC_DIGEST" in build.command("lib/A.c")
    assert str(toy.root) not in build.command("lib/A.c").split("TRITON_SPEC_DIGEST")[1].split()[0]


def test_object_of_an_affected_unit_names_no_trunk_header(toy):
    """The depfile proves it: the trunk's file was never opened."""
    toy.write({"CMakeLists.txt": ONE, "include/t/X.h": '#define X "trunk"\n',
               "include/t/W.h": '#include "X.h"\n', "lib/A.c": a_returning("X", '"t/W.h"'), **MAIN})
    toy.overlay({"spec_cpp/include/t/X.h": '#define X "vendor"\n'})
    build = toy.configure()
    build.ninja()
    deps = build.ninja("-t", "deps").text
    assert "spec/stage/include/t/X.h" in deps
    assert "trunk/include/t/X.h" not in deps


FORCED = {"include/t/X.h": '#define X "trunk"\n', "lib/A.c": a_returning("X"),
          "main.c": '#undef X\n' + prints("a")}


@pytest.mark.parametrize("own", ['COMPILE_OPTIONS "-include;t/X.h"', 'COMPILE_FLAGS "-include t/X.h"'])
def test_forced_by_the_options_of_a_source(toy, own):
    toy.write({"CMakeLists.txt": ONE + f"set_source_files_properties(lib/A.c PROPERTIES {own})\n", **FORCED})
    toy.overlay({"spec_cpp/include/t/X.h": vendor(FORCED["include/t/X.h"])})
    assert toy.make() == ["vendor"]


@pytest.mark.parametrize("place", ["flags", "source"])
def test_forced_by_an_absolute_path_that_stays(toy, place):
    path = toy.trunk / "include/t/X.h"
    body = f'set_source_files_properties(lib/A.c PROPERTIES COMPILE_FLAGS "-include {path}")\n'
    toy.write({"CMakeLists.txt": ONE + (body if place == "source" else ""), **FORCED})
    toy.overlay({"spec_cpp/include/t/X.h": vendor(FORCED["include/t/X.h"])})
    said = toy.refused(*([f"-DCMAKE_C_FLAGS=-include {path}"] if place == "flags" else []))
    assert "error[fixed-include]" in said.words and "'include/t/X.h'" in said.words
