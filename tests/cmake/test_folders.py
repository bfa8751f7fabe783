"""CMakeLists.txt and *.cmake files of the overlay."""

import pytest

from support.toy import prints, returns

TRUNK = {
    "CMakeLists.txt": "add_subdirectory(lib)\nadd_executable(app main.c)\ntarget_link_libraries(app L)\n",
    "lib/CMakeLists.txt": "add_library(L OBJECT A.c Skipped.c)\n",
    "lib/A.c": returns("a", "trunk"),
    "lib/Skipped.c": "#error not for this backend\n",
    "main.c": prints("a"),
}
FEWER = {"spec_cpp/lib/CMakeLists.txt": "add_library(L OBJECT A.c)\n"}


def test_fewer_sources(toy):
    toy.write(TRUNK)
    toy.overlay(FEWER)
    build = toy.configure()
    assert build.make() == ["trunk"]
    assert build.swaps == ["lib/CMakeLists.txt -> CMake"]
    assert (build.path / "lib/cmake_install.cmake").is_file(), "the trunk folder's own binary folder"


def test_together_with_a_source_and_a_header(toy):
    toy.write({**TRUNK, "lib/A.c": '#include "H.h"\n' + returns("a", "H"), "lib/H.h": '#define H "trunk"\n'})
    toy.overlay({**FEWER, "spec_cpp/lib/H.h": '#define H "vendor"\n'})
    build = toy.configure()
    assert build.make() == ["vendor"]
    assert build.swaps == ["lib/CMakeLists.txt -> CMake", "lib/H.h -> L"]
    toy.overlay({"spec_cpp/lib/A.c": '#include "H.h"\n' + returns("a", "A H")})
    assert toy.make(build="second") == ["A H"]


def test_addition_that_the_override_lists(toy):
    """The override of the CMakeLists.txt may list the vendor's own files: they lie beside it."""
    toy.write(TRUNK)
    toy.overlay({"spec_cpp/lib/CMakeLists.txt": "add_library(L OBJECT A.c New.c)\n",
                 "spec_cpp/lib/A.c": "const char *n(void);\nconst char *a(void) { return n(); }\n",
                 "spec_cpp/lib/New.c": returns("n", "new")})
    build = toy.configure()
    assert build.make() == ["new"]
    assert build.swaps == ["lib/A.c -> L", "lib/CMakeLists.txt -> CMake", "lib/New.c -> L (added)"]


NESTED = {
    **TRUNK,
    "lib/CMakeLists.txt": "add_subdirectory(inner)\nadd_library(L OBJECT A.c Skipped.c)\n"
                          "target_link_libraries(L Inner)\n",
    "lib/inner/CMakeLists.txt": "add_library(Inner OBJECT I.c ../Shared.c)\n",
    "lib/inner/I.c": '#include "../H.h"\n' + returns("i", "H"), "lib/H.h": '#define H "trunk"\n',
    "lib/Shared.c": returns("s", "shared"),
    "main.c": prints("a", "i", "s"),
}
NESTED["CMakeLists.txt"] = TRUNK["CMakeLists.txt"].replace("app L)", "app L Inner)")


def test_folder_below_the_twin(toy):
    toy.write(NESTED)
    toy.overlay({"spec_cpp/lib/CMakeLists.txt": "add_subdirectory(inner)\nadd_library(L OBJECT A.c)\n"})
    build = toy.configure()
    assert build.make() == ["trunk", "trunk", "shared"]
    toy.overlay({"spec_cpp/lib/inner/I.c": '#include "../H.h"\n' + returns("i", "vendor")})
    assert toy.make(build="second") == ["trunk", "vendor", "shared"]


def test_override_in_a_folder_below_the_twin(toy):
    toy.write(NESTED)
    toy.overlay({"spec_cpp/lib/CMakeLists.txt": "add_subdirectory(inner)\nadd_library(L OBJECT A.c)\n",
                 "spec_cpp/lib/inner/CMakeLists.txt": "add_library(Inner OBJECT I.c ../Shared.c)\n"
                 'target_compile_definitions(Inner PRIVATE "H=\\"vendor\\"")\n',
                 "spec_cpp/lib/H.h": "/* H is defined by the target */\n"})
    build = toy.configure()
    assert build.make() == ["trunk", "vendor", "shared"]
    assert "lib/inner/CMakeLists.txt -> CMake" in build.swaps


def test_override_below_an_ordinary_folder(toy):
    toy.write({**NESTED, "lib/Skipped.c": "int skipped;\n"})
    toy.overlay({"spec_cpp/lib/inner/CMakeLists.txt": "add_library(Inner OBJECT I.c ../Shared.c)\n"
                 'target_compile_definitions(Inner PRIVATE "H=\\"vendor\\"")\n',
                 "spec_cpp/lib/H.h": "/* H is defined by the target */\n"})
    assert toy.make() == ["trunk", "vendor", "shared"]


PATHS = ["${CMAKE_CURRENT_SOURCE_DIR}/A.c", "${CMAKE_CURRENT_LIST_DIR}/A.c",
         "${PROJECT_SOURCE_DIR}/lib/A.c", "${CMAKE_SOURCE_DIR}/lib/A.c",
         "${CMAKE_CURRENT_SOURCE_DIR}/../lib/A.c", "../lib/A.c"]


@pytest.mark.parametrize("path", PATHS)
def test_computed_path_of_a_source(toy, path):
    """One file by every name that a CMakeLists.txt can give it, swapped by each of them."""
    toy.write(TRUNK)
    toy.overlay({"spec_cpp/lib/CMakeLists.txt": f"add_library(L OBJECT {path})\n"})
    assert toy.make() == ["trunk"]
    toy.overlay({"spec_cpp/lib/A.c": returns("a", "vendor")})
    build = toy.configure(build="second")
    assert build.make() == ["vendor"]
    assert build.swaps == ["lib/A.c -> L", "lib/CMakeLists.txt -> CMake"]


@pytest.mark.parametrize("path", ["${CMAKE_CURRENT_SOURCE_DIR}", "${CMAKE_CURRENT_LIST_DIR}/.",
                                  "${PROJECT_SOURCE_DIR}/lib", "."])
def test_computed_path_of_an_include_folder(toy, path):
    toy.write({**TRUNK, "lib/A.c": "#include <H.h>\n" + returns("a", "H"), "lib/H.h": '#define H "trunk"\n'})
    toy.overlay({"spec_cpp/lib/CMakeLists.txt": f"include_directories({path})\nadd_library(L OBJECT A.c)\n"})
    assert toy.make() == ["trunk"]
    toy.overlay({"spec_cpp/lib/H.h": '#define H "vendor"\n'})
    assert toy.make(build="second") == ["vendor"]


@pytest.mark.parametrize("call", [
    "add_subdirectory(lib elsewhere)", "add_subdirectory(lib ${CMAKE_BINARY_DIR}/elsewhere)",
    "add_subdirectory(${CMAKE_CURRENT_SOURCE_DIR}/lib elsewhere EXCLUDE_FROM_ALL)",
])
def test_explicit_binary_folder(toy, call):
    toy.write({**TRUNK, "CMakeLists.txt": TRUNK["CMakeLists.txt"].replace("add_subdirectory(lib)", call)})
    toy.overlay(FEWER)
    build = toy.configure()
    assert build.make() == ["trunk"]
    assert (build.path / "elsewhere").is_dir() and not (build.path / "lib").exists()


@pytest.mark.parametrize("call", ["add_subdirectory(${CMAKE_CURRENT_SOURCE_DIR}/lib)",
                                  "add_subdirectory(lib/)", "add_subdirectory(./lib)",
                                  "add_subdirectory(lib EXCLUDE_FROM_ALL)", "add_subdirectory(main/../lib)"])
def test_ways_to_name_the_folder(toy, call):
    toy.write({**TRUNK, "CMakeLists.txt": TRUNK["CMakeLists.txt"].replace("add_subdirectory(lib)", call),
               "main/.keep": ""})
    toy.overlay(FEWER)
    assert toy.make() == ["trunk"]


def test_variable_set_for_the_parent(toy):
    """The twin is entered in the caller's scope: PARENT_SCOPE works as in the trunk."""
    toy.write({**TRUNK, "CMakeLists.txt": TRUNK["CMakeLists.txt"] +
               'target_compile_definitions(app PRIVATE "T=${FROM_LIB}")\n'})
    toy.overlay({"spec_cpp/lib/CMakeLists.txt": "add_library(L OBJECT A.c)\nset(FROM_LIB 1 PARENT_SCOPE)\n"})
    build = toy.configure()
    assert "-DT=1" in build.command("main.c")


def test_unaffected_folder_keeps_its_own_path(toy):
    toy.write({**TRUNK, "CMakeLists.txt": "add_subdirectory(other)\n" + TRUNK["CMakeLists.txt"],
               "other/CMakeLists.txt": 'if(NOT CMAKE_CURRENT_SOURCE_DIR STREQUAL "${CMAKE_SOURCE_DIR}/other")\n'
                                       "  message(FATAL_ERROR moved)\nendif()\n"})
    toy.overlay(FEWER)
    assert toy.make() == ["trunk"]


def test_trunk_that_redefines_add_subdirectory(toy):
    """Either order: nothing is silently lost, and nothing recurses for ever."""
    toy.write({**TRUNK, "CMakeLists.txt": "macro(add_subdirectory)\n  _add_subdirectory(${ARGN})\nendmacro()\n"
               + TRUNK["CMakeLists.txt"]})
    toy.overlay(FEWER)
    said = toy.refused().words
    assert "the trunk redefines add_subdirectory" in said and "spec.cmake" in said


def test_trunk_that_redefines_add_subdirectory_without_such_an_override(toy):
    toy.write({**TRUNK, "CMakeLists.txt": "macro(add_subdirectory)\n  _add_subdirectory(${ARGN})\nendmacro()\n"
               + TRUNK["CMakeLists.txt"], "lib/Skipped.c": "int s;\n"})
    toy.overlay({"spec_cpp/lib/A.c": returns("a", "vendor")})
    assert toy.make() == ["vendor"]


def test_top_file_can_not_be_overridden(toy):
    toy.write(TRUNK)
    toy.overlay({"spec_cpp/CMakeLists.txt": "# top\n"})
    said = toy.refused().words
    assert "'spec_cpp/CMakeLists.txt' would replace the CMakeLists.txt that is already being read" in said


def test_folder_that_is_switched_off(toy):
    toy.write({**TRUNK, "CMakeLists.txt": TRUNK["CMakeLists.txt"] + "if(OFF)\n  add_subdirectory(off)\nendif()\n",
               "off/CMakeLists.txt": "\n", "lib/Skipped.c": "int s;\n"})
    toy.overlay({"spec_cpp/off/CMakeLists.txt": "# vendor\n"})
    assert "nothing in this build uses 'spec_cpp/off/CMakeLists.txt'" in toy.refused().words


def test_change_of_the_override_configures_again(toy):
    toy.write({**TRUNK, "lib/B.c": returns("a", "second")})
    folder = toy.overlay(FEWER)
    build = toy.configure()
    assert build.make() == ["trunk"]
    (folder / "spec_cpp/lib/CMakeLists.txt").write_text("add_library(L OBJECT B.c)\n")
    assert build.make() == ["second"]


# --- *.cmake ------------------------------------------------------------------------------------

MODULES = {
    "CMakeLists.txt": "list(APPEND CMAKE_MODULE_PATH ${{CMAKE_CURRENT_SOURCE_DIR}}/cmake)\n{include}\n"
                      "add_executable(app main.c)\n"
                      'target_compile_definitions(app PRIVATE "WORD=\\"${{WORD}}\\"")\n',
    "cmake/Word.cmake": "set(WORD trunk)\n",
    "main.c": "#include <stdio.h>\nint main(void) { return puts(WORD) < 0; }\n",
}
INCLUDES = ["include(Word)", "include(cmake/Word.cmake)", "include(${CMAKE_CURRENT_SOURCE_DIR}/cmake/Word.cmake)",
            "include(${CMAKE_CURRENT_LIST_DIR}/cmake/../cmake/Word.cmake OPTIONAL)",
            "include(Word OPTIONAL RESULT_VARIABLE found)\nif(NOT found)\n  message(FATAL_ERROR x)\nendif()",
            "function(f)\n  include(Word)\n  set(WORD ${WORD} PARENT_SCOPE)\nendfunction()\nf()"]


@pytest.mark.parametrize("include", INCLUDES)
def test_module(toy, include):
    toy.write({**MODULES, "CMakeLists.txt": MODULES["CMakeLists.txt"].format(include=include)})
    assert toy.plain() == ["trunk"]
    toy.overlay({"spec_cpp/cmake/Word.cmake": "set(WORD vendor)\n"})
    build = toy.configure()
    assert build.make() == ["vendor"]
    assert build.swaps == ["cmake/Word.cmake -> CMake"]


def test_module_that_includes_its_neighbour(toy):
    """A staged module finds what lies beside it in the trunk."""
    toy.write({**MODULES, "CMakeLists.txt": MODULES["CMakeLists.txt"].format(include="include(Word)"),
               "cmake/Part.cmake": "set(WORD trunk-part)\n",
               "cmake/Word.cmake": "include(${CMAKE_CURRENT_LIST_DIR}/Part.cmake)\n"})
    toy.overlay({"spec_cpp/cmake/Word.cmake":
                 "include(${CMAKE_CURRENT_LIST_DIR}/Part.cmake)\nset(WORD vendor-${WORD})\n"})
    assert toy.make() == ["vendor-trunk-part"]


def test_added_module_in_an_overridden_one(toy):
    toy.write({**MODULES, "CMakeLists.txt": MODULES["CMakeLists.txt"].format(include="include(Word)")})
    toy.overlay({"spec_cpp/cmake/Word.cmake": "include(AcmeWord)\n",
                 "spec_cpp/cmake/AcmeWord.cmake": "set(WORD added)\n"})
    build = toy.configure()
    assert build.make() == ["added"]
    assert build.swaps == ["cmake/AcmeWord.cmake -> CMake (added)", "cmake/Word.cmake -> CMake"]


def test_modules_of_cmake_itself_still_work(toy):
    toy.write({**MODULES, "CMakeLists.txt": MODULES["CMakeLists.txt"].format(
        include="include(CheckIncludeFile)\ninclude(Word)\ninclude(GNUInstallDirs)\n"
                'if(NOT CMAKE_INSTALL_BINDIR STREQUAL "bin")\n  message(FATAL_ERROR bin)\nendif()')})
    toy.overlay({"spec_cpp/cmake/Word.cmake": "set(WORD vendor)\n"})
    assert toy.make() == ["vendor"]


def test_module_that_nobody_includes_is_unused(toy):
    toy.write({**MODULES, "CMakeLists.txt": MODULES["CMakeLists.txt"].format(include="set(WORD none)")})
    toy.overlay({"spec_cpp/cmake/Word.cmake": "set(WORD vendor)\n"})
    assert "nothing in this build uses 'spec_cpp/cmake/Word.cmake'" in toy.refused().words
