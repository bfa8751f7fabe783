"""`triton-spec new`: what it writes and refuses, and that its README holds, done as a new user would."""

import os
import re
import subprocess
import sys
import time

import pytest

from support.fresh import fresh_environment
from support.toy import Run, clean_environment, write_tree
from support_pages import run_page
from support_trunk import ROOT, TRUNK, folder_digest

TEMPLATES = ROOT / "templates/backend"


def new(program, *words, folder, status=0):
    return Run([program, "new", *words], env=clean_environment(), cwd=folder).expect(status)


def texts(folder):
    return {path: (folder / path).read_text() for path in folder_digest(folder)}


# --- what is written -------------------------------------------------------------------------------

def test_every_template_is_filled(triton_spec, tmp_path):
    new(triton_spec, "my_chip", "--trunk", TRUNK, "--in", "deep/er", folder=tmp_path)
    made, templates = texts(tmp_path / "deep/er/my_chip"), texts(TEMPLATES)
    assert set(made) == {*templates, "spec.lock"}
    assert not [path for path, text in made.items() if re.search("@(name|NAME|Name)@", text)]
    assert sum("my_chip" in text for text in made.values()) > 5
    assert os.listdir(tmp_path / "deep/er") == ["my_chip"]


def test_it_has_an_override_of_each_kind_and_no_finding(triton_spec, tmp_path):
    new(triton_spec, "acme", "--trunk", TRUNK, folder=tmp_path)
    done = Run([triton_spec, "lint", "--trunk", TRUNK, "--root", tmp_path, "--backend", "acme", "--strict"],
               env=clean_environment()).expect(0)
    assert done.text == "acme: 6 overrides, 0 errors, 0 warnings, 0 notes\n"
    plan = Run([triton_spec, "plan", "--trunk", TRUNK, "--root", tmp_path, "--backend", "acme"],
               env=clean_environment()).expect(0).out
    assert {line.split()[1] for line in plan.splitlines()[2:-1]} == {"source", "header", "td", "cmake", "python"}


def test_its_lock_is_the_one_that_lock_writes(triton_spec, tmp_path):
    new(triton_spec, "acme", "--trunk", TRUNK, folder=tmp_path)
    before = (tmp_path / "acme/spec.lock").read_text()
    Run([triton_spec, "lock", "--trunk", TRUNK, "--root", tmp_path, "--backend", "acme"],
        env=clean_environment()).expect(0)
    after = (tmp_path / "acme/spec.lock").read_text()
    assert re.sub(r"\t[0-9a-f]{40}$", "\t-", after, flags=re.M) == before


# --- what is refused -------------------------------------------------------------------------------

def test_a_folder_that_is_there_is_not_touched(triton_spec, tmp_path):
    (tmp_path / "acme").mkdir()
    done = new(triton_spec, "acme", "--trunk", TRUNK, folder=tmp_path, status=2)
    assert f"'{tmp_path}/acme' is there already" in done.text
    assert [*tmp_path.rglob("*")] == [tmp_path / "acme"]


@pytest.mark.parametrize("name", ["Acme", "a-b", "class", "cpu", "../a"])
def test_a_name_that_would_not_do_is_refused(triton_spec, tmp_path, name):
    done = new(triton_spec, name, "--trunk", TRUNK, folder=tmp_path, status=2)
    assert f"'{name}'" in done.text and "mend: take " in done.text
    assert os.listdir(tmp_path) == []


def test_another_trunk_is_refused_with_every_finding(triton_spec, tmp_path):
    write_tree(tmp_path / "trunk", {"lib/Tools/BuildInfo.cpp": "int x;\n"})
    done = new(triton_spec, "acme", "--trunk", "trunk", folder=tmp_path, status=1)
    assert f"{TEMPLATES}/spec_cpp/lib/Tools/BuildInfo.cpp.patch" in done.text
    assert "nothing was written" in done.words and "tests/trunk" in done.words
    assert os.listdir(tmp_path) == ["trunk"]


def test_no_trunk_is_named(triton_spec, tmp_path):
    done = new(triton_spec, "acme", "--trunk", "absent", folder=tmp_path, status=2)
    assert "absent" in done.text and os.listdir(tmp_path) == []


def test_installed_templates_are_found(triton_spec, tmp_path):
    subprocess.run(["cmake", "--install", triton_spec.parents[1], "--prefix", tmp_path / "prefix"], check=True,
                   stdout=subprocess.PIPE)
    share = tmp_path / "prefix/share/triton-spec/backend"
    (share / "README.md").write_text("# of the prefix: @name@\n")
    new(tmp_path / "prefix/bin/triton-spec", "acme", "--trunk", TRUNK, folder=tmp_path)
    assert (tmp_path / "acme/README.md").read_text() == "# of the prefix: acme\n"


# --- as a new user would ---------------------------------------------------------------------------

COMMANDS = 11  # that its README has


def in_fresh_environment(program, tmp_path, *packages):
    """(folder of a new backend, variables as its README wants them set); packages: further folders to import from."""
    new(program, "acme", "--trunk", TRUNK, folder=tmp_path)
    env = fresh_environment(tmp_path / "env", repo=str(ROOT),
                            PYTHONPATH=os.pathsep.join([str(program.parents[1] / "python"), *map(str, packages)]))
    env["PATH"] = f"{program.parent}:{env['PATH']}"
    return tmp_path / "acme", env


def test_its_readme_leads_to_a_running_kernel_and_its_tests_pass(triton_spec, tmp_path, compilers):
    folder, env = in_fresh_environment(triton_spec, tmp_path, triton_spec.parents[1] / "third_party/cpu/runtime")
    compilers.teach(folder / "build", "C CXX", env)
    page = (folder / "README.md").read_text()
    assert run_page(page, folder, env, skip=r"^pip install .*third_party/cpu$") == COMMANDS - 1


@pytest.mark.slow
def test_from_nothing_to_a_running_kernel(triton_spec, tmp_path, capsys):
    """All of it, the cpu backend's build by pip too; says how long it took."""
    begin = time.monotonic()
    folder, env = in_fresh_environment(triton_spec, tmp_path)
    page = (folder / "README.md").read_text()
    kernel = run_page(page, folder, env, until="^triton-spec plan")
    first = time.monotonic() - begin
    assert run_page(page, folder, env, skip="^(pip|python) ") + kernel == COMMANDS
    with capsys.disabled():
        print(f"\na new backend: kernel after {first:.0f} s, all of its README after {time.monotonic() - begin:.0f} s")


def test_its_tests_notice_a_build_without_the_overlay(triton_spec, tmp_path):
    new(triton_spec, "acme", "--trunk", TRUNK, folder=tmp_path)
    done = Run([sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/test_overlay.py"],
               cwd=tmp_path / "acme", env=clean_environment()).expect(1)
    assert "build the overlay as README.md says" in done.text
