"""Many machines: clones with empty caches of their own that share one store over the network."""

import shutil

import pytest

from support import farm
from support.ccache import hits
from support.services import distcc, redis
from support.toy import Run


@pytest.fixture
def store(tmp_path):
    """ccache's settings for an empty store of the test's own."""
    with redis(tmp_path / "redis") as url:
        yield {"CCACHE_REMOTE_STORAGE": url}


def test_machines_that_share_a_store(toy, store):
    """The first compiles; the others take all that is the same, affected units too, from the store."""
    first, second, third = (farm.Machine(toy, name, **store) for name in ("first", "deeper/second", "third"))
    assert hits(first.build("acme")[1]) == set()
    _, outcomes = second.build("bee")
    assert hits(outcomes) == farm.SOURCES - farm.affected("acme", "bee")
    assert hits(outcomes, "remote_storage_hit") == hits(outcomes)
    for backend in farm.BACKENDS:
        build, outcomes = third.build(backend)
        assert hits(outcomes) == farm.SOURCES
        assert hits(outcomes, "remote_storage_hit") >= farm.affected(backend)
        Run([toy.program, "verify", build.path]).expect(0)


def test_machines_that_share_a_store_and_compile_elsewhere(toy, store, tmp_path):
    """Only what the store lacks reaches the compile server."""
    with distcc(tmp_path / "distcc", shutil.which("cc", path="/usr/bin")) as server:
        how = {**store, **server.env, "CCACHE_PREFIX": "distcc"}
        first, second = farm.Machine(toy, "first", **how), farm.Machine(toy, "second", **how)
        assert hits(first.build("acme")[1]) == set()
        assert server.compiled() == len(farm.SOURCES)
        assert hits(second.build("acme")[1]) == farm.SOURCES
        assert server.compiled() == len(farm.SOURCES)
        both = farm.affected("acme", "bee")
        assert hits(second.build("bee")[1]) == farm.SOURCES - both
        assert server.compiled() == len(farm.SOURCES) + len(both)
