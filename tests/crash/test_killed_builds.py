"""Runs of CMake and Ninja killed at random times, then simply run again: as if never killed.

When a run dies is random, and so is how much of it was done; what must come out is not.
"""

import os
import pathlib
import random
import signal
import subprocess
import time

import pytest

from support.toy import prints, returns
from trees import Saved, same, snapshot, temporaries

TRUNK = {
    "CMakeLists.txt": "add_library(core STATIC core.c)\ntarget_include_directories(core PUBLIC include)\n"
                      "add_subdirectory(sub)\nadd_executable(app main.c)\ntarget_link_libraries(app core sub)\n",
    "core.c": '#include "h.h"\n' + returns("core", "H"), "include/h.h": '#define H "trunk h"\n',
    "sub/CMakeLists.txt": "add_library(sub STATIC sub.c)\n", "sub/sub.c": returns("sub", "trunk sub"),
    "main.c": prints("core", "sub"),
}
OLD = {"spec_cpp/core.c": '#include "h.h"\n' + returns("core", "H"), "spec_cpp/sub/sub.c": returns("sub", "old sub"),
       "spec.cmake": "# old\n"}
NEW = {"spec_cpp/core.c": None, "spec_cpp/include/h.h": '#define H "vendor h"\n',
       "spec_cpp/sub/CMakeLists.txt": "add_library(sub STATIC sub.c extra.c)\n",
       "spec_cpp/sub/extra.c": returns("extra", "added"),
       "spec_cpp/sub/sub.c": "const char *extra(void);\nconst char *sub(void) { return extra(); }\n",
       "spec.cmake": "# new\n"}

# What is there before, and whether CMake is called, or left to Ninja.
STARTS = ["nothing", "old build", "ninja alone"]


def kill_session(leader):
    """Kills every process of the leader's session: Ninja gives each compiler a group of its own."""
    found = True
    while found:
        found = False
        for stat in pathlib.Path("/proc").glob("[0-9]*/stat"):
            try:
                fields = stat.read_text().rpartition(")")[2].split()
            except OSError:
                continue  # it has ended meanwhile
            if int(fields[3]) == leader and fields[0] not in "ZX":
                os.kill(int(stat.parent.name), signal.SIGKILL)
                found = True
    os.waitpid(leader, 0)


class Victim:
    """A toy whose build folder is in an old state, an overlay that has changed, and how to go on."""

    def __init__(self, toy, start):
        self.toy = toy.write(TRUNK)
        toy.overlay({**OLD, "spec_cpp/core.c": OLD["spec_cpp/core.c"].replace("H;", '"old core";')})
        self.configure = ["cmake", "-S", str(toy.trunk), "-B", str(toy.root / "build"), "-G", "Ninja",
                          *toy.arguments("-DTRITON_SPEC_UNUSED=warn")]
        build, _ = toy.cmake(*self.configure[7:])
        self.build = build
        assert build.make() == ["old core", "old sub"]
        if start == "nothing":
            subprocess.run(["find", build.path, "-mindepth", "1", "-maxdepth", "1", "!", "-name", "CMakeFiles",
                            "!", "-name", "CMakeCache.txt", "-exec", "rm", "-r", "{}", "+"], check=True)
        self.before = Saved(build.path, toy.root / "before")
        toy.overlay(NEW)
        ninja = ["ninja", "-C", str(build.path), "-j2"]
        self.commands = [ninja] if start == "ninja alone" else [self.configure, ninja]
        began = time.monotonic()
        self.finish()
        self.seconds = time.monotonic() - began
        self.wanted = snapshot(build.spec)

    def finish(self):
        """The plain run, and what must hold after it."""
        for command in self.commands:
            done = subprocess.run(command, env=self.toy.env, check=False, capture_output=True, text=True)
            assert done.returncode == 0, done.stdout + done.stderr
        assert self.build.run() == ["vendor h", "added"]
        assert "no work to do" in self.build.ninja().text

    def kill_once(self, chance):
        """Kills the run at some time; whether it was still running. A run that was faster tells for the
        next ones how long one takes at most."""
        self.before.restore()
        script = " && ".join("'" + "' '".join(command) + "'" for command in self.commands)
        run = subprocess.Popen(["sh", "-c", script], env=self.toy.env, start_new_session=True,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        moment = chance.uniform(0, self.seconds)
        time.sleep(moment)
        hit = run.poll() is None
        if hit:
            kill_session(run.pid)
            run.returncode = -9
        else:
            self.seconds = moment
        self.finish()
        same(snapshot(self.build.spec), self.wanted)
        assert temporaries(self.build.spec) == []
        return hit


def kill_many(toy, start, times):
    """Kills so many runs; a run that was faster than chance is run again as well, and not counted."""
    victim, chance, hits = Victim(toy, start), random.Random(start), 0
    while hits < times:
        hits += victim.kill_once(chance)
    done = subprocess.run([toy.program, "verify", victim.build.path], check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("start", STARTS)
def test_some_times(toy, start):
    kill_many(toy, start, 6)


@pytest.mark.slow
@pytest.mark.parametrize("start", STARTS)
def test_many_times(toy, start):
    kill_many(toy, start, 100)
