"""The benchmark of live mode: what an interpreter's start and `import triton` cost with it."""

import json
import os
import pathlib
import subprocess

from . import configure, measure

OVERRIDES = 20

# The Python that has triton, and for which the extension was built.
PYTHON = pathlib.Path(__file__).resolve().parents[2] / ".venv/bin/python"

# step -> (which environment, FLAGTREE_BACKEND, code); the first of each group is what the others are
# held against
START = {
    "start": ("plain", "", "pass"),
    "start, enabled": ("enabled", "", "pass"),
    "start, enabled, backend set": ("enabled", "bench", "pass"),
}
IMPORT = {
    "import": ("plain", "", "import triton"),
    "import, enabled": ("enabled", "", "import triton"),
    "import, enabled, backend set": ("enabled", "bench", "import triton"),
    "import after activate()": ("plain", "bench", "import triton_spec; triton_spec.activate(); import triton"),
}
GROUPS = (START, IMPORT)

# Modules that `import triton` imports and that may be replaced whole.
_WHOLE = ("triton.language.", "triton.runtime.", "triton.compiler.", "triton.backends.")


def _ask(code):
    """What PYTHON prints."""
    return subprocess.run([PYTHON, "-c", code], check=True, capture_output=True, text=True).stdout.strip()


# Executes the .pth file's line as an interpreter's start does, many times; prints microseconds.
_LINE = """
import json, os, sys, time
from triton_spec import _startup
line, found = _startup.line(), []
for backend in ("", "bench"):
    os.environ["FLAGTREE_BACKEND"], times = backend, []
    for _ in range(500):
        start = time.perf_counter()
        exec(line)
        times.append((time.perf_counter() - start) * 1e6)
        sys.meta_path[:] = [f for f in sys.meta_path if not hasattr(f, "is_triton_spec_startup")]
    found.append(times)
print(json.dumps(found))
"""


class Environments:
    """Two virtual environments below a folder that see this Python's packages; one is enabled.

    packages  the folder that holds the built package triton_spec
    """

    def __init__(self, folder, packages):
        self.folder, self.log = folder, folder / "log.txt"
        for name in "plain", "enabled":
            measure.run([PYTHON, "-m", "venv", "--without-pip", folder / name], self.log)
            site = next((folder / name).glob("lib/python*/site-packages"))
            shared = _ask("import sysconfig; print(sysconfig.get_path('purelib'))")
            (site / "shared.pth").write_text(f"{packages}\n{shared}\n")
        self.run("enabled", "", "-m", "triton_spec", "enable")
        self.overrides = self._write_overlay()

    def run(self, name, backend, *words):
        """Runs an environment's Python; its Cost. Raises measure.Failed."""
        env = {key: value for key, value in os.environ.items()
               if not key.startswith(("PYTHON", "TRITON", "SPEC_", "FLAGTREE"))}
        env |= {"SPEC_PATH": str(self.folder / "vendors"), "TRITON_SPEC_CACHE": str(self.folder / "cache"),
                "TRITON_SPEC_LOG": "0"}
        if backend:
            env["FLAGTREE_BACKEND"] = backend
        return measure.run([self.folder / name / "bin/python", *words], self.log, env)

    def line(self):
        """What the .pth file's line costs, by what FLAGTREE_BACKEND is, in microseconds."""
        self.run("plain", "", "-c", _LINE)
        inert, waiting = json.loads(self.log.read_text())
        return {"not set": measure.summary(inert), "set": measure.summary(waiting)}

    def _write_overlay(self):
        """Makes the backend `bench`: modules of the installed triton with a comment more. Their number."""
        code = "import sys, triton; print(*(f'{n}={m.__file__}' for n, m in sorted(sys.modules.items())\n" \
               f"if n.startswith({_WHOLE!r}) and getattr(m, '__file__', None)), sep='\\n')"
        self.run("plain", "", "-c", code)
        found = [line.split("=", 1) for line in self.log.read_text().splitlines()]
        chosen = [(name, pathlib.Path(file)) for name, file in found
                  if file.endswith(".py") and not file.endswith("__init__.py")][:OVERRIDES]
        for name, file in chosen:
            target = self.folder / "vendors/bench/spec" / (name.replace(".", "/") + ".py")
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(file.read_text() + "\n# bench\n")
        return len(chosen)

    def check(self):
        """That the overlay is used where it should be, and nowhere else. Raises measure.Failed."""
        for environment, backend, code in [step for group in GROUPS for step in group.values()]:
            used = bool(backend) and "import" in code
            asked = f"{code}\nimport sys; m = sys.modules.get('triton.runtime.jit')\n" \
                    f"assert ('/stages/' in getattr(m, '__file__', '')) is {used}, m"
            self.run(environment, backend, "-c", asked)


def _ratios(costs, others, kind):
    values = [getattr(one, kind) / max(getattr(other, kind), 1e-9) for one, other in zip(costs, others)]
    return measure.summary(values, 3)


def figures(rounds):
    """{step: its costs, and their ratios to the first of its group} from [{step: Cost}]."""
    found = {}
    for group in GROUPS:
        first, *_ = group
        base = [costs[first] for costs in rounds]
        for step in group:
            costs = [costs[step] for costs in rounds]
            found[step] = {
                "cpu_ms": measure.summary([cost.cpu for cost in costs]),
                "wall_ms": measure.summary([cost.wall for cost in costs]),
                "cpu_ratio": _ratios(costs, base, "cpu"), "wall_ratio": _ratios(costs, base, "wall")}
    return found


def measure_all(program, folder, runs, say):
    """Measures below `folder`; returns what docs/benchmarks.json holds under "imports".

    program  path of triton-spec, beside which the package was built
    runs     measured rounds; one more goes before them, in which the stage is made
    say      called with a line about the progress
    """
    where = configure.machine()
    folder = pathlib.Path(folder) / "imports"
    folder.mkdir()
    environments = Environments(folder, pathlib.Path(program).resolve().parents[1] / "python")
    environments.check()
    rounds = []
    for n in range(runs + 1):
        say(f"imports: round {n} of {runs}")
        steps = [step for group in GROUPS for step in group.items()]
        rounds.append({name: environments.run(environment, backend, "-c", code)
                       for name, (environment, backend, code) in (steps if n % 2 else steps[::-1])})
    return {"machine": where, "runs": runs, "overrides": environments.overrides,
            "python": _ask("import platform; print(platform.python_version())"),
            "triton": _ask("import importlib.metadata as m; print(m.version('triton'))"),
            "line_us": environments.line(), "steps": figures(rounds[1:])}
