"""Many cases at once, and what they have shown."""

import collections
import concurrent.futures
import os

from .compare import check
from .generate import generate
from .shrink import shrink


def run_cases(cases, folder, tools, jobs=None):
    """{name: (case, Outcome)} of {name: case}, on as many processors as there are."""
    def one(name):
        return name, (cases[name], check(cases[name], folder / str(name), tools))

    with concurrent.futures.ThreadPoolExecutor(jobs or os.cpu_count()) as pool:
        return dict(pool.map(one, cases))


def run_seeds(seeds, folder, tools, jobs=None):
    """The same for the cases of seeds."""
    return run_cases({seed: generate(seed) for seed in seeds}, folder, tools, jobs)


def summary(results):
    """One line that tells what was compared."""
    kinds = collections.Counter(outcome.kind for _, outcome in results.values())
    counts = sum((outcome.counts for _, outcome in results.values()), collections.Counter())
    return (f"{len(results)} cases: " + ", ".join(f"{n} {kind}" for kind, n in sorted(kinds.items())) + "; "
            + ", ".join(f"{n} {what}" for what, n in sorted(counts.items())))


def shrink_fault(case, outcome, folder, tools):
    """The smallest case found with a fault of the same kind."""
    tries = 0

    def fails(candidate):
        nonlocal tries
        tries += 1
        return check(candidate, folder / str(tries), tools, last=outcome.kind).kind == outcome.kind

    return shrink(case, fails)
