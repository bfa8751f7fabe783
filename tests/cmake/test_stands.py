"""A configure run that changes nothing for the overlay leaves the engine's steps out; any other does
them.  A step that is done writes the record `looks` anew, so its place on disk tells."""

import shutil

import pytest
from support.toy import Run, prints, returns, write_tree

HEADER = "include/t/flavour.h"
CMAKE = ("include_directories(include)\nadd_library(a OBJECT a.c)\n"
         "add_executable(app app.c)\ntarget_link_libraries(app a)\n")


@pytest.fixture(name="build")
def fixture_build(toy):
    toy.write({"CMakeLists.txt": CMAKE, "app.c": prints("a"), "plain.h": "",
               "a.c": f'#include <t/flavour.h>\n#include "plain.h"\n{returns("a", "FLAVOUR")}',
               HEADER: '#define FLAVOUR "trunk"\n'})
    toy.overlay({f"spec_cpp/{HEADER}": '#define FLAVOUR "vendor"\n'})
    build = toy.configure()
    assert build.make() == ["vendor"]
    return build


def record(build):
    """What tells one record from the next."""
    looks = (build.spec / "looks").stat()
    return looks.st_ino, looks.st_mtime_ns


def configures(build, *arguments):
    """Runs CMake again; returns its text."""
    return Run(["cmake", *arguments, build.path], env=build.env).expect(0).text


def test_nothing_to_do(build):
    before = record(build)
    text = configures(build)
    assert record(build) == before
    assert f"SPEC: {HEADER} -> a" in text
    assert build.make() == ["vendor"]


def test_a_program_elsewhere_does_it_again(build, toy):
    other = shutil.copy(toy.program, toy.root / "other")
    before = record(build)
    configures(build, f"-DTRITON_SPEC_EXECUTABLE={other}")
    assert record(build) != before


def test_another_option_does_it_again(build):
    before = record(build)
    configures(build, "-DTRITON_SPEC_UNUSED=warn")
    assert record(build) != before


def test_another_target_does_it_again(build, toy):
    toy.write({"CMakeLists.txt": CMAKE + "add_library(b OBJECT a.c)\n"})
    configures(build)
    assert f"{HEADER} -> b" in build.swaps


def test_a_file_that_was_only_looked_at_counts(build, toy):
    """No override and no source: what it includes decides who is affected."""
    write_tree(toy.trunk, {"plain.h": f'#include "{HEADER}"\n'})
    before = record(build)
    configures(build)
    assert record(build) != before


@pytest.mark.parametrize("name", ["plan.cmake", "place.cmake", "log.txt", "manifest.json",
                                  f"stage/{HEADER}"])
def test_a_lost_result_is_made_again(build, name):
    path = build.spec / name
    path.unlink()
    configures(build)
    assert path.exists()


def test_an_edited_result_is_made_again(build):
    path = build.spec / "place.cmake"
    text = path.read_text()
    path.write_text("message(FATAL_ERROR edited)\n")
    configures(build)
    assert path.read_text() == text


def test_warnings_are_said_again(toy):
    toy.write({"CMakeLists.txt": "add_executable(app app.c)\n", "app.c": "int main(void) { return 0; }\n",
               HEADER: "// trunk\n"})
    toy.overlay({f"spec_cpp/{HEADER}": "// vendor\n"})
    build = toy.configure("-DTRITON_SPEC_UNUSED=warn")
    for _ in range(2):
        assert "warning[unused]" in configures(build)
