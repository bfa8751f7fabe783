"""Generators, build types and compilers."""

import json

import pytest

from support.toy import Run, prints, returns

TRUNK = {
    "CMakeLists.txt": "include_directories(include)\nadd_library(L OBJECT lib/A.c lib/B.c)\n"
                      "add_executable(app main.c)\ntarget_link_libraries(app L)\n",
    "include/t/X.h": '#define X "trunk"\n',
    "lib/A.c": '#ifdef NDEBUG\n#define K "release"\n#else\n#define K "debug"\n#endif\n' + returns("a", "K"),
    "lib/B.c": '#include "t/X.h"\n' + returns("b", "X"), "main.c": prints("a", "b"),
}
VENDOR = {"spec_cpp/lib/A.c": TRUNK["lib/A.c"].replace('"release"', '"vendor release"').replace(
    '"debug"', '"vendor debug"'), "spec_cpp/include/t/X.h": '#define X "vendor"\n'}


@pytest.fixture
def usual(toy):
    """A library and a program, one source and one header overridden."""
    toy.write(TRUNK)
    toy.overlay(VENDOR)
    return toy


def test_ninja_multi_config(usual):
    build = usual.configure(generator="Ninja Multi-Config")
    for kind, word in (("Debug", "vendor debug"), ("Release", "vendor release")):
        build.ninja("-f", f"build-{kind}.ninja")
        assert Run([build.path / kind / "app"], env=usual.env).expect(0).out.splitlines() == [word, "vendor"]


@pytest.mark.parametrize("kind, word", [("Debug", "vendor debug"), ("Release", "vendor release")])
def test_build_type(usual, kind, word):
    assert usual.make(f"-DCMAKE_BUILD_TYPE={kind}") == [word, "vendor"]


@pytest.mark.parametrize("source, kind, printed", [
    ("$<$<CONFIG:Debug>:lib/A.c>", "Debug", ["vendor debug", "vendor"]),
    ("$<IF:$<CONFIG:Debug>,lib/A.c,lib/A2.c>", "Release", ["other", "vendor"]),
])
def test_source_of_one_build_type(usual, source, kind, printed):
    usual.write({"CMakeLists.txt": TRUNK["CMakeLists.txt"].replace("lib/A.c", f'"{source}"'),
                 "lib/A2.c": returns("a", "other")})
    assert usual.make(f"-DCMAKE_BUILD_TYPE={kind}") == printed


def test_other_generator_is_refused(usual):
    said = usual.refused(generator="Unix Makefiles").words
    assert "the generator is 'Unix Makefiles'" in said
    assert 'configure with -G Ninja or -G "Ninja Multi-Config"' in said


def test_other_generator_without_a_backend(usual):
    build = usual.cmake(usual.injection[-1], generator="Unix Makefiles")[0]
    Run(["make", "-C", build.path], env=usual.env).expect(0)
    assert build.run() == ["debug", "trunk"]


@pytest.mark.parametrize("compiler", ["gcc", "clang-22"])
def test_compiler(usual, compiler):
    build = usual.configure(f"-DCMAKE_C_COMPILER={compiler}")
    assert build.make() == ["vendor debug", "vendor"]


@pytest.mark.parametrize("compiler", ["gcc", "clang-22"])
def test_compiler_and_a_header_beside_its_includer(toy, compiler):
    """Both look beside the name by which the includer was reached, and know a file by its inode."""
    toy.write({**TRUNK, "include/t/X.h": '#pragma once\n#include "Y.h"\nstatic const char *once = Y;\n',
               "include/t/Y.h": '#define Y "trunk"\n',
               "lib/B.c": '#include "t/X.h"\n#include "../include/t/X.h"\n#include <t/X.h>\n'
                          "const char *b(void) { return once; }\n"})
    toy.overlay({"spec_cpp/include/t/Y.h": '#define Y "vendor"\n'})
    build = toy.configure(f"-DCMAKE_C_COMPILER={compiler}", "-DCMAKE_C_FLAGS=-Wall -Wextra -Werror")
    assert build.make() == ["debug", "vendor"]


@pytest.mark.parametrize("flags", ["-Werror -Wall -Wextra -pedantic", "-Werror -Wundef", "-std=c89 -Werror"])
def test_strict_flags_of_the_trunk(usual, flags):
    """What is added to a command warns nobody."""
    assert usual.make(f"-DCMAKE_C_FLAGS={flags}") == ["vendor debug", "vendor"]


def test_compile_commands_name_the_staged_files(usual):
    build = usual.configure("-DCMAKE_EXPORT_COMPILE_COMMANDS=ON")
    files = [entry["file"] for entry in json.loads((build.path / "compile_commands.json").read_text())]
    assert str(build.spec / "stage/lib/A.c") in files and str(usual.trunk / "lib/A.c") not in files


def test_failing_overlay_leaves_the_old_build_alone(usual):
    """After an error the build folder still builds what it did before, or says why not."""
    build = usual.configure()
    assert build.make() == ["vendor debug", "vendor"]
    usual.overlay({"spec_cpp/lib/Bad.c": "int b;\n"})
    assert "'spec_cpp/lib/Bad.c'" in usual.refused().words
    usual.overlay({"spec_cpp/lib/Bad.c": None})
    assert usual.make() == ["vendor debug", "vendor"]
