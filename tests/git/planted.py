"""A trunk's history in which everything that can happen to an override is planted, and what must be
found of it.

Each override has a fate: a list of events, a state for each. What stands at a commit is the state of
the latest event up to it, so every revision has its own answer.
"""

import random
import subprocess

from .history import IDENTITY, Repository

LINES = 60
VENDOR, FAR = 30, 5  # the line that an override changes, and one that is out of its way


def line(name, number, value=None):
    """One line that no other file has."""
    return f"int {name}_{number} = {number if value is None else value};\n"


def text(name, **values):
    """A file's text; values: {line number as "l30": value}."""
    return "".join(line(name, n, values.get(f"l{n}")) for n in range(1, LINES + 1))


def patch(name, path):
    """The vendor's change as a diff."""
    context = [line(name, VENDOR + n) for n in range(-3, 4)]
    body = "".join(f" {c}" for c in context[:3]) + f"-{context[3]}+{line(name, VENDOR, 1001)}" + \
        "".join(f" {c}" for c in context[4:])
    return f"--- a/{path}\n+++ b/{path}\n@@ -{VENDOR - 3},7 +{VENDOR - 3},7 @@\n{body}"


MINE, NEAR, SAME = {"l30": 1001}, {"l30": 2002}, {"l30": 1001}
AWAY = {"l5": 3003}
BREAKS = ("conflicting", "orphaned")

# fate -> [(what a commit does to the file, the state from then on)]
FATES = {
    "clean": [],
    "drifted": [(AWAY, "drifted")],
    "conflicting": [(NEAR, "conflicting")],
    "changed-then-conflicting": [(AWAY, "drifted"), ({**AWAY, **NEAR}, "conflicting")],
    "upstreamed": [(SAME, "upstreamed")],
    "upstreamed-then-reverted": [(SAME, "upstreamed"), ({}, "clean")],
    "conflicting-then-reverted": [(NEAR, "conflicting"), ({}, "clean")],
    "deleted": [("delete", "orphaned")],
    "renamed": [("rename", "orphaned")],
    "changed-then-renamed": [(AWAY, "drifted"), ("rename", "orphaned")],
    "in-a-renamed-folder": [("folder", "orphaned")],
    "patch-drifted": [(AWAY, "drifted")],
    "patch-conflicting": [(AWAY, "drifted"), ({**AWAY, **NEAR}, "conflicting")],
    "patch-upstreamed": [({**SAME, **AWAY}, "upstreamed")],
    "patch-renamed": [("rename", "orphaned")],
    "addition": [],
    "addition-taken": [(AWAY, "conflicting")],
    "addition-in-a-renamed-folder": [("folder", "orphaned")],
    "removal-drifted": [(AWAY, "drifted")],
    "removal-upstreamed": [("delete", "upstreamed")],
}


class Planted:
    """One override: where it is, and what happens when."""

    def __init__(self, fate, number, commits, rng):
        self.fate, self.name = fate, f"f{number}"
        self.folder = f"lib/d{number}" if "folder" in fate else "lib"
        self.path = f"{self.folder}/{self.name}.cpp"
        when = sorted(rng.sample(range(1, commits), len(FATES[fate])))
        self.events = [(at, *event) for at, event in zip(when, FATES[fate])]
        self.is_addition = fate.startswith("addition")

    @property
    def overlay(self):
        if self.fate.startswith("removal"):
            return "spec.ini"
        return f"spec_cpp/{self.path}" + (".patch" if self.fate.startswith("patch") else "")

    def state(self, commit):
        """What must be said of it at a commit."""
        return ([None, *(s for at, _, s in self.events if at <= commit)][-1]) or "clean"

    def moved_to(self, commit):
        """Where its file is then, if it moved."""
        for at, what, _ in self.events:
            if at <= commit and what in ("rename", "folder"):
                return self.renamed(what)
        return None

    def renamed(self, what):
        return f"lib/moved/{self.name}_x.cpp" if what == "rename" else \
            f"lib/new_{self.name}/{self.name}.cpp"

    def neighbours(self):
        """Files that a renamed folder holds beside it."""
        return [f"{self.folder}/{self.name}{n}.cpp" for n in "abc"] if "folder" in self.fate else []

    @property
    def changed(self):
        return self.events[0][0] if self.events else None

    @property
    def broken(self):
        return next((at for at, _, state in self.events if state in BREAKS), None)


class History:
    """A repository of that many commits, and a backend acme of that many overrides.

    files: so many more that nothing ever happens to
    """

    def __init__(self, root, commits, overrides, files=0, seed=1):
        rng = random.Random(seed)
        names = list(FATES)
        self.commits, self.files = commits, files
        self.planted = [Planted(names[n % len(names)], n, commits, rng) for n in range(overrides)]
        self.repository = Repository(root / "trunk")
        self.vendors = root / "vendors"
        self.write_commits(rng)
        self.write_overlay()
        self.ids = self.repository.git("rev-list", "--reverse", "main").split("\n")

    def write_commits(self, rng):
        """All commits through one fast-import; those without an event change a file of their own."""
        stream, events = [], {}
        for planted in self.planted:
            for at, what, _ in planted.events:
                events.setdefault(at, []).append((planted, what))

        def blob(path, content):
            stream.append(f"M 100644 inline {path}\ndata {len(content)}\n{content}\n")
        for number in range(self.commits):
            subject = f"Commit {number}"
            date = 1700000000 + 60 * number
            stream.append(f"commit refs/heads/main\nauthor Ada <ada@example.org> {date} +0100\n"
                          f"committer Ada <ada@example.org> {date} +0100\n"
                          f"data {len(subject)}\n{subject}\n")
            if number == 0:
                for planted in self.planted:
                    for path in ([] if planted.is_addition else [planted.path]):
                        blob(path, text(planted.name))
                    for path in planted.neighbours():
                        blob(path, text(path.replace("/", "_").replace(".", "_")))
                for still in range(self.files):
                    blob(f"lib/s{still % 100}/still{still}.cpp", text(f"still{still}"))
            for planted, what in events.get(number, []):
                if what == "delete":
                    stream.append(f"D {planted.path}\n")
                elif what == "rename":
                    stream.append(f"R {planted.path} {planted.renamed(what)}\n")
                elif what == "folder":
                    stream.append(f"R {planted.folder} lib/new_{planted.name}\n")
                else:
                    blob(planted.path, text(planted.name, **what))
            blob(f"docs/n{rng.randrange(50)}.cpp", text(f"noise{number}"))
        subprocess.run(["git", "fast-import", "--quiet"], input="".join(stream).encode(), check=True,
                       cwd=self.repository.path, env={"PATH": "/usr/bin:/bin", **IDENTITY})
        self.repository.git("reset", "-q", "--hard", "main")

    def write_overlay(self):
        """The vendor's files, one line changed in each."""
        acme, removed = self.vendors / "acme", []
        for planted in self.planted:
            if planted.overlay == "spec.ini":
                removed.append(f"path = {planted.path}\n")
                continue
            path = acme / planted.overlay
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(patch(planted.name, planted.path) if path.suffix == ".patch"
                            else text(planted.name, **MINE))
        if removed:
            (acme / "spec.ini").write_text("[remove]\n" + "".join(removed))
