"""`triton-spec lock`: what it writes, of which trunk, and what it leaves alone."""

import os
import shutil
import subprocess

import pytest

from .history import Repository

HEAD = "# triton-spec lock 1\n"


def lock(trunk, *words, status=0, changes=True):
    """Runs the command; its Outcome."""
    return trunk.run("lock", *words, sources_change=changes).says(status)


def text(trunk):
    return (trunk.acme / "spec.lock").read_text()


@pytest.fixture(name="acme")
def fixture_acme(trunk):
    """Overrides of every kind: a copy, a patch, an addition, a module, a removal."""
    trunk.repository.commit("More", {"lib/p.td": "def P;\n", "lib/gone.c": "int g;\n",
                                     "python/triton/testing.py": "def f(): pass\n"})
    trunk.write({"vendors/acme/spec_cpp/lib/a.c": "int vendor;\n",
                 "vendors/acme/spec_cpp/lib/p.td.patch": "",
                 "vendors/acme/spec_cpp/lib/new.c": "int n;\n",
                 "vendors/acme/spec/triton/testing.py": "def f(): return 1\n",
                 "vendors/acme/spec.ini": "[remove]\npath = lib/gone.c\n"})
    return trunk


def test_each_override_has_its_line(acme):
    repository = acme.repository
    head = repository.git("rev-parse", "HEAD")
    outcome = lock(acme)
    assert "5 lines, 5 added, 0 changed, 0 dropped" in outcome.text
    wanted = [("lib/a.c", repository.blob("lib/a.c")), ("lib/gone.c", repository.blob("lib/gone.c")),
              ("lib/new.c", "-"), ("lib/p.td", repository.blob("lib/p.td")),
              ("python/triton/testing.py", repository.blob("python/triton/testing.py"))]
    assert text(acme) == HEAD + "".join(f"{path}\t{blob}\t{head}\n" for path, blob in wanted)
    before = os.stat(acme.acme / "spec.lock").st_mtime_ns
    assert "as it was" in lock(acme).text
    assert os.stat(acme.acme / "spec.lock").st_mtime_ns == before


def test_a_changed_file_is_of_no_commit(trunk):
    trunk.write({"vendors/acme/spec_cpp/lib/a.c": "x\n", "trunk/lib/a.c": "int changed;\n"})
    outcome = lock(trunk)
    assert "added    lib/a.c  (of no known commit)" in outcome.text
    blob = trunk.repository.git("hash-object", "lib/a.c")
    assert text(trunk) == HEAD + f"lib/a.c\t{blob}\t-\n"


def test_a_revision_needs_no_work_tree(trunk, tmp_path):
    trunk.write({"vendors/acme/spec_cpp/lib/a.c": "x\n"})
    old = trunk.repository.blob("lib/a.c")
    trunk.repository.commit("Later", {"lib/a.c": "int later;\n"})
    bare = tmp_path / "bare.git"
    trunk.repository.git("clone", "-q", "--bare", ".", bare)
    lock(trunk, "--rev", "HEAD~1", "--repository", bare)
    assert text(trunk) == HEAD + f"lib/a.c\t{old}\t{trunk.first}\n"
    lock(trunk, "--rev", "main")
    assert "int later" in (trunk.trunk / "lib/a.c").read_text()
    assert text(trunk).split("\t")[1] == trunk.repository.blob("lib/a.c")


def test_lines_that_are_not_named_stay(acme):
    lock(acme)
    before = text(acme)
    acme.repository.commit("Later", {"lib/a.c": "int later;\n", "lib/p.td": "def Q;\n"})
    outcome = lock(acme, "lib/p.td")
    assert "changed  lib/p.td  (was made against" in outcome.text
    kept = [line for line in before.splitlines() if "p.td" not in line]
    assert [line for line in text(acme).splitlines() if "p.td" not in line] == kept
    assert acme.repository.blob("lib/p.td") in text(acme)
    lock(acme, "spec_cpp/lib")
    assert acme.repository.blob("lib/a.c") in text(acme)


def test_a_name_of_no_override_is_an_error(acme):
    assert "has no override 'lib/z.c'" in lock(acme, "lib/z.c", status=2, changes=False).text


def test_lines_without_an_override_are_dropped(acme):
    lock(acme)
    (acme.acme / "spec_cpp/lib/new.c").unlink()
    assert "lib/new.c" in lock(acme, "lib/a.c").text or "lib/new.c" in text(acme)
    assert "dropped  lib/new.c" in lock(acme).text
    assert "lib/new.c" not in text(acme)


def test_review_stays_until_it_is_accepted(trunk):
    trunk.write({"vendors/acme/spec_cpp/lib/a.c": "x\n",
                 "vendors/acme/spec.lock": HEAD + f"lib/a.c\t{'0' * 40}\t-\treview\n"})
    lock(trunk)
    assert text(trunk).endswith("\treview\n")


def test_check_writes_nothing(acme):
    assert "is not what the trunk gives" in lock(acme, "--check", status=1, changes=False).text
    lock(acme)
    lock(acme, "--check", changes=False)
    acme.repository.commit("Later", {"lib/a.c": "int later;\n"})
    lock(acme, "--check", status=1, changes=False)


def test_json(acme):
    answer = lock(acme, "--json").json
    assert answer["written"] is True and answer["lock"] == str(acme.acme / "spec.lock")
    assert {line["trunk"]: line["change"] for line in answer["lines"]} == dict.fromkeys(
        ["lib/a.c", "lib/gone.c", "lib/new.c", "lib/p.td", "python/triton/testing.py"], "added")
    lock(acme)
    refused = lock(acme, "--json", "--check", changes=False).json
    assert refused["written"] is False
    (acme.acme / "spec_cpp/lib/new.c").unlink()
    answer = lock(acme, "--json", "--check", status=1, changes=False).json
    assert [l["trunk"] for l in answer["lines"] if l["change"] == "dropped"] == ["lib/new.c"]


def test_without_git_blob_ids_are_enough(acme):
    shutil.rmtree(acme.trunk / ".git")
    lock(acme)
    assert [line.split("\t")[2] for line in text(acme).splitlines()[1:]] == ["-"] * 5
    assert "no git repository" in lock(acme, "--rev", "HEAD", status=2, changes=False).text


def test_an_installed_trunk(acme, tmp_path):
    site = tmp_path / "site"
    shutil.copytree(acme.trunk / "python/triton", site / "triton")
    outcome = acme.run_command([acme.program, "lock", "--installed", "--trunk", str(site), "--root",
                                str(acme.vendors), "--backend", "acme", "spec/triton"],
                               sources_change=True).says(0)
    assert "1 added" in outcome.text
    blob = acme.repository.blob("python/triton/testing.py")
    assert text(acme) == HEAD + f"python/triton/testing.py\t{blob}\t-\n"


# --- repositories of every kind ------------------------------------------------------------------

def test_a_worktree_and_a_subfolder(acme, tmp_path):
    head = acme.repository.git("rev-parse", "HEAD")
    acme.repository.git("worktree", "add", "-q", tmp_path / "second")
    lock(acme, "--trunk", tmp_path / "second")
    assert f"\t{head}\n" in text(acme)
    outer = Repository(tmp_path / "outer")
    outer_head = outer.commit("All", {"triton/lib/a.c": "int a;\n"})
    lock(acme, "--trunk", tmp_path / "outer/triton", "lib/a.c")
    assert f"lib/a.c\t{outer.blob('triton/lib/a.c')}\t{outer_head}\n" in text(acme)


def test_another_users_repository(acme):
    """git would refuse it; nothing that its settings name is run."""
    if os.geteuid() != 0:
        pytest.skip("only root can give a folder to another user")
    for folder, names, files in os.walk(acme.trunk):
        for name in [".", *names, *files]:
            os.chown(os.path.join(folder, name), 12345, 12345, follow_symlinks=False)
    lock(acme)
    assert acme.first not in text(acme) and text(acme).count("\t-\n") == 0


def test_a_sha256_repository_is_refused_clearly(acme, tmp_path):
    other = Repository(tmp_path / "sha256", "--object-format=sha256")
    other.commit("One", {"lib/a.c": "int a;\n"})
    outcome = lock(acme, "--repository", other.path, "--rev", "HEAD", status=2, changes=False)
    assert "SHA-256 ids" in outcome.text
    lock(acme, "--trunk", other.path)  # the files themselves do without history
    assert text(acme).count("\t-\n") == 5


@pytest.mark.parametrize("how", [["--depth", "1"], ["--filter=blob:none", "--no-checkout"]])
def test_clones_that_lack_objects(acme, tmp_path, how):
    acme.repository.commit("Later", {"lib/a.c": "int later;\n"})
    acme.repository.git("config", "uploadpack.allowFilter", "true")
    clone = tmp_path / "clone"
    acme.repository.git("clone", "-q", *how, f"file://{acme.trunk}", clone)
    lock(acme, "--repository", clone, "--rev", "HEAD")
    assert acme.repository.blob("lib/a.c") in text(acme)
    if "--depth" in how:
        outcome = lock(acme, "--repository", clone, "--rev", "HEAD~1", status=2, changes=False)
        assert "shallow clone" in outcome.text


def test_submodules_links_and_folders_are_no_files(trunk, tmp_path):
    inner = Repository(tmp_path / "inner")
    inner.commit("One", {"x.c": "int x;\n"})
    trunk.repository.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", inner.path,
                         "third_party/inner")
    (trunk.trunk / "lib/link.c").symlink_to("a.c")
    trunk.repository.commit("Odd", {"lib/folder.c/x.c": ""})
    for path, word in [("third_party/inner/x.c", "submodule"), ("lib/link.c", "a link"),
                       ("lib/folder.c", "a folder")]:
        override = trunk.acme / "spec_cpp" / path
        override.parent.mkdir(parents=True, exist_ok=True)
        override.write_text("int v;\n")
        assert word in lock(trunk, "--rev", "HEAD", path, status=2, changes=False).text


@pytest.mark.parametrize("rev", ["nope", "HEAD:lib/a.c", "HEAD~100", "0" * 40, "", "HEAD^{blob}"])
def test_revisions_that_are_none(acme, rev):
    lock(acme, "--rev", rev, status=2, changes=False)


def test_nothing_of_the_repository_is_written_or_run(acme):
    hooks = acme.trunk / ".git/hooks"
    hooks.mkdir(exist_ok=True)
    for name in ("post-checkout", "reference-transaction", "fsmonitor"):
        (hooks / name).write_text(f"#!/bin/sh\ntouch {acme.root}/ran\n")
        (hooks / name).chmod(0o755)
    acme.repository.git("config", "core.fsmonitor", hooks / "fsmonitor")
    before = subprocess.run(["find", acme.trunk, "-printf", "%p %T@ %s\n"], check=True,
                            capture_output=True).stdout
    lock(acme)
    lock(acme, "--rev", "HEAD")
    after = subprocess.run(["find", acme.trunk, "-printf", "%p %T@ %s\n"], check=True,
                           capture_output=True).stdout
    assert after == before and not (acme.root / "ran").exists()
