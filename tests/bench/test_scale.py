"""The benchmark of many backends builds what it says, and its report shows what was built."""

import subprocess

import pytest

from benchmarks import measure, scale, scale_report, vendors
from support.toy import clean_environment

BACKENDS = scale.BACKENDS[:2]


@pytest.fixture(scope="module")
def results(triton_spec, tmp_path_factory):
    """Two backends, and units that compile in no time."""
    return scale.measure_all(triton_spec, tmp_path_factory.mktemp("scale"), lambda line: None,
                             backends=BACKENDS, standard=False)


def test_who_reaches_what_is_what_the_compiler_read(tmp_path):
    """Without triton-spec: a unit is affected when it reads a file that a backend overrides."""
    vendors.write(tmp_path, scale.BACKENDS, standard=False)
    read = {source: set(subprocess.run(
        ["c++", "-MM", "-Iinclude", source], cwd=tmp_path, env=clean_environment(), check=True,
        stdout=subprocess.PIPE, text=True).stdout.replace("\\\n", " ").split()) for source in vendors.SOURCES}
    for backend in scale.BACKENDS:
        assert vendors.affected(backend) == {source for source in vendors.SOURCES
                                             if read[source].intersection(backend.overrides)}


def test_backends_differ_and_leave_units_alone():
    sets = [frozenset(vendors.affected(backend)) for backend in scale.BACKENDS]
    assert len(set(sets)) == len(sets)
    assert all(0 < len(found) < len(vendors.SOURCES) for found in sets)


@pytest.mark.slow
def test_what_is_the_same_is_compiled_once(results):
    everything = frozenset(vendors.SOURCES)
    assert [built.compiled for built in results[scale.NONE]] == [everything] * 2
    for way in (scale.LOCAL, scale.SHARED):
        assert [built.hit for built in results[way]] == scale.shareable(results[way])
    assert [built.hit for built in results[scale.AGAIN]] == [everything] * 2


def test_report_counts_over_all_builds():
    """Known builds: 10 s each, everything compiled that an earlier build could not give."""
    everything = frozenset(vendors.SOURCES)

    def built(backend, hit):
        return scale.Built(backend, wall=10, cpu=15, compiled=everything - hit, hit=hit)

    fresh = [built(backend, frozenset()) for backend in BACKENDS]
    hits = scale.shareable(fresh)
    results = {scale.NONE: fresh, scale.AGAIN: [built(backend, everything) for backend in BACKENDS]}
    results[scale.LOCAL] = results[scale.SHARED] = [built(*each) for each in zip(BACKENDS, hits)]
    units, same = len(everything), len(everything - set().union(*map(vendors.affected, BACKENDS)))
    text = scale_report.total_table(results)
    percent = f"{100 * same / (2 * units):.1f}"
    assert f"| 2 | {scale.NONE} | 20.0 | 30.0 | {2 * units} | - | - |" in text
    assert (f"| 2 | {scale.LOCAL} | 20.0 | 30.0 | {2 * units - same} | {same} of {2 * units} ({percent} %) | "
            f"{same} of {same} (100.0 %) |") in text
    assert f"| 1 | {scale.SHARED} | 10.0 | 15.0 | {units} | 0 of {units} (0.0 %) | - |" in text


def test_failed_build_is_no_figure(triton_spec, tmp_path):
    machine = scale.Machine(triton_spec, tmp_path / "machine", standard=False)
    (machine.trunk / vendors.unit(0, 0)).write_text("#error broken\n")
    with pytest.raises(measure.Failed, match="broken"):
        machine.build(BACKENDS[0])
