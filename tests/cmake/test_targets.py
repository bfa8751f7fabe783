"""Shapes of targets: whatever owns a source or a header, its override is compiled instead."""

import pytest

from support.toy import prints, returns

FILES = {
    "include/toy/A.h": '#define A "trunk A.h"\n',
    "lib/A.c": '#include "toy/A.h"\n' + returns("a", "trunk A.c") + returns("h", "A"),
    "lib/B.c": returns("b", "trunk B.c"),
    "main.c": prints("a", "h", "b"),
}
SOURCE = {"spec_cpp/lib/A.c": FILES["lib/A.c"].replace("trunk", "vendor")}
HEADER = {"spec_cpp/include/toy/A.h": FILES["include/toy/A.h"].replace("trunk", "vendor")}
TRUNK_LINES = ["trunk A.c", "trunk A.h", "trunk B.c"]

APP = "add_executable(app main.c)\ntarget_link_libraries(app L)\n"
DEFER_TWICE = """\
function(first)
  cmake_language(DEFER CALL second)
endfunction()
function(second)
  cmake_language(DEFER DIRECTORY ${CMAKE_SOURCE_DIR} CALL third)
endfunction()
function(third)
  add_library(L OBJECT lib/A.c lib/B.c)
  target_link_libraries(app L)
endfunction()
add_executable(app main.c)
cmake_language(DEFER CALL first)
"""
# name: (top CMakeLists.txt, more trunk files, owners of the source)
SHAPES = {
    "executable": ("add_executable(app main.c lib/A.c lib/B.c)\n", {}, "app"),
    "object": ("add_library(L OBJECT lib/A.c lib/B.c)\n" + APP, {}, "L"),
    "static": ("add_library(L STATIC lib/A.c lib/B.c)\n" + APP, {}, "L"),
    "shared": ("add_library(L SHARED lib/A.c lib/B.c)\n" + APP, {}, "L"),
    "target_objects": ("add_library(L OBJECT lib/A.c lib/B.c)\n"
                       "add_executable(app main.c $<TARGET_OBJECTS:L>)\n", {}, "L"),
    "exclude_from_all": ("add_library(L STATIC EXCLUDE_FROM_ALL lib/A.c lib/B.c)\n" + APP, {}, "L"),
    "excluded_folder": ("add_subdirectory(lib EXCLUDE_FROM_ALL)\n" + APP,
                        {"lib/CMakeLists.txt": "add_library(L A.c B.c)\n"}, "L"),
    "interface_sources": ("add_library(I INTERFACE)\ntarget_sources(I INTERFACE "
                          "${CMAKE_CURRENT_SOURCE_DIR}/lib/A.c lib/B.c)\n"
                          "add_executable(app main.c)\ntarget_link_libraries(app I)\n", {}, "I"),
    "interface_of_interface": ("add_library(I INTERFACE)\ntarget_sources(I INTERFACE lib/A.c lib/B.c)\n"
                               "add_library(L INTERFACE)\ntarget_link_libraries(L INTERFACE I)\n" + APP,
                               {}, "I"),
    "public_sources": ("add_library(L INTERFACE)\nadd_executable(app main.c)\n"
                       "target_sources(app PUBLIC lib/A.c PRIVATE lib/B.c)\n", {}, "app"),
    "alias": ("add_library(real OBJECT lib/A.c lib/B.c)\nadd_library(Toy::L ALIAS real)\n"
              "add_executable(app main.c)\ntarget_link_libraries(app Toy::L)\n", {}, "real"),
    "absolute_path": ("add_library(L ${PROJECT_SOURCE_DIR}/lib/A.c ${PROJECT_SOURCE_DIR}/lib/B.c)\n"
                      + APP, {}, "L"),
    "subfolder": ("add_subdirectory(lib)\n" + APP,
                  {"lib/CMakeLists.txt": "add_library(L A.c B.c)\n"}, "L"),
    "dotted_path": ("add_subdirectory(bin)\n" + APP,
                    {"bin/CMakeLists.txt": "add_library(L ../lib/A.c ./../lib//B.c)\n"}, "L"),
    "glob": ("file(GLOB sources CONFIGURE_DEPENDS lib/*.c)\nadd_library(L ${sources})\n" + APP, {}, "L"),
    "target_sources": ("add_library(L)\ntarget_sources(L PRIVATE lib/A.c)\n"
                       "target_sources(L PRIVATE lib/B.c)\n" + APP, {}, "L"),
    "sources_from_elsewhere": ("add_library(L)\nadd_subdirectory(lib)\n" + APP,
                               {"lib/CMakeLists.txt": "target_sources(L PRIVATE A.c B.c)\n"}, "L"),
    "sources_property": ("add_library(L lib/B.c)\nset_property(TARGET L APPEND PROPERTY SOURCES lib/A.c)\n"
                         + APP, {}, "L"),
    "in_a_function": ("function(add_toy_library name)\n  add_library(${name} OBJECT ${ARGN})\n"
                      "endfunction()\nadd_toy_library(L lib/A.c lib/B.c)\n" + APP, {}, "L"),
    "deferred": ("cmake_language(DEFER CALL add_library L OBJECT lib/A.c lib/B.c)\n"
                 "cmake_language(DEFER CALL target_link_libraries app L)\n"
                 "add_executable(app main.c)\n", {}, "L"),
    "deferred_by_deferred": (DEFER_TWICE, {}, "L"),
    "deferred_in_subfolder": ("add_executable(app main.c)\nadd_subdirectory(lib)\n",
                              {"lib/CMakeLists.txt":
                               "cmake_language(DEFER CALL add_library L OBJECT A.c B.c)\n"
                               "cmake_language(DEFER CALL target_link_libraries app L)\n"}, "L"),
    "second_project": ("add_subdirectory(lib)\n" + APP,
                       {"lib/CMakeLists.txt": "project(inner C)\nadd_library(L A.c B.c)\n"}, "L"),
}


@pytest.mark.parametrize("kind", ["source", "header"])
@pytest.mark.parametrize("shape", SHAPES)
def test_shape(toy, shape, kind):
    top, more, owner = SHAPES[shape]
    toy.write({**FILES, **more, "CMakeLists.txt": "include_directories(include)\n" + top})
    toy.overlay(SOURCE if kind == "source" else HEADER)
    build = toy.configure()
    if kind == "source":
        assert build.make() == ["vendor A.c", *TRUNK_LINES[1:]]
        users = {"interface_sources": "app", "interface_of_interface": "app"}
        owners = sorted({owner, users.get(shape, owner)})
        assert build.swaps == [f"lib/A.c -> {name}" for name in owners]
    else:
        assert build.make() == ["trunk A.c", "vendor A.h", "trunk B.c"]
        assert len(build.swaps) == 1 and build.swaps[0].startswith("include/toy/A.h -> ")
    assert sum("A.c" in file for file in build.commands()) == 1


def test_every_shape_works_plain(toy):
    """The trunks of this file are sound without an overlay (a few of them stand for all)."""
    for shape in ("interface_of_interface", "deferred_by_deferred", "sources_from_elsewhere"):
        top, more, _ = SHAPES[shape]
        toy.trunk = toy.root / shape
        toy.write({**FILES, **more, "CMakeLists.txt": "include_directories(include)\n" + top})
        assert toy.cmake(build=f"{shape}-plain")[0].make() == TRUNK_LINES


def test_module_library(toy):
    toy.write({
        "CMakeLists.txt": "include_directories(include)\nadd_library(M MODULE lib/A.c lib/B.c)\n"
                          "add_executable(app open.c)\ntarget_link_libraries(app ${CMAKE_DL_LIBS})\n"
                          'target_compile_definitions(app PRIVATE "FILE_OF_M=\\"$<TARGET_FILE:M>\\"")\n'
                          "add_dependencies(app M)\n",
        **FILES,
        "open.c": "#include <dlfcn.h>\n#include <stdio.h>\nint main(void) {\n"
                  "  void *m = dlopen(FILE_OF_M, RTLD_NOW);\n"
                  '  const char *(*a)(void) = (const char *(*)(void))dlsym(m, "a");\n'
                  "  return puts(a()) < 0;\n}\n",
    })
    toy.overlay(SOURCE)
    assert toy.make() == ["vendor A.c"]


SHARED = {
    "A.c": '#ifndef WHO\n#define WHO "nobody"\n#endif\n' + returns("a", "trunk") + returns("who", "WHO"),
    "main.c": prints("a", "who"),
}


def test_source_of_two_targets_in_two_folders_with_different_properties(toy):
    """CMake keeps source properties a folder; each folder's own ones are kept."""
    toy.write({
        "CMakeLists.txt": "add_subdirectory(x)\nadd_subdirectory(y)\n",
        "x/CMakeLists.txt": "add_executable(x ../main.c ../A.c)\nset_source_files_properties(../A.c "
                            'PROPERTIES COMPILE_DEFINITIONS "WHO=\\"x\\"")\n',
        "y/CMakeLists.txt": "add_executable(y ../main.c ../A.c)\nset_source_files_properties(../A.c "
                            'PROPERTIES COMPILE_DEFINITIONS "WHO=\\"y\\"")\n',
        **SHARED,
    })
    toy.overlay({"spec_cpp/A.c": SHARED["A.c"].replace("trunk", "vendor")})
    build = toy.configure()
    build.ninja()
    assert build.run("x") == ["vendor", "x"] and build.run("y") == ["vendor", "y"]
    assert build.swaps == ["A.c -> x", "A.c -> y"]


def test_source_of_two_targets_in_one_folder_shares_its_properties(toy):
    toy.write({
        "CMakeLists.txt": "add_executable(x main.c A.c)\nadd_executable(y main.c A.c)\n"
                          'set_source_files_properties(A.c PROPERTIES COMPILE_DEFINITIONS "WHO=\\"$<TARGET_PROPERTY:NAME>\\"")\n',
        **SHARED,
    })
    toy.overlay({"spec_cpp/A.c": SHARED["A.c"].replace("trunk", "vendor")})
    build = toy.configure()
    build.ninja()
    assert build.run("x") == ["vendor", "x"] and build.run("y") == ["vendor", "y"]


def test_header_of_a_source_that_two_targets_see_differently(toy):
    """One folder, one source, two include paths: only one target reaches the override."""
    toy.write({
        "CMakeLists.txt": "add_executable(x main.c A.c)\ntarget_include_directories(x PRIVATE one)\n"
                          "add_executable(y main.c A.c)\ntarget_include_directories(y PRIVATE two)\n",
        "one/H.h": '#define WHO "trunk one"\n', "two/H.h": '#define WHO "trunk two"\n',
        "A.c": '#include "H.h"\n' + SHARED["A.c"], "main.c": SHARED["main.c"],
    })
    toy.overlay({"spec_cpp/one/H.h": '#define WHO "vendor one"\n'})
    build = toy.configure()
    build.ninja()
    assert build.run("x") == ["trunk", "vendor one"]
    assert build.run("y") == ["trunk", "trunk two"]


def test_overridden_source_that_two_targets_see_differently(toy):
    """The same for a source that is itself overridden, with properties of its own."""
    a = '#include "H.h"\n' + returns("a", "trunk") + returns("who", "WHO NEED")
    toy.write({
        "CMakeLists.txt": "add_executable(x main.c A.c)\ntarget_include_directories(x PRIVATE one)\n"
                          "add_executable(y main.c A.c)\ntarget_include_directories(y PRIVATE two)\n"
                          'set_property(SOURCE A.c PROPERTY COMPILE_DEFINITIONS "NEED=\\" needed\\"")\n',
        "one/H.h": '#define WHO "trunk one"\n', "two/H.h": '#define WHO "trunk two"\n',
        "A.c": a.replace('"WHO NEED"', "WHO NEED"), "main.c": SHARED["main.c"],
    })
    toy.overlay({"spec_cpp/one/H.h": '#define WHO "vendor one"\n',
                 "spec_cpp/A.c": a.replace('"WHO NEED"', "WHO NEED").replace("trunk", "vendor")})
    build = toy.configure()
    build.ninja()
    assert build.run("x") == ["vendor", "vendor one needed"]
    assert build.run("y") == ["vendor", "trunk two needed"]


def test_source_listed_twice_in_one_target(toy):
    toy.write({"CMakeLists.txt": "add_executable(app main.c A.c ./A.c)\n", **SHARED})
    toy.overlay({"spec_cpp/A.c": SHARED["A.c"].replace("trunk", "vendor")})
    assert toy.plain() == ["trunk", "nobody"]
    assert toy.make() == ["vendor", "nobody"]


def test_removed_source(toy):
    """[remove]: the trunk's file is in no target, and what replaces it has another name."""
    toy.write({
        "CMakeLists.txt": 'add_executable(app main.c lib/A.c "$<$<BOOL:ON>:lib/Old.c>")\n',
        "lib/Old.c": "#error not for this backend\n", "lib/A.c": returns("a", "trunk"),
        "main.c": prints("a"),
    })
    toy.overlay({"spec.ini": "[remove]\npath = lib/Old.c\n"})
    build = toy.configure()
    assert build.make() == ["trunk"]
    assert build.swaps == ["lib/Old.c -> app (removed)"]


def test_removed_source_that_an_overridden_cmake_file_no_longer_lists(toy):
    """As an overlay made of a fork has it: the list and the file go together. Without the override of
    the list, what is removed must be in some target."""
    toy.write({
        "CMakeLists.txt": "add_subdirectory(lib)\nadd_executable(app main.c)\n"
                          "target_link_libraries(app L)\n",
        "lib/CMakeLists.txt": "add_library(L OBJECT A.c sub/Old.c)\n",
        "lib/sub/Old.c": "#error not for this backend\n", "other/Idle.c": "\n",
        "lib/A.c": returns("a", "trunk"), "main.c": prints("a"),
    })
    toy.overlay({"spec.ini": "[remove]\npath = lib/sub/Old.c\n",
                 "spec_cpp/lib/CMakeLists.txt": "add_library(L OBJECT A.c)\n"})
    build = toy.configure()
    assert build.make() == ["trunk"]
    assert build.swaps == ["lib/CMakeLists.txt -> CMake", "lib/sub/Old.c -> CMake (removed)"]
    toy.overlay({"spec.ini": "[remove]\npath = other/Idle.c\n"})
    assert "nothing in this build uses 'spec.ini' (trunk: 'other/Idle.c')" in toy.refused().words


def test_removed_source_that_is_not_there(toy):
    toy.write({"CMakeLists.txt": "add_executable(app main.c)\n", "main.c": prints(), "lib/Old.c": "\n"})
    toy.overlay({"spec.ini": "[remove]\npath = lib/Odl.c\n"})
    said = toy.refused().words
    assert "spec.ini removes 'lib/Odl.c', which the trunk does not have" in said
    assert "'lib/Old.c'" in said


def test_imported_and_utility_targets_do_not_disturb(toy):
    toy.write({
        "CMakeLists.txt": "include_directories(include)\nadd_library(ext INTERFACE IMPORTED)\n"
                          "add_custom_target(tools ALL SOURCES lib/A.c)\n"
                          "add_library(L OBJECT lib/A.c lib/B.c)\n" + APP, **FILES})
    toy.overlay(SOURCE)
    build = toy.configure()
    assert build.make()[0] == "vendor A.c" and build.swaps == ["lib/A.c -> L"]
