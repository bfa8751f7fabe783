"""The guide of device backends: its backend, made of the page's blocks, runs a kernel on the stock wheels,
and what it tells of Triton is so."""

import os
import re

import pytest

from support.fresh import fresh_environment
from support.toy import Run
from support.trunks import NEWEST, OLDER, path_of
from support_pages import run_page

from conftest import ROOT

PAGE = (ROOT / "docs/adding-a-backend.md").read_text()
SUM = "[0.5, 1.5, 2.5] 99.5\n"

# What the page says is abstract, beside what it says is told.
TOLD = {"DriverBase": {"is_active", "get_current_target"},
        "BaseBackend": {"supports_target", "parse_options", "add_stages", "load_dialects"}}


@pytest.fixture(scope="module")
def made(triton_spec, tmp_path_factory):
    """(folder, variables) after all that the page shows was done."""
    programs = triton_spec.parents[1] / "third_party/cpu/tool"
    assert (programs / "ttcpu").is_file(), f"{programs}/ttcpu does not exist: build it with `make build`"
    folder = tmp_path_factory.mktemp("guide")
    env = fresh_environment(folder / "env")
    env.update(PATH=f"{programs}{os.pathsep}{env['PATH']}", CPATH=str(ROOT / "third_party/cpu/rt"))
    (folder / "tiny").mkdir()
    assert run_page(PAGE, folder / "tiny", env) == 2
    return folder / "tiny", {**env, "TRITON_DEFAULT_BACKEND": "tiny"}


def python(made, *words, status=0, cwd=None, **more):
    folder, env = made
    return Run(["python", *words], env={**env, **more}, cwd=cwd or folder).expect(status)


def trunk(version):
    return {"PYTHONPATH": os.pathsep.join(map(str, path_of(version)))}


def test_it_runs_the_kernel_on_the_older_wheel_too(made):
    code = "import triton, add; print(triton.__version__)"
    assert python(made, "-c", code, **trunk(OLDER)).out.endswith(f"{SUM}{OLDER}\n")


@pytest.mark.parametrize("wheel", [NEWEST, OLDER])
def test_the_abstract_methods_are_those_it_names(made, wheel):
    code = ("import triton; from triton.backends import driver, compiler\n"
            "for c in driver.DriverBase, compiler.BaseBackend: print(c.__name__, *c.__abstractmethods__)")
    lines = python(made, "-c", code, **trunk(wheel)).out.splitlines()
    rows = [set(re.findall(r"`(\w+)`", row)) for row in PAGE.splitlines() if row.startswith("| a ")]
    assert len(lines) == 2
    for name, *methods in map(str.split, lines):
        assert TOLD[name] < set(methods) and set(methods) in rows


def test_a_class_that_lacks_a_method_ends_the_import(made, tmp_path):
    folder, _ = made
    package = tmp_path / "triton_tiny"
    package.mkdir()
    for name in ("__init__.py", "compiler.py", "driver.py"):
        text = (folder / "triton_tiny" / name).read_text()
        (package / name).write_text(text.replace("def get_benchmarker", "def _get_benchmarker"))
    done = python(made, "-c", "import triton", status=1, cwd=tmp_path)
    message = re.search(r"`RuntimeError: (Found 0 concrete subclasses of .*?)`", PAGE).group(1)
    assert message in done.text
