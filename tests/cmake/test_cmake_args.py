"""triton-spec cmake-args: one line of arguments for a shell, or for TRITON_APPEND_CMAKE_ARGS."""

import shlex
import subprocess

import pytest

from support.toy import Run, prints, returns

TRUNK = {"CMakeLists.txt": "add_executable(app main.c)\n", "main.c": prints("a") + returns("a", "trunk")}
VENDOR = {"spec_cpp/main.c": prints("a") + returns("a", "vendor")}


@pytest.fixture
def usual(toy):
    """A trunk of one file, overridden."""
    toy.write(TRUNK)
    toy.overlay(VENDOR)
    return toy


WORDS = ["-DA=two words", "-DB=it's", '-DC="quoted"', "-DD=a;b", "-DE=$HOME", "-DF=back\\slash", "-DG=",
         "-DH=*", "-DI=~", "-Wno-dev", "-DJ=tab\there", "-DK=new\nline", "-DL=#hash", "-DM=ümlaut"]


@pytest.mark.parametrize("split", ["shlex", "sh", "null"])
def test_round_trip(usual, split):
    """The user's own arguments arrive unchanged, whoever splits the line."""
    options = ["--null"] if split == "null" else []
    text = Run([usual.program, "cmake-args", "--trunk", usual.trunk, "--backend", "acme", *options, "--", *WORDS],
               env=usual.env).expect(0).out
    if split == "shlex":
        got = shlex.split(text)
    elif split == "null":
        got = text.split("\0")[:-1]
    else:
        shell = f"for word in {text.strip()}; do printf '%s\\0' \"$word\"; done"
        got = subprocess.run(["sh", "-c", shell], check=True, capture_output=True, text=True).stdout.split("\0")[:-1]
    assert [word for word in got if word in WORDS] == WORDS
    assert "-DFLAGTREE_BACKEND=acme" in got and f"-DTRITON_SPEC_EXECUTABLE={usual.program}" in got


def test_line_in_a_real_shell(usual):
    """As the README says: cmake ... $(triton-spec cmake-args ...)."""
    done = Run(["sh", "-c", f"cd '{usual.root}' && cmake -S trunk -B build -G Ninja "
                f"$('{usual.program}' cmake-args --trunk trunk --backend acme) && ninja -C build && build/app"],
               env=usual.env).expect(0)
    assert done.out.splitlines()[-1] == "vendor"


def test_backend_from_the_environment(usual):
    text = Run([usual.program, "cmake-args", "--trunk", usual.trunk],
               env={**usual.env, "FLAGTREE_BACKEND": "acme"}).expect(0).out
    assert "-DFLAGTREE_BACKEND=acme" in shlex.split(text)


def test_users_own_top_level_includes_are_joined(usual):
    for name in ("one", "two"):
        usual.write({f"../{name}.cmake": f'message(STATUS "{name} was read")\n'})
    own = f"-DCMAKE_PROJECT_TOP_LEVEL_INCLUDES={usual.root}/one.cmake;{usual.root}/two.cmake"
    given = usual.arguments(own)
    assert sum("TOP_LEVEL_INCLUDES" in arg for arg in given) == 1
    build, run = usual.cmake(*given)
    assert "one was read" in run.text and "two was read" in run.text
    assert build.make() == ["vendor"]


@pytest.mark.parametrize("form", ["-D{}:STRING={}", "-D{}:FILEPATH={}", "-D|{}={}"])
def test_users_own_top_level_includes_in_other_forms(usual, form):
    usual.write({"../one.cmake": 'message(STATUS "one was read")\n'})
    own = form.format("CMAKE_PROJECT_TOP_LEVEL_INCLUDES", f"{usual.root}/one.cmake").split("|")
    build, run = usual.cmake(*usual.arguments(*own))
    assert "one was read" in run.text
    assert build.make() == ["vendor"]


def test_last_of_several_counts_as_for_cmake(usual):
    usual.write({"../one.cmake": 'message(STATUS "one was read")\n',
                 "../two.cmake": 'message(STATUS "two was read")\n'})
    name = "-DCMAKE_PROJECT_TOP_LEVEL_INCLUDES="
    run = usual.cmake(*usual.arguments(f"{name}{usual.root}/one.cmake", f"{name}{usual.root}/two.cmake"))[1]
    assert "two was read" in run.text and "one was read" not in run.text


def fake_cmake(toy, text):
    """A program that says it is some CMake."""
    path = toy.root / "fake cmake"
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return path


@pytest.mark.parametrize("version", ["3.23.5", "3.20.0", "2.8.12.2"])
def test_old_cmake_is_refused(usual, version):
    fake = fake_cmake(usual, f"echo 'cmake version {version}'")
    said = usual.arguments(options=["--cmake", fake], status=2).words
    assert f"CMake {'.'.join(version.split('.')[:2])} ignores CMAKE_PROJECT_TOP_LEVEL_INCLUDES" in said
    assert "use CMake 3.24 or newer (--cmake PATH)" in said


@pytest.mark.parametrize("version", ["3.24.0", "3.31.2", "4.1.0-rc1"])
def test_newer_cmake_is_taken(usual, version):
    fake = fake_cmake(usual, f"echo 'cmake version {version}'\necho\necho 'CMake suite maintained by'")
    assert "-DFLAGTREE_BACKEND=acme" in usual.arguments(options=["--cmake", fake])


@pytest.mark.parametrize("text, message", [
    ("echo hello", "names no version"), ("exit 1", "fake cmake"), ("kill -9 $$", "fake cmake"), ("", "fake cmake"),
])
def test_program_that_is_no_cmake(usual, text, message):
    fake = fake_cmake(usual, text)
    assert message in usual.arguments(options=["--cmake", fake], status=2).words


def test_cmake_that_is_not_there(usual):
    assert "no-such-cmake" in usual.arguments(options=["--cmake", "no-such-cmake"], status=2).words


def test_overlay_with_findings_prints_no_arguments(usual):
    usual.overlay({"spec_cpp/notes.txt": "x\n"})
    done = usual.arguments(status=1)
    assert done.out == "" and "'spec_cpp/notes.txt' is of no kind that an overlay can hold" in done.words
