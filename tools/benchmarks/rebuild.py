"""The benchmark of rebuilds: which edges a change makes run, against those that it must.

A build folder lives through all changes with `ninja` alone. After each a fresh folder is configured and
built: an edge must run when its command, or the content of something that it reads, is no longer what it was
when the old folder last held what a fresh one does. All outputs are compared too: a stale one is an error.
"""

import hashlib
import json
import os
import pathlib
import re
import shutil

from support.compilers import Compilers
from support.toy import Run, Toy

from . import changes, configure, measure

KINDS = ("compile", "tblgen", "link")

# What decides about the build, and makes nothing of it.
_DECIDES = re.compile(r"triton-spec check |cmake --regenerate-during-build ")


def edge(command):
    """The (kind, output) of a command, the output relative to the build folder or absolute; None when it is
    none of KINDS."""
    for kind, pattern in (("compile", r" -o (\S+) -c "), ("tblgen", r"tblgen\b.* -o (\S+\.inc)\b"),
                          ("link", r" ar qc (\S+)|/ar qc (\S+)| -o (\S+)")):
        found = re.search(pattern, command)
        if found:
            where = re.match(r"cd (\S+) && ", command)
            return kind, os.path.join(where[1] if where else "", next(filter(None, found.groups())))
    return None


class Trial:
    """A toy whose build folder lives through changes."""

    def __init__(self, program, folder, trunk, languages="C"):
        folder = pathlib.Path(folder)
        self.toy = Toy(folder, program, [], Compilers(folder / "compilers"))
        self.toy.write(trunk, languages)
        self.toy.overlay(changes.ALIKE, changes.BACKEND)
        self.build = self.toy.configure(backend=changes.BACKEND)
        self.build.ninja()
        self.made = self._state(self._fresh())

    # --- the theoretical minimum ---

    def _fresh(self):
        """A build that nothing came before, always in the same folder: CMake names files by a hash of it."""
        shutil.rmtree(self.toy.root / "fresh", ignore_errors=True)
        build = self.toy.configure(backend=changes.BACKEND, build="fresh")
        build.ninja()
        return build

    def _state(self, build):
        """{(kind, output): what made it}, the output by its path in the build folder."""
        deps = self._deps(build)
        state = {}
        for entry in json.loads(Run(["ninja", "-C", build.path, "-t", "compdb"], env=self.toy.env).expect(0).out):
            made = edge(entry["command"])
            if made:
                name = self._name(build, made[1])
                read = deps.get(name, []) + entry["command"].split() + [entry["file"]]
                state[made[0], name] = self._signature(build, entry["command"], read, name)
        return state

    def _signature(self, build, command, read, output):
        """A digest of a command and of the project's files that it reads."""
        digest = hashlib.sha256(command.encode())
        for path in sorted({os.path.normpath(build.path / name) for name in read}):
            if path.startswith(f"{self.toy.root}/") and os.path.isfile(path) and path != str(build.path / output):
                digest.update(path.encode() + b"\0")
                digest.update(pathlib.Path(path).read_bytes())
        return digest.hexdigest()

    def _deps(self, build):
        """{output: paths of its depfile}: from Ninja's log, or for TableGen from the file that CMake keeps."""
        deps, name = {}, None
        for file in (build.path / "CMakeFiles/d").glob("*.d"):
            output, _, inputs = file.read_text().replace("\\\n", " ").partition(":")
            deps[self._name(build, output.strip())] = inputs.split()
        for line in Run(["ninja", "-C", build.path, "-t", "deps"], env=self.toy.env).expect(0).out.splitlines():
            if ": #deps" in line:
                name = self._name(build, line.split(": #deps")[0])
                deps[name] = []
            elif line.strip():
                deps[name].append(line.strip())
        return deps

    @staticmethod
    def _name(build, output):
        return os.path.relpath(build.path / output, build.path)

    # --- a change ---

    def _write(self, change):
        if change.trunk:
            self.toy.write(change.files, self.toy.languages)
            return
        folder = self.toy.overlay(change.files, changes.BACKEND)
        for path, _, _ in sorted(os.walk(folder), reverse=True):
            if not os.listdir(path):
                os.rmdir(path)

    def _ninja(self):
        """Runs ninja: (the edges that ran, whether CMake did)."""
        said = Run(["ninja", "-C", self.build.path, "-j2", "-v"], env=self.toy.env).expect(0).text
        ran = set()
        for command in re.findall(r"^\[\d+/\d+\] (.*)", said, re.MULTILINE):
            if _DECIDES.search(command):
                continue
            made = edge(command)
            if not made:
                raise measure.Failed(f"this is of no kind that is counted: {command}")
            ran.add((made[0], self._name(self.build, made[1])))
        return ran, "Configuring done" in said

    def _sound(self, change, fresh, state):
        """Raises measure.Failed unless the old folder holds what a fresh one does, and is done."""
        for _, name in state:
            old = self.build.path / name
            if not old.exists() or old.read_bytes() != (fresh.path / name).read_bytes():
                raise measure.Failed(f"{change.name}: {name} is stale")
        again = Run(["ninja", "-C", self.build.path], env=self.toy.env).expect(0)
        if "no work to do" not in again.text:
            raise measure.Failed(f"{change.name}: a second ninja is not idle:\n{again.text}")
        self.toy.verify(self.build)

    def make(self, change):
        """Makes a change and builds; returns what docs/benchmarks.json holds of it."""
        self._write(change)
        ran, configured = self._ninja()
        fresh = self._fresh()
        state = self._state(fresh)
        self._sound(change, fresh, state)
        least = {made for made in state if self.made.get(made) != state[made]}
        self.made.update(state)
        if least - ran:
            raise measure.Failed(f"{change.name}: did not run: {sorted(least - ran)}")
        return {"change": change.name, "ran": _count(ran), "least": _count(least), "cmake": configured}


def _count(edges):
    return {kind: sum(1 for made in edges if made[0] == kind) for kind in KINDS}


def has_mlir():
    """Whether MLIR's CMake package is there, for TableGen."""
    return any((pathlib.Path(folder) / "MLIRConfig.cmake").is_file()
               for folder in (changes.MLIR, os.environ.get("MLIR_DIR", changes.MLIR)))


def measure_all(program, folder, say, c_changes=None, td_changes=None):
    """Makes all changes; returns what docs/benchmarks.json holds under "rebuilds".

    program, folder        path of triton-spec; where everything is written
    say                    called with a line about the progress
    c_changes, td_changes  instead of those of benchmarks.changes; the latter are left out without MLIR
    """
    folder = pathlib.Path(folder)
    results = {"machine": configure.machine(), "tblgen": has_mlir(), "changes": []}
    trials = [("c", changes.c_trunk(), "C", changes.c_changes() if c_changes is None else c_changes)]
    if has_mlir():
        trials.append(("td", changes.td_trunk(), "C CXX", changes.td_changes() if td_changes is None else td_changes))
    for name, trunk, languages, made in trials:
        if made:
            trial = Trial(program, folder / f"rebuild-{name}", trunk, languages)
        for change in made:
            say(f"rebuild: {change.name}")
            results["changes"].append(trial.make(change))
    return results
