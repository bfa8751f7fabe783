"""What CMake finds out about a compiler, found out once a test session.

Identifying a compiler takes CMake longer than all else in a toy project.  It keeps
what it learned in <build>/CMakeFiles/<version>, and a build folder that has these
files already is taken at its word.
"""

import pathlib
import shutil
import subprocess

_PROBE = "cmake_minimum_required(VERSION 3.20)\nproject(probe LANGUAGES {})\n"


class Compilers:
    """Build folders that know their compilers, below a folder of their own."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)

    def teach(self, build, languages, env, args=()):
        """Makes a fresh build folder know the compilers of the languages ("C", "C CXX").

        args: the -D arguments and environment that choose the compilers.
        """
        choice = [arg for arg in args if "_COMPILER=" in arg]
        name = "-".join([*languages.split(), *(pathlib.Path(c).name for c in choice)])
        known = self.folder / name / "build"
        if not known.exists():
            self._probe(known, languages, env, choice)
        for found in (known / "CMakeFiles").glob("[0-9]*"):
            shutil.copytree(found, build / "CMakeFiles" / found.name, dirs_exist_ok=True)

    def _probe(self, known, languages, env, choice):
        source = known.parent / "source"
        source.mkdir(parents=True)
        (source / "CMakeLists.txt").write_text(_PROBE.format(languages))
        subprocess.run(["cmake", "-S", source, "-B", known, "-G", "Ninja", *choice],
                       env=env, check=True, capture_output=True)
