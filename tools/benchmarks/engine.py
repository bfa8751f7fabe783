"""The benchmark of what runs with every build: `check` before it, with the include scanner, and
`verify` after it."""

import json
import re
import shutil
import time

from . import configure, deps_log, measure, trees

SCANNED = [trees.Shape(390, 14), trees.Shape(5000, 1000)]
VERIFIED = [trees.Shape(5000, 50), trees.Shape(5000, 1000)]

# A C++ unit that includes four of MLIR's headers reads about as many of LLVM's and the system's.
FOREIGN = [f"/usr/include/foreign/mlir/IR/ForeignHeader{n:04}.h" for n in range(500)]

IDLE, EDITED, ANEW = "check, nothing changed", "check, after an edit", "place, anew"
STEPS = (IDLE, EDITED, ANEW)

# While a file is as young as this, its date says nothing yet and `check` reads it: more than two seconds.
SETTLE = 3

_OBJECT = re.compile(r"^build (\S+\.c\.o): \S+ (\S+\.c)\b", re.MULTILINE)


class Built(configure.Tree):
    """A tree that was configured with its overlay, and its build folder."""

    def __init__(self, program, folder, shape):
        super().__init__(program, folder, shape)
        self.log = self.folder / "log.txt"
        measure.run(self.command("overlay"), self.log)
        self.build = self.out / "overlay"
        self.stage = self.build / "spec/stage"
        self.layout = trees.Layout(shape.sources)
        self.files = sum(1 for _ in trees.trunk_files(self.layout))
        time.sleep(SETTLE)
        measure.run([program, "check", self.build], self.log)  # what Ninja does first

    def ask(self, *words):
        """Runs a command of triton-spec on the build folder: (its Cost, its JSON)."""
        cost = measure.run([self.program, *words, "--json", self.build], self.log)
        return cost, json.loads(self.log.read_text())


# --- verify ---

def _closure(names, path, known):
    """All headers that a file reaches. known: answers so far, by path."""
    if path not in known:
        known[path] = set(names[path]).union(*(_closure(names, name, known) for name in names[path]))
    return known[path]


def units(built):
    """{object: what its compiler would have read}: as gcc's search path finds it, a file of the stage
    where there is one, and FOREIGN."""
    names = {path: includes for path, _, includes in trees.trunk_files(built.layout)}
    for library, sources in enumerate(built.layout.sources):
        names.update({path: built.layout.source_includes(library, n) for n, path in enumerate(sources)})
    staged = {path.relative_to(built.stage).as_posix() for path in built.stage.rglob("*.[ch]")}
    known, found = {}, {}
    for output, source in _OBJECT.findall((built.build / "build.ninja").read_text()):
        ours = source.startswith(f"{built.stage}/")
        path = source.removeprefix(f"{built.stage if ours else built.trunk}/")
        read = [source]
        for name in sorted(_closure(names, path, known)):
            # What lies beside its includer is found there, all else by -I.
            first = name in staged and (ours or name.startswith("include/"))
            read.append(f"{built.stage if first else built.trunk}/{name}")
        found[output] = read + FOREIGN
    return found


def record(built):
    """Writes the records of a finished build; how many objects there are, and dependencies."""
    made = units(built)
    if len(made) != built.shape.sources:
        raise measure.Failed(f"{built.build}: {len(made)} objects of {built.shape.sources} sources")
    deps_log.write(built.build / ".ninja_deps", made)
    return len(made), sum(map(len, made.values()))


def verify(built, configured):
    """The Cost of one proof, of a manifest as the configure run left it. Raises measure.Failed unless every
    override was proved by what read it."""
    (built.build / "spec/manifest.json").write_text(configured)
    cost, said = built.ask("verify")
    if (said["proved"], said["pending"]) != (built.shape.overrides, 0):
        raise measure.Failed(f"{built.build}: not all of {built.shape.overrides} overrides are proved: {said}")
    return cost


def verified(built, runs):
    """The figures of verify on one tree."""
    objects, dependencies = record(built)
    configured = (built.build / "spec/manifest.json").read_text()
    costs = [verify(built, configured) for _ in range(runs + 1)][1:]
    return {"objects": objects, "overrides": built.shape.overrides, "dependencies": dependencies,
            "log_mb": round((built.build / ".ninja_deps").stat().st_size / 1e6, 1), **_figures(costs)}


# --- the scanner ---

def _check(built, edited):
    """The Cost of one check. Raises measure.Failed when it wants CMake to run, or does not see what was edited."""
    source = built.trunk / built.layout.sources[0][-1]
    if edited:
        source.write_text(source.read_text() + "static int edited;\n")
    cost, said = built.ask("check")
    if said != {"stale": False, "changed": [str(source)] if edited else []}:
        raise measure.Failed(f"{built.build}: check said {said} after {'an' if edited else 'no'} edit")
    return cost


def _place(built):
    """The Cost of placing where nothing is recorded: every source is read."""
    shutil.rmtree(built.out / "engine", ignore_errors=True)
    measure.run(built.command("stage"), built.log)
    return measure.run(built.command("place"), built.log)


def scanned(built, runs):
    """The figures of the steps that read includes, on one tree."""
    rounds = [{IDLE: _check(built, False), EDITED: _check(built, True), ANEW: _place(built)}
              for _ in range(runs + 1)][1:]
    return {"sources": built.shape.sources, "overrides": built.shape.overrides, "files": built.files,
            "steps": {step: _figures([costs[step] for costs in rounds]) for step in STEPS}}


def _figures(costs):
    return {"cpu_ms": measure.summary([cost.cpu for cost in costs]),
            "wall_ms": measure.summary([cost.wall for cost in costs]),
            "peak_mb": measure.summary([cost.peak for cost in costs])}


def measure_all(program, folder, runs, say, scan=None, prove=None):
    """Measures on trees below `folder`; returns what docs/benchmarks.json holds under "engine".

    program      path of triton-spec
    runs         measured runs of each; one more goes before them, so that all files are in memory
    say          called with a line about the progress
    scan, prove  Shapes, instead of SCANNED and VERIFIED
    """
    scan, prove = scan or SCANNED, prove or VERIFIED
    results = {"machine": configure.machine(), "runs": runs, "foreign": len(FOREIGN), "scanner": [], "verify": []}
    for shape in dict.fromkeys([*scan, *prove]):
        say(f"check and verify: {shape.name}")
        built = Built(program, folder, shape)
        if shape in scan:
            results["scanner"].append(scanned(built, runs))
        if shape in prove:
            results["verify"].append(verified(built, runs))
        shutil.rmtree(built.folder)
    return results
