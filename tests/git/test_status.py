"""`triton-spec status` and `bisect`: states that no history plants, and trunks that lack something."""

import shutil

import pytest

from .history import Repository
from .planted import patch, text

HEAD = "# triton-spec lock 1\n"
NAME, PATH = "f", "lib/f.cpp"


@pytest.fixture(name="acme")
def fixture_acme(trunk):
    """One override, a copy of lib/f.cpp with line 30 changed, locked at the trunk's HEAD."""
    trunk.locked = trunk.repository.commit("Locked", {PATH: text(NAME)})
    trunk.write({f"vendors/acme/spec_cpp/{PATH}": text(NAME, l30=1001)})
    trunk.run("lock", sources_change=True).says(0)
    return trunk


def states(trunk, *words, status=1):
    """{trunk path: row} of the JSON answer."""
    answer = trunk.run("status", "--json", *words).says(status).json
    return {row["trunk"]: row for row in answer["overrides"]}


def state(trunk, *words, path=PATH, status=1):
    return states(trunk, *words, status=status)[path]["state"]


def test_text_and_exit_status(acme):
    outcome = acme.run("status").says(0, f"clean        spec_cpp/{PATH}", "1 override, 1 clean")
    assert outcome.err == b""
    acme.repository.commit("Near", {PATH: text(NAME, l30=2002, l5=3)})
    acme.run("status").says(1, f"conflicting  spec_cpp/{PATH}  line 30  upstream +2 -2",
                            "not clean: 1 of 1 overrides")


def test_no_override_is_clean(trunk):
    trunk.run("status").says(0, "acme against")
    trunk.run("bisect").says(0)


def test_unlocked_and_redundant(acme):
    acme.write({"vendors/acme/spec_cpp/lib/a.c": "int vendor;\n",
                "vendors/acme/spec_cpp/lib/b.c": "int b;\n"})
    assert {p: r["state"] for p, r in states(acme).items()} == {
        PATH: "clean", "lib/a.c": "unlocked", "lib/b.c": "redundant"}
    acme.run("lock", sources_change=True)
    assert {p: r["state"] for p, r in states(acme).items()} == {
        PATH: "clean", "lib/a.c": "clean", "lib/b.c": "redundant"}
    acme.run("bisect").says(0)
    (acme.acme / "spec.lock").unlink()
    assert state(acme) == "unlocked"
    acme.run("bisect").says(1, "not locked", "3 not known")


def test_a_line_without_an_override(acme):
    (acme.acme / "spec_cpp" / PATH).unlink()
    row = states(acme)[PATH]
    assert row["state"] == "stale" and row["overlay"] is None


def test_review_is_told_until_accepted(acme):
    lock = acme.acme / "spec.lock"
    lock.write_text(lock.read_text().replace("\n", "\treview\n").replace("lock 1\treview", "lock 1"))
    row = states(acme)[PATH]
    assert row["state"] == "review" and row["review"] is True
    acme.repository.commit("Far", {PATH: text(NAME, l5=3)})
    row = states(acme)[PATH]
    assert row["state"] == "drifted" and row["review"] is True


def test_a_patch_that_does_not_fit_its_own_base(acme):
    (acme.acme / "spec_cpp" / PATH).unlink()
    acme.write({f"vendors/acme/spec_cpp/{PATH}.patch": patch(NAME, PATH).replace("f_29", "f_999")})
    assert state(acme, status=0) == "clean"  # nothing has to be merged
    acme.repository.commit("Far", {PATH: text(NAME, l5=3)})
    row = states(acme)[PATH]
    assert row["state"] == "broken" and row["why"]


def test_definitions_merge_by_name(trunk):
    module = "def f(x):\n    return x\n\n\ndef g(x):\n    return x\n"
    trunk.repository.commit("Locked", {"python/triton/testing.py": module})
    trunk.write({"vendors/acme/spec/triton/testing.py": "def f(x):\n    return x + 1001\n"})
    trunk.run("lock", sources_change=True).says(0)
    path = "python/triton/testing.py"
    trunk.repository.commit("Far", {path: module + "\n\ndef h():\n    pass\n"})
    assert state(trunk, path=path) == "drifted"
    trunk.repository.commit("Beside", {path: module.replace("x\n\n\ndef g", "7 * x\n\n\ndef g")})
    row = states(trunk)[path]
    assert row["state"] == "drifted" and row["to_review"] == 1
    trunk.repository.commit("Near", {path: module.replace("x\n\n\ndef g", "x - 7\n\n\ndef g")})
    assert state(trunk, path=path) == "conflicting"


# --- trunks that lack something ------------------------------------------------------------------

def older(acme):
    """A copy of the trunk as it is, before the next commit."""
    shutil.copytree(acme.trunk, acme.root / "older", ignore=shutil.ignore_patterns(".git"))
    return acme.root / "older"


def test_a_trunk_without_git(acme):
    old = older(acme)
    shutil.rmtree(acme.trunk / ".git")
    assert state(acme, status=0) == "clean"
    acme.write({f"trunk/{PATH}": text(NAME, l5=3)})
    row = states(acme)[PATH]
    assert row["state"] == "drifted" and "not at hand" in row["why"]
    row = states(acme, "--base", old)[PATH]
    assert row["state"] == "drifted" and row["why"] == "" and row["upstream_added"] == 1
    acme.write({f"trunk/{PATH}": text(NAME, l30=2002)})
    assert state(acme, "--base", old) == "conflicting"
    acme.write({f"trunk/{PATH}": text(NAME, l30=1001)})
    assert state(acme) == "upstreamed"
    (acme.trunk / PATH).rename(acme.trunk / "lib/elsewhere.cpp")
    assert states(acme, "--base", old)[PATH]["moved_to"] == "lib/elsewhere.cpp"
    assert state(acme) == "orphaned"
    acme.run("status", "--rev", "HEAD").says(2, "no git repository")
    acme.run("status", "--base", acme.root / "nowhere").says(2, "is not a folder")
    acme.run("bisect").says(2, "no git repository")


def test_a_base_that_is_another_text_is_not_taken(acme):
    old = older(acme)
    (old / PATH).write_text("something else\n")
    shutil.rmtree(acme.trunk / ".git")
    acme.write({f"trunk/{PATH}": text(NAME, l5=3)})
    assert "not at hand" in states(acme, "--base", old)[PATH]["why"]


def test_a_shallow_clone(acme, tmp_path):
    acme.repository.commit("Far", {PATH: text(NAME, l5=3)})
    clone = tmp_path / "shallow"
    acme.repository.git("clone", "-q", "--depth", "1", f"file://{acme.trunk}", clone)
    row = states(acme, "--repository", clone, "--rev", "HEAD")[PATH]
    assert row["state"] == "drifted" and "is not in the repository" in row["why"]
    assert state(acme, "--repository", clone) == "drifted"
    acme.run("bisect", "--repository", clone).says(1, "1 not known")


def test_a_bare_repository_and_no_work_tree(acme, tmp_path):
    acme.repository.commit("Near", {PATH: text(NAME, l30=2002)})
    bare = tmp_path / "bare.git"
    acme.repository.git("clone", "-q", "--bare", ".", bare)
    lock = (acme.acme / "spec.lock").read_bytes()
    shutil.rmtree(acme.trunk)
    acme.trunk.mkdir()
    assert state(acme, "--repository", bare, "--rev", "main") == "conflicting"
    acme.run("bisect", "--repository", bare, "--to", "main").says(1, "conflicting", "Ada: Near")
    assert (acme.acme / "spec.lock").read_bytes() == lock


def test_an_installed_trunk(trunk, tmp_path):
    path = "python/triton/language/core.py"
    trunk.repository.commit("Locked", {path: text(NAME)})
    trunk.write({"vendors/acme/spec/triton/language/core.py": text(NAME, l30=1001),
                 "vendors/acme/spec_cpp/lib/a.c": "int vendor;\n"})
    trunk.run("lock", sources_change=True)
    site = tmp_path / "site"
    shutil.copytree(trunk.trunk / "python/triton", site / "triton")
    (site / "triton/language/core.py").write_text(text(NAME, l5=3))
    words = ["--installed", "--trunk", site]
    assert {p: r["state"] for p, r in states(trunk, *words).items()} == {path: "drifted"}
    row = states(trunk, *words, "--repository", trunk.trunk)[path]
    assert row["state"] == "drifted" and row["upstream_added"] == 1


def test_an_overlay_inside_of_the_trunk_is_not_the_trunks(trunk, tmp_path):
    """A copy of a file that is gone lies in the overlay itself, and is not where it went."""
    trunk.repository.commit("Locked", {PATH: text(NAME)})
    trunk.write({f"trunk/third_party/acme/spec_cpp/{PATH}": text(NAME, l30=1001)})
    acme = [trunk.program, "status", "--trunk", str(trunk.trunk), "--backend", "acme", "--json"]
    trunk.run_command([acme[0], "lock", *acme[2:]], sources_change=True).says(0)
    trunk.repository.commit("Gone", {PATH: None})
    for more in ([], ["--rev", "HEAD"]):
        row = trunk.run_command([*acme, *more]).says(1).json["overrides"][0]
        assert row["state"] == "orphaned" and row["moved_to"] is None


# --- histories that are no line ------------------------------------------------------------------

def test_bisect_of_a_lock_on_a_side_branch(acme):
    """The locked commit is on no first parent; counted is from where its branch left."""
    repository = acme.repository
    repository.git("checkout", "-q", "-b", "release")
    repository.commit("On the branch", {"docs/x": "x\n"})
    acme.run("lock", sources_change=True)
    repository.git("checkout", "-q", "main")
    repository.commit("Far", {PATH: text(NAME, l5=3)})
    acme.run("bisect", "--to", "main").says(0, "Ada: Far", "1 change, none breaks it")


def test_bisect_follows_first_parents(acme):
    repository = acme.repository
    repository.git("checkout", "-q", "-b", "topic")
    repository.commit("In the topic", {PATH: text(NAME, l5=3)})
    repository.git("checkout", "-q", "main")
    repository.commit("Between", {"docs/x": "x\n"})
    repository.git("merge", "-q", "--no-ff", "-m", "Merge the topic", "topic")
    acme.run("bisect").says(0, "Ada: Merge the topic")


def test_bisect_without_a_locked_commit(acme):
    lock = acme.acme / "spec.lock"
    lock.write_text(lock.read_text().replace(acme.locked, "-"))
    acme.repository.commit("Far", {PATH: text(NAME, l5=3)})
    acme.run("bisect").says(0, "Ada: Far")
    lock.write_text(HEAD + f"{PATH}\t{'0' * 40}\t-\n")
    acme.run("bisect").says(1, "no commit of this history has the text")
    lock.write_text(HEAD + f"{PATH}\t{'0' * 40}\t{'1' * 40}\n")
    acme.run("bisect").says(1, "nothing in common")


def test_bisect_in_a_repository_without_commits(acme, tmp_path):
    empty = Repository(tmp_path / "empty")
    acme.run("bisect", "--repository", empty.path).says(2, "no revision 'HEAD'")


# --- hostile histories ---------------------------------------------------------------------------

def test_folders_in_folders_without_end(acme):
    """A revision may have what no file system holds; looking for a file that is gone walks there."""
    deep = ("a" * 200 + "/") * 25 + "x.cpp"
    acme.repository.git("fast-import", "--quiet", stdin=(
        "commit refs/heads/deep\ncommitter A <a@b> 1700000000 +0000\ndata 1\nd\n"
        f"M 100644 inline {deep}\ndata 1\nx\n"))
    acme.run("status", "--rev", "deep").says(2, "beyond any path")
