"""The benchmark of the build side: what an overlay adds to CMake's configure step."""

import itertools
import os
import pathlib
import shutil
import subprocess

from . import measure, trees

SHAPES = [trees.Shape(350, 14), trees.Shape(350, 14, shared=True), trees.Shape(1000, 10),
          trees.Shape(2000, 200), trees.Shape(5000, 1000)]

# Without these CMake spends most of a small configure run on asking the compiler what it is.
COMPILER = ["-DCMAKE_C_COMPILER=cc", "-DCMAKE_C_COMPILER_FORCED=ON", "-DCMAKE_C_COMPILER_ID=GNU",
            "-DCMAKE_C_COMPILER_ID_RUN=ON"]


class Tree:
    """A synthetic tree on disk, and the commands that are measured on it."""

    def __init__(self, program, folder, shape):
        self.program = program
        self.shape = shape
        self.folder = pathlib.Path(folder) / shape.name
        self.trunk = self.folder / "trunk"
        self.out = self.folder
        trees.write(self.trunk, shape)

    def command(self, step):
        """The command of a step of this round."""
        kind = step.split()[0]
        if kind == "plain":
            return self._cmake(kind)
        if kind == "overlay":
            return self._cmake(kind) + self._overlay_arguments()
        command = [self.program, kind, "--trunk", self.trunk, "--backend", trees.BACKEND,
                   "--out", self.out / "engine"]
        return command + (["--targets", self.out / "overlay/spec/targets.txt"]
                          if kind == "place" else [])

    def _cmake(self, kind):
        return ["cmake", "-S", self.trunk, "-B", self.out / kind, "-G", "Ninja", *COMPILER]

    def _overlay_arguments(self):
        text = subprocess.run(
            [self.program, "cmake-args", "--null", "--trunk", self.trunk,
             "--backend", trees.BACKEND], check=True, stdout=subprocess.PIPE, text=True).stdout
        return [word for word in text.split("\0") if word]

    def round(self, number):
        """Measures every step once, in a fresh folder: where many files were just removed, some
        file systems take long to make new ones. Plain and overlay swap places every round."""
        self.out = self.folder / f"round{number}"
        shutil.rmtree(self.out, ignore_errors=True)
        self.out.mkdir()
        pair = ["plain", "overlay"] if number % 2 else ["overlay", "plain"]
        again = [kind + " again" for kind in pair]
        return {step: measure.run(self.command(step), self.folder / "log.txt")
                for step in (*pair, *again, "stage", "place", "stage again", "place again")}

    def affected_units(self):
        """How many of the build's units reach an override: ninja's commands that have the digest
        that CMake was told to give them."""
        ninja = (self.out / "overlay/build.ninja").read_text()
        return ninja.count("TRITON_SPEC_DIGEST=")

    def mean_path(self):
        """Mean length of the absolute paths of the trunk's sources."""
        lengths = [len(str(self.trunk / path))
                   for path in itertools.chain(*trees.Layout(self.shape.sources).sources)]
        return round(sum(lengths) / len(lengths))


def results(tree, rounds):
    """The figures of one tree, from the costs of its rounds."""
    figures = {"sources": tree.shape.sources, "overrides": tree.shape.overrides,
               "header_overrides": tree.shape.header_overrides, "shared": tree.shape.shared,
               "affected_units": tree.affected_units(), "mean_path": tree.mean_path(), "steps": {}}
    for step in rounds[0]:
        costs = [costs[step] for costs in rounds]
        figures["steps"][step] = {
            "cpu_ms": measure.summary([cost.cpu for cost in costs]),
            "wall_ms": measure.summary([cost.wall for cost in costs]),
            "peak_mb": measure.summary([cost.peak for cost in costs])}
    for again in ("", " again"):
        pairs = [(costs["overlay" + again], costs["plain" + again]) for costs in rounds]
        figures["steps"]["difference" + again] = {
            "cpu_ms": measure.summary([overlay.cpu - plain.cpu for overlay, plain in pairs]),
            "wall_ms": measure.summary([overlay.wall - plain.wall for overlay, plain in pairs])}
    return figures


def machine():
    """The machine, how busy it was (load average of the last minute) and the versions on which the
    figures depend; nothing that names it."""
    model = ""
    with open("/proc/cpuinfo", encoding="utf-8") as text:
        for line in text:
            if line.startswith("model name"):
                model = line.split(":", 1)[1].strip()
                break
    cmake = subprocess.run(["cmake", "--version"], check=True, stdout=subprocess.PIPE,
                           text=True).stdout.split()[2]
    return {"cpu": model or "unknown", "cores": os.cpu_count(), "cmake": cmake,
            "load": round(os.getloadavg()[0], 1)}


def measure_all(program, folder, shapes, runs, say):
    """Writes the trees below `folder`, measures them and returns what docs/benchmarks.json holds.

    program  path of triton-spec
    runs     measured rounds; one more goes before them, so that all files are in memory
    say      called with a line about the progress
    """
    here, where = [], machine()  # before it is busy with this
    for shape in shapes:
        say(f"writing {shape.name}")
        here.append(Tree(program, folder, shape))
    rounds = {tree.shape.name: [] for tree in here}
    for n in range(runs + 1):
        for tree in here:
            say(f"round {n} of {runs}: {tree.shape.name}")
            costs = tree.round(n)
            if n > 0:
                rounds[tree.shape.name].append(costs)
    return {"machine": where, "runs": runs,
            "trees": [results(tree, rounds[tree.shape.name]) for tree in here]}
