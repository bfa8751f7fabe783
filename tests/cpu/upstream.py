"""Runs Triton's own tests on the cpu backend, from a checkout that is not part of this repository.

    python upstream.py CHECKOUT [--tests FILE...] [--sample N] [--seed S] [--jobs N] [--mark MARK] [--journal FILE]

CHECKOUT is a checkout of Triton, or of a fork whose tests carry the mark `cpu`. It is read, never written: its folder
python/test is copied. The Python that runs this file must have triton, this backend, torch, numpy, scipy, pytest
and, for --jobs, pytest-xdist. Prints how many tests passed, failed, were skipped or failed as expected, and each
failure with its reason. The journal has a line a test, written as it ends: a run that was stopped goes on behind the
tests that its journal names. Exit status: 0 if none failed.
"""

import argparse
import collections
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile

CORE = "unit/language/test_core.py"

# What the checkout's own conftest is preceded by: its helpers know the device, the wheel's do not.
CONFTEST = """
import triton._internal_testing
triton._internal_testing.is_cpu = lambda: True
"""

# A module that pytest loads as a plugin; one process writes, whatever the number of workers.
JOURNAL = """
import os

def pytest_configure(config):
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(Journal(), "journal of upstream.py")

class Journal:
    def pytest_runtest_logreport(self, report):
        if report.when != "call" and report.passed:
            return
        how, why = report.outcome, ""
        if hasattr(report, "wasxfail"):
            how = {"skipped": "xfailed"}.get(how, how)
        elif report.failed:
            why = getattr(getattr(report.longrepr, "reprcrash", None), "message", str(report.longrepr))
        with open(os.environ["JOURNAL"], "a") as out:
            print(report.nodeid, how, " ".join(why.split())[:160], sep="\\t", file=out)
"""


def prepare(checkout, folder):
    """Copies the checkout's tests; returns the folder that pytest runs in."""
    source = checkout / "python/test"
    if not source.is_dir():
        sys.exit(f"{checkout}: there is no folder python/test: name a checkout of Triton")
    tests = folder / "test"
    shutil.copytree(source, tests)
    conftest = tests / "conftest.py"
    conftest.write_text(CONFTEST + conftest.read_text())
    (folder / "journal_plugin.py").write_text(JOURNAL)
    return tests


def pytest_in(tests, arguments, variables=(), **more):
    """pytest's run with the checkout's conftest and nobody's configuration."""
    environment = {"TRITON_CACHE_DIR": str(tests.parent / "cache"), **os.environ, "TRITON_DEFAULT_BACKEND": "cpu",
                   "PYTHONPATH": str(tests.parent), **dict(variables)}
    command = [sys.executable, "-m", "pytest", "-c", os.devnull, f"--rootdir={tests}", f"--confcutdir={tests}",
               "-p", "no:cacheprovider", "--device", "cpu", "-q", *arguments]
    return subprocess.run(command, cwd=tests, env=environment, text=True, check=False, **more)


def collected(tests, files, mark):
    """The names of all tests of the files that carry the mark."""
    listed = pytest_in(tests, ["--collect-only", *(["-m", mark] if mark else []), *files], capture_output=True)
    names = [line for line in listed.stdout.splitlines() if "::" in line and line.startswith("unit/")]
    if not names:
        sys.exit(f"no tests were collected:\n{listed.stdout[-2000:]}{listed.stderr[-2000:]}")
    return names


def sample(names, size, seed):
    """At most `size` tests of each test function."""
    functions = collections.defaultdict(list)
    for name in names:
        functions[name.split("[")[0]].append(name)
    chosen = random.Random(seed)
    return [name for group in functions.values() for name in chosen.sample(group, min(size, len(group)))]


def read_journal(path):
    """{a test's name: (how it ended, the first line of why)}; the last line of a test is the one that holds."""
    lines = path.read_text().splitlines() if path.exists() else []
    return {name: (how, why) for name, how, why in (line.split("\t") for line in lines)}


def report(ended):
    """Prints the counts and the failures; returns how many failed."""
    for name, (how, why) in sorted(ended.items()):
        if how == "failed":
            print(f"FAILED {name}: {why}")
    counts = collections.Counter(how for how, _why in ended.values())
    print(", ".join(f"{counts[how]} {how}" for how in ("passed", "failed", "skipped", "xfailed")), f"of {len(ended)}")
    return counts["failed"]


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("checkout", type=pathlib.Path)
    parser.add_argument("--tests", nargs="+", default=[CORE], help="files below python/test")
    parser.add_argument("--mark", default="cpu", help="only tests with this mark; '' for all")
    parser.add_argument("--sample", type=int, help="tests of each function at most")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    parser.add_argument("--journal", type=pathlib.Path, help="where each test's end is written; goes on behind it")
    asked = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        tests = prepare(asked.checkout, folder)
        names = collected(tests, asked.tests, asked.mark)
        if asked.sample:
            names = sample(names, asked.sample, asked.seed)
        journal = (asked.journal or folder / "journal").absolute()
        before = read_journal(journal)
        left = [name for name in names if name not in before]
        (folder / "names").write_text("\n".join(left) + "\n")
        workers = ["-n", str(asked.jobs)] if asked.jobs > 1 else []
        if left:
            pytest_in(tests, ["-p", "journal_plugin", "--tb=short", *workers, f"@{folder / 'names'}"],
                      {"JOURNAL": str(journal)}, stdout=sys.stderr)
        ended = read_journal(journal)
        lost = [name for name in names if name not in ended]
        print(*(f"NOT RUN {name}\n" for name in lost), sep="", end="")
        return 1 if report({name: ended[name] for name in names if name in ended}) or lost else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
