"""A trunk of 24 units in three libraries, and two backends of which each affects a few.

Which units reach which override is said here, not asked of triton-spec.
"""

import shutil

from support.ccache import LAUNCHER, Cache
from support.toy import Toy, prints, returns

COUNT = 24
HEADERS = 8
NAMES = [f"u{n}" for n in range(COUNT)]


def _path(n):
    return f"lib/l{n % 3}/u{n}.c"


def _unit(n):
    """Every second unit reaches its header from beside another one."""
    header = n % HEADERS
    name = f"t/h{header}.h" if n % 2 else f"t/w{header}.h"
    return f'#include "{name}"\n#include "made.h"\n' + returns(f"u{n}", f"H{header}")


_LIBRARY = "add_library(l{0} OBJECT {1})\ntarget_compile_definitions(l{0} PRIVATE PART={0})\n"

TRUNK = {
    "CMakeLists.txt": "include_directories(include ${CMAKE_BINARY_DIR}/made)\n"
                      "configure_file(made.h.in made/made.h)\nadd_subdirectory(lib)\n"
                      "add_executable(app main.c)\ntarget_link_libraries(app l0 l1 l2)\n",
    "lib/CMakeLists.txt": "add_subdirectory(l0)\nadd_subdirectory(l1)\nadd_subdirectory(l2)\n",
    "made.h.in": "#define MADE 1\n", "main.c": prints(*NAMES),
    **{f"lib/l{part}/CMakeLists.txt": _LIBRARY.format(part, " ".join(f"u{n}.c" for n in range(part, COUNT, 3)))
       for part in range(3)},
    **{f"include/t/h{h}.h": f'#define H{h} "trunk"\n' for h in range(HEADERS)},
    **{f"include/t/w{h}.h": f'#include "h{h}.h"\n' for h in range(HEADERS)},
    **{_path(n): _unit(n) for n in range(COUNT)},
}
SOURCES = {"main.c", *map(_path, range(COUNT))}


def _overlay(word, header, source):
    return {f"spec_cpp/include/t/h{header}.h": f'#define H{header} "{word}"\n',
            f"spec_cpp/{_path(source)}": returns(f"u{source}", word)}


# backend: (number of the header, number of the source that it overrides)
BACKENDS = {"acme": (0, 1), "bee": (2, 3)}


def changed(backend):
    """The numbers of the units that reach an override of the backend."""
    header, source = BACKENDS[backend]
    return {*range(header, COUNT, HEADERS), source}


def affected(*backends):
    """The trunk paths of the sources that reach an override of one of the backends."""
    return {_path(n) for backend in backends for n in changed(backend)}


def prints_of(backend):
    """What the program prints, built with a backend or (None) without."""
    numbers = changed(backend) if backend else set()
    return [backend if n in numbers else "trunk" for n in range(COUNT)]


class Machine:
    """A clone of the trunk and its build folders, in a folder of its own, with a cache.

    like      the Toy whose program and compilers are used; the machine is a folder beside it
    cache     the Cache's folder, shared by those who name the same; else one of the machine's own
    settings  more of ccache's environment variables
    """

    def __init__(self, like, name, cache=None, **settings):
        root = like.root / name
        self.toy = Toy(root, like.program, like.injection, like.compilers).write(TRUNK)
        for backend, numbers in BACKENDS.items():
            self.toy.overlay(_overlay(backend, *numbers), backend=backend)
        self.cache = Cache(cache or root / "ccache", root, **settings)
        self.toy.env = self.cache.env

    def configure(self, backend=None, *arguments, build="build"):
        """A fresh build folder, with a backend or (None) without."""
        shutil.rmtree(self.toy.root / build, ignore_errors=True)
        if backend is None:
            return self.toy.cmake(LAUNCHER, *arguments, build=build)[0]
        return self.toy.configure(LAUNCHER, *arguments, backend=backend, build=build)

    def build(self, backend=None, *arguments, build=None):
        """Builds in a fresh folder; (Build, what ccache did for each source)."""
        done = self.configure(backend, *arguments, build=build or f"build-{backend or 'plain'}")
        assert done.make() == prints_of(backend)
        outcomes = self.cache.outcomes(done, self.toy.trunk)
        assert set(outcomes) == SOURCES
        return done, outcomes
