"""The benchmark of rebuilds counts what runs and what must, and notices a build that is stale."""

import json

import pytest

from benchmarks import changes, measure, rebuild, report, scale_report

C_LIVES = [change for change in changes.c_changes() if change.name.startswith(("source:", "python/src header:"))]


@pytest.fixture(scope="module")
def figures(triton_spec, tmp_path_factory):
    """Two kinds of change of the C trunk, and those of a .td where MLIR is."""
    return rebuild.measure_all(triton_spec, tmp_path_factory.mktemp("rebuild"), lambda line: None, C_LIVES,
                               changes.td_changes()[:2])


def row(figures, name):
    """(compile, tblgen, link) of a change: what ran, and what had to."""
    found = next(change for change in figures["changes"] if change["change"] == name)
    return [tuple(found[side].values()) for side in ("ran", "least")], found["cmake"]


@pytest.mark.slow
def test_rows_are_the_edges_by_hand(figures):
    # An archive and the program, or the program alone.
    assert row(figures, "source: added") == ([(1, 0, 2)] * 2, True)
    assert row(figures, "source: edited") == ([(1, 0, 2)] * 2, False)
    assert row(figures, "source: removed") == ([(0, 0, 2)] * 2, True)  # the trunk's object is still there
    assert row(figures, "python/src header: edited") == ([(1, 0, 1)] * 2, False)


@pytest.mark.slow
@pytest.mark.skipif(not rebuild.has_mlir(), reason="MLIR's CMake package is missing")
def test_rows_of_tablegen(figures):
    assert row(figures, "top-level .td: added") == ([(0, 1, 0)] * 2, True)
    assert row(figures, "top-level .td: edited") == ([(0, 1, 0)] * 2, False)


def test_more_than_the_least_is_counted(triton_spec, tmp_path):
    """A new date alone makes Ninja compile, and need not."""
    trial = rebuild.Trial(triton_spec, tmp_path, changes.c_trunk())
    text = changes.c_trunk()["lib/middle/U2.c"]
    made = trial.make(changes.Change("touched", {"lib/middle/U2.c": text}, trunk=True))
    assert made["ran"]["compile"] == 1 and made["least"] == {"compile": 0, "tblgen": 0, "link": 0}


def test_stale_output_is_no_figure(triton_spec, tmp_path):
    """With an engine that never finds a build out of date."""
    blind = tmp_path / "triton-spec"
    blind.write_text(f'#!/bin/sh\n[ "$1" = check ] || exec {triton_spec} "$@"\n')
    blind.chmod(0o755)
    trial = rebuild.Trial(triton_spec, tmp_path, changes.c_trunk())
    rules = trial.build.path / "build.ninja"
    rules.write_text(rules.read_text().replace(f"{triton_spec} check", f"{blind} check"))
    with pytest.raises(measure.Failed, match="stale"):
        trial.make(changes.c_changes()[3])  # the objects have the same names as before


def test_report_holds_each_against_the_least():
    made = {"change": "source: added", "ran": {"compile": 2, "tblgen": 0, "link": 1},
            "least": {"compile": 1, "tblgen": 0, "link": 1}, "cmake": True}
    machine = {"cpu": "Model", "cores": 2, "load": 0.1, "cmake": "3.25.1"}
    text = report.render({"rebuilds": {"machine": machine, "tblgen": False, "changes": [made]}})
    assert "| source: added | 2 / 1 | 0 / 0 | 1 / 1 | yes |" in text
    assert "Over all 1 changes 3 ran, of which 2 had to. MLIR's CMake package was missing" in text


def test_hits_are_read_from_what_the_other_benchmark_wrote():
    rows = [[2, "no cache", "20.0", "30.0", 160, "-", "-"],
            [2, "ccache", "20.0", "30.0", 127, "33 of 160 (20.6 %)", "33 of 33 (100.0 %)"]]
    page = report.table(["backends", "cache", "wall, s", "CPU, s", "compiled", "hits", "unaffected"], rows)
    document = f"{scale_report.BEGIN}\n\n{page}\n\n{scale_report.END}"
    hits = scale_report.read_hits(document)
    assert hits == [{"backends": 2, "cache": "ccache", "all": "33 of 160 (20.6 %)",
                     "unaffected": "33 of 33 (100.0 %)"}]
    assert "| 2 | ccache | 33 of 160 (20.6 %) | 33 of 33 (100.0 %) |" in report.render(
        json.loads(json.dumps({"ccache": hits})))
    with pytest.raises(ValueError, match="scale-bench"):
        scale_report.read_hits("# Title\n")
