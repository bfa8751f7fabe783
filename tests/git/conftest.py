"""Fixtures of the tests of the git side."""

import pytest

from support.engine import Engine

from .history import Repository


@pytest.fixture
def trunk(tmp_path, triton_spec):
    """An Engine whose trunk is a git repository: lib/a.c, lib/b.c and include/a.h in one commit."""
    engine = Engine(tmp_path, triton_spec)
    engine.repository = Repository(engine.trunk)
    engine.first = engine.repository.commit("The first commit")
    return engine
