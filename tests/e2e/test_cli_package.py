"""The command line over an installed package, and the commands that belong to it."""

import json
import os
import subprocess
import sys

import pytest

from conftest import ROOT
from support.live import Site
from support.packages import PACKAGES
from support.toy import clean_environment


@pytest.fixture
def site(tmp_path):
    """An installed toy, with an overlay of backend acme."""
    return Site(tmp_path)


@pytest.fixture
def run(site, triton_spec):
    """A function: runs triton-spec with these words; the finished process."""
    def run(*words, **more):
        return subprocess.run([triton_spec, *map(str, words)], check=False, capture_output=True, text=True,
                              cwd=site.folder, env=clean_environment(TRITON_SPEC_CACHE=str(site.cache), **more))
    return run


def planned(site, run, command, *words):
    """The answer of a command that plans."""
    done = run(command, "--installed", "--trunk", site.site, "--root", site.vendors, "--backend", "acme", "--json",
               *words)
    assert done.returncode == 0, done.stdout + done.stderr
    return json.loads(done.stdout)


def test_plan(site, run):
    answer = planned(site, run, "plan")
    assert answer["trunk"] == str(site.site)
    assert {o["trunk"]: (o["action"], o["policy"]) for o in answer["overrides"]} == {
        "triton/testing.py": ("replace", "merge"), "triton/language/core.py": ("replace", "whole"),
        "triton/runtime/cache.py": ("replace", "whole"), "triton/runtime/data.py": ("add", "whole"),
        "triton/runtime/data.txt": ("replace", "whole")}


@pytest.mark.parametrize("path", ["triton/testing.py", "spec/triton/testing.py"])
def test_why(site, run, path):
    answer = planned(site, run, "why", path)
    assert answer["trunk"] == "triton/testing.py" and answer["vendor"] == site.vendor("triton/testing.py")
    assert answer["rule"] == "python-merge"
    assert answer["shadows"] == [{"file": str(site.site / "triton/testing.py")}]


def test_no_package(site, run):
    done = run("plan", "--installed", "--trunk", site.vendors, "--root", site.vendors, "--backend", "acme")
    assert done.returncode == 2 and "holds no package 'triton'" in done.stderr and "site-packages" in done.stderr


def test_there_is_no_usual_root(site, run):
    done = run("plan", "--installed", "--trunk", site.site, "--backend", "acme")
    assert done.returncode == 2 and "no overlay root is named" in done.stderr and "--root" in done.stderr


def test_policy(run):
    table = run("policy")
    assert table.returncode == 0
    lines = [line for line in (ROOT / "spec/core/policy.ini").read_text().splitlines() if line and line[0] != ";"]
    assert table.stdout.splitlines() == lines
    some = run("policy", "testing.py", "triton/knobs.py", "python/triton/language/core.py", "./runtime/__init__.py")
    assert some.stdout == ("triton/testing.py = merge\ntriton/knobs.py = closed\n"
                           "triton/language/core.py = whole\ntriton/runtime/__init__.py = merge\n")
    assert json.loads(run("policy", "errors.py", "--json").stdout)["policies"] == [
        {"path": "triton/errors.py", "policy": "merge"}]


# --- the cache -----------------------------------------------------------------------------------

def make(site):
    """Makes a stage; its key."""
    return site.python("import triton_spec; print(triton_spec.activate('acme').key)").strip()


def cached(run, *words):
    """What the cache has, by key."""
    done = run("cache", "--json", *words)
    assert done.returncode == 0, done.stderr
    return {stage["key"]: stage for stage in json.loads(done.stdout)["stages"]}


def test_an_empty_cache(site, run):
    assert cached(run) == {} and cached(run, "--clear") == {}
    assert run("cache").stdout == f"{site.cache}: 0 stages, 0.0 MiB\n"


def test_the_list(site, run):
    key = make(site)
    stage = cached(run)[key]
    size = sum(entry.stat().st_size for folder, _, names in os.walk(site.cache / "stages" / key)
               for entry in os.scandir(folder) if entry.is_file(follow_symlinks=False))
    assert stage["bytes"] == size and stage["backend"] == "acme" and stage["trunk"] == str(site.site)
    assert 0 <= stage["unused_seconds"] < 3600 and not stage["in_use"] and not stage["removed"]
    text = run("cache").stdout
    assert text.startswith(f"{key}  acme ") and text.endswith(": 1 stage, 0.0 MiB\n")


def test_clearing_leaves_what_is_used(site, run):
    free = make(site)
    site.add({"triton/runtime/data.txt": "other"})
    code = "import triton_spec; print(triton_spec.activate('acme').key, flush=True); input()"
    with subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                          env=site.environment(PYTHONPATH=f"{PACKAGES}:{site.site}")) as user:
        used = user.stdout.readline().strip()
        assert used != free and cached(run)[used]["in_use"]
        after = cached(run, "--clear")
        assert after[free]["removed"] and not after[used]["removed"] and after[used]["in_use"]
        assert set(cached(run)) == {used}
        user.communicate("\n")
    assert cached(run, "--clear")[used]["removed"] and cached(run) == {}
    assert make(site) == used  # made again


def test_a_stage_without_a_manifest(site, run):
    key = make(site)
    (site.cache / "stages" / key / "manifest.json").write_text("{")
    assert cached(run)[key]["backend"] == "?"
