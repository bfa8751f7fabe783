"""Tests that share what is built once are found, and others are left alone."""

from types import SimpleNamespace

from support.groups import groups


def test_of(name, **fixtures):
    """A test with fixtures {name: (scope, where it is defined)}, as far as groups() looks at it."""
    found = {fixture: [SimpleNamespace(scope=scope, baseid=where)] for fixture, (scope, where) in fixtures.items()}
    return SimpleNamespace(name=name, _fixtureinfo=SimpleNamespace(name2fixturedefs=found))


test_of.__test__ = False

PLAIN, ACME = ("session", "e2e"), ("session", "e2e")


def named(*items):
    """{test: its group} of those that have one."""
    return {item.name: name for item, name in groups(items)}


def test_users_of_one_fixture_are_together():
    found = named(test_of("a", plain=PLAIN), test_of("b", plain=PLAIN), test_of("c", built=("module", "c.py")))
    assert found == {"a": "e2e:plain", "b": "e2e:plain", "c": "c.py:built"}


def test_groups_that_one_test_joins_are_one():
    found = named(test_of("a", plain=PLAIN), test_of("b", acme=ACME), test_of("c", own=("module", "c.py")),
                  test_of("d", plain=PLAIN, own=("module", "c.py")), test_of("e", plain=PLAIN, acme=ACME))
    assert len(found) == 5 and len(set(found.values())) == 1


def test_fixtures_of_one_name_in_two_files_are_two():
    found = named(test_of("a", built=("module", "a.py")), test_of("b", built=("module", "b.py")))
    assert found == {"a": "a.py:built", "b": "b.py:built"}


def test_what_a_test_has_for_itself_or_cheaply_binds_nothing():
    assert named(test_of("a", toy=("function", "")), test_of("b", triton_spec=("session", "")), test_of("c")) == {}


def test_that_of_the_nearest_file_counts():
    item = test_of("a", built=("module", "a.py"))
    item._fixtureinfo.name2fixturedefs["built"].insert(0, SimpleNamespace(scope="session", baseid="e2e"))
    assert named(item) == {"a": "a.py:built"}
