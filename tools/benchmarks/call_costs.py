"""What calls cost, in nanoseconds: run in a process of its own, whose sys.path has the package triton.

    python call_costs.py ROUNDS SECONDS

Prints JSON: {case: {"what": [ns a call, for each round], "direct": [the same call made directly, in the
same rounds, or nothing]}, "threads": ...}. A figure is the least of some short batches, without what the
loop itself takes: the load of other processes comes and goes in longer times. SECONDS is how long threads
call, 0 for not at all.
"""

import json
import os
import sys
import threading
import time

from triton._flagtree_spec import spec_call, spec_call_or, spec_func, spec_has, spec_path

CALLS, BATCHES = 500, 100
THREADS = (1, 2, 4, 8)


def none():
    """Called directly and as a hook of the same form."""


def three(a, b, c):
    """The same with parameters."""


bound = spec_func("none") or none

# case: (the call, the same made directly)
CASES = {
    "spec_call, no arguments": ("spec_call('none')", "none()"),
    "spec_call, 3 arguments": ("spec_call('three', 1, 2, 3)", "three(1, 2, 3)"),
    "spec_call, 1 argument and 2 keywords": ("spec_call('three', 1, b=2, c=3)", "three(1, b=2, c=3)"),
    "spec_call_or, no arguments": ("spec_call_or(0, 'none')", "none()"),
    "a function bound by spec_func": ("bound()", "none()"),
    "spec_func": ("spec_func('none')", ""),
    "spec_has": ("spec_has('none')", ""),
    "spec_call, a miss": ("spec_call('absent')", "none()"),
    "spec_func, a miss": ("spec_func('absent')", ""),
    "spec_path": ("spec_path(path)", ""),
}
CALLED = {"path": [os.path.join(os.path.dirname(sys.modules["triton"].__file__), "language")], **globals()}


def loop(body):
    """A function that runs a statement CALLS times and returns the nanoseconds that it took."""
    text = f"def run(calls, now):\n    start = now()\n    for _ in calls:\n        {body}\n    return now() - start\n"
    scope = {name: value for name, value in CALLED.items() if not name.startswith("__")}
    exec(text, scope)
    return scope["run"]


def cost(run, calls=CALLS):
    """Nanoseconds a call of the least of some batches."""
    return min(run(range(calls), time.perf_counter_ns) for _ in range(BATCHES)) / calls


def measured(rounds):
    """{case: figures}: all cases of a round one after the other, so that each round compares like with like."""
    empty = loop("pass")
    runs = {case: [loop(body) for body in bodies if body] for case, bodies in CASES.items()}
    figures = {case: {"what": [], "direct": []} for case in CASES}
    for number in range(rounds + 1):
        base = cost(empty)
        for case, (what, *direct) in runs.items():
            pair = cost(what) - base, [cost(run) - base for run in direct]
            if number > 0:  # the first one warms up
                figures[case]["what"].append(pair[0])
                figures[case]["direct"] += pair[1]
    return figures


def throughput(body, count, seconds):
    """Millions of calls a second of some threads together."""
    run, done, stop = loop(body), [0] * count, time.perf_counter() + seconds

    def work(number):
        while time.perf_counter() < stop:
            run(range(CALLS), time.perf_counter_ns)
            done[number] += CALLS
    threads = [threading.Thread(target=work, args=(number,)) for number in range(count)]
    start = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sum(done) / (time.perf_counter() - start) / 1e6


def threaded(rounds, seconds):
    """{threads: {"what": [millions a second, for each round], "direct": the same}}."""
    figures = {count: {"what": [], "direct": []} for count in THREADS}
    for _ in range(rounds):
        for count, pair in figures.items():
            pair["what"].append(throughput("spec_call('none')", count, seconds))
            pair["direct"].append(throughput("none()", count, seconds))
    return figures


if __name__ == "__main__":
    rounds, seconds = int(sys.argv[1]), float(sys.argv[2])
    print(json.dumps({"cases": measured(rounds), "threads": threaded(rounds, seconds) if seconds else {}}))
