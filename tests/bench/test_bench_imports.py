"""The benchmark of live mode measures what it says, and reports it."""

import json

import pytest

from benchmarks import imports, measure, report


def test_ratios_are_those_of_a_round():
    rounds = [{step: measure.Cost(10.0 * n, 20.0 * n, 1.0) for group in imports.GROUPS for step in group}
              for n in (1, 2, 3)]
    rounds[1]["import, enabled"] = measure.Cost(30.0, 20.0, 1.0)
    found = imports.figures(rounds)
    assert found["import, enabled"]["cpu_ratio"] == {"min": 1.0, "median": 1.0, "max": 1.5}
    assert found["import, enabled"]["wall_ratio"] == {"min": 0.5, "median": 1.0, "max": 1.0}
    assert found["import"]["cpu_ms"] == {"min": 10.0, "median": 20.0, "max": 30.0}


@pytest.fixture(scope="module")
def measured(triton_spec, tmp_path_factory):
    """The figures of one round, and the folder in which it was measured."""
    folder = tmp_path_factory.mktemp("bench")
    return imports.measure_all(triton_spec, folder, 1, lambda line: None), folder


@pytest.mark.slow
def test_everything_is_measured_and_reported(measured):
    figures, _ = measured
    assert figures["overrides"] == imports.OVERRIDES and figures["runs"] == 1
    assert list(figures["steps"]) == [step for group in imports.GROUPS for step in group]
    text = report.render(json.loads(json.dumps({"imports": figures})))
    assert f"| not set | {figures['line_us']['not set']['median']:,.1f} (" in text
    for step, costs in figures["steps"].items():
        assert f"| {step} | {costs['cpu_ms']['median']:,.1f} (" in text


@pytest.mark.slow
def test_an_overlay_that_is_not_used_is_no_figure(measured, monkeypatch):
    environments = object.__new__(imports.Environments)
    environments.folder = measured[1] / "imports"
    environments.log = environments.folder / "log.txt"
    monkeypatch.setattr(imports, "GROUPS", ({"import": ("plain", "bench", "import triton")},))
    with pytest.raises(measure.Failed, match="AssertionError"):
        environments.check()
