"""The program killed at each moment at which it changes the file system, CMake at the worst one; then all
simply run again."""

import itertools
import json
import os
import subprocess

import pytest

from support.engine import Engine
from support.toy import clean_environment, prints, returns, write_tree
from support.wheels import checked, toy_wheel
from trees import Saved, same, snapshot, temporaries

OLD = {"vendors/acme/spec_cpp/lib/a.c": '#include "x.h"\nint old;\n',
       "vendors/acme/spec_cpp/lib/gone.c": "int gone;\n",
       "vendors/acme/spec_cpp/include/x.h": "int old_header;\n",
       "vendors/acme/spec_cpp/include/d/Gone.td": "// old\n",
       "vendors/acme/spec_cpp/sub/CMakeLists.txt": "# old\n",
       "vendors/acme/spec/triton/language/gone.py": "gone = 1\n",
       "vendors/acme/spec/triton/language/x.py": "x = 1\n"}
NEW = {"vendors/acme/spec_cpp/lib/a.c": '#include "y.h"\nint new;\n',
       "vendors/acme/spec_cpp/lib/b.c": '#include "x.h"\nint new;\n',
       "vendors/acme/spec_cpp/include/y.h": "int new_header;\n",
       "vendors/acme/spec_cpp/include/d/Ops.td": "// new\n",
       "vendors/acme/spec/triton/language/x.py": "x = 2\n",
       "vendors/acme/spec/triton/language/new.py": "new = 1\n"}
TRUNK = {"trunk/lib/a.c": '#include "x.h"\nint a;\n', "trunk/lib/gone.c": "", "trunk/lib/Local.h": "",
         "trunk/include/x.h": '#include "y.h"\n', "trunk/include/y.h": "", "trunk/include/d/Ops.td": "",
         "trunk/include/d/Gone.td": "", "trunk/include/d/Top.td": 'include "d/Ops.td"\ninclude "d/Gone.td"\n',
         "trunk/sub/CMakeLists.txt": "", "trunk/sub/more.cmake": "",
         "trunk/python/triton/language/y.py": "y = 1\n"}
TARGETS = ("build {root}/build\ntd include/d/Top.td\ttd\n"
           "reads include/d/Top.td\t{root}/tblgen;-;{root}/out/stage/include/d/Ops.td\n"
           "target td\ntype UTILITY\n"
           "target app\ntype EXECUTABLE\ndir {root}/trunk/lib\nbin {root}/build\n"
           "includes {root}/trunk/include\nsources a.c;b.c;gone.c\n")


class Killed:
    """An engine's folder `out` in an old state, and the steps that bring it to a new one."""

    def __init__(self, root, engine, killer, steps):
        self.engine, self.out, self.killer, self.steps = engine, engine.out, killer, steps
        self.before = Saved(self.out, root / "before")
        self.finish()
        self.wanted = snapshot(self.out)
        self.kills = self.leftovers = 0

    def finish(self):
        """The plain run."""
        for step in self.steps:
            subprocess.run(step, env=clean_environment(), check=True, capture_output=True)

    def kill_each(self, step):
        """Kills the step at each moment, those before it done; runs all again."""
        for moment in itertools.count(1):
            self.before.restore()
            for earlier in self.steps[:step]:
                subprocess.run(earlier, env=clean_environment(), check=True, capture_output=True)
            done = subprocess.run(self.steps[step], check=False, capture_output=True,
                                  env=clean_environment(LD_PRELOAD=str(self.killer),
                                                        KILL_AT=str(moment)))
            if done.returncode == 0:
                print(self.kills, "kills,", self.leftovers, "files left half-written")
                return self
            assert done.returncode == -9, done.stderr
            self.kills += 1
            self.leftovers += len(temporaries(self.out))
            for manifest in self.out.rglob("*.json"):
                if not manifest.name.startswith("."):
                    json.loads(manifest.read_bytes())
            self.finish()
            same(snapshot(self.out), self.wanted)


@pytest.fixture
def engine(tmp_path, triton_spec):
    """A trunk, and a backend of every kind of override."""
    engine = Engine(tmp_path, triton_spec)
    engine.write(TRUNK)
    return engine


def change(engine):
    """From the old overlay to the new one."""
    for name in OLD:
        (engine.root / name).unlink()
    engine.write(NEW)


@pytest.mark.parametrize("start", ["nothing", "old results"])
@pytest.mark.parametrize("step", [0, 1], ids=["stage", "place"])
def test_configure(tmp_path, engine, killer, step, start):
    engine.write({**OLD, "targets.txt": TARGETS.format(root=engine.root)})
    steps = [engine.command("stage", "--out", engine.out),
             engine.command("place", "--out", engine.out, "--targets", engine.root / "targets.txt",
                            "--warn-unused")]
    if start == "old results":
        for command in steps:
            engine.run_command(command).says(0)
    change(engine)
    killed = Killed(tmp_path, engine, killer, steps).kill_each(step)
    assert killed.kills > 15
    assert killed.leftovers > 5  # so that the moments are those that hurt


@pytest.mark.parametrize("mode", [[], ["--links"]], ids=["copies", "links"])
@pytest.mark.parametrize("start", ["nothing", "old results"])
def test_export(tmp_path, engine, killer, start, mode):
    engine.write(OLD)
    export = engine.command("export", "--out", engine.out, *mode)
    if start == "old results":
        engine.run_command(export).says(0)
    change(engine)
    killed = Killed(tmp_path, engine, killer, [export]).kill_each(0)
    assert killed.kills > 30
    assert killed.leftovers > 2


def test_verify(toy, killer):
    """The manifest gets who used what, or stays what it was."""
    toy.write({"CMakeLists.txt": "add_executable(app main.c a.c)\ntarget_include_directories(app PRIVATE .)\n",
               "main.c": prints("a"), "a.c": returns("a", "trunk"), "a.h": ""})
    toy.overlay({"spec_cpp/a.c": '#include "a.h"\n' + returns("a", "VENDOR"),
                 "spec_cpp/a.h": '#define VENDOR "vendor"\n'})
    build = toy.configure()
    assert build.make() == ["vendor"]
    engine = Engine(toy.root / "unused", toy.program)
    engine.out = build.spec
    killed = Killed(toy.root, engine, killer, [[str(toy.program), "verify", str(build.path)]]).kill_each(0)
    assert killed.kills > 5 and killed.leftovers > 0
    assert build.manifest["overrides"][0]["used_by"] != []


@pytest.mark.parametrize("stale", [False, True], ids=["build goes on", "CMake must run"])
def test_check(toy, killer, stale):
    """An override that is older than its object now, a Python file that is copied anew; perhaps an addition."""
    toy.write({"CMakeLists.txt": "add_executable(app main.c a.c)\n", "main.c": prints("a"),
               "a.c": returns("a", "trunk"), "python/triton/language/x.py": "x = 0\n"})
    folder = toy.overlay({"spec_cpp/a.c": returns("a", "vendor"), "spec/triton/language/new.py": "new = 1\n"})
    build = toy.configure()
    assert build.make() == ["vendor"]
    old = toy.root / "older.c"
    old.write_text(returns("a", "older!"))
    os.utime(old, (1, 1))
    os.rename(old, folder / "spec_cpp/a.c")
    toy.overlay({"spec/triton/language/new.py": "new = 2\n", **({"spec_cpp/main.c": prints("a") + "\n"} if stale else {})})
    engine = Engine(toy.root / "unused", toy.program)
    engine.out = build.path
    killed = Killed(toy.root, engine, killer, [[str(toy.program), "check", str(build.path)]]).kill_each(0)
    assert killed.kills > 3
    assert (build.spec / "changed").read_text() == ("stale\n" if stale else "")
    build.ninja()
    assert build.run() == ["older!"]
    assert (build.spec / "python/triton/language/new.py").read_text() == "new = 2\n"


@pytest.mark.parametrize("change", [{"spec.cmake": "# new\n"}, {"spec_cpp/include/h.h": '#define H "vendor"\n'}],
                         ids=["of what CMake reads", "of a header"])
def test_cmake_before_it_names_build_ninja(toy, killer, change):
    """The results are those of the new overlay and build.ninja is the old one: Ninja must not go by it."""
    toy.write({"CMakeLists.txt": "add_executable(app main.c a.c b.c)\ntarget_include_directories(app PRIVATE include)\n",
               "main.c": prints("a", "b"), "a.c": returns("a", "trunk"), "b.c": '#include "h.h"\n' + returns("b", "H"),
               "include/h.h": '#define H "trunk"\n'})
    toy.overlay({"spec_cpp/a.c": returns("a", "vendor"), "spec.cmake": "# old\n"})
    build = toy.configure()
    assert build.make() == ["vendor", "trunk"]
    toy.overlay({**change, "spec_cpp/a.c": '#include "h.h"\n' + returns("a", "H")})
    done = subprocess.run(["cmake", build.path], check=False, capture_output=True, text=True,
                          env={**toy.env, "LD_PRELOAD": str(killer), "KILL_BEFORE": str(build.path / "build.ninja")})
    assert done.returncode == -9, done.stdout + done.stderr
    assert "flagtree backend" in done.stdout  # the overlay's part was done
    build.ninja()
    expected = build.run()
    subprocess.run(["cmake", build.path], env=toy.env, check=True, capture_output=True)
    assert build.make() == expected == (["vendor", "vendor"] if "spec.cmake" not in change else ["trunk", "trunk"])


@pytest.mark.parametrize("start", ["nothing", "an old wheel"])
def test_bake(tmp_path, triton_spec, killer, start):
    """There is the old wheel or the new one, whole; what is half-written has no name."""
    out, env = tmp_path / "out", clean_environment(FLAGTREE_BACKEND="acme", TMPDIR=str(tmp_path))
    wheel = toy_wheel(tmp_path, {"triton/__init__.py": "", "triton/data": os.urandom(600000)})
    write_tree(tmp_path / "vendors/acme/spec/triton/language", {"a.py": "new = 1\n"})
    command = [triton_spec, "bake", "--wheel", wheel, "--root", tmp_path / "vendors", "--out", out]
    subprocess.run(command, env=env, check=True, capture_output=True)
    made, = out.iterdir()
    new, old = made.read_bytes(), b"old" if start == "an old wheel" else None
    for moment in itertools.count(1):
        for path in out.iterdir():
            path.unlink()
        if old is not None:
            made.write_bytes(old)
        done = subprocess.run(command, env={**env, "LD_PRELOAD": str(killer), "KILL_AT": str(moment)},
                              check=False, capture_output=True)
        left = {path: path.read_bytes() for path in out.iterdir()}
        assert left.pop(made, None) in ((new,) if done.returncode == 0 else (old, new))
        # Between two steps of replacing a file, the whole new one has a name of its own.
        assert all(data == new and path.name.endswith(".tmp") for path, data in left.items())
        if done.returncode == 0:
            break
        assert done.returncode == -9, done.stderr
        subprocess.run(command, env=env, check=True, capture_output=True)
        assert made.read_bytes() == new
    assert moment > 15
    checked(made)
