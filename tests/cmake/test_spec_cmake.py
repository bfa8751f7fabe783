"""spec.cmake: what a backend asks of the trunk's targets."""

import pytest

from support.toy import prints, returns

TRUNK = {
    "CMakeLists.txt": "include_directories(include)\nadd_library(ToyIR {kind} lib/A.c)\n"
                      "add_executable(app main.c)\n{link}\n",
    "include/t/X.h": '#define X "trunk"\n',
    "lib/A.c": returns("a", "trunk"),
    "main.c": prints("a"),
}
VENDOR_A = "const char *fresh(void);\nconst char *a(void) { return fresh(); }\n"


def trunk(toy, kind="OBJECT", link="target_link_libraries(app ToyIR)"):
    """A library ToyIR and a program that links it."""
    return toy.write({**TRUNK, "CMakeLists.txt": TRUNK["CMakeLists.txt"].format(kind=kind, link=link)})


@pytest.mark.parametrize("kind", ["OBJECT", "STATIC", "SHARED"])
def test_added_source(toy, kind):
    trunk(toy, kind)
    toy.overlay({"spec_cpp/lib/A.c": VENDOR_A, "spec_cpp/lib/New.c": returns("fresh", "vendor"),
                 "spec.cmake": "spec_target_sources(ToyIR lib/New.c)\n"})
    build = toy.configure()
    assert build.make() == ["vendor"]
    assert build.swaps == ["lib/A.c -> ToyIR", "lib/New.c -> ToyIR (added)"]


def test_added_sources_with_headers_of_their_own(toy):
    trunk(toy)
    toy.overlay({"spec_cpp/lib/A.c": VENDOR_A,
                 "spec_cpp/lib/New.c": '#include "New.h"\n#include "t/Extra.h"\n' + returns("fresh", "NEW"),
                 "spec_cpp/lib/New.h": '#include "t/X.h"\n', "spec_cpp/include/t/Extra.h": "#define NEW X\n",
                 "spec_cpp/include/t/X.h": '#define X "vendor"\n',
                 "spec.cmake": "spec_target_sources(ToyIR lib/New.c lib/Other.c)\n",
                 "spec_cpp/lib/Other.c": "int other;\n"})
    assert toy.make() == ["vendor"]


@pytest.mark.parametrize("kind", ["OBJECT", "STATIC", "SHARED"])
@pytest.mark.parametrize("link", ["target_link_libraries(app ToyIR)",
                                  "target_link_libraries(ToyIR PRIVATE m)\ntarget_link_libraries(app PRIVATE ToyIR)",
                                  "target_link_libraries(ToyIR m)\ntarget_link_libraries(app ToyIR)"])
def test_linked_library(toy, kind, link):
    """A library of the backend's own, and one that the system has; plain and keyword form in the trunk."""
    trunk(toy, kind, link + "\nadd_subdirectory(third_party/acme)")
    toy.overlay({"CMakeLists.txt": "add_library(AcmeIR STATIC own/fresh.c)\n",
                 "own/fresh.c": returns("fresh", "vendor"), "spec_cpp/lib/A.c": VENDOR_A,
                 "spec.cmake": "spec_target_link_libraries(ToyIR AcmeIR dl)\n"})
    assert toy.make() == ["vendor"]


def test_definitions_and_include_folders(toy):
    trunk(toy)
    toy.overlay({"spec_cpp/lib/A.c": "#include <own.h>\n" + returns("a", "BOTH"),
                 "own/own.h": "#define BOTH FIRST SECOND\n",
                 "spec.cmake": 'spec_target_definitions(ToyIR "FIRST=\\"one \\"" "SECOND=\\"two\\"")\n'
                               "spec_target_include_directories(ToyIR ${CMAKE_CURRENT_LIST_DIR}/own)\n"})
    assert toy.make() == ["one two"]


def test_added_folder_comes_behind_the_trunks_own(toy):
    trunk(toy)
    toy.overlay({"spec_cpp/lib/A.c": "#include <t/X.h>\n" + returns("a", "X"),
                 "own/t/X.h": '#define X "vendor"\n',
                 "spec.cmake": "spec_target_include_directories(ToyIR ${CMAKE_CURRENT_LIST_DIR}/own)\n"})
    assert toy.make() == ["trunk"]


@pytest.mark.parametrize("call", [
    "spec_target_sources(ToyIr lib/New.c)", "spec_target_link_libraries(ToyIr m)",
    "spec_target_definitions(ToyIr X)", "spec_target_include_directories(ToyIr /usr/include)",
])
def test_unknown_target_names_the_nearest(toy, call):
    trunk(toy)
    toy.overlay({"spec_cpp/lib/A.c": returns("a", "v"), "spec_cpp/lib/New.c": "int n;\n",
                 "spec.cmake": call + "\n"})
    said = toy.refused().words
    assert "spec.cmake names target 'ToyIr', which does not exist; did you mean 'ToyIR'?" in said
    assert "third_party/acme/spec.cmake" in said


def test_addition_that_is_not_there(toy):
    trunk(toy)
    toy.overlay({"spec_cpp/lib/A.c": returns("a", "v"), "spec.cmake": "spec_target_sources(ToyIR lib/Nwe.c)\n"})
    said = toy.refused().words
    assert "spec.cmake adds 'lib/Nwe.c' to target 'ToyIR', but the overlay has no such file" in said


def test_addition_that_is_an_override_is_refused(toy):
    """A.c is the trunk's: it is swapped by itself, never added."""
    trunk(toy)
    toy.overlay({"spec_cpp/lib/A.c": returns("a", "v"), "spec.cmake": "spec_target_sources(ToyIR lib/A.c)\n"})
    assert "adds 'lib/A.c' to target 'ToyIR'" in toy.refused().words


def test_addition_without_owner_names_the_nearest(toy):
    trunk(toy)
    toy.overlay({"spec_cpp/lib/B.c": "int b;\n"})
    said = toy.refused().words
    assert "'spec_cpp/lib/B.c' has no counterpart in the trunk and no target owns it" in said
    assert "did you mean 'lib/A.c'?" in said
    assert "spec_target_sources(<target> <path below spec_cpp>)" in said


@pytest.mark.parametrize("call, message", [
    ("spec_target_sources(ToyIR)", "spec_target_sources(<target> <item>...) needs a target and an item"),
    ('spec_target_definitions("" X)', "spec_target_definitions(<target> <item>...) needs a target and an item"),
])
def test_wrong_call(toy, call, message):
    trunk(toy)
    toy.overlay({"spec_cpp/lib/A.c": returns("a", "v"), "spec.cmake": call + "\n"})
    assert message in toy.refused().words


def test_alias_of_a_target(toy):
    trunk(toy, link="add_library(Toy::IR ALIAS ToyIR)\ntarget_link_libraries(app Toy::IR)")
    toy.overlay({"spec_cpp/lib/A.c": returns("a", "WORD"), "spec.cmake": 'spec_target_definitions(Toy::IR "WORD=\\"v\\"")\n'})
    assert toy.make() == ["v"]


def test_target_created_last(toy):
    trunk(toy, link="target_link_libraries(app ToyIR)\ncmake_language(DEFER CALL add_library Late OBJECT lib/L.c)\n"
                    "cmake_language(DEFER CALL target_link_libraries app Late)")
    toy.write({"lib/L.c": "int l;\n"})
    toy.overlay({"spec_cpp/lib/A.c": VENDOR_A, "spec_cpp/lib/New.c": returns("fresh", "vendor"),
                 "spec.cmake": "spec_target_sources(Late lib/New.c)\n"})
    assert toy.make() == ["vendor"]


def test_variables_and_error_of_the_script(toy):
    """spec.cmake is CMake code: it may set variables of the top folder, and its errors stop the build."""
    trunk(toy, link="target_link_libraries(app ToyIR)\n"
                    'target_compile_definitions(ToyIR PRIVATE "WORD=\\"${ACME_WORD}\\"")')
    folder = toy.overlay({"spec_cpp/lib/A.c": returns("a", "WORD"), "spec.cmake": "set(ACME_WORD set)\n"})
    assert toy.make() == ["set"]
    (folder / "spec.cmake").write_text("spec_target_source(ToyIR lib/A.c)\n")
    assert 'Unknown CMake command "spec_target_source"' in toy.refused().words


def test_change_of_the_script_configures_again(toy):
    trunk(toy)
    folder = toy.overlay({"spec_cpp/lib/A.c": returns("a", "WORD"),
                          "spec.cmake": 'spec_target_definitions(ToyIR "WORD=\\"one\\"")\n'})
    build = toy.configure()
    assert build.make() == ["one"]
    (folder / "spec.cmake").write_text('spec_target_definitions(ToyIR "WORD=\\"two\\"")\n')
    assert build.make() == ["two"]
