"""The guide to overlays over the installed triton: each of its steps, with the stock wheel."""

import os
import sys

import pytest

from support.packages import PACKAGES, ROOT
from support.toy import clean_environment
from support_pages import run_page

PAGE = ROOT / "docs/guide/python-overlay.md"


@pytest.fixture
def environment(triton_spec, tmp_path):
    """The program, and the Python that runs this test with the package that was built."""
    folder = os.path.dirname(sys.executable)
    clean = clean_environment(HOME=str(tmp_path), PYTHONPATH=str(PACKAGES), VIRTUAL_ENV=os.path.dirname(folder))
    return {**clean, "PATH": f"{triton_spec.parent}:{folder}:{clean['PATH']}", "LC_ALL": "C.UTF-8",
            "TRITON_DEFAULT_FP_FUSION": "1"}


def test_page(environment, tmp_path):
    assert run_page(PAGE.read_text(), tmp_path, environment) >= 9
