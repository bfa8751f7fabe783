"""Random sequences of edits: after each, `ninja` alone gives what a fresh build gives.

One build folder lives through the whole sequence, with ccache; after each edit a fresh folder is
configured and built without it.  Both must agree: on success, on every object, on what the
program prints.  What the old folder compiled again must have a reason: another command, or
another content of a file that the object depends on.

Hypothesis chooses the edits, and shrinks a sequence that fails to the few that are needed.
"""

import dataclasses
import difflib
import itertools
import os
import re
import shutil
import tempfile
import pathlib

import pytest
from hypothesis import HealthCheck, Phase, settings, strategies as st
from hypothesis.stateful import RuleBasedStateMachine, precondition, rule, run_state_machine_as_test

from support.toy import Build, Run, Toy, write_tree

HEADERS = ["include/t/X.h", "include/t/Y.h", "include/t/Z.h", "lib/Local.h", "include/t/New.h"]
SOURCES = ["lib/A.c", "lib/B.c", "bin/main.c", "python/src/ir.c"]
BACKENDS = ["acme", "mini"]
TOP = """\
include_directories(include)
add_subdirectory(lib)
add_executable(app bin/main.c python/src/ir.c)
target_link_libraries(app L)
"""
LIB = "add_library(L OBJECT A.c B.c)\n"
MAIN = """\
#include <stdio.h>
const char *a(void), *b(void), *ir(void), *own(void);
int main(void) { puts(a()); puts(b()); puts(ir()); puts(own()); return 0; }
"""

includes = st.lists(st.tuples(st.sampled_from(HEADERS), st.sampled_from(["quoted", "angled", "if there"])),
                    max_size=3, unique_by=lambda item: item[0])


def macro(path):
    """The macro that a header defines."""
    return os.path.basename(path)[:-2].upper()


def include_line(path, form, includer):
    """How a file includes a header; one of lib is found beside its includer or not at all."""
    name = path.removeprefix("include/").removeprefix("lib/")
    if form == "if there":
        return f'#if __has_include("{name}")\n#include "{name}"\n#endif\n'
    if path.startswith("lib/") and not includer.startswith("lib/"):
        return f'#include "../lib/{name}"\n' if includer.startswith("bin/") else ""
    return f"#include <{name}>\n" if form == "angled" and path.startswith("include/") else f'#include "{name}"\n'


def text_of(path, number, chosen):
    """A header defines its macro; a source has a function that returns what it and its headers say."""
    lines = "".join(include_line(h, form, path) for h, form in chosen if path not in HEADERS
                    or HEADERS.index(h) > HEADERS.index(path))
    if path in HEADERS:
        return f'#ifndef GUARD_{macro(path)}\n#define GUARD_{macro(path)}\n{lines}' \
               f'#define {macro(path)} "{macro(path)}{number} "\n#endif\n'
    name = {"main": "own"}.get(pathlib.Path(path).stem, pathlib.Path(path).stem.lower())
    said = "".join(f"\n#ifdef {macro(h)}\n{macro(h)}\n#endif\n" for h in HEADERS)
    body = f'const char *{name}(void) {{ return "{name}{number} "{said}; }}\n'
    return lines + (MAIN if path == "bin/main.c" else "") + body


@dataclasses.dataclass(frozen=True)
class Unit:
    """What an object was made by: its command, and the content of all that it depends on."""
    command: str
    inputs: tuple


class Edits(RuleBasedStateMachine):
    """A trunk, two backends, and a build folder that lives through all edits."""

    program = injection = compilers = None
    more = ()  # further arguments of CMake
    steps = agreed = 0  # edits of all sequences of a test, and those after which all could be built

    def __init__(self):
        super().__init__()
        self.root = pathlib.Path(tempfile.mkdtemp(prefix="edits-"))
        self.toy = Toy(self.root, self.program, self.injection, self.compilers)
        self.toy.env["CCACHE_DIR"] = str(self.root / "ccache")
        self.numbers = itertools.count(1)
        self.backend, self.touched, self.made, self.sound = "acme", set(), {}, False
        self.patched = {}  # (backend, path) -> what its patch makes
        self.unseen = set()  # texts that took others' places while no overlay was active
        self.said = ""  # what CMake said last in a fresh folder
        files = {"CMakeLists.txt": TOP, "lib/CMakeLists.txt": LIB}
        for path in SOURCES + HEADERS[:-1]:
            files[path] = text_of(path, next(self.numbers), [])
        files["lib/A.c"] = text_of("lib/A.c", 0, [("include/t/X.h", "quoted"), ("lib/Local.h", "quoted")])
        files["include/t/X.h"] = text_of("include/t/X.h", 0, [("include/t/Y.h", "quoted")])
        self.toy.write(files)
        for backend in BACKENDS:
            self.toy.overlay({"spec/triton/__init__.py": ""}, backend)
        self.build = self.configure("build", "-DCMAKE_C_COMPILER_LAUNCHER=ccache", *self.more)
        self.compare()

    def teardown(self):
        shutil.rmtree(self.root)

    # --- edits ---

    def place(self, backend, path):
        """Where an override of a trunk path lies."""
        return self.toy.trunk / "third_party" / backend / "spec_cpp" / path

    def fresh_text(self, path, chosen):
        """A text that no file ever had."""
        return text_of(path, next(self.numbers), chosen)

    def drop(self, path):
        """Removes a file, and folders that it leaves empty."""
        path.unlink()
        for folder in path.parents:
            if folder.name in BACKENDS or list(folder.iterdir()):
                break
            folder.rmdir()

    def write_patch(self, backend, path):
        """Writes the patch that makes a text of what the trunk has now."""
        old = self.toy.trunk / path
        old_lines = old.read_text().splitlines(True) if old.exists() else []
        new_lines = self.patched[backend, path].splitlines(True)
        names = (f"a/{path}" if old.exists() else "/dev/null", f"b/{path}")
        place = self.place(backend, f"{path}.patch")
        write_tree(place.parent, {place.name: "".join(difflib.unified_diff(old_lines, new_lines, *names, n=1000))})

    def drop_patch(self, backend, path):
        """Removes a patch, if there is one: whether there was."""
        if self.patched.pop((backend, path), None) is None:
            return False
        self.drop(self.place(backend, f"{path}.patch"))
        return True

    @rule(backend=st.sampled_from(BACKENDS), path=st.sampled_from(HEADERS + SOURCES), chosen=includes)
    def patch(self, backend, path, chosen):
        """Adds a patch or edits it; it takes the place of a whole file."""
        if self.place(backend, path).exists():
            self.place(backend, path).unlink()
        self.patched[backend, path] = self.fresh_text(path, chosen)
        self.write_patch(backend, path)
        self.compare()

    @rule(backend=st.sampled_from(BACKENDS), path=st.sampled_from(HEADERS + SOURCES), chosen=includes)
    def override(self, backend, path, chosen):
        """Adds an override or edits it; it takes the place of a patch."""
        self.drop_patch(backend, path)
        write_tree(self.place(backend, path).parent, {os.path.basename(path): self.fresh_text(path, chosen)})
        self.compare()

    @rule(backend=st.sampled_from(BACKENDS), path=st.sampled_from(HEADERS + SOURCES))
    def remove(self, backend, path):
        """Removes an override."""
        there = self.place(backend, path).exists()
        if there:
            self.drop(self.place(backend, path))
        if self.drop_patch(backend, path) or there:
            self.compare()

    @rule(backend=st.sampled_from(BACKENDS), old=st.sampled_from(HEADERS), new=st.sampled_from(HEADERS))
    def rename(self, backend, old, new):
        """Renames an override, its date unchanged."""
        here, there = self.place(backend, old), self.place(backend, new)
        if here.exists() and not there.exists() and (backend, new) not in self.patched:
            there.parent.mkdir(parents=True, exist_ok=True)
            os.rename(here, there)
            self.compare()

    @rule(path=st.sampled_from(HEADERS + SOURCES), chosen=includes)
    def edit_trunk(self, path, chosen):
        """Edits a trunk file, its includes too; the header that the trunk lacks comes, unless a file that
        was built without it had only asked whether it is there: Ninja alone does not see that either."""
        if not (self.toy.trunk / path).exists() and self.is_asked_for(path):
            return
        self.toy.write({path: self.fresh_text(path, chosen)})
        self.renew_patches(path)
        self.compare()

    def renew_patches(self, path):
        """Makes the patches of a trunk file anew: what they make of it stays."""
        for backend in BACKENDS:
            if (backend, path) in self.patched:
                self.write_patch(backend, path)

    def is_asked_for(self, path):
        """Whether some text includes a header only if it is there."""
        asked = f'__has_include("{path.removeprefix("include/")}")'
        return any(asked in file.read_text() for file in self.toy.trunk.rglob("*.[ch]*"))

    @rule()
    def remove_from_trunk(self):
        """The header that the trunk lacked goes again."""
        path = self.toy.trunk / HEADERS[-1]
        if path.exists():
            path.unlink()
            self.renew_patches(HEADERS[-1])
            self.compare()

    @rule(backend=st.sampled_from(BACKENDS), path=st.sampled_from(HEADERS + SOURCES), chosen=includes)
    def put_back_in_time(self, backend, path, chosen):
        """An override is replaced by a file that is older than all builds."""
        place = self.place(backend, path)
        if place.exists():
            other = self.root / "other"
            other.write_text(self.fresh_text(path, chosen))
            os.utime(other, (1, 1))
            os.rename(other, place)
            if not self.backend:  # nobody looks now, and later nobody knows which came first
                self.unseen.add(place.read_text())
            self.compare()

    @rule(backend=st.sampled_from(BACKENDS), path=st.sampled_from(HEADERS + SOURCES))
    def touch(self, backend, path):
        """A new date and no other text."""
        place = self.place(backend, path)
        if place.exists():
            place.touch()
            self.touched.add(place.read_text())
            self.compare()

    @rule(backend=st.sampled_from(BACKENDS), there=st.booleans())
    def cmake_override(self, backend, there):
        """The library's CMakeLists.txt, with a definition of its own; or none."""
        place = self.place(backend, "lib/CMakeLists.txt")
        if there:
            write_tree(place.parent, {place.name: f"{LIB}target_compile_definitions(L PRIVATE N{next(self.numbers)})\n"})
        elif place.exists():
            self.drop(place)
        self.compare()

    @rule(backend=st.sampled_from(BACKENDS), there=st.booleans())
    def spec_cmake(self, backend, there):
        """A definition for a trunk target, from the backend's own CMake code; or none."""
        place = self.toy.trunk / "third_party" / backend / "spec.cmake"
        if there:
            place.write_text(f"spec_target_definitions(app N{next(self.numbers)})\n")
        elif place.exists():
            place.unlink()
        self.compare()

    @rule(backend=st.sampled_from([*BACKENDS, ""]))
    def switch(self, backend):
        """Another backend in the same folder, or none."""
        self.backend = backend
        Run(["cmake", f"-DFLAGTREE_BACKEND={backend}", self.build.path], env=self.toy.env)
        self.compare()

    # --- the comparison ---

    def configure(self, folder, *args):
        """A build folder; whether CMake could configure it does not matter yet."""
        path = self.root / folder
        self.compilers.teach(path, "C", self.toy.env)
        self.said = Run(["cmake", "-S", self.toy.trunk, "-B", path, "-G", "Ninja", f"-DFLAGTREE_BACKEND={self.backend}",
             "-DTRITON_SPEC_UNUSED=warn", *self.injection, *args], env=self.toy.env).text
        return Build(path, self.toy.env)

    def compare(self):
        """Brings the old folder up to date and holds it against a fresh one."""
        type(self).steps += 1
        fresh = self.configure("fresh")
        if (fresh.path / "build.ninja").exists():
            wanted = Run(["ninja", "-C", fresh.path], env=self.toy.env)
            if not self.build.path.joinpath("build.ninja").exists():
                Run(["cmake", self.build.path], env=self.toy.env)
            done = Run(["ninja", "-C", self.build.path, "-v"], env=self.toy.env)
            assert (done.status == 0) == (wanted.status == 0), f"{done.text}\nfresh:\n{wanted.text}"
            if done.status == 0:
                self.agree(fresh, done.text)
            self.sound = done.status == 0
        else:
            done = Run(["ninja", "-C", self.build.path], env=self.toy.env)
            assert done.status != 0, f"no fresh build can be configured:\n{self.said}\n{done.text}"
            self.sound = False
        shutil.rmtree(fresh.path)

    def agree(self, fresh, said):
        """Both folders hold the same; the old one worked for a reason, and is done."""
        units = self.units(fresh)
        for name in units:
            assert (self.build.path / name).exists(), f"stale: nothing made {name}\n{said}"
            assert (self.build.path / name).read_bytes() == (fresh.path / name).read_bytes(), f"stale: {name}\n{said}"
        assert self.build.run() == fresh.run()
        again = set(re.findall(r" -o (\S+\.o) -c ", said))
        if self.sound:
            idle = [n for n in again if self.made.get(n) == units[n] and not (self.touched | self.unseen) & set(units[n].inputs)]
            assert not idle, f"compiled for no reason: {idle}\n{said}"
        self.made.update({name: units[name] for name in again})
        self.touched.clear()
        if self.backend:
            self.unseen.clear()
        assert "no work to do" in Run(["ninja", "-C", self.build.path], env=self.toy.env).expect(0).text
        if self.backend:
            proved = [Run([self.program, "verify", b.path], env=self.toy.env) for b in (self.build, fresh)]
            assert proved[0].status == proved[1].status, proved[0].text + proved[1].text
        type(self).agreed += 1

    def units(self, fresh):
        """{object: Unit} of a fresh build."""
        commands = {re.search(r" -o (\S+)", c)[1]: c for c in fresh.commands().values()}
        inputs = {}
        for line in Run(["ninja", "-C", fresh.path, "-t", "deps"], env=self.toy.env).expect(0).text.splitlines():
            if line.startswith("    "):
                path = fresh.path / line.strip()
                if not str(path).startswith("/usr/"):
                    inputs[name].append(path.read_text())
            elif ": #deps" in line:
                name = line.split(":")[0]
                inputs[name] = []
        return {name: Unit(command.replace(str(fresh.path), "B"), tuple(inputs[name]))
                for name, command in commands.items()}


def run(machine, sequences, **how):
    """Runs so many sequences of 25 edits; the first that Hypothesis makes is the dullest there is."""
    how = {"phases": [Phase.generate, Phase.shrink], **how}
    run_state_machine_as_test(machine, settings=settings(
        max_examples=sequences + 1, stateful_step_count=25, deadline=None, database=None,
        suppress_health_check=list(HealthCheck), print_blob=True, **how))


def check_enough(machine, edits):
    """So many edits were made, and most left something that can be built."""
    assert machine.steps >= edits
    assert machine.agreed > machine.steps / 2, f"{machine.agreed} of {machine.steps}"


@pytest.fixture
def machine(triton_spec, injection, compilers):
    """The state machine with what the session knows."""
    return type("Edits", (Edits,), {"program": triton_spec, "injection": injection, "compilers": compilers,
                                    "steps": 0, "agreed": 0})


def test_a_hundred_edits(machine):
    run(machine, 10, derandomize=True)
    check_enough(machine, 100)


def test_edits_that_nobody_notices_are_found(machine, tmp_path):
    """The test can fail: with an engine that never finds a build out of date, it does."""
    blind = tmp_path / "triton-spec"
    blind.write_text(f'#!/bin/sh\n[ "$1" = check ] || exec {machine.program} "$@"\n')
    blind.chmod(0o755)
    machine.more = [f"-DTRITON_SPEC_EXECUTABLE={blind}"]
    with pytest.raises(AssertionError, match="stale:|fresh"):
        run(machine, 12, derandomize=True, phases=[Phase.generate], report_multiple_bugs=False)


@pytest.mark.slow
def test_a_thousand_edits(machine):
    run(machine, 110)
    check_enough(machine, 1000)
