"""Many backends, many build folders: what is the same is compiled once.

The units that no override reaches have the command of a build without an overlay, and the others
have one that tells nothing of the build folder but its path, which ccache makes relative.
"""

import os

import pytest

from support import farm
from support.ccache import LAUNCHER, MODES, Cache, commands, hits
from support.toy import Run, Toy, prints


def test_commands_differ_only_where_an_override_is_reached(toy):
    """Byte for byte, but for the path of the build folder."""
    here = farm.Machine(toy, "here")
    given = {backend: commands(here.configure(backend, build=f"build-{backend}"), here.toy.trunk)
             for backend in (None, *farm.BACKENDS)}
    assert set(given[None]) == farm.SOURCES
    for backend in farm.BACKENDS:
        same = {source for source, command in given[backend].items() if command == given[None][source]}
        assert same == farm.SOURCES - farm.affected(backend)


@pytest.mark.parametrize("mode", MODES)
def test_one_cache_for_backends_and_build_folders(toy, mode):
    here = farm.Machine(toy, "here", **MODES[mode])
    assert hits(here.build()[1]) == set()
    for backend in farm.BACKENDS:
        assert hits(here.build(backend)[1]) == farm.SOURCES - farm.affected(backend)
    assert hits(here.build("acme", build="build-again")[1]) == farm.SOURCES
    there = farm.Machine(toy, "some/where/else", cache=here.cache.folder, **MODES[mode])
    build, outcomes = there.build("bee")
    assert hits(outcomes) == farm.SOURCES
    assert f"{here.toy.root}/" not in build.ninja("-t", "deps").text
    Run([toy.program, "verify", build.path]).expect(0)


def test_unity_batches(toy):
    """A batch counts as one unit. Its text names absolute paths, so only the preprocessor finds it again
    in another clone."""
    here, there = farm.Machine(toy, "here"), farm.Machine(toy, "there", cache=toy.root / "here/ccache")
    for machine, known in ((here, False), (there, True)):
        build = machine.configure("acme", "-DCMAKE_UNITY_BUILD=ON")
        assert build.make() == farm.prints_of("acme")
        outcomes = machine.cache.outcomes(build, machine.toy.trunk)
        assert len(outcomes) == 4
        assert hits(outcomes) == (set(outcomes) if known else set())
        assert hits(outcomes, "direct_cache_hit") == set()


# --- what the guide says about settings ---------------------------------------------------------

def _returning(name, value, include=""):
    return f"{include}const char *{name}(void) {{ return {value}; }}\n"


K = '#include "t/k.h"\n'
UNITS = {
    "plain": _returning("plain", '"trunk"'),
    "affected": _returning("affected", "K", K),
    "swapped": _returning("swapped", '"trunk"'),
    "file": _returning("file", "__FILE__", K),
    "folder": _returning("folder", "FOLDER", K),
}
TRUNK = {
    "CMakeLists.txt": "include_directories(include)\nadd_executable(app main.c "
                      + " ".join(f"lib/{name}.c" for name in UNITS) + ")\n"
                      "set_source_files_properties(lib/folder.c PROPERTIES COMPILE_DEFINITIONS\n"
                      '  "FOLDER=\\"${CMAKE_BINARY_DIR}\\"")\n'
                      "if(PRECOMPILE)\n  target_precompile_headers(app PRIVATE include/t/p.h)\nendif()\n",
    "main.c": prints(*UNITS), "include/t/k.h": '#define K "trunk"\n', "include/t/p.h": "#define P 1\n",
    **{f"lib/{name}.c": text for name, text in UNITS.items()},
}
OVERLAY = {"spec_cpp/include/t/k.h": '#define K "vendor"\n',
           "spec_cpp/lib/swapped.c": _returning("swapped", "__FILE__")}
ALL = {"main.c", *(f"lib/{name}.c" for name in UNITS)}
PRECOMPILED = "build/CMakeFiles/app.dir/cmake_pch.h.c"

# name: (arguments, ccache's settings, the second clone's build folder, what a second clone compiles)
SETTINGS = {
    "base_dir": ([], {}, "build", {"lib/folder.c"}),
    "no base_dir": ([], {"CCACHE_BASEDIR": ""}, "build", ALL),
    "build folder elsewhere in the clone": ([], {}, "out/build", ALL - {"lib/swapped.c"}),
    "-g": (["-DCMAKE_C_FLAGS=-g"], {}, "build", ALL),
    "-g, hash_dir=false": (["-DCMAKE_C_FLAGS=-g"], {"CCACHE_NOHASHDIR": "1"}, "build", {"lib/folder.c"}),
    "-g, paths mapped": (["-DCMAKE_C_FLAGS=-g -ffile-prefix-map={root}=."], {}, "build", {"lib/folder.c"}),
    "precompiled": (["-DPRECOMPILE=ON"], {}, "build", {*ALL, PRECOMPILED}),
    "precompiled, sloppiness": (["-DPRECOMPILE=ON"], {"CCACHE_SLOPPINESS": "pch_defines,time_macros"}, "build",
                                {"lib/folder.c"}),
}


class Clones:
    """Clones of the trunk that share a cache."""

    def __init__(self, like, **settings):
        self.like, self.settings = like, settings

    def compiled(self, name, *arguments, build="build", overlays="trunk/third_party"):
        """Builds a fresh clone; what was compiled. {root} in an argument is the clone's folder.

        overlays: where the overlay lies, from the clone's folder
        """
        like = self.like
        clone = Toy(like.root / name, like.program, like.injection, like.compilers).write(TRUNK)
        clone.overlay(OVERLAY, root=f"../{overlays}")
        cache = Cache(like.root / "cache", clone.root, **self.settings)
        clone.env = cache.env
        done = clone.configure(LAUNCHER, *(word.format(root=clone.root) for word in arguments), build=build,
                               options=("--root", clone.root / overlays))
        assert done.make()[:2] == ["trunk", "vendor"]
        outcomes = cache.outcomes(done, clone.trunk)
        return set(outcomes) - hits(outcomes)


@pytest.mark.parametrize("name", SETTINGS)
def test_setting(toy, name):
    """Two clones share a cache: what does the second compile again?"""
    arguments, settings, build, compiled = SETTINGS[name]
    clones = Clones(toy, **settings)
    assert clones.compiled("first", *arguments) >= ALL
    assert clones.compiled("second", *arguments, build=build) == compiled


def test_overlay_may_lie_anywhere(toy):
    """No command names it: a unit reaches it through the stage."""
    clones = Clones(toy)
    assert clones.compiled("first", overlays="../vendors") == ALL
    assert clones.compiled("second", overlays="../elsewhere/vendors") == {"lib/folder.c"}


@pytest.mark.parametrize("settings, compiled", [({}, ALL), ({"CCACHE_COMPILERCHECK": "content"}, {"lib/folder.c"})])
def test_compiler_that_was_installed_at_another_time(toy, settings, compiled):
    """ccache knows a compiler by its size and time, unless told to read it."""
    for seconds, name in enumerate(("first", "second")):
        compiler = toy.root / name / "gcc"
        compiler.parent.mkdir()
        compiler.write_text('#!/bin/sh\nexec gcc "$@"\n')
        compiler.chmod(0o755)
        os.utime(compiler, (1_500_000_000 + seconds, 1_500_000_000 + seconds))
    clones = Clones(toy, **settings)
    assert clones.compiled("first", "-DCMAKE_C_COMPILER={root}/gcc") == ALL
    assert clones.compiled("second", "-DCMAKE_C_COMPILER={root}/gcc") == compiled
