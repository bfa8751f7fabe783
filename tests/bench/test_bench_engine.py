"""The benchmark of check and verify measures what it says, and reports it."""

import json
import subprocess

import pytest

from benchmarks import deps_log, engine, measure, report, trees
from support.toy import clean_environment

SHAPE = trees.Shape(200, 10)


@pytest.fixture(scope="module")
def built(triton_spec, tmp_path_factory):
    """A small tree, configured."""
    return engine.Built(triton_spec, tmp_path_factory.mktemp("engine"), SHAPE)


def test_written_records_are_what_ninja_reads(built):
    made = engine.units(built)
    engine.record(built)
    told = subprocess.run(["ninja", "-C", built.build, "-t", "deps"], env=clean_environment(), check=True,
                          stdout=subprocess.PIPE, text=True).stdout
    read = {}
    for block in told.strip().split("\n\n"):
        head, *inputs = block.split("\n")
        read[head.split(": #deps")[0]] = [line.strip() for line in inputs]
    assert read == made


def test_units_read_what_the_compiler_reads(built):
    """gcc's own words, once its system headers are there."""
    empty = built.folder / "system"
    for line in trees.SYSTEM_INCLUDES.splitlines():
        path = empty / line.split("<")[1].rstrip(">")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("")
    commands = json.loads((built.build / "compile_commands.json").read_text())
    made = engine.units(built)
    for entry in commands:
        words = entry["command"].split()
        output = words[words.index("-o") + 1]
        words = words[:words.index("-o")] + ["-isystem", str(empty), "-MM", entry["file"]]
        said = subprocess.run(words, cwd=entry["directory"], env=clean_environment(), check=True,
                              stdout=subprocess.PIPE, text=True).stdout
        read = set(said.replace("\\\n", " ").split(": ", 1)[1].split())
        assert read == set(made[output]) - set(engine.FOREIGN)


def test_a_proof_that_fails_is_no_figure(built):
    made = engine.units(built)
    deps_log.write(built.build / ".ninja_deps", dict(list(made.items())[:len(made) // 2]))
    with pytest.raises(measure.Failed, match="proved|not-read"):
        engine.verify(built, (built.build / "spec/manifest.json").read_text())


@pytest.mark.slow
def test_everything_is_measured_and_reported(triton_spec, tmp_path):
    lines = []
    figures = engine.measure_all(triton_spec, tmp_path, 1, lines.append, [SHAPE], [SHAPE])
    assert [tree["steps"].keys() for tree in figures["scanner"]] == [dict.fromkeys(engine.STEPS).keys()]
    assert figures["verify"][0]["objects"] == 200 and figures["verify"][0]["dependencies"] > 200 * 500
    figures["scanner"][0]["steps"][engine.IDLE]["cpu_ms"] = {"min": 1, "median": 2, "max": 3}
    text = report.render(json.loads(json.dumps({"engine": figures})))
    assert f"| 200 x 10 | 410 | {engine.IDLE} | 2.0 (1.0 to 3.0) |" in text
    assert f"| 200 | 10 | {figures['verify'][0]['dependencies']:,} |" in text
    assert not list(tmp_path.rglob("*.c"))
