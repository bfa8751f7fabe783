"""The engine's program on a trunk and an overlay that may be hostile.

Every run is held to what holds for all: an exit status of 0, 1 or 2 and never a signal, a message
for each that is not 0, trunk and overlay as they were, and no half-written result.
"""

import json
import os
import pathlib
import stat
import subprocess

from support.toy import clean_environment

TARGETS = "build {root}/build\ntarget app\ntype EXECUTABLE\ndir {trunk}/lib\nbin {root}/build\n" \
          "includes {trunk}/include\nsources {sources}\n"

# Seconds until a run that hangs is ended; no outcome depends on it.
PATIENCE = 300

SANITIZER = (b"AddressSanitizer", b"LeakSanitizer", b"runtime error:")


def fingerprint(root):
    """{path: what lies there} below a folder, links not followed, as bytes."""
    found = {}
    stack = [os.fsencode(root)]
    while stack:
        path = stack.pop()
        try:
            st = os.lstat(path)
            kind = stat.S_IFMT(st.st_mode)
            if kind == stat.S_IFDIR:
                found[path] = ("folder", st.st_mtime_ns)
                stack += [entry.path for entry in os.scandir(path)]
            elif kind == stat.S_IFLNK:
                found[path] = ("link", os.readlink(path))
            elif kind == stat.S_IFREG and st.st_mode & 0o400:
                found[path] = ("file", st.st_mtime_ns, pathlib.Path(os.fsdecode(path)).read_bytes())
            else:
                found[path] = (kind, st.st_mode)
        except OSError as error:
            found[path] = ("unreadable", error.errno)
    return found


class Outcome:
    """A finished run: status, and what was printed, as bytes and as text."""

    def __init__(self, done):
        self.status, self.out, self.err = done.returncode, done.stdout, done.stderr
        self.text = (self.out + self.err).decode(errors="replace")

    @property
    def json(self):
        """The one document that was printed."""
        return json.loads(self.out)

    def says(self, status, *words):
        """The status is this one and the text has each word."""
        assert self.status == status, f"status {self.status}\n{self.text}"
        for word in words:
            assert word in self.text, f"no '{word}' in\n{self.text}"
        return self


class Engine:
    """A trunk in <root>/trunk, backends in <root>/vendors, results in <root>/out."""

    def __init__(self, root, program):
        self.root, self.program = root, str(program)
        self.trunk, self.vendors, self.out = root / "trunk", root / "vendors", root / "out"
        self.acme = self.vendors / "acme"
        self.write({"trunk/lib/a.c": "int a;\n", "trunk/include/a.h": "", "trunk/lib/b.c": "int b;\n"})
        self.acme.mkdir(parents=True)

    def write(self, files):
        """Writes {path below the root: text or bytes}."""
        for name, text in files.items():
            path = self.root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text if isinstance(text, bytes) else text.encode())

    def command(self, step, *words, backend="acme"):
        """The words of a command on these folders."""
        return [self.program, step, "--trunk", str(self.trunk), "--root", str(self.vendors),
                "--backend", backend, *map(str, words)]

    def run(self, step, *words, backend="acme", **how):
        """Runs a command; the Outcome, checked for what holds for every run."""
        return self.run_command(self.command(step, *words, backend=backend), **how)

    def run_command(self, command, env=None, sources_change=False, **how):
        """The same for any command; `sources_change` when a test itself changes trunk or overlay."""
        before = None if sources_change else [fingerprint(self.trunk), fingerprint(self.vendors)]
        how = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **how}
        done = subprocess.run(command, env=clean_environment(**env or {}), check=False,
                              timeout=PATIENCE, **how)
        done.stdout, done.stderr = done.stdout or b"", done.stderr or b""
        assert done.returncode in (0, 1, 2), f"{done.returncode}\n{done.stderr.decode(errors='replace')}"
        assert not any(word in done.stderr for word in SANITIZER), done.stderr.decode(errors="replace")
        if before is not None:
            assert [fingerprint(self.trunk), fingerprint(self.vendors)] == before
        self.check_results()
        return Outcome(done)

    def check_results(self):
        """No temporary file, and a manifest that is a whole document."""
        for folder, _, names in os.walk(self.out):
            assert not [n for n in names if n.startswith(".") and n.endswith(".tmp")], folder
        manifest = self.out / "manifest.json"
        if manifest.is_file():
            json.loads(manifest.read_bytes())

    def stage(self, **how):
        """Runs the first step."""
        return self.run("stage", "--out", self.out, **how)

    def place(self, sources="a.c", more="", **how):
        """Runs the second step for one program of these sources."""
        text = TARGETS.format(root=self.root, trunk=self.trunk, sources=sources) + more
        self.write({"targets.txt": text})
        return self.run("place", "--out", self.out, "--targets", self.root / "targets.txt", **how)
