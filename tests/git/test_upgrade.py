"""`triton-spec upgrade`: what becomes of each override, and that all are carried or none."""

import os
import re
import shutil

import pytest

from conftest import ROOT

from .upgrading import OVERLAY, RESULT, Upgrade, numbers

REVIEWED = ("lib/new_name.c", "lib/touching.c", "python/triton/merged.py")


@pytest.fixture
def upgrade(trunk):
    """A backend that can be upgraded."""
    return Upgrade(trunk)


@pytest.fixture
def broken(trunk):
    """One that cannot, without its owner."""
    return Upgrade(trunk, broken=True)


def test_every_override_is_carried(upgrade):
    results = upgrade.results()
    assert results == {
        "lib/added.c": "same", "lib/copy.c": "merged", "lib/half.c": "merged",
        "lib/old_name.c": "review", "lib/patched.c": "merged", "lib/removed.c": "same",
        "lib/same.c": "same", "lib/taken.c": "upstreamed", "lib/touching.c": "review",
        "python/triton/merged.py": "review"}
    texts = upgrade.texts()
    for path, text in RESULT.items():
        assert texts[path].decode() == text, path
    assert "spec_cpp/lib/taken.c" not in texts
    assert "spec_cpp/lib/old_name.c" not in texts
    assert not [path for path in texts if ".spec-upgrade" in path]
    assert texts["spec_cpp/lib/patched.c.patch"].startswith(b"Why it is so.\n\n--- a/lib/patched.c\n")
    half = texts["spec_cpp/lib/half.c.patch"].decode()
    assert half.count("@@ -") == 1


def test_patches_make_of_the_new_trunk_what_was_meant(upgrade):
    upgrade.run("--to", upgrade.next)
    assert upgrade.exported("lib/patched.c") == "int first;\n" + numbers(l3="int theirs;", l20="int ours;")
    assert upgrade.exported("lib/half.c") == numbers(l5="int ours;", l15="int theirs;", l25="int ours;")


def test_the_lock_names_the_new_trunk_and_what_wants_review(upgrade):
    upgrade.run("--to", upgrade.next)
    lock = upgrade.lock()
    assert set(lock) == {"lib/added.c", "lib/copy.c", "lib/half.c", "lib/new_name.c", "lib/patched.c",
                         "lib/removed.c", "lib/same.c", "lib/touching.c", "python/triton/merged.py"}
    for path, (blob, commit, *marks) in lock.items():
        assert commit == upgrade.next
        assert blob == ("-" if path == "lib/added.c" else upgrade.repository.blob(path))
        assert marks == (["review"] if path in REVIEWED else [])


def test_an_upgrade_to_where_one_is_does_nothing(upgrade):
    upgrade.run("--to", upgrade.next)
    before = upgrade.texts()
    assert set(upgrade.results().values()) == {"same"}
    assert upgrade.texts() == before
    upgrade.run("--to", upgrade.base)
    assert upgrade.texts()["spec_cpp/lib/copy.c"].decode() == OVERLAY["spec_cpp/lib/copy.c"]


def test_marks_are_accepted_by_name_or_all(upgrade):
    upgrade.run("--to", upgrade.next)
    upgrade.run("--accept", "nowhere.c", status=2, says=["no override 'nowhere.c'"])
    upgrade.run("--accept", "lib/touching.c", says=["1 override accepted"])
    assert [path for path, line in upgrade.lock().items() if "review" in line] == [
        "lib/new_name.c", "python/triton/merged.py"]
    upgrade.run("--accept", says=["2 overrides accepted"])
    assert not [path for path, line in upgrade.lock().items() if "review" in line]


def test_a_mark_stays_over_further_upgrades(upgrade):
    upgrade.run("--to", upgrade.next)
    further = upgrade.repository.commit("further", {"lib/other.c": "int o;\n"})
    upgrade.run("--to", further)
    assert upgrade.lock()["lib/touching.c"][1:] == [further, "review"]


def test_a_dry_run_writes_nothing(upgrade):
    before = upgrade.texts()
    outcome = upgrade.run("--to", "HEAD", "--dry-run", says=["review       spec_cpp/lib/touching.c"])
    assert "now spec_cpp/lib/new_name.c" in outcome.text
    assert "the trunk does the same by itself: dropped" in outcome.text
    assert "1 hunk of the patch is in the trunk by now: dropped" in outcome.text
    assert upgrade.texts() == before


def test_json_is_as_its_page_says(broken):
    page = (ROOT / "docs/reference/upgrade.md").read_text().split("## JSON\n")[1].split("\n## ")[0]
    answer = broken.run("--to", broken.next, "--keep-going", "--json", status=1).json
    more = {**broken.run("--continue", "--json", status=1).json, **broken.run("--abort", "--json").json,
            **broken.run("--accept", "--json").json}
    item = next(item for item in answer["overrides"] if item["pieces"])
    told = set(re.findall(r"`([a-z_]+)`", page)) - {"conflict"}
    assert told == {*answer, *more, *item, *item["pieces"][0]}
    assert answer["to"] == broken.next and answer["unfinished"] and answer["written"]


def test_all_or_nothing(broken):
    before = broken.texts()
    outcome = broken.run("--to", broken.next, status=1, says=["3 overrides could not be merged"])
    assert "conflict     spec_cpp/lib/conflict.c\n             line 10: conflict" in outcome.text
    assert "orphaned     spec_cpp/lib/orphan.c (the trunk has no lib/orphan.c any more)" in outcome.text
    assert "Nothing was written" in outcome.text
    assert broken.texts() == before


def test_conflicts_are_resolved_and_the_upgrade_continued(broken):
    results = broken.results("--keep-going", status=1)
    assert [path for path, result in results.items() if result == "conflict"] == ["lib/clash.c",
                                                                                   "lib/conflict.c"]
    texts = broken.texts()
    assert texts["spec_cpp/lib/copy.c"].decode() == RESULT["spec_cpp/lib/copy.c"]
    for name in ("conflict.c", "clash.c"):
        text = texts[f"spec_cpp/lib/{name}"].decode()
        assert "<<<<<<< acme\nint ours;\n||||||| trunk" in text
        assert "\n=======\nint theirs;\n>>>>>>> trunk" in text
    assert "spec_cpp/lib/clash.c.patch" not in texts
    broken.engine.run("plan", sources_change=True).says(1, "conflict")
    broken.run("--to", broken.next, status=2, says=["is not finished", "--continue"])
    broken.run("--continue", status=1, says=["unresolved   spec_cpp/lib/conflict.c", "2 files still have"])
    for name in ("conflict.c", "clash.c"):
        (broken.acme / "spec_cpp/lib" / name).write_text(numbers(l9="int both;"))
    broken.run("--continue", says=["is finished"])
    texts = broken.texts()
    assert texts["spec_cpp/lib/conflict.c"].decode() == numbers(l9="int both;")
    assert "spec_cpp/lib/clash.c" not in texts
    assert b"-int theirs;\n+int both;\n" in texts["spec_cpp/lib/clash.c.patch"]
    assert not [path for path in texts if ".spec-upgrade" in path]
    lock = broken.lock()
    assert lock["lib/clash.c"] == [broken.repository.blob("lib/clash.c"), broken.next]
    assert lock["lib/orphan.c"][1] == broken.base  # it stays reported
    broken.run("--continue", status=2, says=["no upgrade of backend 'acme' is under way"])


def test_an_override_is_given_up_while_resolving(broken):
    broken.run("--to", broken.next, "--keep-going", status=1)
    for name in ("conflict.c", "clash.c", "orphan.c"):
        (broken.acme / "spec_cpp/lib" / name).unlink()
    broken.run("--continue")
    assert not {"lib/conflict.c", "lib/clash.c", "lib/orphan.c"} & set(broken.lock())


def test_abort_restores_byte_for_byte(broken):
    os.chmod(broken.acme / "spec_cpp/lib/copy.c", 0o755)
    before = broken.texts()
    broken.run("--to", broken.next, "--keep-going", status=1)
    assert broken.texts() != before
    broken.run("--abort", says=["as it was before the upgrade"])
    assert broken.texts() == before
    assert os.stat(broken.acme / "spec_cpp/lib/copy.c").st_mode & 0o777 == 0o755
    broken.run("--abort", status=2, says=["no upgrade"])


def test_abort_keeps_what_was_edited(broken):
    before = broken.texts()
    broken.run("--to", broken.next, "--keep-going", status=1)
    (broken.acme / "spec_cpp/lib/conflict.c").write_text("half resolved\n")
    broken.run("--abort", says=["1 that had been edited since is kept"])
    texts = broken.texts()
    assert texts.pop(".spec-upgrade-edited/spec_cpp/lib/conflict.c") == b"half resolved\n"
    assert texts == before


def test_a_patch_that_creates_or_deletes(trunk):
    repository, acme = trunk.repository, trunk.acme
    repository.commit("base", {"lib/gone.c": "int a;\nint b;\n"})
    trunk.write({"vendors/acme/spec_cpp/lib/made.c.patch":
                 "--- /dev/null\n+++ b/lib/made.c\n@@ -0,0 +1 @@\n+int made;\n",
                 "vendors/acme/spec_cpp/lib/gone.c.patch":
                 "--- a/lib/gone.c\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-int a;\n-int b;\n"})
    trunk.run("lock", sources_change=True).says(0)
    later = repository.commit("next", {"lib/gone.c": "int a;\nint c;\nint b;\n"})
    trunk.run("upgrade", "--to", later, sources_change=True).says(0, "merged       spec_cpp/lib/gone.c.patch")
    text = (acme / "spec_cpp/lib/gone.c.patch").read_text()
    assert "+++ /dev/null\n" in text
    assert "-int a;\n-int c;\n-int b;\n" in text
    assert "+int made;" in (acme / "spec_cpp/lib/made.c.patch").read_text()


def test_what_is_moved_keeps_its_place_in_the_overlay(upgrade):
    upgrade.engine.write({"vendors/acme/spec.cmake": 'spec_add_sources(app lib/old_name.c)\n'})
    upgrade.run("--to", upgrade.next, says=["the trunk's file is now lib/new_name.c, 9",
                                            "spec.cmake names 'lib/old_name.c': change it there"])


def test_a_folder_that_was_moved(trunk):
    names = ("a.c", "b.h", "sub/c.td")
    texts = {name: f"// of {name}\n" + numbers() for name in names}
    trunk.repository.commit("base", {f"lib/old/{name}": text for name, text in texts.items()})
    trunk.write({f"vendors/acme/spec_cpp/lib/old/{name}": text.replace("line9;", "line9; // ours")
                 for name, text in texts.items()})
    trunk.run("lock", sources_change=True).says(0)
    trunk.repository.commit("next", {f"lib/old/{name}": None for name in names} |
                            {f"lib/new/{name}": text + "int more;\n" for name, text in texts.items()})
    trunk.run("upgrade", "--to", "HEAD", sources_change=True).says(0, "3 overrides: 3 review")
    for name, text in texts.items():
        found = (trunk.acme / "spec_cpp/lib/new" / name).read_text()
        assert found == text.replace("line9;", "line9; // ours") + "int more;\n"
    assert not (trunk.acme / "spec_cpp/lib/old").exists()


def test_a_place_that_is_taken(upgrade):
    upgrade.engine.write({"vendors/acme/spec_cpp/lib/new_name.c": "int taken;\n"})
    upgrade.engine.run("lock", "--rev", upgrade.base, "spec_cpp/lib/new_name.c", sources_change=True).says(0)
    upgrade.run("--to", upgrade.next, status=1,
                says=["its file was moved to where the backend has an override already"])


@pytest.mark.parametrize("ours, status", [("    x = 7\n", 1), ("    x = 1\n", 0)],
                         ids=["changed", "as it was"])
def test_a_definition_that_the_trunk_removed(trunk, ours, status):
    module = "def f():\n    return 1\n\n\ndef g(a):\n    x = 1\n    return a + x\n"
    trunk.repository.commit("base", {"python/triton/m.py": module})
    trunk.write({"vendors/acme/spec/triton/m.py": "import os\n\n\ndef new():\n    return 2\n\n\ndef g(a):\n"
                                                  + ours + "    return a + x\n",
                 "vendors/acme/spec.ini": "[policy]\ntriton/m.py = merge\n"})
    trunk.run("lock", sources_change=True).says(0)
    trunk.repository.commit("next", {"python/triton/m.py": "def f():\n    return 1\n"})
    trunk.run("upgrade", "--to", "HEAD", "--keep-going", sources_change=True).says(status)
    text = (trunk.acme / "spec/triton/m.py").read_text()
    assert text.startswith("import os\n\n\ndef new():\n    return 2\n")
    assert ("<<<<<<< acme" in text) == ("x = 7" in text) == (status == 1)


def test_a_class_is_merged_method_by_method(trunk):
    module = "class C:\n\n    def f(self):\n        a = 1\n        b = 2\n        c = 3\n        return a\n\n" \
             "    def g(self):\n        return 1\n"
    trunk.repository.commit("base", {"python/triton/m.py": module})
    trunk.write({"vendors/acme/spec/triton/m.py":
                 "class C:\n\n    def f(self):\n        a = 1\n        b = 2\n        c = 4\n        return a\n",
                 "vendors/acme/spec.ini": "[policy]\ntriton/m.py = merge\n"})
    trunk.run("lock", sources_change=True).says(0)
    trunk.repository.commit("next", {"python/triton/m.py": module.replace("a = 1", "a = 5").replace(
        "return 1", "return 6")})
    trunk.run("upgrade", "--to", "HEAD", sources_change=True).says(0, "1 override: 1 merged")
    assert (trunk.acme / "spec/triton/m.py").read_text() == (
        "class C:\n\n    def f(self):\n        a = 5\n        b = 2\n        c = 4\n        return a\n")


@pytest.mark.parametrize("theirs, status, says", [
    ("int theirs();\n\n", 1, "conflict     spec_cpp/lib/added.c"),
    ("int ours();\n\n", 0, "upstreamed   spec_cpp/lib/added.c")], ids=["another", "the same"])
def test_an_addition_that_the_trunk_has_too(trunk, theirs, status, says):
    trunk.write({"vendors/acme/spec_cpp/lib/added.c": "int ours();\n\n"})
    trunk.run("lock", sources_change=True).says(0)
    trunk.repository.commit("next", {"lib/added.c": theirs})
    trunk.run("upgrade", "--to", "HEAD", sources_change=True).says(status, says)


def test_a_removal_that_the_trunk_made_too(upgrade):
    later = upgrade.repository.commit("later", {"lib/removed.c": None})
    upgrade.run("--to", later, says=["upstreamed   spec.ini", "take it out of spec.ini"])
    assert "lib/removed.c" not in upgrade.lock()


@pytest.mark.parametrize("words, says", [
    ((), "one of --to, --continue, --abort and --accept must be given"),
    (("--to", "HEAD", "--abort"), "one of --to, --continue, --abort and --accept must be given"),
    (("--to", "HEAD", "lib/copy.c"), "overrides can be named with --accept only"),
    (("--to", "nowhere"), "nowhere"),
])
def test_wrong_calls(upgrade, words, says):
    upgrade.run(*words, status=2, says=[says])


def test_without_a_lock(upgrade):
    upgrade.engine.write({"vendors/acme/spec_cpp/lib/more.c": "x\n"})
    upgrade.run("--to", "HEAD", status=2, says=["override of 'lib/more.c' was made for", "triton-spec lock --rev"])
    (upgrade.acme / "spec.lock").unlink()
    upgrade.run("--to", "HEAD", status=2, says=["has no spec.lock", "triton-spec lock"])


def test_a_link_is_left_to_its_owner(upgrade):
    path = upgrade.acme / "spec_cpp/lib/copy.c"
    path.rename(upgrade.acme / "elsewhere.c")
    path.symlink_to(upgrade.acme / "elsewhere.c")
    upgrade.run("--to", upgrade.next, status=1, says=["by hand      spec_cpp/lib/copy.c", "its file is a link"])
    assert (upgrade.acme / "elsewhere.c").read_text() == OVERLAY["spec_cpp/lib/copy.c"]


def test_bytes_that_are_no_text(trunk):
    repository = trunk.repository
    (trunk.trunk / "lib/data.h").write_bytes(b"a\0\n1\n2\n3\n")
    repository.commit("base")
    trunk.write({"vendors/acme/spec_cpp/lib/data.h": b"b\0\n1\n2\n3\n"})
    trunk.run("lock", sources_change=True).says(0)
    (trunk.trunk / "lib/data.h").write_bytes(b"a\0\n1\n2\n4\n")
    repository.commit("next")
    trunk.run("upgrade", "--to", "HEAD", "--keep-going", sources_change=True).says(
        1, "by hand      spec_cpp/lib/data.h", "a file with a NUL is not merged")
    assert (trunk.acme / "spec_cpp/lib/data.h").read_bytes() == b"b\0\n1\n2\n3\n"


def test_a_broken_journal_is_told(broken):
    broken.run("--to", broken.next, "--keep-going", status=1)
    journal = broken.acme / ".spec-upgrade/journal"
    journal.write_text(journal.read_text().replace("\tspec_cpp/lib/copy.c", "\t../../x", 1))
    for way in ("--abort", "--continue"):
        broken.run(way, status=2, says=[".spec-upgrade/journal:", "leaves the backend's folder"])


def test_a_text_that_the_repository_lacks(trunk, tmp_path):
    trunk.repository.commit("base", {"lib/a.c": numbers()})
    trunk.write({"vendors/acme/spec_cpp/lib/a.c": numbers(l20="int ours;")})
    trunk.run("lock", sources_change=True).says(0)
    older = shutil.copytree(trunk.trunk, tmp_path / "older", ignore=shutil.ignore_patterns(".git"))
    trunk.repository.commit("next", {"lib/a.c": numbers(l3="int theirs;")})
    clone = tmp_path / "shallow"
    trunk.repository.git("clone", "-q", "--depth", "1", f"file://{trunk.trunk}", clone)
    to_head = ["upgrade", "--repository", clone, "--to", "HEAD"]
    trunk.run(*to_head).says(2, "is not in the repository", "shallow clone")
    trunk.run(*to_head, "--base", tmp_path).says(2, "is not in the repository")
    trunk.run(*to_head, "--base", older, sources_change=True).says(0)
    assert (trunk.acme / "spec_cpp/lib/a.c").read_text() == numbers(l3="int theirs;", l20="int ours;")
