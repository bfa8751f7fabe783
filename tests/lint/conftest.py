"""Trees for the lint rules: this repository's own, and small ones written by a test."""

import pathlib

import pytest

from lint.source import Tree

ROOT = pathlib.Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def repository():
    """The files of this repository."""
    return Tree.of_git(ROOT)


@pytest.fixture
def tree_of(tmp_path):
    """A function that writes {path: text} below a fresh folder and returns the tree."""
    def write(files):
        for name, text in files.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return Tree.of_folder(tmp_path)
    return write
