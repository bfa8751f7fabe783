"""Known faults of overrides of compiled files and headers, one test a fault.

The faults are those of schemes that match override and trunk file by path at configure
time; the outcome is what the program prints, or the error that stops the build.
"""

import pytest

from support.toy import prints, returns

ONE_LIBRARY = ("include_directories(include)\nadd_library(L OBJECT lib/A.c)\n"
               "add_executable(app main.c)\ntarget_link_libraries(app L)\n")
A_AND_X = {
    "CMakeLists.txt": ONE_LIBRARY,
    "include/triton/X.h": '#define X "trunk X"\n',
    "lib/A.c": '#include "triton/X.h"\n' + returns("a", "trunk A") + returns("x", "X"),
    "main.c": prints("a", "x"),
}
VENDOR_A = returns("a", "vendor A") + returns("x", "no x")


def test_c0_log_covers_every_kind(toy):
    toy.write(A_AND_X)
    toy.overlay({
        "spec_cpp/include/triton/X.h": '#define X "vendor X"\n',
        "spec_cpp/lib/A.c": '#include "triton/X.h"\n' + returns("a", "vendor A") + returns("x", "X"),
    })
    build = toy.configure()
    assert build.make() == ["vendor A", "vendor X"]
    assert build.swaps == ["include/triton/X.h -> L", "lib/A.c -> L"]
    assert toy.plain() == ["trunk A", "trunk X"]
    assert toy.merged() == build.run()


def test_c1_trunk_file_was_renamed(toy):
    toy.write({**A_AND_X, "CMakeLists.txt": ONE_LIBRARY.replace("A.c", "A2.c"),
               "lib/A2.c": A_AND_X["lib/A.c"], "lib/A.c": A_AND_X["lib/A.c"]})
    toy.write({"lib/A.c": None}, toy.languages)
    toy.overlay({"spec_cpp/lib/A.c": VENDOR_A})
    said = toy.refused().words
    assert "'spec_cpp/lib/A.c' has no counterpart in the trunk and no target owns it" in said
    assert "lib/A2.c" in said and "spec_target_sources" in said


def test_c4_quoted_include_beside_the_includer(toy):
    toy.write({
        "CMakeLists.txt": ONE_LIBRARY,
        "include/triton/X.h": '#include "Y.h"\n#define X Y\n',
        "include/triton/Y.h": '#define Y "trunk Y"\n',
        "lib/A.c": '#include "triton/X.h"\n' + returns("a", "X"),
        "main.c": prints("a"),
    })
    toy.overlay({"spec_cpp/include/triton/Y.h": '#define Y "vendor Y"\n'})
    assert toy.plain() == ["trunk Y"]
    assert toy.make() == ["vendor Y"]


def test_c4_one_version_in_the_whole_library(toy):
    """Reached through another header and reached directly, it is the same file."""
    toy.write({
        "CMakeLists.txt": ONE_LIBRARY.replace("lib/A.c", "lib/A.c lib/B.c"),
        "include/triton/Base.h": '#define BASE "trunk"\n',
        "include/triton/Pattern.h": '#include "Base.h"\n',
        "lib/A.c": '#include "triton/Pattern.h"\n' + returns("a", "BASE"),
        "lib/B.c": '#include "triton/Base.h"\n' + returns("b", "BASE"),
        "main.c": prints("a", "b"),
    })
    toy.overlay({"spec_cpp/include/triton/Base.h": '#define BASE "vendor"\n'})
    build = toy.configure()
    assert build.make() == ["vendor", "vendor"]
    assert build.swaps == ["include/triton/Base.h -> L"]


def test_c4b_header_below_lib(toy):
    toy.write({
        "CMakeLists.txt": ONE_LIBRARY,
        "lib/Local.h": '#define LOCAL "trunk"\n',
        "lib/A.c": '#include "Local.h"\n' + returns("a", "LOCAL"),
        "main.c": prints("a"),
    })
    toy.overlay({"spec_cpp/lib/Local.h": '#define LOCAL "vendor"\n'})
    build = toy.configure()
    assert build.make() == ["vendor"]
    assert build.swaps == ["lib/Local.h -> L"]


PYTHON_SRC = {
    "CMakeLists.txt": "add_executable(app python/src/main.c python/src/ir.c)\n",
    "python/src/ir.h": "#define IR \"trunk ir.h\"\n",
    "python/src/ir.c": '#include "ir.h"\n' + returns("ir", "IR"),
    "python/src/main.c": '#include "ir.h"\n' + prints("ir"),
}


@pytest.mark.parametrize("place", ["python/src", "spec_cpp/python/src"])
def test_c4c_python_src_header_and_source(toy, place):
    """The vendor's main.c and the trunk's ir.c see the same ir.h."""
    toy.write(PYTHON_SRC)
    toy.overlay({
        f"{place}/ir.h": '#define IR "vendor ir.h"\n',
        f"{place}/main.c": '#include "ir.h"\n' + prints("ir").replace("  return 0", '  puts(IR);\n  return 0'),
    })
    build = toy.configure()
    assert build.make() == ["vendor ir.h", "vendor ir.h"]
    assert build.swaps == ["python/src/ir.h -> app", "python/src/main.c -> app"]


def test_c4c_both_places_at_once_is_an_error(toy):
    toy.write(PYTHON_SRC)
    toy.overlay({"python/src/ir.h": "#define IR 1\n", "spec_cpp/python/src/ir.h": "#define IR 2\n"})
    said = toy.refused().words
    assert "both stand for the trunk's 'python/src/ir.h'" in said


SAME_NAME = {
    "CMakeLists.txt": "add_executable(app main.c util.c sub/util.c)\n",
    "util.c": returns("top", "trunk top"),
    "sub/util.c": returns("sub", "trunk sub"),
    "main.c": prints("top", "sub"),
}


@pytest.mark.parametrize("path, printed", [
    ("util.c", ["vendor top", "trunk sub"]),
    ("sub/util.c", ["trunk top", "vendor sub"]),
])
def test_c5_files_of_the_same_name_are_told_apart(toy, path, printed):
    toy.write(SAME_NAME)
    toy.overlay({f"spec_cpp/{path}": SAME_NAME[path].replace("trunk", "vendor")})
    build = toy.configure()
    assert build.make() == printed
    assert build.swaps == [f"{path} -> app"]


def test_c5_vendor_only_file_needs_an_owner(toy):
    toy.write(SAME_NAME)
    toy.overlay({"spec_cpp/extra.c": returns("extra", "x")})
    assert "'spec_cpp/extra.c' has no counterpart in the trunk and no target owns it" in \
        toy.refused().words


def test_c6_target_created_after_all_others(toy):
    toy.write({
        "CMakeLists.txt": "add_library(L OBJECT lib/A.c)\nadd_subdirectory(bin)\n",
        "lib/A.c": returns("a", "trunk A"),
        "bin/CMakeLists.txt": "add_executable(app tool.c)\ntarget_link_libraries(app L)\n",
        "bin/tool.c": prints("a", "tool") + returns("tool", "trunk tool"),
    })
    toy.overlay({"spec_cpp/bin/tool.c": prints("a", "tool") + returns("tool", "vendor tool")})
    build = toy.configure()
    assert build.make() == ["trunk A", "vendor tool"]
    assert build.swaps == ["bin/tool.c -> app"]


@pytest.mark.parametrize("source", [
    "$<1:${CMAKE_CURRENT_SOURCE_DIR}/lib/A.c>",
    "$<$<BOOL:ON>:lib/A.c>",
    "$<IF:$<CONFIG:Debug>,lib/A.c,lib/A.c>",
    "$<$<NOT:$<BOOL:OFF>>:lib/A.c$<SEMICOLON>lib/B.c>",
])
def test_c7_generator_expression(toy, source):
    listed = "" if "B.c" in source else " lib/B.c"
    toy.write({
        "CMakeLists.txt": f'add_library(L OBJECT "{source}"{listed})\nadd_executable(app main.c)\n'
                          "target_link_libraries(app L)\n",
        "lib/A.c": returns("a", "trunk A"),
        "lib/B.c": returns("b", "trunk B"),
        "main.c": prints("a", "b"),
    })
    assert toy.plain() == ["trunk A", "trunk B"]
    toy.overlay({"spec_cpp/lib/A.c": returns("a", "vendor A")})
    build = toy.configure()
    assert build.make() == ["vendor A", "trunk B"]
    assert build.swaps == ["lib/A.c -> L"]


def test_c8a_trunk_reached_through_a_link(toy):
    toy.write(A_AND_X)
    toy.overlay({"spec_cpp/lib/A.c": VENDOR_A, "spec_cpp/include/triton/X.h": "#define X 1\n"})
    toy.write({"main.c": '#include "triton/X.h"\n' + prints("a") + "int n = X;\n"}, toy.languages)
    (toy.root / "link").symlink_to(toy.trunk)
    build = toy.configure(trunk="link")
    assert build.make() == ["vendor A"]
    assert build.swaps == ["include/triton/X.h -> app", "lib/A.c -> L"]


def test_c8a_listed_by_another_name_than_the_source_folder(toy):
    """CMake is given the link; the trunk itself lists real paths."""
    toy.write({**A_AND_X, "CMakeLists.txt":
               "get_filename_component(real ${CMAKE_CURRENT_SOURCE_DIR} REALPATH)\n"
               "include_directories(${real}/include)\nadd_library(L OBJECT ${real}/lib/A.c)\n"
               "add_executable(app main.c)\ntarget_link_libraries(app L)\n"})
    toy.overlay({"spec_cpp/include/triton/X.h": '#define X "vendor X"\n'})
    (toy.root / "link").symlink_to(toy.trunk)
    assert toy.make(trunk="link") == ["trunk A", "vendor X"]


def test_c8b_backend_is_a_link_to_a_checkout(toy):
    toy.write(A_AND_X)
    folder = toy.overlay({"spec_cpp/lib/A.c": VENDOR_A})
    folder.rename(toy.root / "checkout")
    folder.symlink_to(toy.root / "checkout")
    build = toy.configure()
    assert build.make() == ["vendor A", "no x"]
    assert build.swaps == ["lib/A.c -> L"]


def test_c9_properties_of_the_trunk_file_are_kept(toy):
    toy.write({
        "CMakeLists.txt": ONE_LIBRARY + "set_source_files_properties(lib/A.c PROPERTIES "
                          'COMPILE_DEFINITIONS "NEED=\\"needed\\"")\n',
        "lib/A.c": returns("a", "trunk A") + returns("need", "NEED"),
        "main.c": prints("a", "need"),
    })
    toy.overlay({"spec_cpp/lib/A.c": returns("a", "vendor A") + returns("need", "NEED")})
    assert toy.make() == ["vendor A", "needed"]


@pytest.mark.parametrize("path, nearest", [
    ("lib/A.hpp", ""), ("lib/A.inc", "lib/A.c"), ("lib/A.cu", "lib/A.c"),
    ("lib/A.C", "lib/A.c"), ("lbi/A.c", "lib/A.c"), ("bin/t.c", ""),
    ("include/triton/Typo.h", "include/triton/Type.h"),
    ("include/triton/Typo.td", "include/triton/Type.td"),
])
def test_c10_a_file_without_counterpart_is_an_error(toy, path, nearest):
    toy.write({**A_AND_X, "include/triton/Type.h": "\n", "include/triton/Type.td": "\n"})
    toy.overlay({f"spec_cpp/{path}": "int unused;\n"})
    said = toy.refused().words
    assert f"spec_cpp/{path}" in said
    assert nearest in said


def test_c12_source_of_two_targets(toy):
    toy.write({
        "CMakeLists.txt": "add_executable(app main.c A.c)\nadd_executable(other main.c A.c)\n",
        "A.c": returns("a", "trunk A"),
        "main.c": prints("a"),
    })
    toy.overlay({"spec_cpp/A.c": returns("a", "vendor A")})
    build = toy.configure()
    assert build.make() == ["vendor A"] and build.run("other") == ["vendor A"]
    assert build.swaps == ["A.c -> app", "A.c -> other"]


def test_c13_override_listed_beside_the_trunk_file(toy):
    toy.write({**A_AND_X, "CMakeLists.txt": ONE_LIBRARY.replace(
        "lib/A.c", "lib/A.c third_party/acme/spec_cpp/lib/A.c")})
    toy.overlay({"spec_cpp/lib/A.c": VENDOR_A})
    said = toy.refused().words
    assert "target 'L' already lists 'spec_cpp/lib/A.c' beside the trunk's 'lib/A.c'" in said


def test_c13_vendor_file_registered_by_the_build_itself(toy):
    """An addition that some target lists by its own path has its owner."""
    toy.write({**A_AND_X, "CMakeLists.txt": ONE_LIBRARY + "add_subdirectory(third_party/acme)\n"})
    toy.overlay({
        "CMakeLists.txt": "add_executable(own spec_cpp/lib/Own.c)\n",
        "spec_cpp/lib/Own.c": prints("own") + returns("own", "vendor own"),
    })
    build = toy.configure()
    assert build.make() == ["trunk A", "trunk X"] and build.run("own") == ["vendor own"]
    assert build.swaps == ["lib/Own.c -> own (added)"]


def test_c14_two_roots_hold_the_file(toy):
    toy.write({
        "CMakeLists.txt": "add_library(L OBJECT lib/A.c)\nadd_library(C OBJECT core/lib/A.c)\n",
        "lib/A.c": returns("a", "trunk"),
        "core/lib/A.c": returns("b", "core"),
    })
    toy.overlay({"spec_cpp/lib/A.c": returns("a", "vendor")})
    said = toy.refused(f"-DTRITON_CORE_SOURCE_DIR={toy.trunk}/core",
                       f"-DTRITON_SPEC_ROOTS={toy.trunk}/third_party").words
    assert "'spec_cpp/lib/A.c' matches two trunk files that are both built" in said
    assert "TRITON_CORE_SOURCE_DIR" in said


def test_c14_core_below_the_project(toy):
    """With TRITON_CORE_SOURCE_DIR, overrides mirror the core's paths."""
    toy.write({
        "CMakeLists.txt": "add_executable(app main.c core/lib/A.c)\n",
        "main.c": prints("a"),
        "core/lib/A.c": returns("a", "core"),
    })
    toy.overlay({"spec_cpp/lib/A.c": returns("a", "vendor")})
    build = toy.cmake("-DFLAGTREE_BACKEND=acme", *toy.injection,
                      f"-DTRITON_CORE_SOURCE_DIR={toy.trunk}/core",
                      f"-DTRITON_SPEC_ROOTS={toy.trunk}/third_party")[0]
    assert build.make() == ["vendor"]
    assert build.swaps == ["lib/A.c -> app"]


@pytest.mark.parametrize("name", ["A copy.c", ".A.c"])
def test_c15_leftover_of_an_editor(toy, name):
    toy.write(A_AND_X)
    toy.overlay({f"spec_cpp/lib/{name}": VENDOR_A})
    said = toy.refused().words
    assert f"'spec_cpp/lib/{name}' has no counterpart in the trunk" in said


def test_identical_override_is_redundant(toy):
    toy.write(A_AND_X)
    toy.overlay({"spec_cpp/lib/A.c": A_AND_X["lib/A.c"]})
    assert "'spec_cpp/lib/A.c' is identical to the trunk's file" in toy.refused().words
    assert toy.make(options=["--warn-redundant"]) == ["trunk A", "trunk X"]


def test_override_that_nothing_builds_is_unused(toy):
    toy.write({**A_AND_X, "lib/Off.c": returns("off", "trunk")})
    toy.overlay({"spec_cpp/lib/Off.c": returns("off", "vendor")})
    said = toy.refused().words
    assert "nothing in this build uses 'spec_cpp/lib/Off.c' (trunk: 'lib/Off.c')" in said
    assert toy.make("-DTRITON_SPEC_UNUSED=warn") == ["trunk A", "trunk X"]


def test_every_finding_is_reported_at_once(toy):
    toy.write({**A_AND_X, "lib/Off.c": "1\n"})
    toy.overlay({"spec_cpp/lib/Off.c": "2\n", "spec_cpp/lbi/A.c": "3\n", "spec_cpp/extra.c": "4\n"})
    said = toy.refused().words
    for name in ("lib/Off.c", "lbi/A.c", "extra.c"):
        assert f"spec_cpp/{name}" in said
