"""Exact rebuilds with ninja alone: what a change of overlay or trunk makes run, and nothing else.

Each step changes files and runs `ninja`; the test names the edges that must run, by their outputs,
and what the program prints afterwards.  A second `ninja` must have nothing to do.
"""

import os
import re
import shutil

import pytest

from support.toy import Run, prints, returns, write_tree

TRUNK = {
    "CMakeLists.txt": "include_directories(include)\nadd_subdirectory(lib)\n"
                      "add_executable(app main.c)\ntarget_link_libraries(app L)\n",
    "lib/CMakeLists.txt": "add_library(L OBJECT A.c B.c C.c)\n",
    "include/t/X.h": '#include "Y.h"\n#define X Y\n',
    "include/t/Y.h": '#define Y "trunk"\n',
    "lib/A.c": returns("a", "trunk"),
    "lib/B.c": '#include "t/X.h"\n' + returns("b", "X"),
    "lib/C.c": '#include "Local.h"\n' + returns("c", "LOCAL"),
    "lib/Local.h": '#define LOCAL "trunk"\n',
    "main.c": prints("a", "b", "c"),
}
ALIKE = {"spec_cpp/main.c": prints("a", "b", "c") + "/* the vendor's */\n"}
SETUPS = [("gcc", "Ninja"), ("clang-22", "Ninja"), ("gcc", "Ninja Multi-Config"),
          ("clang-22", "Ninja Multi-Config")]


class Steps:
    """A toy, built once; then changes."""

    def __init__(self, toy, compiler="gcc", generator="Ninja"):
        self.toy, self.how = toy, {"generator": generator}
        self.args = [f"-DCMAKE_C_COMPILER={compiler}"]
        self.build = None

    def start(self, trunk=None, overlay=None, backend="acme", args=()):
        """Writes both trees, configures and builds."""
        self.toy.write(trunk or TRUNK)
        self.overlay(overlay if overlay is not None else ALIKE, backend)
        self.build = self.toy.configure(*self.args, *args, backend=backend, **self.how)
        self.ninja()
        return self

    def overlay(self, files, backend="acme"):
        """Writes overlay files and drops folders that became empty."""
        folder = self.toy.overlay(files, backend)
        for path, _, _ in sorted(os.walk(folder), reverse=True):
            if path != str(folder) and not os.listdir(path):
                os.rmdir(path)

    def trunk(self, files):
        """Writes trunk files as they are."""
        write_tree(self.toy.trunk, files)

    def ninja(self, status=0):
        """Runs ninja: (whether CMake ran, what was made), by file name."""
        done = Run(["ninja", "-C", self.build.path, "-j2", "-v"], env=self.toy.env).expect(status)
        made = set()
        for line in done.text.splitlines():
            if re.match(r"\[\d+/\d+\] ", line) and "triton-spec check" not in line:
                for word in re.findall(r" -o (\S+)", line):
                    made.add(os.path.basename(word))
        return "Configuring done" in done.text, made, done

    def gives(self, made, printed, configured):
        """The next ninja makes exactly these, the program prints that, and then all is done."""
        ran, got, done = self.ninja()
        assert (got, ran) == (set(made), configured), done.text
        assert "no work to do" in self.build.ninja().text
        assert self.output() == printed
        Run([self.toy.program, "verify", self.build.path], env=self.toy.env).expect(0)

    def output(self):
        """What the program prints."""
        return self.build.run()


@pytest.fixture(params=SETUPS, ids=lambda s: f"{s[0]}-{s[1].replace(' ', '-')}")
def steps(request, toy):
    """For each compiler and generator."""
    return Steps(toy, *request.param)


@pytest.fixture
def one(toy):
    """For what depends on neither compiler nor generator."""
    return Steps(toy)


# --- every kind of override: the first, a further one, an edit, a removal ---

def test_source(steps):
    steps.start(overlay={"spec.ini": "[backend]\n", **ALIKE})
    steps.overlay({"spec_cpp/lib/A.c": returns("a", "vendor")})
    steps.gives({"A.c.o", "app"}, ["vendor", "trunk", "trunk"], True)
    steps.overlay({"spec_cpp/lib/A.c": returns("a", "edited")})
    steps.gives({"A.c.o", "app"}, ["edited", "trunk", "trunk"], False)
    steps.overlay({"spec_cpp/lib/C.c": returns("c", "more")})
    steps.gives({"C.c.o", "app"}, ["edited", "trunk", "more"], True)
    steps.overlay({"spec_cpp/lib/A.c": None})  # the trunk's object is still right
    steps.gives({"app"}, ["trunk", "trunk", "more"], True)


def test_first_override_of_all(one):
    """No folder spec_cpp, not even a file in the backend's folder, when the build was configured."""
    one.start(overlay={"spec/triton/__init__.py": "x = 1\n"})
    one.overlay({"spec_cpp/lib/A.c": returns("a", "vendor")})
    one.gives({"A.c.o", "app"}, ["vendor", "trunk", "trunk"], True)


def test_header(steps):
    steps.start()
    steps.overlay({"spec_cpp/include/t/Y.h": '#define Y "vendor"\n'})
    steps.gives({"B.c.o", "app"}, ["trunk", "vendor", "trunk"], True)
    steps.overlay({"spec_cpp/include/t/Y.h": '#define Y "edited"\n'})
    steps.gives({"B.c.o", "app"}, ["trunk", "edited", "trunk"], False)
    steps.overlay({"spec_cpp/lib/Local.h": '#define LOCAL "vendor"\n'})
    steps.gives({"C.c.o", "app"}, ["trunk", "edited", "vendor"], True)
    steps.overlay({"spec_cpp/include/t/Y.h": None})
    steps.gives({"B.c.o", "app"}, ["trunk", "trunk", "vendor"], True)


def test_header_of_an_override(one):
    """A vendor's source that includes what the vendor overrides later."""
    one.start(overlay={"spec_cpp/lib/A.c": '#include "t/Y.h"\n' + returns("a", "Y")})
    one.overlay({"spec_cpp/include/t/Y.h": '#define Y "vendor"\n'})
    one.gives({"A.c.o", "B.c.o", "app"}, ["vendor", "vendor", "trunk"], True)


def test_rename(steps):
    steps.start(overlay={**ALIKE, "spec_cpp/lib/Local.h": '#define LOCAL "vendor"\n'})
    folder = steps.toy.trunk / "third_party/acme/spec_cpp"
    (folder / "include/t").mkdir(parents=True)
    os.rename(folder / "lib/Local.h", folder / "include/t/Y.h")
    (folder / "lib").rmdir()
    (folder / "include/t/Y.h").write_text('#define Y "moved"\n')
    steps.gives({"B.c.o", "C.c.o", "app"}, ["trunk", "moved", "trunk"], True)


def test_addition(one):
    one.start(overlay={"spec_cpp/lib/A.c": "const char *n(void);\nconst char *a(void) { return n(); }\n",
                       "spec_cpp/lib/New.c": returns("n", "one"),
                       "spec.cmake": "spec_target_sources(L lib/New.c)\n"})
    one.overlay({"spec_cpp/lib/New2.c": returns("m", "two"), "spec_cpp/lib/A.c":
                 "const char *m(void);\nconst char *a(void) { return m(); }\n",
                 "spec.cmake": "spec_target_sources(L lib/New.c lib/New2.c)\n"})
    one.gives({"A.c.o", "New2.c.o", "app"}, ["two", "trunk", "trunk"], True)
    one.overlay({"spec_cpp/lib/New.c": None, "spec.cmake": "spec_target_sources(L lib/New2.c)\n"})
    one.gives({"app"}, ["two", "trunk", "trunk"], True)


def test_first_spec_cmake_and_its_edit(one):
    one.start()
    one.overlay({"spec_cpp/lib/A.c": "const char *n(void);\nconst char *a(void) { return n(); }\n",
                 "spec_cpp/lib/New.c": returns("n", "NAME"),
                 "spec.cmake": "spec_target_sources(L lib/New.c)\n"
                               "spec_target_definitions(L \"NAME=\\\"one\\\"\")\n"})
    one.gives({"A.c.o", "B.c.o", "C.c.o", "New.c.o", "app"}, ["one", "trunk", "trunk"], True)
    one.overlay({"spec.cmake": "spec_target_sources(L lib/New.c)\n"
                               "spec_target_definitions(L \"NAME=\\\"two\\\"\")\n"})
    one.gives({"A.c.o", "B.c.o", "C.c.o", "New.c.o", "app"}, ["two", "trunk", "trunk"], True)


def test_spec_ini_removes_a_file(one):
    one.start(trunk={**TRUNK, "lib/CMakeLists.txt": "add_library(L OBJECT A.c B.c C.c Extra.c)\n",
                     "lib/Extra.c": returns("extra", "trunk")})
    one.overlay({"spec.ini": "[remove]\npath = lib/Extra.c\n"})
    one.gives({"app"}, ["trunk", "trunk", "trunk"], True)
    one.overlay({"spec.ini": None})
    one.gives({"app"}, ["trunk", "trunk", "trunk"], True)


def test_cmake_file(steps):
    fewer = "add_library(L OBJECT A.c B.c C.c)\ntarget_compile_definitions(L PRIVATE {})\n"
    steps.start()
    steps.overlay({"spec_cpp/lib/CMakeLists.txt": fewer.format("ONE")})
    steps.gives({"A.c.o", "B.c.o", "C.c.o", "app"}, ["trunk"] * 3, True)
    steps.overlay({"spec_cpp/lib/CMakeLists.txt": fewer.format("TWO")})
    steps.gives({"A.c.o", "B.c.o", "C.c.o", "app"}, ["trunk"] * 3, True)
    steps.overlay({"spec_cpp/lib/CMakeLists.txt": None})
    steps.gives({"A.c.o", "B.c.o", "C.c.o", "app"}, ["trunk"] * 3, True)


def test_python_src(one):
    trunk = {**TRUNK, "python/src/ir.h": '#define IR "trunk"\n',
             "python/src/ir.c": '#include "ir.h"\n' + returns("c", "IR"),
             "lib/CMakeLists.txt": "add_library(L OBJECT A.c B.c ../python/src/ir.c)\n"}
    one.start(trunk=trunk)
    one.overlay({"python/src/ir.h": '#define IR "vendor"\n'})
    one.gives({"ir.c.o", "app"}, ["trunk", "trunk", "vendor"], True)
    one.overlay({"python/src/ir.c": '#include "ir.h"\nconst char *c(void) { return IR IR; }\n'})
    one.gives({"ir.c.o", "app"}, ["trunk", "trunk", "vendorvendor"], True)
    one.overlay({"python/src/ir.h": None})
    one.gives({"ir.c.o", "app"}, ["trunk", "trunk", "trunktrunk"], True)


def test_python_override(one):
    trunk = {**TRUNK, "python/triton/testing.py": "trunk = 1\n", "python/triton/__init__.py": ""}
    one.start(trunk=trunk)
    package = one.build.spec / "python/triton"
    one.overlay({"spec/triton/tools/new.py": "new = 1\n"})
    one.gives(set(), ["trunk"] * 3, True)
    assert (package / "tools/new.py").read_text() == "new = 1\n"
    assert "python/triton/tools/new.py -> python package (added)" in one.build.swaps
    one.overlay({"spec/triton/tools/new.py": "new = 2\n"})
    one.gives(set(), ["trunk"] * 3, False)
    assert (package / "tools/new.py").read_text() == "new = 2\n"
    one.overlay({"spec/triton/tools/new.py": None})
    one.gives(set(), ["trunk"] * 3, True)
    assert not (package / "tools/new.py").exists()


def test_python_patch(one):
    """The patch, and the trunk's module below it: both are looked at, and no configure run is needed."""
    trunk = {**TRUNK, "python/triton/testing.py": "a = 1\nb = 1\nc = 1\n", "python/triton/__init__.py": ""}
    patch = "--- testing.py\n+++ testing.py\n@@ -1,3 +1,3 @@\n a = 1\n-b = 1\n+b = {}\n c = 1\n"
    one.start(trunk=trunk)
    module = one.build.spec / "python/triton/testing.py"
    one.overlay({"spec/triton/testing.py.patch": patch.format(2)})
    one.gives(set(), ["trunk"] * 3, True)
    assert module.read_text() == "a = 1\nb = 2\nc = 1\n"
    assert "python/triton/testing.py -> python package (patched)" in one.build.swaps
    one.overlay({"spec/triton/testing.py.patch": patch.format(3)})
    one.gives(set(), ["trunk"] * 3, False)
    assert module.read_text() == "a = 1\nb = 3\nc = 1\n"
    one.trunk({"python/triton/testing.py": "new = 1\na = 1\nb = 1\nc = 1\n"})
    one.gives(set(), ["trunk"] * 3, False)
    assert module.read_text() == "new = 1\na = 1\nb = 3\nc = 1\n"


# --- includes that come and go ---

def test_trunk_unit_begins_to_include_an_override(steps):
    steps.start(overlay={**ALIKE, "spec_cpp/include/t/Y.h": '#define Y "vendor"\n'})
    steps.trunk({"lib/A.c": '#include "t/X.h"\n' + returns("a", "X")})
    steps.gives({"A.c.o", "app"}, ["vendor", "vendor", "trunk"], True)
    steps.trunk({"lib/A.c": returns("a", "trunk")})
    steps.gives({"A.c.o", "app"}, ["trunk", "vendor", "trunk"], True)


def test_other_edit_of_the_trunk_configures_nothing(steps):
    steps.start(overlay={**ALIKE, "spec_cpp/include/t/Y.h": '#define Y "vendor"\n'})
    steps.trunk({"lib/A.c": "#include <stdio.h>\n" + returns("a", "edited")})
    steps.gives({"A.c.o", "app"}, ["edited", "vendor", "trunk"], False)
    steps.trunk({"include/t/X.h": TRUNK["include/t/X.h"] + "#define MORE 1\n"})
    steps.gives({"B.c.o", "app"}, ["edited", "vendor", "trunk"], False)


def test_trunk_copy_of_an_override(one):
    """The shadowed file is no input of anything; when it becomes the vendor's own, that is said."""
    one.start(overlay={**ALIKE, "spec_cpp/include/t/Y.h": '#define Y "vendor"\n'})
    one.trunk({"include/t/Y.h": '#define Y "changed upstream"\n'})
    one.gives(set(), ["trunk", "vendor", "trunk"], False)
    one.trunk({"include/t/Y.h": '#define Y "vendor"\n'})
    said = one.ninja(status=1)[2].text
    assert "error[redundant]" in said
    assert "error[redundant]" in one.ninja(status=1)[2].text, "it is no less wrong the second time"
    one.trunk({"include/t/Y.h": '#define Y "again another"\n'})
    one.gives(set(), ["trunk", "vendor", "trunk"], True)


def test_trunk_gets_the_file_of_an_addition(one):
    one.start(overlay={"spec_cpp/lib/A.c": '#include "t/New.h"\n' + returns("a", "NEW"),
                       "spec_cpp/include/t/New.h": '#define NEW "added"\n'})
    assert "include/t/New.h -> L (added)" in one.build.swaps
    one.trunk({"include/t/New.h": '#define NEW "trunk"\n'})
    one.gives(set(), ["added", "trunk", "trunk"], True)
    assert "include/t/New.h -> L" in one.build.swaps


def test_broken_overlay_and_its_mend(one):
    one.start()
    one.overlay({"spec_cpp/include/t/Typo.h": "1\n"})
    assert "error[" in one.ninja(status=1)[2].text
    assert one.output() == ["trunk"] * 3, "nothing is lost"
    one.overlay({"spec_cpp/include/t/Typo.h": None})
    one.gives(set(), ["trunk"] * 3, True)


# --- switching ---

def test_switch_of_the_backend_and_off(steps):
    steps.start(overlay={"spec_cpp/include/t/Y.h": '#define Y "acme"\n', "spec_cpp/lib/A.c": returns("a", "acme")})
    steps.overlay({"spec_cpp/include/t/Y.h": '#define Y "mini"\n'}, backend="mini")
    for path in (steps.toy.trunk / "third_party/mini").rglob("*"):
        os.utime(path, (1, 1))  # older than all that was built
    Run(["cmake", "-DFLAGTREE_BACKEND=mini", steps.build.path], env=steps.toy.env).expect(0)
    steps.gives({"A.c.o", "B.c.o", "app"}, ["trunk", "mini", "trunk"], False)
    Run(["cmake", "-DFLAGTREE_BACKEND=", steps.build.path], env=steps.toy.env).expect(0)
    assert steps.ninja()[1] == {"B.c.o", "app"}
    assert "no work to do" in steps.build.ninja().text
    assert steps.output() == ["trunk"] * 3
    Run(["cmake", "-DFLAGTREE_BACKEND=acme", steps.build.path], env=steps.toy.env).expect(0)
    steps.gives({"B.c.o", "app"}, ["acme", "acme", "trunk"], False)  # acme's A.c.o is still there


def test_switch_by_the_cache_file(one):
    """An edit of the cache, as ccmake does it, and ninja alone."""
    one.start(overlay={"spec_cpp/include/t/Y.h": '#define Y "acme"\n'})
    one.overlay({"spec_cpp/lib/A.c": returns("a", "mini")}, backend="mini")
    cache = one.build.path / "CMakeCache.txt"
    cache.write_text(cache.read_text().replace("FLAGTREE_BACKEND:STRING=acme", "FLAGTREE_BACKEND:STRING=mini")
                     .replace("FLAGTREE_BACKEND:UNINITIALIZED=acme", "FLAGTREE_BACKEND:UNINITIALIZED=mini"))
    one.gives({"A.c.o", "B.c.o", "app"}, ["mini", "trunk", "trunk"], True)


@pytest.mark.parametrize("value", ["mini", ""])
def test_c11_environment_does_not_flip_a_build(one, value):
    one.start(overlay={"spec_cpp/lib/A.c": returns("a", "acme")})
    one.overlay({"spec_cpp/lib/A.c": returns("a", "mini")}, backend="mini")
    one.toy.env["FLAGTREE_BACKEND"] = value
    one.trunk({"CMakeLists.txt": (one.toy.trunk / "CMakeLists.txt").read_text() + "# edited\n"})
    one.gives(set(), ["acme", "trunk", "trunk"], True)


# --- files with older dates ---

def old(path):
    """Gives a file the date of long ago."""
    os.utime(path, (1, 1))
    return path


def test_override_replaced_by_an_older_file_of_the_same_size(steps):
    steps.start(overlay={**ALIKE, "spec_cpp/include/t/Y.h": '#define Y "vendor"\n'})
    path = steps.toy.trunk / "third_party/acme/spec_cpp/include/t/Y.h"
    other = steps.toy.root / "other.h"
    other.write_text('#define Y "VENDOR"\n')
    os.rename(old(other), path)
    steps.gives({"B.c.o", "app"}, ["trunk", "VENDOR", "trunk"], False)


def test_overlay_swapped_for_an_older_checkout(one):
    """Two checkouts of one vendor, linked in by turns."""
    one.start(overlay={"spec_cpp/include/t/Y.h": '#define Y "one"\n', "spec_cpp/lib/A.c": returns("a", "one")})
    link = one.toy.trunk / "third_party/acme"
    first, second = one.toy.root / "first", one.toy.root / "second"
    shutil.move(link, first)
    write_tree(second, {"spec_cpp/include/t/Y.h": '#define Y "two"\n', "spec_cpp/lib/A.c": returns("a", "two")})
    for path in second.rglob("*"):
        old(path)
    link.symlink_to(second)
    one.gives({"A.c.o", "B.c.o", "app"}, ["two", "two", "trunk"], False)
    link.unlink()
    link.symlink_to(first)
    one.gives({"A.c.o", "B.c.o", "app"}, ["one", "one", "trunk"], False)


def test_override_replaced_while_another_backend_was_built(one):
    """Its object is still there, newer than the file, and the command is the same."""
    one.start(overlay={**ALIKE, "spec_cpp/lib/A.c": returns("a", "one")})
    one.overlay(ALIKE, backend="mini")
    for backend, place in (("mini", "acme"), ("", "acme")):
        Run(["cmake", f"-DFLAGTREE_BACKEND={backend}", one.build.path], env=one.toy.env).expect(0)
        one.ninja()
        other = one.toy.root / "other.c"
        other.write_text(returns("a", f"while {backend or 'none'}"))
        os.rename(old(other), one.toy.trunk / "third_party" / place / "spec_cpp/lib/A.c")
        Run(["cmake", "-DFLAGTREE_BACKEND=acme", one.build.path], env=one.toy.env).expect(0)
        one.ninja()
        assert one.output()[0] == f"while {backend or 'none'}"


def test_trunk_edit_while_the_overlay_was_off(one):
    """What was built of it meanwhile is right: it is not built again."""
    one.start(overlay={**ALIKE, "spec_cpp/lib/Local.h": '#define LOCAL "vendor"\n'})
    Run(["cmake", "-DFLAGTREE_BACKEND=", one.build.path], env=one.toy.env).expect(0)
    one.trunk({"include/t/Y.h": '#define Y "edited"\n'})
    one.ninja()
    Run(["cmake", "-DFLAGTREE_BACKEND=acme", one.build.path], env=one.toy.env).expect(0)
    one.gives({"app"}, ["trunk", "edited", "vendor"], False)


def test_another_root_with_older_files(one):
    """The same backend, by name and paths, from another overlay root."""
    for name in ("one", "two"):
        write_tree(one.toy.root / name / "acme", {"spec_cpp/include/t/Y.h": f'#define Y "{name}"\n'})
    for path in (one.toy.root / "two").rglob("*"):
        old(path)
    one.toy.write(TRUNK)
    one.build = one.toy.configure(*one.args, options=["--root", one.toy.root / "one"])
    one.ninja()
    assert one.output() == ["trunk", "one", "trunk"]
    Run(["cmake", f"-DTRITON_SPEC_ROOTS={one.toy.root / 'two'}", one.build.path], env=one.toy.env).expect(0)
    one.gives({"B.c.o", "app"}, ["trunk", "two", "trunk"], False)


def test_folder_whose_date_was_set_back(one):
    """rsync and tar restore the dates of folders, so those say nothing."""
    one.start()
    folder = one.toy.trunk / "third_party/acme/spec_cpp"
    before = os.stat(folder)
    one.overlay({"spec_cpp/lib/A.c": returns("a", "vendor")})
    for path in [*(folder / "lib").rglob("*"), folder / "lib", folder]:
        os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    one.gives({"A.c.o", "app"}, ["vendor", "trunk", "trunk"], True)


def test_touched_files_mean_nothing_but_a_rebuild(one):
    """New dates, same bytes: ninja goes by dates, CMake is not run."""
    one.start(overlay={**ALIKE, "spec_cpp/include/t/Y.h": '#define Y "vendor"\n'})
    (one.toy.trunk / "third_party/acme/spec_cpp/include/t/Y.h").touch()
    one.gives({"B.c.o", "app"}, ["trunk", "vendor", "trunk"], False)


# --- the rule itself ---

def test_record_that_is_lost_or_damaged(one):
    one.start()
    for text in (None, "", "garbage\n", "triton-spec record 1\ntrunk\n"):
        write_tree(one.build.spec, {"looks": text})
        one.gives(set(), ["trunk"] * 3, True)


def test_build_stops_when_the_program_is_gone(toy, tmp_path):
    """Without the engine nobody knows whether the build is current."""
    steps = Steps(toy)
    program = tmp_path / "moved/triton-spec"
    program.parent.mkdir()
    shutil.copy(toy.program, program)
    toy.write(TRUNK)
    toy.overlay(ALIKE)
    steps.build = toy.configure(*steps.args, f"-DTRITON_SPEC_EXECUTABLE={program}")
    steps.ninja()
    program.unlink()
    assert "triton-spec" in steps.ninja(status=1)[2].text


def test_clean_and_build(one):
    one.start(overlay={**ALIKE, "spec_cpp/include/t/Y.h": '#define Y "vendor"\n'})
    Run(["ninja", "-C", one.build.path, "-t", "clean"], env=one.toy.env).expect(0)
    one.ninja()
    assert "no work to do" in one.build.ninja().text
    assert one.output() == ["trunk", "vendor", "trunk"]


def test_check_says_what_changed(one):
    one.start()
    one.overlay({"spec_cpp/lib/A.c": returns("a", "vendor")})
    said = one.build.ninja().text
    assert "CMake runs again, since this changed:" in said and "/spec_cpp" in said
