"""The three properties of a case: the same text for every unit, the same TableGen outputs, a clean proof."""

import collections
import dataclasses
import difflib
import json
import os
import re
import shlex
import shutil

from .build import Failed, Side, run
from .case import BACKEND

# Codes of findings by which an overlay may rightly be refused, whatever the generator meant.
REFUSALS = {"out-of-reach", "fixed-include"}

# Where the generator puts its TableGen rules, below the trunk and below a build folder.
TD_FOLDER = "include/td"


@dataclasses.dataclass
class Outcome:
    """What became of a case. kind: "same"; "refused" and "invalid" say nothing about the engine; any
    other names the property that does not hold."""

    kind: str
    detail: str = ""
    counts: collections.Counter = dataclasses.field(default_factory=collections.Counter)

    @property
    def is_fault(self):
        return self.kind not in ("same", "refused", "invalid")


class Differs(Exception):
    """A property does not hold."""

    def __init__(self, kind, detail):
        super().__init__(detail)
        self.kind, self.detail = kind, detail


def check(case, folder, tools, tamper=None, last=None):
    """The Outcome of a case, whose files are written below `folder` and removed again.

    tamper: a function that is given the export's folder before anything is built from it.
    last: the kind of fault behind which nothing more is compared; None: everything is.
    """
    folder.mkdir(parents=True)
    try:
        return _Check(case, case.write(folder), tools).run(tamper, last)
    finally:
        shutil.rmtree(folder)


def _difference(ours, plain, where):
    """What to tell about two texts."""
    lines = difflib.unified_diff(plain.split("\n"), ours.split("\n"), "export", "overlay", lineterm="", n=1)
    return f"{where}\n" + "\n".join(lines)


class _Check:
    """One case while it is checked."""

    def __init__(self, case, home, tools):
        self.case, self.home, self.tools = case, home, tools
        self.env = tools.environments[case.compiler]
        self.trunk, self.tree = home / case.trunk, home / "tree"
        self.counts = collections.Counter()

    def run(self, tamper, last):
        """The Outcome."""
        try:
            self.export()
            if tamper:
                tamper(self.tree)
            plain = self.plain_side()
            plain_texts = self.plain_texts(plain)
            if (self.tree / TD_FOLDER).is_dir():
                run("tablegen", ["ninja", "-C", plain.build, "tds"], self.env)
        except Failed as failed:
            return self.not_judged(failed)
        try:
            self.judge(plain, plain_texts, last)
        except Failed as failed:
            codes = set(re.findall(r"error\[([a-z-]+)\]", failed.text))
            if failed.step == "overlay" and codes and codes <= REFUSALS:
                return Outcome("refused", str(failed))
            return Outcome(failed.step, str(failed), self.counts)
        except Differs as differs:
            return Outcome(differs.kind, differs.detail, self.counts)
        return Outcome("same", counts=self.counts)

    def not_judged(self, failed):
        """A tree that does not build even without an overlay is no case; an export that cannot be
        written is a fault, unless the plan refuses the overlay."""
        if failed.step == "export":
            return Outcome("refused" if failed.status == 1 else "export", str(failed))
        return Outcome("invalid", str(failed))

    def options(self):
        """How each command is told about the case."""
        return ["--trunk", self.trunk, "--backend", BACKEND, "--root", self.home / self.case.root]

    def export(self):
        run("export", [self.tools.program, "export", *self.options(), "--warn-redundant", "-o", self.tree],
            self.env)

    def plain_side(self):
        """The export, configured without triton-spec."""
        script = self.tree / ".triton-spec/overlay.cmake"
        arguments = [f"-DCMAKE_PROJECT_TOP_LEVEL_INCLUDES={script}"] if script.exists() else []
        build = self.home / "plain"
        self.tools.configure("plain", self.case, self.tree, build, *arguments)
        return Side(build, [self.tree], self.env)

    def plain_texts(self, side):
        """{unit: (text, places read)}."""
        return {unit: side.preprocess(words) for unit, words in side.units().items()}

    def overlay_side(self):
        """The trunk, configured with the overlay."""
        build = self.home / "build"
        self.tools.configure(
            "overlay", self.case, self.trunk, build, f"-DFLAGTREE_BACKEND={BACKEND}", *self.tools.injection,
            f"-DTRITON_SPEC_ROOTS={self.home / self.case.root}", "-DTRITON_SPEC_UNUSED=warn",
            "-DTRITON_SPEC_REDUNDANT=warn")
        roots = [build / "spec/stage", self.trunk, self.home / "trunk"]
        return Side(build, roots, self.env)

    def judge(self, plain, plain_texts, last):
        """Raises Differs or Failed when a property does not hold."""
        ours = self.overlay_side()
        units = ours.units()
        if set(units) != set(plain_texts):
            only = set(units) ^ set(plain_texts)
            raise Differs("units", "\n".join(f"{'overlay' if u in units else 'export'} only: {u}"
                                             for u in sorted(only)))
        shows_files = any("__FILE__" in text for text in self.case.files.values())
        for unit, words in units.items():
            text, _ = ours.preprocess(words)
            plain_text, _ = plain_texts[unit]
            if shows_files:
                text, plain_text = ours.without_roots(text), plain.without_roots(plain_text)
            if text != plain_text:
                raise Differs("text", _difference(text, plain_text, f"{unit[0]}: {unit[1]}"))
            self.count_unit(words, plain_text)
        if last in ("overlay", "units", "text"):
            return
        run("build", ["ninja", "-C", ours.build, "-j1"], self.env)
        self.compare_tablegen(plain)
        self.compare_package(ours)
        self.compare_proof(ours, plain, plain_texts)

    def count_unit(self, words, text):
        self.counts["units"] += 1
        self.counts["affected"] += any(w.startswith("-DTRITON_SPEC_") for w in words)
        self.counts["with a vendor's text"] += bool(re.search(r"t\d+_(acme|common|added);", text))

    # --- TableGen and Python ---

    def compare_tablegen(self, plain):
        """Outputs of tblgen, byte for byte."""
        for output in sorted((plain.build / TD_FOLDER).glob("*.inc")):
            ours = self.home / "build" / TD_FOLDER / output.name
            if ours.read_bytes() != output.read_bytes():
                raise Differs("tablegen", _difference(ours.read_text(), output.read_text(), output.name))
            self.counts["tblgen outputs"] += 1

    def compare_package(self, ours):
        """The merged Python package holds what the export does."""
        package, exported = ours.build / "spec/python/triton", self.tree / "python/triton"
        if not package.is_dir():
            return
        found = {p.relative_to(package): p.read_bytes() for p in package.rglob("*") if p.is_file()}
        wanted = {p.relative_to(exported): p.read_bytes() for p in exported.rglob("*") if p.is_file()}
        if found != wanted:
            raise Differs("package", str(sorted(map(str, found.items() ^ wanted.items()))))
        self.counts["packages"] += 1

    # --- the proof ---

    def compare_proof(self, ours, plain, plain_texts):
        """verify has nothing to say but of overrides that the export's build reads neither."""
        command = [self.tools.program, "verify", "--json", ours.build]
        try:
            answer = json.loads(run("verify", command, self.env))
        except Failed as failed:
            if failed.status != 1:
                raise
            answer = json.loads(failed.text)
        read = set().union(*(places for _, places in plain_texts.values()), self.tds_read(plain))
        unread = {o["trunk"] for o in json.loads((ours.build / "spec/manifest.json").read_text())["overrides"]
                  if o["kind"] in ("source", "header", "td") and o["action"] != "remove"} - read
        said = sorted(f"{f['code']} {f['message']}" for f in answer["findings"])
        expected = sorted(f"not-read every owner of '{path}' is built, and none of their outputs read it"
                          for path in unread)
        if said != expected:
            raise Differs("verify", f"says: {said}\nmust say: {expected}")
        self.counts["overrides"] += answer["overrides"]
        self.counts["not read"] += len(unread)

    def tds_read(self, plain):
        """Places of the .td files that the export's rules read, by tblgen's own depfiles."""
        if not (self.tree / TD_FOLDER).is_dir():
            return set()
        read = set()
        for line in run("commands", ["ninja", "-C", plain.build, "-t", "commands", "tds"], self.env).splitlines():
            words = shlex.split(line.split("&&")[-1])
            if "-print-records" not in words:
                continue
            depfile = plain.build / "rule.d"
            run("tablegen", [*words, "-d", depfile], self.env, plain.build)
            # The depfile's names are not escaped: they end where one must, at ".td".
            files = re.findall(re.escape(str(self.tree)) + r"/.*?\.td\b", depfile.read_text())
            files += [word for word in words if word.endswith(".td")]
            read |= {plain.place(os.path.join(plain.build, name)) for name in files}
        return read
