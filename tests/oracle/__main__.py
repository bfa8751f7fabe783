"""Runs the oracle by hand: cd tests && python -m oracle FIRST LAST [--keep DIR].

Runs the seeds from FIRST up to LAST (not included) and prints a summary; each case that fails is
shrunk and, with --keep, saved. Exit status 1 when one failed.
"""

import argparse
import pathlib
import tempfile

from .build import Tools
from .case import load
from .run import run_seeds, shrink_fault, summary

ROOT = pathlib.Path(__file__).resolve().parents[2]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("first", type=int)
    parser.add_argument("last", type=int)
    parser.add_argument("--program", default=ROOT / "build/dev/spec/triton-spec", type=pathlib.Path)
    parser.add_argument("--keep", type=pathlib.Path, help="folder for shrunk cases")
    parser.add_argument("--jobs", type=int)
    parser.add_argument("--no-shrink", action="store_true")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        tools = Tools(given.program.resolve(), folder)
        results = run_seeds(range(given.first, given.last), pathlib.Path(folder) / "cases", tools, given.jobs)
        print(summary(results))
        faults = {seed: outcome for seed, (_, outcome) in results.items() if outcome.is_fault}
        for seed, outcome in faults.items():
            case = results[seed][0]
            print(f"--- seed {seed}: {outcome.kind}\n{outcome.detail[:3000]}")
            if not given.no_shrink:
                case = shrink_fault(case, outcome, pathlib.Path(folder) / "shrink", tools)
            if given.keep:
                given.keep.mkdir(parents=True, exist_ok=True)
                case.save(given.keep / f"seed-{seed}-{outcome.kind}.json")
    return 1 if faults else 0


raise SystemExit(main())
