"""Configuring both sides of a case, and what their compile commands say."""

import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess

from support.compilers import Compilers
from support.toy import clean_environment, write_tree

_MARKER = re.compile(r'^# \d+ "((?:[^"\\]|\\.)*)"[ \d]*$')
_PREFIX = re.compile(r"(.*/)?CMakeFiles/([^/]+)\.dir/")


class Failed(Exception):
    """A command of the oracle did not end as it must; `text` is what it printed."""

    def __init__(self, step, done):
        super().__init__(f"{step}: status {done.returncode}\n{done.stdout}{done.stderr}")
        self.step, self.status, self.text = step, done.returncode, done.stdout + done.stderr


def run(step, command, env, cwd=None):
    """Runs a command; its standard output. Failed when its status is not 0."""
    done = subprocess.run([str(word) for word in command], env=env, cwd=cwd, capture_output=True, text=True,
                          errors="surrogateescape", check=False)
    if done.returncode != 0:
        raise Failed(step, done)
    return done.stdout


class Tools:
    """The program under test, the arguments that inject it, and what CMake knows of the compilers."""

    def __init__(self, program, folder):
        """folder: for what is found out once."""
        self.program, self.folder = str(program), pathlib.Path(folder)
        self.injection = self._find_injection()
        self.environments, self.compilers = {}, {}
        for name, compiler in (("gcc", "gcc"), ("clang", self._clang())):
            self.environments[name] = clean_environment(CC=compiler)
            self.compilers[name] = Compilers(self.folder / name)
            self.compilers[name].teach(self.folder / f"{name}-known", "C", self.environments[name])

    def _find_injection(self):
        trunk = self.folder / "sound"
        write_tree(trunk, {"a.c": "1\n", "third_party/sound/spec_cpp/a.c": "2\n"})
        text = run("cmake-args", [self.program, "cmake-args", "--trunk", trunk, "--backend", "sound"],
                   clean_environment())
        return [arg for arg in shlex.split(text) if not arg.startswith("-DFLAGTREE_BACKEND=")]

    def _clang(self):
        found = shutil.which("clang-22") or shutil.which("clang")
        assert found, "the oracle needs clang: tools/bootstrap clang"
        return found

    def configure(self, step, case, source, build, *arguments):
        """Configures a source folder for Ninja, with a compiler that CMake knows already."""
        env = self.environments[case.compiler]
        self.compilers[case.compiler].teach(build, "C", env)
        return run(step, ["cmake", "-S", source, "-B", build, "-G", "Ninja",
                          "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON", *arguments], env)


class Side:
    """A configured build: the overlay's, or the export's."""

    def __init__(self, build, roots, env):
        """roots: folders that hold the files of the merged tree; the stage lies in the build folder, so
        it comes first. All are absolute."""
        self.build, self.env = build, env
        self.roots = [str(r) for r in roots]

    def place(self, path):
        """A path of the merged tree, or of the build folder ("build:..."), or the path itself."""
        for root in self.roots:
            if path.startswith(root + "/"):
                return os.path.normpath(path[len(root) + 1:])
        if path.startswith(f"{self.build}/"):
            return "build:" + path[len(str(self.build)) + 1:]
        return path

    def units(self):
        """{(target, place of the source): compile command, without what is made}."""
        found, file = {}, self.build / "compile_commands.json"
        for entry in json.loads(file.read_text()) if file.exists() else []:
            words = shlex.split(entry["command"])
            # CMake 3.25 does not quote the output's name, so it may be several words.
            at, end = words.index("-o"), words.index("-c")
            target = _PREFIX.match(" ".join(words[at + 1:end])).group(2)
            found[target, self.place(entry["file"])] = words[:at] + words[end + 1:]
        return found

    def preprocess(self, words):
        """What a unit becomes, and the places of the files that were read. Line markers and empty lines are
        left out: a guarded header that is met by a second name leaves empty lines."""
        text = run("preprocess", [*words, "-E"], self.env, self.build)
        lines, read = [], set()
        for line in text.split("\n"):
            marker = _MARKER.match(line)
            if marker:
                read.add(self.place(os.path.join(self.build, marker.group(1).replace('\\"', '"'))))
            elif line.strip():
                lines.append(line)
        return "\n".join(lines), read

    def without_roots(self, text):
        """A text in which __FILE__ has been expanded, with the same name for each side's folders, and none that
        is left again by `..`: gcc shortens the names of system headers, as those behind a precompiled
        header are, and has to be told not to where a header may lie in the stage."""
        for root in self.roots:
            text = text.replace(f'"{root}/', '"@/')
        text = text.replace(f'"{self.build}/', '"@build/')
        return re.sub(r'(?<=")@(build)?/[^"\n]*(?=")', lambda name: os.path.normpath(name[0]), text)
