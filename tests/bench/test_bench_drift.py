"""The benchmark of the git side measures what it says, and reports it."""

import json

import pytest

from benchmarks import drift, measure, report


def test_everything_is_measured_and_reported(triton_spec, tmp_path, monkeypatch):
    monkeypatch.setattr(drift, "COMMITS", 60)
    monkeypatch.setattr(drift, "FILES", 30)
    figures = drift.measure_all(triton_spec, tmp_path, 1, lambda line: None)
    assert len((tmp_path / "drift/vendors/acme/spec.lock").read_text().splitlines()) == 21
    assert (figures["commits"], figures["files"], figures["runs"]) == (60, 30, 1)
    text = report.render(json.loads(json.dumps({"drift": figures})))
    assert "A trunk of 30 files and 60 commits, 20 overrides" in text
    for step, costs in figures["steps"].items():
        assert f"| {step} | {costs['cpu_ms']['median']:,.1f} (" in text


def test_a_command_that_fails_is_no_figure(tmp_path):
    with pytest.raises(measure.Failed):
        measure.run(["sh", "-c", "exit 2"], tmp_path / "log", statuses=(0, 1))
    measure.run(["sh", "-c", "exit 1"], tmp_path / "log", statuses=(0, 1))
