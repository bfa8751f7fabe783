"""The built package triton_spec, for tests that import it and for their subprocesses."""

import sys

import pytest

from support.packages import IMPLEMENTATIONS, PACKAGES, Package
from support.packages import ROOT  # noqa: F401  tests of other folders take it from any conftest

sys.path.insert(0, str(PACKAGES))


@pytest.fixture(params=IMPLEMENTATIONS)
def package(request, tmp_path):
    """A fresh Package with no backend, for the extension and for its twin."""
    return Package(tmp_path, request.param)
