"""`triton-spec lint`: what it finds, and its text, JSON and SARIF forms."""

import json
import urllib.parse

import pytest

from support.engine import Engine

PATCH = "--- a.py\n+++ a.py\n@@ -1,3 +1,3 @@\n a = 1\n-b = 1\n+b = 2\n c = 1\n"
SPEC = "vendors/acme/spec/triton/"


@pytest.fixture
def engine(tmp_path, triton_spec):
    """A package and a sound overlay of it: a patch and a new module."""
    engine = Engine(tmp_path, triton_spec)
    engine.write({"trunk/python/triton/a.py": "a = 1\nb = 1\nc = 1\n", "trunk/python/triton/__init__.py": "",
                  SPEC + "a.py.patch": PATCH, SPEC + "runtime/new.py": "x = 1\n"})
    return engine


@pytest.fixture
def faulty(engine):
    """One finding of the plan, one of a patch, and two that warn of modules."""
    engine.write({SPEC + "a.py.patch": PATCH.replace("-b = 1", "-b = 3"),
                  SPEC + "runtime/br ack%t.py": "f(\n",
                  SPEC + "runtime/tool.py": "\nimport triton_spec\n",
                  "vendors/acme/spec_cpp/x.bin": ""})
    return engine


def found(outcome):
    """(severity, code, file name and line) of each finding."""
    return [(f["severity"], f["code"], f["where"].rpartition("/")[2]) for f in outcome.json["findings"]]


FAULTS = [("error", "unknown-kind", "x.bin"), ("error", "patch-misfit", "a.py.patch:5"),
          ("warning", "module-syntax", "br ack%t.py:1"), ("warning", "imports-triton-spec", "tool.py:2")]


def test_a_sound_overlay(engine):
    assert engine.run("lint").says(0).out == b"acme: 2 overrides, 0 errors, 0 warnings, 0 notes\n"
    assert engine.run("lint", "--json").says(0).json == {
        "schema": 1, "backend": "acme", "overrides": 2, "errors": 0, "warnings": 0, "notes": 0,
        "findings": []}


def test_all_that_is_wrong(faulty):
    outcome = faulty.run("lint", "--json").says(1)
    assert found(outcome) == FAULTS
    assert [outcome.json[key] for key in ("overrides", "errors", "warnings", "notes")] == [4, 2, 2, 0]
    text = faulty.run("lint").says(1, "error[refused]: the overlay is refused: 2 findings")
    assert text.out == b"acme: 4 overrides, 2 errors, 2 warnings, 0 notes\n"
    for _, code, where in FAULTS:
        assert f"[{code}]: " in text.text and where in text.text


def test_warnings_alone_are_clean(engine):
    engine.write({SPEC + "runtime/tool.py": "import triton_spec\n"})
    assert found(engine.run("lint", "--json").says(0)) == [("warning", "imports-triton-spec", "tool.py:1")]


def test_what_cannot_be_done(engine):
    engine.run("lint", backend="absent").says(2, "error[not-found]")
    engine.run("lint", "--sarif", "/dev/null/x").says(2, "error[io]")
    assert engine.run("lint", "--installed").says(2, "holds no package 'triton'").out == b""


def test_an_installed_package(engine, tmp_path):
    engine.write({"trunk/triton/a.py": "a = 1\nb = 1\nc = 1\n"})
    assert engine.run("lint", "--installed").says(0).out.startswith(b"acme: 2 overrides, 0 errors")
    engine.write({"trunk/triton/a.py": "a = 1\nb = 0\nc = 1\n"})
    engine.run("lint", "--installed").says(1, "hunk 1 does not fit 'triton/a.py'")
    assert not (tmp_path / "out").exists()


# --- SARIF ---------------------------------------------------------------------------------------

def sarif(engine, **how):
    """The one run of the log that lint writes."""
    engine.run("lint", "--sarif", "lint.sarif", **{"cwd": engine.root, **how})
    log = json.loads((engine.root / "lint.sarif").read_bytes())
    assert log["version"] == "2.1.0" and log["$schema"].endswith("/sarif-schema-2.1.0.json")
    return log["runs"][0]


def test_sarif_has_the_same_findings(faulty):
    run = sarif(faulty)
    driver = run["tool"]["driver"]
    assert (driver["name"], driver["version"]) == ("triton-spec", "0.1.0")
    base = run["originalUriBaseIds"]["%SRCROOT%"]["uri"]
    assert base == f"file://{faulty.root}/"
    told = []
    for result in run["results"]:
        rule = driver["rules"][result["ruleIndex"]]
        assert rule["id"] == result["ruleId"]
        assert rule["shortDescription"]["text"] and rule["help"]["text"]
        assert rule["defaultConfiguration"]["level"] in ("none", "note", "warning", "error")
        place = result["locations"][0]["physicalLocation"]
        assert place["artifactLocation"]["uriBaseId"] == "%SRCROOT%"
        path = faulty.root / urllib.parse.unquote(place["artifactLocation"]["uri"])
        assert path.is_file()
        line = f":{place['region']['startLine']}" if "region" in place else ""
        told.append((result["level"], result["ruleId"], path.name + line))
    assert told == FAULTS
    assert len({rule["id"] for rule in driver["rules"]}) == len(driver["rules"]) == 4
    texts = {result["ruleId"]: result["message"]["text"] for result in run["results"]}
    assert texts["module-syntax"].startswith("this is no Python") and "; mend: " in texts["module-syntax"]


def test_sarif_outside_the_current_folder(faulty, tmp_path_factory):
    elsewhere = tmp_path_factory.mktemp("else where")
    faulty.run("lint", "--sarif", "lint.sarif", cwd=elsewhere)
    run = json.loads((elsewhere / "lint.sarif").read_bytes())["runs"][0]
    assert run["originalUriBaseIds"]["%SRCROOT%"]["uri"] == f"file://{elsewhere}/".replace(" ", "%20")
    where = run["results"][2]["locations"][0]["physicalLocation"]["artifactLocation"]
    assert where == {"uri": f"file://{faulty.root}/vendors/acme/spec/triton/runtime/br%20ack%25t.py"}


def test_sarif_of_a_sound_overlay(engine):
    run = sarif(engine)
    assert run["results"] == [] and run["tool"]["driver"]["rules"] == []


def test_sarif_is_written_again_the_same(faulty):
    first, text = sarif(faulty), (faulty.root / "lint.sarif").read_bytes()
    assert sarif(faulty) == first and (faulty.root / "lint.sarif").read_bytes() == text


# --- merges --------------------------------------------------------------------------------------

def test_signatures_warn_unless_strict(engine):
    engine.write({"trunk/python/triton/b.py": "def f(a):\n    return a\n",
                  SPEC + "b.py": "def f(a, b):\n    return a + b\n"})
    for words, status, severity in (([], 0, "warning"), (["--strict"], 1, "error")):
        outcome = engine.run("lint", "--json", *words).says(status)
        assert found(outcome) == [(severity, "merge-signature", "b.py:1")]


def test_a_merge_that_cannot_be(engine):
    engine.write({"trunk/python/triton/b.py": "def f(a):\n    return a\n", SPEC + "b.py": "import os\n\nf(\n"})
    assert [finding[1:] for finding in found(engine.run("lint", "--json").says(1))] == [
        ("merge-syntax", "b.py:3")]
