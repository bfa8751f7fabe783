"""The benchmark's trees are what it says they are, and its report shows what was measured."""

import collections
import functools
import json
import pathlib
import re

import pytest

from benchmarks import configure, measure, report, trees

INCLUDE = re.compile(r'^#include "(.*)"$', re.MULTILINE)


@pytest.fixture(scope="module", ids=lambda shape: shape.name,
                params=[trees.Shape(200, 10), trees.Shape(200, 10, shared=True)])
def written(request, tmp_path_factory):
    """A shape and the folder of its trunk."""
    root = tmp_path_factory.mktemp(request.param.name)
    trees.write(root, request.param)
    return request.param, root


def vendor_files(root):
    vendor = root / "third_party/acme/spec_cpp"
    return {path.relative_to(vendor).as_posix() for path in vendor.rglob("*") if path.is_file()}


def resolve(root, includer, name):
    """The trunk file that a quoted include means, by the compiler's rule."""
    beside = root / pathlib.PurePosixPath(includer).parent / name
    return beside if beside.exists() else root / "include" / name


@functools.cache
def included(root, path):
    """Trunk paths that a file names."""
    return [resolve(root, path, name).relative_to(root).as_posix()
            for name in INCLUDE.findall((root / path).read_text())]


def reached(root, path):
    """Trunk paths that a file includes, itself too."""
    seen, todo = set(), [path]
    while todo:
        path = todo.pop()
        if path not in seen:
            seen.add(path)
            todo += included(root, path)
    return seen


def test_sizes(written):
    shape, root = written
    sources = list((root / "lib").rglob("*.c"))
    assert len(sources) == shape.sources
    assert len({path.parent for path in sources}) == trees.LIBRARIES
    assert all(abs(path.stat().st_size - trees.SOURCE_BYTES) < 100 for path in sources)
    files = vendor_files(root)
    assert len(files) == shape.overrides
    assert sum(name.endswith(".h") for name in files) == shape.header_overrides


def test_every_source_is_in_one_target(written):
    shape, root = written
    listed = collections.Counter()
    for script in root.rglob("CMakeLists.txt"):
        for name in re.findall(r"\w+\.c\b", script.read_text()):
            listed[script.parent / name] += 1
    assert len(listed) == shape.sources
    assert set(listed.values()) == {1}
    assert all(path.is_file() for path in listed)


def test_every_override_differs_from_its_trunk_file(written):
    _, root = written
    for name in vendor_files(root):
        vendor = (root / "third_party/acme/spec_cpp" / name).read_text()
        assert (root / name).is_file()
        assert vendor != (root / name).read_text()


def test_includes_are_found_and_reach_the_overrides(written):
    shape, root = written
    headers = {name for name in vendor_files(root) if name.endswith(".h")}
    reach = [reached(root, path.relative_to(root).as_posix())
             for path in (root / "lib").rglob("*.c")]
    assert all(any(header in paths for paths in reach) for header in headers)
    assert shape.shared == all(headers & paths for paths in reach)


def test_too_many_overrides_are_refused(tmp_path):
    with pytest.raises(ValueError, match="larger trunk"):
        trees.write(tmp_path, trees.Shape(100, 500))


def test_run_measures_the_child_and_its_children(tmp_path):
    cost = measure.run(["sh", "-c", "sh -c 'i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done'"],
                       tmp_path / "log")
    assert cost.cpu > 0 and cost.wall > 0 and cost.peak > 0


def test_failed_command_is_no_figure(tmp_path):
    with pytest.raises(measure.Failed, match="(?s)exit 3.*broken"):
        measure.run(["sh", "-c", "echo broken; exit 3"], tmp_path / "log")


def rounds_of(values):
    """Rounds in which a plain run costs 100 and one with the overlay 100 and a value."""
    steps = [kind + again for again in ("", " again")
             for kind in ("plain", "overlay", "stage", "place")]
    return [{step: measure.Cost(100 + (value if "overlay" in step else 0), 200, 30)
             for step in steps} for value in values]


@pytest.fixture
def results(monkeypatch):
    """What docs/benchmarks.json would hold for known costs."""
    class Known:
        """Stands for a tree on disk."""
        shape = trees.Shape(350, 14)
        affected_units = staticmethod(lambda: 38)
        mean_path = staticmethod(lambda: 100)
    figures = configure.results(Known, rounds_of([9.04, 5, 7]))
    results = {"machine": {"cpu": "Model", "cores": 2, "load": 0.1, "cmake": "3.25.1"}, "runs": 3,
               "trees": [figures]}
    return json.loads(json.dumps(results))


def test_difference_is_paired_by_round(results):
    difference = results["trees"][0]["steps"]["difference"]["cpu_ms"]
    assert difference == {"min": 5.0, "median": 7.0, "max": 9.0}


def test_report_shows_the_figures(results):
    text = report.render(results)
    assert "| 350 x 14 | 38 | 7.0 (5.0 to 9.0) | 7.0 (5.0 to 9.0) | 20 | 776 |" in text
    assert "Model, 2 cores, load 0.1 before, CMake 3.25.1" in text
    assert "| `place` | 100.0 (100.0 to 100.0) |" in text


def test_report_replaces_only_the_figures(results):
    page = f"# Title\n\n{report.BEGIN}\n\nold\n\n{report.END}\n\nmore\n"
    once = report.put_into(page, results)
    assert once.startswith("# Title\n") and once.endswith("\n\nmore\n") and "old" not in once
    assert report.put_into(once, results) == once


def test_report_needs_its_markers(results):
    with pytest.raises(ValueError, match="lacks the line"):
        report.put_into("# Title\n", results)
