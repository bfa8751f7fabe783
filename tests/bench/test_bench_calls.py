"""The benchmark of the calls measures each case once a round, and its report shows what was measured."""

import json
import sys

import pytest

from benchmarks import calls, calls_report, report
from support.packages import PACKAGES

MACHINE = {"cpu": "Model", "cores": 2, "load": 0.1, "cmake": "3.25.1"}


@pytest.mark.slow
@pytest.mark.parametrize("situation", calls.SITUATIONS)
def test_every_situation_is_measured(tmp_path, situation):
    program = PACKAGES.parent / "spec/triton-spec"
    told = calls._run(sys.executable, program, tmp_path, situation, "extension", 1, 0.01)
    assert {case: len(pair["what"]) for case, pair in told["cases"].items()} == dict.fromkeys(told["cases"], 1)
    assert all(figure > 0 for pair in told["cases"].values() for figure in pair["what"])
    assert set(told["threads"]) == {"1", "2", "4", "8"}
    only = calls.SITUATIONS[situation][1]
    assert set(only or ()) <= set(told["cases"])


def test_difference_is_paired_by_round():
    figures = calls._figures({"what": [50.0, 90.0, 70.04], "direct": [20.0, 40.0, 30.0]})
    assert figures["above"] == {"min": 30.0, "median": 40.04, "max": 50.0}
    assert figures["ratio"] == 2.33
    assert calls._figures({"what": [1.0], "direct": []}) == {"ns": {"min": 1.0, "median": 1.0, "max": 1.0}}


def test_report_shows_the_figures():
    hit = calls._figures({"what": [60.0], "direct": [25.0]})
    results = {"calls": {"machine": MACHINE, "runs": 1, "python": "3.11.7",
                         "cases": [{"situation": "hook", "case": "spec_call, no arguments", "extension": hit, "twin": hit}],
                         "threads": [{"threads": 2, "what": calls._summary([2.0]), "direct": calls._summary([4.0])}]}}
    text = report.render(json.loads(json.dumps(results)))
    assert "| hook | spec_call, no arguments | 25.0 (25.0 to 25.0) | 60.0 (60.0 to 60.0) | 35.0 (35.0 to 35.0) | 40 |" in text
    assert "1,257 |" in text and "| 2 | 4.00 (4.00 to 4.00) | 2.00 (2.00 to 2.00) | 0.50 |" in text


def test_published_figures_belong_to_cases():
    measured = {(situation, case) for situation, (_, only) in calls.SITUATIONS.items()
                for case in only or ("spec_call, no arguments", "spec_call, 3 arguments", "spec_call, a miss", "spec_func",
                                     "spec_func, a miss")}
    assert set(calls_report.PEER) <= measured
