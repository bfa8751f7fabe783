"""What CMake finds out about a compiler, found out once a test session.

Identifying a compiler takes CMake longer than all else in a toy project.  It keeps
what it learned in <build>/CMakeFiles/<version> and reads that back when the cache
says that it is complete.
"""

import pathlib
import re
import shutil
import subprocess

_PROBE = "cmake_minimum_required(VERSION 3.20)\nproject(probe LANGUAGES {})\n"


class Compilers:
    """Build folders that know their compilers, below a folder of their own."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)

    def teach(self, build, languages, env, chosen=(), generator="Ninja"):
        """Makes a fresh build folder know the compilers of the languages ("C", "C CXX").

        chosen: the arguments -DCMAKE_<language>_COMPILER=<name> that CMake gets; else its defaults
        """
        key = "-".join(re.sub(r"\W", "_", word) for word in [generator, languages, *chosen])
        known = self.folder / key / "build"
        if not known.exists():
            self._probe(known, languages, env, ["-G", generator, *chosen])
        for found in (known / "CMakeFiles").glob("[0-9]*"):
            shutil.copytree(found, build / "CMakeFiles" / found.name)
        # The format of executables is the one finding that CMake keeps in its cache.
        lines = (known / "CMakeCache.txt").read_text().splitlines()
        kept = next(line for line in lines if line.startswith("CMAKE_EXECUTABLE_FORMAT:"))
        (build / "CMakeCache.txt").write_text(f"CMAKE_CACHEFILE_DIR:INTERNAL={build}\n{kept}\n"
                                              "CMAKE_PLATFORM_INFO_INITIALIZED:INTERNAL=1\n")

    def _probe(self, known, languages, env, args):
        source = known.parent / "source"
        source.mkdir(parents=True)
        (source / "CMakeLists.txt").write_text(_PROBE.format(languages))
        subprocess.run(["cmake", "-S", source, "-B", known, *args],
                       env=env, check=True, capture_output=True)
