"""Runs Triton's own tests on the cpu backend, from a checkout that is not part of this repository.

    python upstream.py CHECKOUT [--tests FILE...] [--sample N] [--seed S] [--jobs N] [--mark MARK]

CHECKOUT is a checkout of Triton, or of a fork whose tests carry the mark `cpu`. It is read, never written: its folder
python/test is copied. The Python that runs this file must have triton, this backend, torch, numpy, scipy, pytest
and, for --jobs, pytest-xdist. Prints how many tests passed, failed, were skipped or failed as expected, and each
failure with its reason. Exit status: 0 if none failed.
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
import xml.etree.ElementTree

CORE = "unit/language/test_core.py"

# What the checkout's own conftest is preceded by: its helpers know the device, the wheel's do not.
CONFTEST = """
import triton._internal_testing
triton._internal_testing.is_cpu = lambda: True
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
    return tests


def pytest_in(tests, arguments, **more):
    """pytest's run with the checkout's conftest and nobody's configuration."""
    environment = {**os.environ, "TRITON_DEFAULT_BACKEND": "cpu", "TRITON_CACHE_DIR": str(tests.parent / "cache")}
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


def outcome(case):
    """(how a test of pytest's report ended, the first line of why)."""
    for kind, name in (("failure", "failed"), ("error", "failed"), ("skipped", "skipped")):
        found = case.find(kind)
        if found is not None:
            expected = found.get("type") == "pytest.xfail"
            return "xfailed" if expected else name, (found.get("message") or "").split("\n")[0][:160]
    return "passed", ""


def report(path):
    """Prints the counts and the failures; returns how many failed."""
    counts, failures = collections.Counter(), []
    for case in xml.etree.ElementTree.parse(path).iter("testcase"):
        how, why = outcome(case)
        counts[how] += 1
        if how == "failed":
            failures.append(f"{case.get('name')}: {why}")
    for failure in sorted(failures):
        print("FAILED", failure)
    print(", ".join(f"{counts[how]} {how}" for how in ("passed", "failed", "skipped", "xfailed")),
          f"of {sum(counts.values())}")
    return counts["failed"]


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("checkout", type=pathlib.Path)
    parser.add_argument("--tests", nargs="+", default=[CORE], help="files below python/test")
    parser.add_argument("--mark", default="cpu", help="only tests with this mark; '' for all")
    parser.add_argument("--sample", type=int, help="tests of each function at most")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    asked = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        tests = prepare(asked.checkout, folder)
        names = collected(tests, asked.tests, asked.mark)
        if asked.sample:
            names = sample(names, asked.sample, asked.seed)
        (folder / "names").write_text("\n".join(names) + "\n")
        workers = ["-n", str(asked.jobs)] if asked.jobs > 1 else []
        pytest_in(tests, [f"--junitxml={folder / 'report.xml'}", "--tb=short", *workers, f"@{folder / 'names'}"],
                  stdout=sys.stderr)
        return 1 if report(folder / "report.xml") else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
