"""Toy: a trunk of a few small files, an overlay, and what comes of building both.

A test writes the two trees, configures with the overlay injected, builds and runs
the program: what the program prints is what was really compiled.
"""

import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess

PROLOGUE = "cmake_minimum_required(VERSION 3.20)\nproject(toy {})\n"

# Variables by which a shell could change what a test is about.
_CLEARED = re.compile(r"FLAGTREE_|TRITON_|SPEC_PATH$|CMAKE_|CCACHE_|(CC|CXX|CFLAGS|CXXFLAGS|CPATH|"
                      r"LDFLAGS|NINJA_STATUS|C_INCLUDE_PATH|CPLUS_INCLUDE_PATH)$")


def clean_environment(**more):
    """The environment without anything that builds listen to, plus some variables."""
    kept = {k: v for k, v in os.environ.items() if not _CLEARED.match(k)}
    return {**kept, **more}


def returns(name, value):
    """C text of a function that returns a string: value is an expression, or a word to quote."""
    quoted = value if value.isidentifier() and value.isupper() else f'"{value}"'
    return f"const char *{name}(void) {{ return {quoted}; }}\n"


def prints(*names):
    """C text of a program that prints what each function returns, one a line."""
    declared = "".join(f"const char *{name}(void);\n" for name in names)
    calls = "".join(f"  puts({name}());\n" for name in names)
    return f"#include <stdio.h>\n{declared}int main(void) {{\n{calls}  return 0;\n}}\n"


def write_tree(root, files):
    """Writes {path: text} below root, with new times; text None removes the file."""
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if text is None:
            path.unlink()
        else:
            path.write_text(text)


class Run:
    """A finished command: status, stdout as `out`, and stdout and stderr as `text`."""

    def __init__(self, command, **how):
        self.command = [str(word) for word in command]
        done = subprocess.run(self.command, capture_output=True, text=True, check=False, **how)
        self.status, self.out, self.text = done.returncode, done.stdout, done.stdout + done.stderr

    @property
    def words(self):
        """The text with every run of blanks and line ends as one blank: CMake wraps its messages."""
        return " ".join(self.text.split())

    def expect(self, status):
        """Fails the test, with all that was printed, unless the status is this one."""
        assert self.status == status, f"{shlex.join(self.command)} -> {self.status}\n{self.text}"
        return self


class Build:
    """A build folder of a toy."""

    def __init__(self, path, env):
        self.path, self.env = path, env

    def ninja(self, *targets, status=0):
        """Builds; returns the Run."""
        return Run(["ninja", "-C", self.path, "-j2", *targets], env=self.env).expect(status)

    def find(self, name):
        """The one file of this name in the build folder, CMake's own and the stage left out."""
        found = [p for p in self.path.rglob(name) if p.is_file()
                 and not {"CMakeFiles", "spec"} & set(p.relative_to(self.path).parts)]
        assert len(found) == 1, f"{len(found)} files named {name}: {found}"
        return found[0]

    def run(self, name="app"):
        """The lines that a program prints."""
        return Run([self.find(name)], env=self.env).expect(0).text.splitlines()

    def make(self, name="app"):
        """Builds everything and returns the lines that a program prints."""
        self.ninja()
        return self.run(name)

    @property
    def spec(self):
        """The folder of the overlay's results."""
        return self.path / "spec"

    @property
    def log(self):
        """The lines of log.txt."""
        return (self.spec / "log.txt").read_text().splitlines()

    @property
    def swaps(self):
        """The log's override lines, without "SPEC: "."""
        return [line[6:] for line in self.log if line.startswith("SPEC: ")]

    @property
    def manifest(self):
        """manifest.json, parsed."""
        return json.loads((self.spec / "manifest.json").read_text())

    def commands(self):
        """Compile commands by source file, from ninja: what is really run."""
        done = Run(["ninja", "-C", self.path, "-t", "compdb"], env=self.env).expect(0)
        return {c["file"]: c["command"] for c in json.loads(done.text) if " -c " in c["command"]}

    def command(self, ending):
        """The compile command of the one source whose path ends so."""
        found = [c for f, c in self.commands().items() if f.endswith(ending)]
        assert len(found) == 1, f"{len(found)} commands for {ending}"
        return found[0]


class Toy:
    """A trunk at root/trunk and overlays below its third_party."""

    def __init__(self, root, program, injection, compilers):
        """program: triton-spec; injection: the arguments that inject any backend."""
        self.root, self.program = pathlib.Path(root), program
        self.injection, self.compilers = injection, compilers
        self.trunk = self.root / "trunk"
        self.languages = "C"
        self.env = clean_environment()

    def write(self, files, languages="C"):
        """Writes trunk files.  The top CMakeLists.txt gets its first two lines here."""
        self.languages = languages
        files = dict(files)
        top = files.get("CMakeLists.txt")
        if top is not None and "project(" not in top:
            files["CMakeLists.txt"] = PROLOGUE.format(languages) + top
        write_tree(self.trunk, files)
        return self

    def overlay(self, files, backend="acme", root="third_party"):
        """Writes files of a backend: paths are relative to its folder; root is below the trunk."""
        folder = self.trunk / root / backend
        folder.mkdir(parents=True, exist_ok=True)
        write_tree(folder, files)
        return folder

    def arguments(self, *args, backend="acme", trunk=None, env=None, status=0, options=()):
        """What `triton-spec cmake-args <options>` prints, as a list; the Run when it must fail."""
        done = Run([self.program, "cmake-args", "--trunk", trunk or self.trunk, *options,
                    "--backend", backend, "--", *args], env=env or self.env).expect(status)
        return shlex.split(done.out) if status == 0 else done

    def cmake(self, *args, trunk=None, build="build", generator="Ninja", env=None, status=0,
              cwd=None):
        """Runs CMake with just these arguments; returns (Build, Run).

        trunk, build: source and build folder, relative ones below the toy's root.
        """
        env, folder = env or self.env, self.root / build
        chosen = [arg for arg in args if "_COMPILER=" in arg]
        if generator.startswith("Ninja") and not folder.exists():
            self.compilers.teach(folder, self.languages, env, chosen, generator)
        source = trunk if cwd else self.root / (trunk or self.trunk)
        done = Run(["cmake", "-S", source, "-B", folder, "-G", generator, *args], env=env, cwd=cwd)
        done.expect(status)
        if status == 0:
            assert "CMake Warning" not in done.text and "CMake Error" not in done.text, done.text
        return Build(folder, env), done

    def configure(self, *args, backend="acme", trunk=None, build="build", options=(), **how):
        """Configures with the overlay injected; options are those of cmake-args."""
        given = self.arguments(*args, backend=backend, trunk=self.root / (trunk or self.trunk),
                               env=how.get("env"), options=options)
        return self.cmake(*given, trunk=trunk, build=build, **how)[0]

    def refused(self, *args, backend="acme", **how):
        """Configures with the overlay injected, which must fail in CMake; returns the Run.

        The arguments are given as a user would without cmake-args, so that findings of
        both steps come from CMake itself.
        """
        done = self.cmake(f"-DFLAGTREE_BACKEND={backend}", *self.injection, *args, status=1,
                          **how)[1]
        assert "CMake Error" in done.text, done.text
        return done

    def verify(self, build, status=0):
        """Runs `triton-spec verify` on a build; returns the Run."""
        return Run([self.program, "verify", build.path], env=self.env).expect(status)

    def make(self, *args, **how):
        """Configures with the overlay, builds, and returns the lines that `app` prints."""
        return self.configure(*args, **how).make()

    def plain(self, *args, **how):
        """The same for the trunk alone."""
        return self.cmake(*args, build="plain", **how)[0].make()

    def merged(self, *args, backend="acme", **how):
        """The same for a copy of the trunk with the overlay's files copied over it: the oracle."""
        copy = self.root / "merged"
        shutil.copytree(self.trunk, copy, symlinks=True)
        over = self.trunk / "third_party" / backend
        for part, place in (("spec_cpp", "."), ("python/src", "python/src")):
            if (over / part).is_dir():
                shutil.copytree(over / part, copy / place, dirs_exist_ok=True)
        return self.cmake(*args, trunk="merged", build="merged-build", **how)[0].make()
