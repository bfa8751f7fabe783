"""Which tests must run in one process, because they use what is made once for many of them."""

# What every process may have for itself: it is quick to make, or asks nothing of the machine.
CHEAP = {"triton_spec", "killer", "injection", "compilers", "inputs_before", "tmp_path_factory", "request",
         "pytestconfig", "record_testsuite_property"}


def shared_fixtures(item):
    """The fixtures of a test that outlive it: {(where it is defined, its name)}.

    Fixtures of the same name in two files are two; that of a folder's conftest.py is one for the folder.
    """
    return {(found.baseid, name) for name, all_found in item._fixtureinfo.name2fixturedefs.items()
            for found in all_found[-1:] if found.scope in ("session", "package", "module") and name not in CHEAP}


def groups(items):
    """[(test, name of its group)] of those that share a fixture, directly or through other tests.

    A group is named after the first of its fixtures, by file and name.
    """
    leader = {}  # of each fixture met, another one of its group; a group's last leads itself

    def lead(fixture):
        while leader.setdefault(fixture, fixture) != fixture:
            fixture = leader[fixture]
        return fixture

    used = [(item, sorted(shared_fixtures(item))) for item in items]
    for _, fixtures in used:
        for fixture in fixtures[1:]:
            first, other = sorted((lead(fixtures[0]), lead(fixture)))
            leader[other] = first
    return [(item, ":".join(lead(fixtures[0]))) for item, fixtures in used if fixtures]
