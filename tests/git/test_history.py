"""Planted histories: `status`, `bisect` and `upgrade` find everything that was planted, and nothing else."""

import json
import shutil
import subprocess

import pytest
from support.toy import clean_environment

from .planted import AWAY, MINE, VENDOR, History, text

STATUSES = ("clean", "drifted", "conflicting", "orphaned", "upstreamed")


@pytest.fixture(scope="module", name="history")
def fixture_history(tmp_path_factory, triton_spec):
    """1,000 commits and 40 overrides, locked at the first."""
    history = History(tmp_path_factory.mktemp("history"), commits=1000, overrides=40)
    history.program = triton_spec
    ask(history, "lock", "--rev", history.ids[0])
    return history


def ask(history, command, *words, status=None):
    """The JSON answer of a command."""
    done = subprocess.run([history.program, command, "--trunk", history.repository.path, "--root",
                           history.vendors, "--backend", "acme", "--json", *words],
                          env=clean_environment(), check=False, capture_output=True, text=True)
    assert done.returncode in (0, 1) and not done.stderr, done.stdout + done.stderr
    if status is not None:
        assert done.returncode == status
    return json.loads(done.stdout)


def by_trunk(answer):
    return {row["trunk"]: row for row in answer["overrides"]}


def check_status(history, answer, commit):
    rows = by_trunk(answer)
    assert len(rows) == len(history.planted)
    found = {p.name: rows[p.path]["state"] for p in history.planted}
    assert found == {p.name: p.state(commit) for p in history.planted}
    moved = {p.name: rows[p.path]["moved_to"] for p in history.planted}
    assert moved == {p.name: p.moved_to(commit) for p in history.planted}
    for planted in history.planted:
        regions = [(r["first"], r["last"]) for r in rows[planted.path]["regions"]]
        if planted.state(commit) == "conflicting" and not planted.is_addition:
            assert [first <= VENDOR <= last for first, last in regions] == [True], planted.fate
    assert {s: n for s, n in answer["counts"].items() if n} == {
        s: n for s in STATUSES
        if (n := sum(p.state(commit) == s for p in history.planted)) > 0}


@pytest.mark.parametrize("commit", [0, 250, 500, 750, 999])
def test_status_at_a_revision(history, commit):
    check_status(history, ask(history, "status", "--rev", history.ids[commit],
                              status=0 if commit == 0 else 1), commit)


def test_status_of_the_work_tree(history):
    check_status(history, ask(history, "status"), 999)


def test_bisect(history):
    rows = by_trunk(ask(history, "bisect", "--to", "main", status=1))
    assert len(rows) == len(history.planted)

    def said(row, key):
        return row[key] and row[key]["subject"]

    def planted(number):
        return None if number is None else f"Commit {number}"
    assert {p.name: said(rows[p.path], "first_change") for p in history.planted} == {
        p.name: planted(p.changed) for p in history.planted}
    assert {p.name: said(rows[p.path], "first_break") for p in history.planted} == {
        p.name: planted(p.broken) for p in history.planted}
    one = next(rows[p.path]["first_change"] for p in history.planted if p.changed)
    number = int(one["subject"].split()[1])
    assert one["commit"] == history.ids[number] and one["author"] == "Ada"
    assert one["date"].startswith("2023-11-1") and one["date"].endswith("+01:00")


def test_bisect_ends_where_it_is_told(history):
    middle = 500
    rows = by_trunk(ask(history, "bisect", "--to", history.ids[middle]))
    for planted in history.planted:
        changed = planted.changed is not None and planted.changed <= middle
        assert (rows[planted.path]["first_change"] is not None) == changed, planted.fate


def carried(planted, commit):
    """What an upgrade to a commit must make of an override."""
    if planted.moved_to(commit):
        return "review"
    return {"clean": "same", "drifted": "merged", "conflicting": "conflict"}.get(
        planted.state(commit), planted.state(commit))


@pytest.mark.parametrize("commit", [0, 250, 500, 750, 999])
def test_upgrade_says_what_it_would_do(history, commit):
    broken = [p for p in history.planted if carried(p, commit) in ("conflict", "orphaned")]
    rows = by_trunk(ask(history, "upgrade", "--to", history.ids[commit], "--dry-run",
                        status=1 if broken else 0))
    assert {p.name: rows[p.path]["result"] for p in history.planted} == {
        p.name: carried(p, commit) for p in history.planted}
    assert {p.name: rows[p.path]["new_trunk"] for p in history.planted} == {
        p.name: p.moved_to(commit) or p.path for p in history.planted}


def test_upgrade(history, tmp_path):
    """All but the conflicts; and what status says of it then."""
    vendors = shutil.copytree(history.vendors, tmp_path / "vendors")
    upgraded = History.__new__(History)
    upgraded.__dict__.update(history.__dict__, vendors=vendors)
    ask(upgraded, "upgrade", "--to", "main", "--keep-going", status=1)
    for planted in history.planted:
        result = carried(planted, 999)
        path = vendors / "acme" / planted.overlay.replace(planted.path, planted.moved_to(999) or planted.path)
        if planted.overlay == "spec.ini":
            continue
        assert path.exists() == (result != "upstreamed" and (result, path.suffix) != ("conflict", ".patch"))
        if result in ("merged", "review") and path.suffix != ".patch":
            away = AWAY if planted.fate in ("drifted", "changed-then-renamed") else {}
            assert path.read_text() == text(planted.name, **MINE, **away)
        elif result == "conflict":
            assert "<<<<<<< acme" in path.with_suffix("" if path.suffix == ".patch" else path.suffix).read_text()
    ask(upgraded, "upgrade", "--abort", status=0)
    assert {path.relative_to(vendors): path.read_bytes() for path in vendors.rglob("*") if path.is_file()} == {
        path.relative_to(history.vendors): path.read_bytes()
        for path in history.vendors.rglob("*") if path.is_file()}
