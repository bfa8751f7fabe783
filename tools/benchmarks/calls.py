"""The benchmark of the calls for hooks, of the extension and of its twin in Python."""

import json
import pathlib
import statistics
import subprocess

from support.packages import IMPLEMENTATIONS, Package

from . import configure, measure

HOOKS = "def none():\n    pass\ndef three(a, b, c):\n    pass\n"

# What the trunk finds: a name, how its package is written, and which cases tell of it.
SITUATIONS = {
    "hook": (lambda package: package.staged({"acme": HOOKS}), None),
    "hook, with __all__": (lambda package: package.staged({"acme": HOOKS + "__all__ = ['none', 'three']\n"}),
                           ["spec_call, no arguments"]),
    "hook of the base backend": (lambda package: package.staged({"acme": "", "base": HOOKS}),
                                 ["spec_call, no arguments"]),
    "no backend": (lambda package: package.flagtree(""), ["spec_call, a miss", "spec_func, a miss"]),
    "no registry": (lambda package: package.flagtree("acme"), ["spec_call, a miss", "spec_func, a miss"]),
}


def _summary(values):
    return measure.summary(values, 2)


def _figures(pair):
    """Of one case: its cost, and where it was also made directly that cost, the difference and the ratio, both by
    round."""
    what, direct = pair["what"], pair["direct"]
    figures = {"ns": _summary(what)}
    if direct:
        figures |= {"direct": _summary(direct), "above": _summary([a - b for a, b in zip(what, direct)]),
                    "ratio": round(statistics.median(a / b for a, b in zip(what, direct)), 2)}
    return figures


def _run(python, program, folder, situation, implementation, rounds, seconds=0):
    """What call_costs.py prints, over a fresh package."""
    package = Package(folder, implementation, program.parents[1] / "python")
    SITUATIONS[situation][0](package)
    script = pathlib.Path(__file__).with_name("call_costs.py")
    done = subprocess.run([python, script, str(rounds), str(seconds)], env=package.environment(), capture_output=True, text=True,
                          check=False)
    if done.returncode != 0:
        raise measure.Failed(f"{script}: {done.stderr[-2000:]}")
    return json.loads(done.stdout)


def measure_all(program, folder, runs, say, python):
    """Measures in packages below `folder`; returns what docs/benchmarks.json holds under "calls".

    program  path of triton-spec; the package triton_spec lies in its build folder
    runs     measured rounds
    say      called with a line about the progress
    python   the Python that the extension was built for
    """
    version = subprocess.run([python, "-c", "import platform; print(platform.python_version())"],
                             capture_output=True, text=True, check=True).stdout.strip()
    results = {"machine": configure.machine(), "runs": runs, "python": version, "cases": [], "threads": []}
    for number, (situation, (_, only)) in enumerate(SITUATIONS.items()):
        told = {}
        for implementation in IMPLEMENTATIONS:
            say(f"calls: {situation}, {implementation}")
            place = pathlib.Path(folder) / f"calls-{number}-{implementation}"
            told[implementation] = _run(python, program, place, situation, implementation, runs,
                                        0.2 if (situation, implementation) == ("hook", "extension") else 0)
        for case in only or told["extension"]["cases"]:
            results["cases"].append({"situation": situation, "case": case, **{
                name: _figures(told[name]["cases"][case]) for name in told}})
        if situation == "hook":
            results["threads"] = [{"threads": int(count), **{side: _summary(values) for side, values in pair.items()}}
                                  for count, pair in told["extension"]["threads"].items()]
    return results
