"""The log, and what a build folder remembers."""

import os

from support.toy import Run, clean_environment, prints, returns

RULE = "=" * 37
TRUNK = {
    "CMakeLists.txt": "include_directories(include)\nadd_library(Z OBJECT lib/A.c lib/B.c)\n"
                      "add_library(Y OBJECT lib/B.c)\nadd_executable(app main.c)\ntarget_link_libraries(app Z)\n",
    "include/t/X.h": '#define X "trunk"\n',
    "lib/A.c": returns("a", "trunk"), "lib/B.c": '#include "t/X.h"\n' + returns("b", "X"),
    "main.c": prints("a", "b"),
}
VENDOR = {"spec_cpp/lib/B.c": '#include "t/X.h"\n' + returns("b", "vendor"),
          "spec_cpp/lib/A.c": returns("a", "vendor"), "spec_cpp/include/t/X.h": '#define X "vendor"\n'}
LINES = [
    RULE, "flagtree backend cmake specialization",
    "SPEC: include/t/X.h -> Y", "SPEC: include/t/X.h -> Z", "SPEC: lib/A.c -> Z", "SPEC: lib/B.c -> Y",
    "SPEC: lib/B.c -> Z", "acme: 3 overrides (2 source, 1 header), 3 of 4 units affected", RULE,
]


def printed(run):
    """The log as CMake printed it."""
    lines = [line[3:] for line in run.text.splitlines() if line.startswith("-- ")]
    start = lines.index(RULE)
    return lines[start:lines.index(RULE, start + 1) + 1]


def test_one_line_an_override_and_owner_in_stable_order(toy):
    toy.write(TRUNK)
    toy.overlay(VENDOR)
    build, run = toy.cmake(*toy.arguments())
    assert build.log == LINES and printed(run) == LINES
    assert printed(toy.cmake()[1]) == LINES
    assert printed(toy.cmake(*toy.arguments(), build="other")[1]) == LINES


def test_configuring_again_changes_no_file(toy):
    """No object is dirty, and no result gets a new time, when nothing changed."""
    toy.write(TRUNK)
    toy.overlay(VENDOR)
    build = toy.configure()
    build.ninja()
    times = {p: p.lstat().st_mtime_ns for p in build.spec.rglob("*")
             if p.is_symlink() or p.suffix in (".json", ".cmake")}
    toy.cmake()
    assert {p: p.lstat().st_mtime_ns for p in times} == times
    assert "no work to do" in build.ninja().text


def test_frozen_backend(toy):
    """The build folder keeps its backend in a shell that names another, or none."""
    toy.write(TRUNK)
    toy.overlay(VENDOR)
    toy.overlay({"spec_cpp/lib/A.c": returns("a", "other")}, backend="other")
    build = toy.cmake(*toy.injection, env=clean_environment(FLAGTREE_BACKEND="acme"))[0]
    assert build.make() == ["vendor", "vendor"]
    for env in (clean_environment(FLAGTREE_BACKEND="other"), clean_environment()):
        os.utime(toy.trunk / "CMakeLists.txt")
        build.env = env
        run = build.ninja()
        assert "Re-running CMake" in run.text
        assert build.run() == ["vendor", "vendor"] and build.log == LINES
        if "FLAGTREE_BACKEND" in env:
            assert "this build folder keeps backend 'acme'" in run.words
            assert "cmake -DFLAGTREE_BACKEND=other" in run.words


def test_backend_is_switched_by_a_cmake_argument(toy):
    toy.write(TRUNK)
    toy.overlay(VENDOR)
    toy.overlay({"spec_cpp/lib/A.c": returns("a", "other")}, backend="other")
    build = toy.configure()
    assert build.make() == ["vendor", "vendor"]
    toy.cmake("-DFLAGTREE_BACKEND=other")
    assert build.make() == ["other", "trunk"]
    assert build.swaps == ["lib/A.c -> Z"]
    assert not (build.spec / "stage/include/t/X.h").is_symlink()
    toy.cmake("-DFLAGTREE_BACKEND=")
    assert build.make() == ["trunk", "trunk"]


def test_build_folder_without_backend_keeps_none(toy):
    toy.write(TRUNK)
    toy.overlay(VENDOR)
    build = toy.cmake(toy.injection[-1])[0]
    run = toy.cmake(env=clean_environment(FLAGTREE_BACKEND="acme"))[1]
    assert "this build folder keeps backend ''" in run.words
    assert build.make() == ["trunk", "trunk"]


def test_added_and_hooked_files_are_marked(toy):
    toy.write({**TRUNK, "python/triton/__init__.py": "\n", "python/triton/runtime/jit.py": "J = 1\n"})
    toy.overlay({"spec/triton/__init__.py": "# hooks\n", "spec/triton/runtime/jit.py": "J = 2\n",
                 "spec/triton/runtime/extra.py": "E = 1\n"})
    build = toy.configure()
    assert build.swaps == ["python/triton/runtime/extra.py -> python package (added)",
                           "python/triton/runtime/jit.py -> python package",
                           "python/triton/spec/acme/triton/__init__.py -> python package (hooks)"]


def test_log_command_prints_what_cmake_printed(toy):
    toy.write(TRUNK)
    toy.overlay(VENDOR)
    build = toy.configure()
    lines = Run([toy.program, "log", build.path], env=toy.env).expect(0).out.splitlines()
    assert lines == [f"-- {line}" for line in LINES]
