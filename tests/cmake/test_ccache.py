"""ccache before the compiler: never an object of another overlay, and every object that is the same.

Commands, not contents, say which overrides a unit reaches: in direct mode ccache compares the files
that a unit read the last time, and a header that the overlay adds was not among them.
"""

import os
import re
import shutil

import pytest

from support.ccache import LAUNCHER, MODES, Cache, hits
from support.toy import Build, Run, prints, returns

# Depend mode leaves the compiler out of the question, so one compiler does.
COMPILERS = {"gcc": ("direct", "preprocessor", "depend"), "clang-22": ("direct", "preprocessor")}

# --- never a stale object -------------------------------------------------------------------------

# What each unit returns is a word of five letters: files that differ have the same size.
#   a  a source that is overridden
#   b  reaches k.h, so its command has the stage; y.h is overridden later
#   d  the same, and d.h is added in an earlier folder later
#   e  the same, and asks for n.h, which is added later
#   f  as b, but includes y.h from beside a header
#   g  reaches nothing
UNITS = {
    "a": returns("a", "trunk"),
    "b": '#include "t/k.h"\n#include "t/y.h"\n' + returns("b", "Y"),
    "d": '#include <k.h>\n#include <d.h>\n' + returns("d", "D"),
    "e": '#include "t/k.h"\n#if __has_include("t/n.h")\n#include "t/n.h"\n#else\n#define N "trunk"\n'
         "#endif\n" + returns("e", "N"),
    "f": '#include "t/k.h"\n#include "t/w.h"\n' + returns("f", "Y"),
    "g": returns("g", "trunk"),
}
TRUNK = {
    "CMakeLists.txt": "include_directories(include one two)\nadd_executable(app main.c "
                      + " ".join(f"lib/{name}.c" for name in UNITS) + ")\n",
    "main.c": prints(*UNITS), **{f"lib/{name}.c": text for name, text in UNITS.items()},
    "include/t/k.h": "#define K 1\n", "include/t/y.h": '#define Y "trunk"\n', "include/t/w.h": '#include "y.h"\n',
    "one/k.h": "#define K 1\n", "two/d.h": '#define D "trunk"\n',
}

# The fewer overrides leave every word as it is, and give b, d, e and f the stage on their command.
FEWER = {"spec_cpp/include/t/k.h": "#define K 2\n", "spec_cpp/one/k.h": "#define K 2\n"}


def more(word):
    """The overrides that change the word of every unit but g."""
    return {**FEWER, "spec_cpp/lib/a.c": returns("a", word), "spec_cpp/include/t/y.h": f'#define Y "{word}"\n',
            "spec_cpp/one/d.h": f'#define D "{word}"\n', "spec_cpp/include/t/n.h": f'#define N "{word}"\n'}


# name: (backend, its overrides, the word of a, b, d, e and f, all objects are in the cache)
STEPS = {
    "trunk alone": (None, {}, "trunk", False),
    "few overrides": ("acme", FEWER, "trunk", False),
    "more overrides": ("acme", more("acme1"), "acme1", False),
    "another backend, older files": ("bee", more("bee_1"), "bee_1", False),
    "other text, older files": ("acme", more("acme2"), "acme2", False),
    "more overrides again": ("acme", more("acme1"), "acme1", True),
    "few overrides again": ("acme", FEWER, "trunk", True),
    "trunk alone again": (None, {}, "trunk", True),
}


def put_overlay(toy, backend, files, seconds):
    """Makes the files all that a backend has, with a time of long ago."""
    shutil.rmtree(toy.trunk / "third_party" / backend, ignore_errors=True)
    for path in toy.overlay(files, backend=backend).rglob("*"):
        os.utime(path, (seconds, seconds))


def configure(toy, name, compiler="gcc", *more):
    """A fresh build folder for a step, at the path that all steps share."""
    backend, files, _, _ = STEPS[name]
    shutil.rmtree(toy.root / "build", ignore_errors=True)
    arguments = [LAUNCHER, f"-DCMAKE_C_COMPILER={compiler}", *more]
    if backend is None:
        return toy.cmake(*arguments)[0]
    # Each step's files are older than those of the step before.
    put_overlay(toy, backend, files, 1_500_000_000 - 1000 * list(STEPS).index(name))
    return toy.configure(*arguments, backend=backend)


def words(name):
    """What the program prints when nothing is stale."""
    word = STEPS[name][2]
    return [word] * (len(UNITS) - 1) + ["trunk"]


@pytest.mark.parametrize("compiler", COMPILERS)
def test_never_a_stale_object(toy, compiler):
    """One warm cache for each mode serves one overlay after the other."""
    toy.write(TRUNK)
    caches = {mode: Cache(toy.root / mode, toy.root, **MODES[mode]) for mode in COMPILERS[compiler]}
    for name, (backend, _, _, known) in STEPS.items():
        build = configure(toy, name, compiler)
        for mode, cache in caches.items():
            build.ninja("-t", "clean")
            build = Build(build.path, cache.env)
            assert build.make() == words(name), f"{name}, {mode}"
            if backend is not None:
                Run([toy.program, "verify", build.path]).expect(0)
            outcomes = cache.outcomes(build, toy.trunk)
            assert len(outcomes) == len(UNITS) + 1
            assert "main.c" in hits(outcomes) or name == "trunk alone"
            assert hits(outcomes) == set(outcomes) or not known, f"{name}, {mode}"


DIGEST = re.compile(r" ?-DTRITON_SPEC_DIGEST=0x[0-9a-f]{16}")


@pytest.mark.parametrize("mode", MODES)
def test_without_the_digest_objects_are_stale(toy, mode):
    """The trap is real: it is the digest on the command line that makes ccache look again.

    What a stale object read is on record, so verify does not believe it.
    """
    toy.write(TRUNK)
    cache = Cache(toy.root / "cache", toy.root, **MODES[mode])
    for name in ("few overrides", "more overrides"):
        build = configure(toy, name)
        script = build.path / "build.ninja"
        text, count = DIGEST.subn("", script.read_text())
        assert count == (4 if name == "few overrides" else 5)
        script.write_text(text)
        build = Build(build.path, cache.env)
        build.ninja()
    stale = ["acme1", "trunk", "trunk", "trunk", "trunk", "trunk"]
    assert build.run() == (words(name) if mode == "preprocessor" else stale)
    Run([toy.program, "verify", build.path]).expect(0 if mode == "preprocessor" else 1)


@pytest.mark.parametrize("compiler", COMPILERS)
def test_precompiled_header_is_never_stale(toy, compiler):
    """With the sloppiness that ccache wants before it looks at a precompiled header at all."""
    toy.write({**TRUNK, "include/t/p.h": '#include "k.h"\n#include "w.h"\n',
               "CMakeLists.txt": TRUNK["CMakeLists.txt"]
               + "target_precompile_headers(app PRIVATE include/t/p.h)\n"})
    flags = ["-DCMAKE_C_FLAGS=-Xclang -fno-pch-timestamp"] if compiler == "clang-22" else []
    cache = Cache(toy.root / "cache", toy.root, CCACHE_SLOPPINESS="pch_defines,time_macros")
    for name in ("few overrides", "more overrides", "few overrides again"):
        build = Build(configure(toy, name, compiler, *flags).path, cache.env)
        assert build.make() == words(name)
        Run([toy.program, "verify", build.path]).expect(0)
        outcomes = cache.outcomes(build, toy.trunk)
    assert hits(outcomes) == set(outcomes)
