"""A build with an overlay against a plain build of the exported tree: random cases, those that were once
wrong, and faults on purpose."""

import collections
import os
import pathlib
import sys

import pytest

from oracle import sabotage
from oracle.build import Tools
from oracle.case import load
from oracle.compare import check
from oracle.generate import generate
from oracle.run import run_seeds, shrink_fault, summary
from oracle.shrink import shrink

CASES = pathlib.Path(__file__).parent / "cases"
KEPT = sorted(path.stem for path in CASES.glob("*.json"))

# Seeds of every run, and of the nightly run, of which SPEC_ORACLE_CASES may ask for fewer or more.
FIRST, LAST = 0, 200
MANY = int(os.environ.get("SPEC_ORACLE_CASES", "10000"))


@pytest.fixture(scope="module")
def tools(triton_spec, tmp_path_factory):
    """The program under test, and what CMake knows of the compilers."""
    return Tools(triton_spec, tmp_path_factory.mktemp("oracle"))


def judge(results, folder, tools):
    """No case shows a fault; those that do are shrunk, kept below the working folder, and told."""
    print(summary(results))
    told = []
    for name, (case, outcome) in results.items():
        if not outcome.is_fault:
            continue
        if len(told) < 3:
            case = shrink_fault(case, outcome, folder / f"shrink-{name}", tools)
        path = pathlib.Path(f"oracle-{name}.json").absolute()
        case.save(path)
        told.append(f"{name}: {outcome.kind}; kept as {path}\n{outcome.detail[:2000]}")
    assert not told, "\n".join(told)


def counts(results):
    """How many cases of each kind, and what was compared in all."""
    kinds = collections.Counter(outcome.kind for _, outcome in results.values())
    return kinds, sum((outcome.counts for _, outcome in results.values()), collections.Counter())


def test_random_overlays(tools, tmp_path):
    results = run_seeds(range(FIRST, LAST), tmp_path, tools)
    judge(results, tmp_path, tools)
    kinds, compared = counts(results)
    # What the run is worth: few cases that say nothing, and enough of everything in the others.
    assert kinds["same"] >= 0.95 * (LAST - FIRST)
    assert compared["units"] > 1000 and compared["affected"] > 700 and compared["with a vendor's text"] > 600
    assert compared["tblgen outputs"] >= 10 and compared["packages"] >= 5 and compared["not read"] > 0


@pytest.mark.slow
def test_many_random_overlays(tools, tmp_path):
    for start in range(LAST, LAST + MANY, 200):
        results = run_seeds(range(start, min(start + 200, LAST + MANY)), tmp_path / str(start), tools)
        judge(results, tmp_path, tools)


@pytest.mark.parametrize("name", KEPT)
def test_kept_case(tools, tmp_path, name):
    """Cases that were wrong once. One that still is, and is described as a limit, must stay so until the
    description goes."""
    case = load(CASES / f"{name}.json")
    outcome = check(case, tmp_path / "case", tools)
    expected = case.limit or "same"
    assert outcome.kind == expected, f"{case.why}\n{outcome.kind}: {outcome.detail}"


# --- that it can fail ----------------------------------------------------------------------------

def test_an_exported_file_that_is_wrong_is_noticed(tools, tmp_path):
    """A header of the export says something else than the overlay's."""
    def tamper(tree):
        path = tree / "include/toy/v.h"
        path.write_text(path.read_text().replace("acme", "tampered"))

    case = load(CASES / "sabotage.json")
    assert check(case, tmp_path / "sound", tools).kind == "same"
    outcome = check(case, tmp_path / "tampered", tools, tamper)
    assert outcome.kind == "text" and "-extern int tampered;" in outcome.detail


@pytest.mark.parametrize("fault", sabotage.FAULTS)
def test_a_fault_of_the_engine_is_noticed(tools, tmp_path, monkeypatch, fault):
    program = sabotage.write_program(tmp_path / "bin/triton-spec", tools.program, fault, sys.executable)
    spoilt = [arg if "TRITON_SPEC_EXECUTABLE" not in arg else f"-DTRITON_SPEC_EXECUTABLE={program}"
              for arg in tools.injection]
    monkeypatch.setattr(tools, "injection", spoilt)
    monkeypatch.setattr(tools, "program", str(program))
    outcome = check(load(CASES / "sabotage.json"), tmp_path / "case", tools)
    assert outcome.kind in sabotage.FAULTS[fault][1], outcome


def test_a_failing_case_is_shrunk():
    """A fault that needs two lines of two files, in a case with much else."""
    case = next(c for c in map(generate, range(100)) if c.linked and len(c.files) > 12)
    first, second = case.files["trunk/CMakeLists.txt"].split("\n")[:2]
    header = next(name for name in case.files if name.endswith(".h"))
    line = case.files[header].split("\n")[1]

    def fails(candidate):
        return (second in candidate.files.get("trunk/CMakeLists.txt", "").split("\n")
                and line in candidate.files.get(header, "").split("\n"))

    small = shrink(case, fails)
    assert small.files == {"trunk/CMakeLists.txt": second, header: line} and first not in small.files.values()
    assert not small.linked


def test_seeds_give_the_same_cases():
    assert generate(7) == generate(7) != generate(8)


def test_cases_survive_their_files(tmp_path):
    case = generate(11)
    case.save(tmp_path / "case.json")
    assert load(tmp_path / "case.json") == case
