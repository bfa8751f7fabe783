"""The examples of the documents do what the pages say; support_pages.py runs them."""

import pathlib
import subprocess
import sys

import pytest

from support.toy import clean_environment
from support.wheels import toy_wheel
from support_pages import matches, run_page

from conftest import ROOT


@pytest.fixture(scope="session")
def prefix(triton_spec, tmp_path_factory):
    """triton-spec, installed from the build folder that the program lies in."""
    folder = tmp_path_factory.mktemp("prefix")
    subprocess.run(["cmake", "--install", triton_spec.parents[1], "--prefix", folder], check=True,
                   stdout=subprocess.PIPE)
    return folder


@pytest.fixture
def environment(triton_spec, prefix, tmp_path):
    """What the pages take for granted: the program, the checkout and the prefix."""
    clean = clean_environment(repo=str(ROOT), prefix=str(prefix), TMPDIR=str(tmp_path), LC_ALL="C.UTF-8")
    return {**clean, "PATH": f"{triton_spec.parent}:{clean['PATH']}"}


@pytest.mark.parametrize("page", ["docs/reference/cmake.md", "docs/guide/build-engineer.md",
                                  "docs/guide/from-flagtree.md", "docs/guide/from-a-fork.md",
                                  "docs/guide/upgrading.md"])
def test_page(page, environment, tmp_path):
    assert run_page((ROOT / page).read_text(), tmp_path, environment) > 0


def test_ship_a_wheel(environment, tmp_path):
    toy_wheel(tmp_path / "dist", {
        "triton/__init__.py": "", "triton/testing.py": "def nvsmi(attrs):\n    return attrs\n",
        "triton/language/__init__.py": "",
        "triton/language/extra/__init__.py": "", "triton/runtime/__init__.py": "",
        "triton/runtime/cache.py": "def triton_key():\n    return ''\n"}, tail="py3-none-any")
    environment["PATH"] = f"{pathlib.Path(sys.executable).parent}:{environment['PATH']}"
    page = (ROOT / "docs/guide/ship-a-wheel.md").read_text()
    assert run_page(page, tmp_path, environment) == 4


def test_first_overlay_up_to_the_build(environment, tmp_path):
    page = (ROOT / "docs/guide/first-overlay.md").read_text()
    assert run_page(page, tmp_path, environment, until="^ninja ") > 0


@pytest.mark.slow
def test_first_overlay(environment, tmp_path):
    assert run_page((ROOT / "docs/guide/first-overlay.md").read_text(), tmp_path, environment) > 0


# --- the runner itself: it must notice what is wrong with a page -----------------------------------

@pytest.mark.parametrize("expected, output, same", [
    ("a\n", "a\n", True),
    ("a\n", "b\n", False),
    ("", "", True),
    ("", "a\n", False),
    ("a\n", "a\nb\n", False),
    ("...\nb\n", "a\na\nb\n", True),
    ("...\nb\n", "b\n", True),
    ("...\nb\n", "a\nbb\n", False),
    ("a\n...\n", "a\nb\nc\n", True),
    ("a\n...\n", "a\n", True),
    ("...\n", "", True),
    ("a ... c\n", "a b c\n", True),
    ("a ... c\n", "a b\nc\n", False),
    ("a.c (1)\n", "abc (1)\n", False),
])
def test_output_is_compared(expected, output, same):
    assert matches(expected, output) is same


def test_sound_page_runs(environment, tmp_path):
    page = ("`a/b.txt`:\n```text\nhello\n```\n\n```console\n$ cd a\n$ cat b.txt\nhello\n$ x=1\n```\n"
            "```sh\nfalse\n```\n```console\n$ echo $x \\\n> y\n1 y\n$ false # error[x]\nerror[...\n```\n")
    with pytest.raises(AssertionError, match="line 19"):
        run_page(page, tmp_path, environment)
    assert run_page(page, tmp_path, environment, until="^false") == 4


@pytest.mark.parametrize("page", ["```console\n$ echo a\nb\n```\n", "```console\n$ false\n```\n",
                                  "```console\n$ exit 0\n```\n", "```console\na\n```\n"])
def test_wrong_page_is_found(environment, tmp_path, page):
    with pytest.raises(AssertionError):
        run_page(page, tmp_path, environment)
