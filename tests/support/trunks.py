"""The stock wheels of Triton that tests run on: the environment's own, and others in folders of theirs."""

import pathlib
import re

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]


def _versions(requirements):
    """The versions of Triton that a file of requirements asks for."""
    return re.findall(r"^triton==(\S+)", (ROOT / requirements).read_text(), re.MULTILINE)


NEWEST, = _versions("requirements.txt")
OLDER, = _versions("requirements-trunks.txt")  # as much a need of the tests as NEWEST
NIGHTLY = _versions("requirements-trunks-nightly.txt")   # skipped where it lacks


def path_of(version):
    """What PYTHONPATH needs for that version: nothing for the environment's own, else its folder."""
    if version == NEWEST:
        return []
    folder = ROOT / ".venv/trunks" / version
    if version in NIGHTLY and not folder.is_dir():
        pytest.skip(f"no triton {version} in {folder}: SPEC_TRUNKS=all tools/bootstrap python")
    assert folder.is_dir(), f"no triton {version} in {folder}: tools/bootstrap python"
    return [folder]
