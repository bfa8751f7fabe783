"""An override whose trunk file changed since it was made: in configure runs, and before each ninja."""

import pytest
from support.toy import Run, clean_environment, prints, returns, write_tree

A = "#include <stdio.h>\n" + returns("a", "trunk")


@pytest.fixture(name="locked")
def fixture_locked(toy):
    """A trunk with one override and its lock; no git anywhere."""
    toy.write({"CMakeLists.txt": "add_executable(app app.c a.c)\n", "app.c": prints("a"), "a.c": A})
    toy.overlay({"spec_cpp/a.c": returns("a", "vendor")})
    relock(toy)
    return toy


def relock(toy):
    Run([toy.program, "lock", "--trunk", toy.trunk, "--backend", "acme"],
        env=clean_environment()).expect(0)


def configures(build, *arguments, status=0):
    return Run(["cmake", *arguments, build.path], env=build.env).expect(status).words


def test_ninja_notices_and_cmake_says_so(locked):
    build = locked.configure()
    assert build.make() == ["vendor"]
    assert "warning[drift]" not in configures(build)
    write_tree(locked.trunk, {"a.c": A + "int more;\n"})
    text = " ".join(build.ninja().text.split())
    assert "'spec_cpp/a.c' was made against another trunk: 'a.c' has changed since" in text
    assert "lies in no git repository" in text
    assert build.run() == ["vendor"]
    assert "warning[drift]" in configures(build)
    assert "CMake runs again" not in build.ninja().text
    relock(locked)  # its text alone changes
    assert "warning[drift]" not in build.ninja().text
    assert "warning[drift]" not in configures(build)


def test_the_mode_of_a_build(locked):
    build = locked.configure("-DTRITON_SPEC_DRIFT=error")
    build.ninja()
    write_tree(locked.trunk, {"a.c": A + "int more;\n"})
    assert "error[drift]" in build.ninja(status=1).text
    assert "error[drift]" in configures(build, status=1)
    assert "drift]" not in configures(build, "-DTRITON_SPEC_DRIFT=ignore")
    build.ninja()
    assert "warning[drift]" in configures(build, "-DTRITON_SPEC_DRIFT=warn")
    assert "TRITON_SPEC_DRIFT is 'no'" in configures(build, "-DTRITON_SPEC_DRIFT=no", status=1)
    locked.overlay({"spec.ini": "[drift]\nmode = error\n"})
    assert "error[drift]" in configures(build, "-UTRITON_SPEC_DRIFT", status=1)


def test_a_lock_that_breaks_stops_the_build(locked):
    build = locked.configure()
    build.ninja()
    lock = locked.trunk / "third_party/acme/spec.lock"
    lock.write_text(lock.read_text() + "<<<<<<< ours\n")
    text = " ".join(build.ninja(status=1).text.split())
    assert "error[lock-broken]" in text and "spec.lock:3" in text
