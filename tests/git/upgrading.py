"""A backend with an override of every kind, and a trunk that goes on, for tests of upgrades."""

import difflib

# Of each file the base, and what the trunk makes of it; None: it is gone.
NUMBERS = [f"int line{n};\n" for n in range(30)]


def numbers(**changes):
    """Thirty lines, some exchanged: numbers(l3="int mine;")."""
    lines = list(NUMBERS)
    for name, text in changes.items():
        lines[int(name[1:])] = text + "\n"
    return "".join(lines)


def patch(path, old, new, head=""):
    """A patch of one file, as diff -u makes it."""
    return head + "".join(difflib.unified_diff(old.splitlines(True), new.splitlines(True),
                                               f"a/{path}", f"b/{path}"))


MODULE = "def f():\n    return 1\n\n\ndef g(a):\n    x = 1\n    y = 2\n    z = 3\n    return a + x + y\n"

BASE = {"lib/copy.c": numbers(), "lib/patched.c": numbers(), "lib/same.c": "int same;\n",
        "lib/touching.c": numbers(), "lib/conflict.c": numbers(), "lib/clash.c": numbers(),
        "lib/taken.c": numbers(), "lib/half.c": numbers(), "lib/old_name.c": numbers(l0="int renamed;"),
        "lib/orphan.c": "int only_here;\n" * 9, "lib/removed.c": "int r;\n", "python/triton/merged.py": MODULE}

# What can be merged.
NEXT = {"lib/copy.c": numbers(l3="int theirs;"),
        "lib/patched.c": "int first;\n" + numbers(l3="int theirs;"),
        "lib/touching.c": numbers(l10="int theirs;"),
        "lib/taken.c": numbers(l20="int ours;", l5="int theirs;"),
        "lib/half.c": numbers(l5="int ours;", l15="int theirs;"),
        "lib/old_name.c": None, "lib/new_name.c": numbers(l0="int renamed;", l8="int theirs;"),
        "python/triton/merged.py": MODULE.replace("x = 1", "x = 100").replace("return 1", "return 5")}

OVERLAY = {"spec_cpp/lib/copy.c": numbers(l20="int ours;"),
           "spec_cpp/lib/patched.c.patch": patch("lib/patched.c", numbers(), numbers(l20="int ours;"),
                                                 "Why it is so.\n\n"),
           "spec_cpp/lib/same.c": "int ours;\n",
           "spec_cpp/lib/touching.c": numbers(l11="int ours;"),
           "spec_cpp/lib/taken.c": numbers(l20="int ours;"),
           "spec_cpp/lib/half.c.patch": patch("lib/half.c", numbers(),
                                              numbers(l5="int ours;", l25="int ours;")),
           "spec_cpp/lib/old_name.c": numbers(l0="int renamed;", l20="int ours;"),
           "spec_cpp/lib/added.c": "int added;\n",
           "spec/triton/merged.py": "def g(a):\n    x = 1\n    y = 4\n    z = 3\n    return a + x + y\n",
           "spec.ini": "[remove]\npath = lib/removed.c\n[policy]\ntriton/merged.py = merge\n"}

RESULT = {"spec_cpp/lib/copy.c": numbers(l3="int theirs;", l20="int ours;"),
          "spec_cpp/lib/same.c": "int ours;\n",
          "spec_cpp/lib/touching.c": numbers(l10="int theirs;", l11="int ours;"),
          "spec_cpp/lib/new_name.c": numbers(l0="int renamed;", l8="int theirs;", l20="int ours;"),
          "spec_cpp/lib/added.c": "int added;\n",
          "spec/triton/merged.py": "def g(a):\n    x = 100\n    y = 4\n    z = 3\n    return a + x + y\n"}

# What cannot.
BROKEN = {"lib/conflict.c": numbers(l9="int theirs;"), "lib/clash.c": numbers(l9="int theirs;"),
          "lib/orphan.c": None}
BROKEN_OVERLAY = {"spec_cpp/lib/conflict.c": numbers(l9="int ours;"),
                  "spec_cpp/lib/clash.c.patch": patch("lib/clash.c", numbers(), numbers(l9="int ours;")),
                  "spec_cpp/lib/orphan.c": "int only_here;\n" * 9 + "int ours;\n"}


class Upgrade:
    """An Engine whose backend is locked to BASE; its trunk has NEXT, and BROKEN when asked for."""

    def __init__(self, engine, broken=False):
        self.engine, self.repository, self.acme = engine, engine.repository, engine.acme
        self.base = self.repository.commit("base", BASE)
        overlay = {**OVERLAY, **(BROKEN_OVERLAY if broken else {})}
        engine.write({f"vendors/acme/{path}": text for path, text in overlay.items()})
        engine.run("lock", sources_change=True).says(0)
        self.next = self.repository.commit("next", {**NEXT, **(BROKEN if broken else {})})

    def run(self, *words, status=0, says=()):
        """Runs `upgrade`; its Outcome.  Status None: 0 or 1."""
        outcome = self.engine.run("upgrade", *words, sources_change=True)
        return outcome.says(min(outcome.status, 1) if status is None else status, *says)

    def results(self, *words, status=0):
        """{path below the trunk: what became of its override}."""
        found = self.run("--to", self.next, "--json", *words, status=status).json
        return {item["trunk"]: item["result"] for item in found["overrides"]}

    def lock(self):
        """{path: [blob, commit, and "review" if it is marked]}."""
        lines = (self.acme / "spec.lock").read_text().splitlines()[1:]
        return {line.split("\t")[0]: line.split("\t")[1:] for line in lines}

    def texts(self):
        """{path below the backend's folder: bytes} of everything."""
        return {str(path.relative_to(self.acme)): path.read_bytes()
                for path in sorted(self.acme.rglob("*")) if path.is_file()}

    def exported(self, name):
        """What stands in the trunk's place when the overlay lies over the new trunk."""
        out = self.engine.root / "exported"
        self.engine.run("export", "-o", str(out), sources_change=True)
        return (out / name).read_text()
