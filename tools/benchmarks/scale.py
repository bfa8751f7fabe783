"""The benchmark of many backends: what their builds cost without a cache, with one, with a shared one."""

import dataclasses
import os
import pathlib
import subprocess

from support.ccache import Cache, hits
from support.services import redis
from support.toy import Build, clean_environment

from . import measure, vendors

BACKENDS = [vendors.backend_of(seed) for seed in (1, 2, 3, 4)]
COUNTS = (1, 2, 4)

NONE, LOCAL, SHARED, AGAIN = ("no cache", "ccache, one machine", "ccache and redis, a machine each",
                              "a second machine each")


@dataclasses.dataclass(frozen=True)
class Built:
    """One backend's build.

    wall, cpu  of ninja and all that it started, seconds
    compiled   sources that a compiler compiled
    hit        sources whose objects came from a cache
    """

    backend: vendors.Backend
    wall: float
    cpu: float
    compiled: frozenset
    hit: frozenset


class Machine:
    """A clone of the trunk in a folder of its own.

    folder    where the clone, the build folders and ccache's own cache are made
    use       False: compilers are called without ccache
    settings  of ccache
    """

    def __init__(self, program, folder, use=True, standard=True, **settings):
        self.program, self.folder = program, pathlib.Path(folder)
        self.trunk = self.folder / "trunk"
        vendors.write(self.trunk, BACKENDS, standard)
        self.cache = Cache(self.folder / "ccache", self.folder, **settings) if use else None
        self.env = self.cache.env if use else clean_environment()

    def build(self, backend):
        """Configures and builds; returns Built. Only the build is measured."""
        build = Build(self.folder / f"build-{backend.name}", self.env)
        text = subprocess.run(
            [self.program, "cmake-args", "--null", "--trunk", self.trunk, "--backend", backend.name],
            check=True, stdout=subprocess.PIPE, text=True, env=self.env).stdout
        launcher = ["-DCMAKE_CXX_COMPILER_LAUNCHER=ccache"] if self.cache else []
        log = self.folder / "log.txt"
        measure.run(["cmake", "-S", self.trunk, "-B", build.path, "-G", "Ninja", *launcher,
                     *(word for word in text.split("\0") if word)], log, self.env)
        cost = measure.run(["ninja", "-C", build.path, f"-j{os.cpu_count()}"], log, self.env)
        measure.run([self.program, "verify", build.path], log, self.env)
        hit, compiled = frozenset(), frozenset(vendors.SOURCES)
        if self.cache:
            outcomes = self.cache.outcomes(build, self.trunk)
            if set(outcomes) != compiled:
                raise measure.Failed(f"ccache has no record of {sorted(compiled - set(outcomes))}")
            hit = frozenset(hits(outcomes))
            compiled -= hit
        return Built(backend, cost.wall / 1000, cost.cpu / 1000, compiled, hit)


def measure_all(program, folder, say, backends=None, standard=True):
    """Builds all backends in every way; returns {way: [Built of each backend]}.

    program, folder  path of triton-spec; where everything is written
    say              called with a line about the progress
    """
    folder = pathlib.Path(folder)
    results = {NONE: [], LOCAL: [], SHARED: [], AGAIN: []}

    def build(way, machine, backend):
        results[way].append(machine.build(backend))
        built = results[way][-1]
        say(f"{way}: {backend.name}: {built.wall:.0f} s, {len(built.compiled)} compiled")

    one = Machine(program, folder / "one", standard=standard)
    for backend in backends or BACKENDS:
        build(NONE, Machine(program, folder / f"none-{backend.name}", use=False, standard=standard), backend)
        build(LOCAL, one, backend)
    with redis(folder / "redis") as url:
        for way, name in ((SHARED, "first"), (AGAIN, "second")):
            for backend in backends or BACKENDS:
                build(way, Machine(program, folder / f"{name}-{backend.name}", standard=standard,
                                   CCACHE_REMOTE_STORAGE=url), backend)
    return results


def shareable(builds):
    """For each build, the sources that were compiled in the same way before: neither its backend
    nor all of those before it affect them."""
    known, found = set(), []
    for built in builds:
        plain = set(vendors.SOURCES) - vendors.affected(built.backend)
        found.append(plain & known)
        known |= plain
    return found
