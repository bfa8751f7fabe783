"""Where trunk, overlay and build folder lie, and by which names they are reached."""

import os
import shutil
import subprocess

import pytest

from support.toy import Run, clean_environment, prints, returns

TRUNK = {
    "CMakeLists.txt": "include_directories(include)\nadd_library(L OBJECT lib/A.c lib/B.c)\n"
                      "add_executable(app main.c)\ntarget_link_libraries(app L)\n",
    "include/toy/X.h": '#define X "trunk X"\n',
    "lib/A.c": returns("a", "trunk A"),
    "lib/B.c": '#include "toy/X.h"\n' + returns("b", "X"),
    "main.c": prints("a", "b"),
}
VENDOR = {
    "spec_cpp/lib/A.c": returns("a", "vendor A"),
    "spec_cpp/include/toy/X.h": '#define X "vendor X"\n',
}
PRINTED = ["vendor A", "vendor X"]
SWAPS = ["include/toy/X.h -> L", "lib/A.c -> L"]


@pytest.fixture
def usual(toy):
    """The trunk and the overlay of this file, in the usual places."""
    toy.write(TRUNK)
    toy.overlay(VENDOR)
    return toy


def test_spaces_in_every_folder(toy):
    toy.trunk = toy.root / "a trunk" / "of spaces"
    toy.write({**TRUNK,
               "CMakeLists.txt": TRUNK["CMakeLists.txt"].replace("lib/A.c", '"the lib/two words.c"'),
               "the lib/two words.c": TRUNK["lib/A.c"]})
    toy.overlay({"spec_cpp/the lib/two words.c": VENDOR["spec_cpp/lib/A.c"],
                 "spec_cpp/include/toy/X.h": VENDOR["spec_cpp/include/toy/X.h"]})
    build = toy.configure(build="a build/of spaces")
    assert build.make() == PRINTED
    assert build.swaps == [SWAPS[0], "the lib/two words.c -> L"]


@pytest.mark.parametrize("source, where", [("trunk", "."), (".", "trunk"), ("..", "trunk/lib"),
                                           ("../trunk/lib/..", "trunk")])
def test_source_folder_given_relative(usual, source, where):
    build = usual.cmake(*usual.arguments(), trunk=source, cwd=usual.root / where)[0]
    assert build.make() == PRINTED and build.swaps == SWAPS


@pytest.mark.parametrize("folder", ["trunk/build", "trunk/python/build/cmake.linux", "trunk/lib/build",
                                    "trunk/third_party/acme/build"])
def test_build_folder_inside_the_trunk(usual, folder):
    build = usual.configure(build=folder)
    assert build.make() == PRINTED and build.swaps == SWAPS
    again = usual.cmake(build=folder)[1]
    assert [line[9:] for line in again.text.splitlines() if line.startswith("-- SPEC: ")] == SWAPS


def test_build_folder_reached_through_a_link(usual):
    (usual.root / "real build").mkdir()
    (usual.root / "link").symlink_to("real build")
    build = usual.cmake(*usual.arguments(), build="link")[0]
    assert build.make() == PRINTED and build.swaps == SWAPS


def test_folder_above_the_trunk_is_a_link(usual):
    (usual.root / "real").mkdir()
    usual.trunk.rename(usual.root / "real/trunk")
    (usual.root / "link").symlink_to("real")
    assert usual.make(trunk="link/trunk", build="link/build") == PRINTED


def test_file_of_the_overlay_is_a_link_inside_it(usual):
    folder = usual.trunk / "third_party/acme"
    (folder / "shared").mkdir()
    (folder / "spec_cpp/lib/A.c").rename(folder / "shared/A.c")
    (folder / "spec_cpp/lib/A.c").symlink_to("../../shared/A.c")
    assert usual.make() == PRINTED


def test_file_of_the_overlay_is_a_link_out_of_it(usual):
    vendor = usual.trunk / "third_party/acme/spec_cpp/lib/A.c"
    vendor.rename(usual.root / "A.c")
    vendor.symlink_to(usual.root / "A.c")
    assert "link 'spec_cpp/lib/A.c' leaves the overlay" in usual.refused().words


# --- overlay roots ------------------------------------------------------------------------------

@pytest.fixture
def away(toy):
    """The overlay lies outside the trunk, in <root>/vendors/acme."""
    toy.write(TRUNK)
    toy.overlay(VENDOR, root="../vendors")
    return toy


def test_root_from_the_command_line(away):
    build = away.configure(options=["--root", away.root / "vendors"])
    assert build.make() == PRINTED and build.swaps == SWAPS


def test_root_from_a_relative_command_line(away):
    text = subprocess.run([away.program, "cmake-args", "--trunk", "trunk", "--backend", "acme",
                           "--root", "vendors", "--null"], cwd=away.root, env=away.env, check=True,
                          capture_output=True, text=True).stdout
    assert away.cmake(*text.split("\0")[:-1])[0].make() == PRINTED


@pytest.mark.parametrize("variable", ["TRITON_SPEC_ROOTS", "TRITON_PLUGIN_DIRS"])
def test_root_from_a_cmake_variable(away, variable):
    build = away.cmake("-DFLAGTREE_BACKEND=acme", *away.injection,
                       f"-D{variable}={away.root}/none;{away.root}/vendors")[0]
    assert build.make() == PRINTED and build.swaps == SWAPS


@pytest.mark.parametrize("variable, separator", [("SPEC_PATH", ":"), ("TRITON_PLUGIN_DIRS", ";")])
def test_root_from_the_environment(away, variable, separator):
    there = clean_environment(**{variable: f"{away.root}/none{separator}{away.root}/vendors"})
    build = away.configure(env=there)
    assert build.make() == PRINTED and build.swaps == SWAPS


@pytest.mark.parametrize("variable", ["SPEC_PATH", "TRITON_PLUGIN_DIRS"])
def test_root_from_the_environment_is_kept_in_a_later_shell(away, variable):
    build = away.configure(env=clean_environment(**{variable: f"{away.root}/vendors"}))
    assert build.make() == PRINTED
    os.utime(away.trunk / "CMakeLists.txt")
    build.env = clean_environment(**{variable: f"{away.root}/elsewhere"})
    assert "Re-running CMake" in build.ninja().text
    assert build.run() == PRINTED and build.swaps == SWAPS


def test_forgotten_root_is_mended_by_setting_it(away):
    assert "backend 'acme' does not exist" in away.refused().words
    build = away.cmake(env=clean_environment(SPEC_PATH=f"{away.root}/vendors"))[0]
    assert build.make() == PRINTED


def test_plugin_folder_that_names_itself(toy):
    """TRITON_PLUGIN_DIRS lists the backend's own folder, whatever its name is."""
    toy.write(TRUNK)
    toy.overlay({**VENDOR, "backend/name.conf": "acme\n"}, root="..", backend="acme-plugin-checkout")
    build = toy.configure(env=clean_environment(TRITON_PLUGIN_DIRS=f"{toy.root}/acme-plugin-checkout"))
    assert build.make() == PRINTED


@pytest.mark.parametrize("how", ["option", "environment", "variable"])
def test_two_roots_hold_the_backend(away, how):
    away.overlay(VENDOR)
    root = away.root / "vendors"
    if how == "option":
        said = away.arguments(options=["--root", root], status=2).words
    elif how == "environment":
        said = away.refused(env=clean_environment(SPEC_PATH=str(root))).words
    else:
        said = away.refused(f"-DTRITON_PLUGIN_DIRS={root}").words
    assert "two overlay roots hold backend 'acme'" in said
    assert "vendors/acme" in said and "trunk/third_party/acme" in said


def test_one_root_given_twice_is_one_root(away):
    (away.root / "link").symlink_to("vendors")
    build = away.configure(options=["--root", away.root / "vendors"],
                           env=clean_environment(SPEC_PATH=f"{away.root}/link"))
    assert build.make() == PRINTED


@pytest.mark.parametrize("name, complaint", [
    ("ac-me", "is not a valid name"), ("Acme", "is not a valid name"),
    ("../third_party/acme", "is not a valid name"), ("acmee", "does not exist"),
])
def test_wrong_backend_name_lists_those_found(usual, name, complaint):
    usual.overlay(VENDOR, backend="other")
    said = usual.refused(backend=name).words
    assert f"backend '{name}' {complaint}" in said
    assert "backends found: acme, other" in said


# --- nothing is written to trunk and overlay ----------------------------------------------------

def read_only(folders, command, env):
    """Runs a shell command in which the folders are mounted read-only."""
    mounts = "".join(f'mount --bind "{f}" "{f}" && mount -o remount,bind,ro "{f}" && '
                     f'! touch "{f}/proof" 2>/dev/null && ' for f in folders)
    return Run(["unshare", "-rm", "sh", "-c", mounts + command], env=env)


def test_read_only_trunk_and_overlay(away):
    given = " ".join(f"'{arg}'" for arg in away.arguments(options=["--root", away.root / "vendors"]))
    done = read_only([away.trunk, away.root / "vendors"],
                     f"cd '{away.root}' && cmake -S trunk -B build -G Ninja {given} && "
                     "ninja -C build && build/app", away.env).expect(0)
    assert done.out.splitlines()[-2:] == PRINTED


def test_trunk_and_overlay_are_left_as_they_were(usual):
    def state():
        return {p: (p.lstat().st_mtime_ns, p.is_file() and p.read_bytes())
                for p in usual.trunk.rglob("*")}
    before = state()
    assert usual.make() == PRINTED
    assert state() == before


# --- without a backend --------------------------------------------------------------------------

@pytest.mark.parametrize("choice", [[], ["-DFLAGTREE_BACKEND="]])
def test_no_backend_changes_nothing(usual, choice):
    """build.ninja is the same, but for the list of CMake files that make CMake run again."""
    def rules(build):
        text = (build.path / "build.ninja").read_text() + \
            (build.path / "CMakeFiles/rules.ninja").read_text()
        return [line for line in text.splitlines() if " CMakeCache.txt " not in line]

    plain = rules(usual.cmake()[0])
    shutil.rmtree(usual.root / "build")
    build, done = usual.cmake(usual.injection[-1], *choice)
    assert rules(build) == plain
    assert "SPEC" not in done.text and not build.spec.exists()
    assert build.make() == ["trunk A", "trunk X"]
