"""The small trunk as a build: with and without a backend, in folders that last from run to run.

Compiling it takes minutes, so finished folders below `build/e2e` are used again, and ccache keeps the
objects. Both only save time: ninja decides what is out of date.
"""

import contextlib
import fcntl
import hashlib
import os
import pathlib
import shlex
import sys

from support.toy import Build, Run, clean_environment

ROOT = pathlib.Path(__file__).resolve().parents[2]
TRUNK = ROOT / "tests/trunk"
OVERLAYS = ROOT / "third_party"
FOLDERS = ROOT / "build/e2e"

# MLIR's CMake files: those that the system's packages install, unless the environment names others.
MLIR_DIR = os.environ.get("MLIR_DIR", "/usr/lib/llvm-22/lib/cmake/mlir")

# With them and a precompiled header of MLIR's the small trunk takes a third of the time.
COMPILERS = ("-DCMAKE_C_COMPILER=clang-22", "-DCMAKE_CXX_COMPILER=clang++-22")


def trunk_environment(**more):
    """A clean environment with ccache's folder (CCACHE_DIR, else below build/).

    Objects are shared between build folders and copies of the trunk below the repository's root.
    """
    cache = os.environ.get("CCACHE_DIR", str(ROOT / "build/ccache"))
    return clean_environment(CCACHE_DIR=cache, CCACHE_BASEDIR=str(ROOT), CCACHE_NOHASHDIR="1",
                             CCACHE_SLOPPINESS="pch_defines,time_macros", **more)


def trunk_arguments():
    """CMake arguments that every build of the small trunk gets.

    The last flag makes the precompiled header the same for ccache whenever it was made.
    """
    import pybind11  # only builds need it, not the users of finished ones

    return [f"-DMLIR_DIR={MLIR_DIR}", f"-Dpybind11_DIR={pybind11.get_cmake_dir()}",
            f"-DPython_EXECUTABLE={sys.executable}", "-DCMAKE_C_COMPILER_LAUNCHER=ccache",
            "-DCMAKE_CXX_COMPILER_LAUNCHER=ccache", *COMPILERS,
            "-DTRITON_PRECOMPILE_HEADERS=ON", "-DCMAKE_CXX_FLAGS=-Xclang -fno-pch-timestamp"]


def injection_arguments(program, backend, trunk=TRUNK):
    """What `triton-spec cmake-args` prints for a backend below third_party, as a list."""
    done = Run([program, "cmake-args", "--trunk", trunk, "--root", OVERLAYS, "--backend", backend],
               env=clean_environment()).expect(0)
    return shlex.split(done.out)


@contextlib.contextmanager
def locked(folder):
    """Keeps a build folder to one process: the tests and the demonstration build in the same ones."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    with open(folder.with_suffix(".lock"), "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def folder_digest(folder):
    """{path: SHA-256} of every file below a folder."""
    return {p.relative_to(folder).as_posix(): hashlib.sha256(p.read_bytes()).hexdigest()
            for p in sorted(folder.rglob("*")) if p.is_file()}


class TrunkBuild(Build):
    """A build folder of the small trunk."""

    def __init__(self, path):
        super().__init__(pathlib.Path(path), trunk_environment())

    def configure(self, *arguments, trunk=TRUNK):
        """Configures with these arguments besides the usual ones; returns the Run."""
        done = Run(["cmake", "-S", trunk, "-B", self.path, "-G", "Ninja", *trunk_arguments(),
                    *arguments], env=self.env).expect(0)
        assert "CMake Warning" not in done.text, done.text
        return done

    def opt(self, text, *passes):
        """The generic form of a module after passes of triton-opt."""
        return self._opt(text, passes).expect(0).out

    def opt_error(self, text, *passes):
        """What triton-opt says when it refuses a module."""
        return self._opt(text, passes).expect(1).text

    def _opt(self, text, passes):
        return Run([self.path / "bin/triton-opt", "--mlir-print-op-generic", *passes, "-"],
                   env=self.env, input=text)

    def info(self, *arguments, **environment):
        """What triton-info prints, as a dict."""
        done = Run([self.path / "bin/triton-info", *arguments], env={**self.env, **environment})
        return dict(line.split(" = ", 1) for line in done.expect(0).out.splitlines())

    def python(self, package, code):
        """What Python code prints, with a folder that holds a package `triton` put first on its path."""
        env = {**self.env, "PYTHONPATH": str(package), "PYTHONDONTWRITEBYTECODE": "1"}
        return Run([sys.executable, "-c", code], env=env).expect(0).out

    def dependencies(self):
        """What each output of a compiler or generator read, from ninja's own record: {output: paths}."""
        done = Run(["ninja", "-C", self.path, "-t", "deps"], env=self.env).expect(0)
        read, output = {}, None
        for line in done.out.splitlines():
            if line.startswith("    "):
                read[output].append(os.path.normpath(self.path / line.strip()))
            elif ": #deps" in line:
                output = line.split(": #deps")[0]
                read[output] = []
        return read
