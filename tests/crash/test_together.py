"""Two runs at once in one build folder: one waits for the other, or fails and says for whom."""

import fcntl
import os
import pathlib
import shutil
import subprocess
import time

import pytest

from support.engine import Engine
from support.toy import prints, returns
from trees import same, snapshot, temporaries

PATIENCE = 120  # seconds until a test that hangs is ended; no outcome depends on it

# CMake stops in the middle of a run, and Ninja in the middle of a build, until <build>/go is there.
TRUNK = {
    "halt.sh": 'touch "halted-$1"\nwhile [ ! -e go ]; do sleep 0.01; done\n',
    "CMakeLists.txt": 'option(HALT "")\nif(HALT)\n'
                      "  execute_process(COMMAND sh ${CMAKE_SOURCE_DIR}/halt.sh cmake "
                      "WORKING_DIRECTORY ${CMAKE_BINARY_DIR})\nendif()\n"
                      "add_executable(app main.c a.c)\ntarget_include_directories(app PRIVATE include)\n"
                      "add_custom_command(OUTPUT slow COMMAND sh ${CMAKE_SOURCE_DIR}/halt.sh ninja)\n"
                      "add_custom_target(slowly DEPENDS slow)\n",
    "main.c": prints("a"), "a.c": '#include "h.h"\n' + returns("a", "H"), "include/h.h": '#define H "trunk"\n',
}
OVERLAY = {"spec_cpp/include/h.h": '#define H "vendor"\n', "spec_cpp/a.c": '#include "h.h"\n// acme\n' + returns("a", "H"),
           "spec.cmake": "# 1\n"}


@pytest.fixture
def trunk(toy):
    """A toy with an overlay."""
    toy.write(TRUNK)
    toy.overlay(OVERLAY)
    return toy


def start(command, env, user=None):
    """Starts a command that writes into a pipe; user: Popen's arguments that make it another user's."""
    return subprocess.Popen([str(word) for word in command], env=env, text=True,
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **user or {})


def wait_until(condition, run):
    """Waits for what a running command is going to do."""
    end = time.monotonic() + PATIENCE
    while not condition():
        assert run.poll() is None, run.communicate()[0]
        assert time.monotonic() < end
        time.sleep(0.01)


def ends(run, status, *words):
    """The command ends with the status and has said the words, which CMake may have wrapped."""
    text = run.communicate(timeout=PATIENCE)[0]
    assert (run.returncode == 0) == (status == 0), text
    for word in words:
        assert word in " ".join(text.split()), text
    return text


class Lock:
    """The lock of one of the build folder's files, held by this process."""

    def __init__(self, path):
        self.file = open(path, "a", encoding="utf-8")  # noqa: SIM115  its life is the lock's
        fcntl.lockf(self.file, fcntl.LOCK_EX)

    def release(self):
        """Lets others go on."""
        self.file.close()


@pytest.fixture
def halted(trunk):
    """A build folder in which CMake has halted in the middle of a second run; its process."""
    build = trunk.configure()
    assert build.make() == ["vendor"]
    run = start(["cmake", "-DHALT=ON", build.path], trunk.env)
    wait_until((build.path / "halted-cmake").exists, run)
    yield build, run
    (build.path / "go").touch()
    run.kill()
    run.communicate()


def impatient(toy):
    """The environment of a run that does not wait."""
    return {**toy.env, "TRITON_SPEC_WAIT": "0"}


@pytest.mark.parametrize("command", ["cmake {build}", "{program} verify {build}", "{program} wait {build}",
                                     "{program} build {build}"])
def test_beside_cmake(trunk, halted, command):
    """What must not see a half-done configure run fails at once or waits for its end, as it was told."""
    build, cmake = halted
    before = snapshot(build.spec)
    words = command.format(build=build.path, program=trunk.program).split()
    second = start(words, impatient(trunk))
    ends(second, 1, f"process {cmake.pid} (cmake -DHALT=ON", "TRITON_SPEC_WAIT=<seconds> waits longer")
    same(snapshot(build.spec), before)

    second = start(words, trunk.env)
    if " build " not in command:  # there Ninja keeps what its commands say until they end
        wait_until(lambda: "waiting" in second.stdout.readline(), second)
    (build.path / "go").touch()
    ends(cmake, 0, "-- Generating done")
    ends(second, 0)
    assert build.make() == ["vendor"]
    assert temporaries(build.spec) == []


def test_killed_cmake_leaves_no_lock(trunk, halted):
    build, cmake = halted
    cmake.kill()
    cmake.wait()
    (build.path / "go").touch()
    text = ends(start(["cmake", build.path], impatient(trunk)), 0)
    assert "waiting" not in text


def test_two_new_runs_of_cmake(trunk):
    """A folder that was never configured: both run, one after the other, and the result is that of one."""
    command = ["cmake", "-S", trunk.trunk, "-B", trunk.root / "build", "-G", "Ninja", *trunk.arguments()]
    build = trunk.root / "build"
    # CMake's own look for compilers, which comes before anything of ours, would trip over the other's.
    trunk.compilers.teach(build, "C", trunk.env)
    runs = [start(command, trunk.env) for _ in range(2)]
    texts = [run.communicate(timeout=PATIENCE)[0] for run in runs]
    assert any(run.returncode == 0 for run in runs), texts
    twice = snapshot(build / "spec")
    subprocess.run(["rm", "-r", build], check=True)
    ends(start(command, trunk.env), 0)
    same(twice, snapshot(build / "spec"))


def test_two_builds(trunk):
    """`triton-spec build` keeps a second one out while Ninja runs, and nothing else."""
    build = trunk.configure()
    first = start([trunk.program, "build", build.path, "--", "--target", "app", "slowly"], trunk.env)
    wait_until((build.path / "halted-ninja").exists, first)
    ends(start([trunk.program, "build", build.path], impatient(trunk)), 1,
         f"process {first.pid} ({trunk.program} build {build.path}", "builds in")
    ends(start(["cmake", build.path], impatient(trunk)), 0)
    second = start([trunk.program, "build", build.path], trunk.env)
    wait_until(lambda: "waiting" in second.stdout.readline(), second)
    (build.path / "go").touch()
    ends(first, 0, "2 proved")
    ends(second, 0, "2 proved")


def test_build_that_configures_does_not_wait_for_itself(trunk):
    build = trunk.configure()
    trunk.overlay({"spec.cmake": "# 2\n"})
    text = ends(start([trunk.program, "build", build.path], impatient(trunk)), 0, "2 proved")
    assert "flagtree backend cmake specialization" in text


def test_without_locks(trunk):
    """TRITON_SPEC_WAIT=off, for file systems that have no locks."""
    build = trunk.configure()
    lock = Lock(build.path / ".spec_configure.lock")
    for command in (["cmake", build.path], [trunk.program, "build", build.path]):
        ends(start(command, {**trunk.env, "TRITON_SPEC_WAIT": "off"}), 0)
    ends(start(["cmake", build.path], {**trunk.env, "TRITON_SPEC_WAIT": "soon"}), 1, "TRITON_SPEC_WAIT is 'soon'")
    lock.release()


def test_waiting_is_told_in_json(trunk):
    build = trunk.configure()
    build.ninja("app")
    lock = Lock(build.spec / ".lock")
    run = start([trunk.program, "verify", "--json", build.path], impatient(trunk))
    text = ends(run, 1)
    assert '"code": "busy"' in text and f"process {os.getpid()}" in text
    lock.release()


def test_folder_that_may_not_be_locked(trunk):
    """A folder of the lock's name: an error, and no run without the lock."""
    build = trunk.configure()
    (build.path / ".spec_configure.lock").unlink()
    (build.path / ".spec_configure.lock").mkdir()
    ends(start(["cmake", build.path], trunk.env), 1, ".spec_configure.lock", "creation failed")


def test_proof_by_who_may_only_read(trunk, tmp_path):
    """Another user proves a finished build; while CMake runs there he waits as all do."""
    if os.geteuid() != 0:
        pytest.skip("only root can be somebody else")
    build = trunk.configure()
    ends(start([trunk.program, "build", build.path], trunk.env), 0)
    before = snapshot(build.path)
    for folder in [tmp_path, *tmp_path.parents][:-1]:
        if folder.stat().st_uid == os.geteuid():
            folder.chmod(folder.stat().st_mode | 0o055)
    program = tmp_path / "triton-spec"
    shutil.copy(trunk.program, program)  # that of the checkout may lie where nobody else may go
    verify = [program, "verify", build.path]
    nobody = {"user": 65534, "group": 65534, "extra_groups": []}
    ends(start(verify, impatient(trunk), nobody), 0, "2 proved")
    same(snapshot(build.path), before)
    lock = Lock(build.path / ".spec_configure.lock")
    ends(start(verify, impatient(trunk), nobody), 1, f"process {os.getpid()}")
    lock.release()


def test_two_ninjas(trunk):
    """Ninja keeps nobody out; the overlay's part is whole all the same."""
    build = trunk.configure()
    build.ninja("app")
    trunk.overlay({"spec.cmake": "# 2\n", "spec_cpp/a.c": '#include "h.h"\n// new\n' + returns("a", "H")})
    runs = [start(["ninja", "-C", build.path, "app"], trunk.env) for _ in range(2)]
    for run in runs:
        run.communicate(timeout=PATIENCE)
    assert temporaries(build.spec) == []
    build.ninja("app")
    assert build.run() == ["vendor"]
    found = snapshot(build.spec)
    ends(start(["cmake", build.path], trunk.env), 0)
    same(found, snapshot(build.spec))


# --- many at once --------------------------------------------------------------------------------

def many_at_once(command, times):
    """Runs a shell command so many times at once; each must end well."""
    runs = [subprocess.Popen(["sh", "-c", command], stderr=subprocess.PIPE, text=True) for _ in range(times)]
    for run in runs:
        text = run.communicate(timeout=PATIENCE)[1]
        assert run.returncode == 0, text


@pytest.mark.parametrize("what", ["configure", "export"])
def test_eight_at_once(tmp_path, triton_spec, what):
    """As one alone, from nothing and over what another overlay left."""
    engine = Engine(tmp_path, triton_spec)
    engine.write({f"vendors/acme/spec_cpp/lib/f{i}.h": "vendor" for i in range(40)})
    engine.write({f"trunk/lib/f{i}.h": f'#include "f{i + 1}.h"\n' for i in range(40)})
    engine.write({"vendors/acme/spec/triton/x.py": "x = 1\n", "vendors/acme/spec.ini": "[policy]\ntriton/x.py = whole\n",
                  "vendors/acme/spec_cpp/lib/gone.h": "gone", "trunk/lib/gone.h": "",
                  "targets.txt": f"build {tmp_path}/build\ntarget app\ntype EXECUTABLE\ndir {engine.trunk}/lib\n"
                                 f"bin {tmp_path}/build\nsources a.c\n",
                  "trunk/lib/a.c": '#include "f0.h"\n#include "gone.h"\n'})
    commands = {"configure": [engine.command("stage", "--out", engine.out),
                              engine.command("place", "--out", engine.out, "--targets", tmp_path / "targets.txt",
                                             "--warn-unused")],
                "export": [engine.command("export", "--out", engine.out)]}[what]
    script = " && ".join("'" + "' '".join(command) + "' >/dev/null" for command in commands)
    many_at_once(script, 8)
    (pathlib.Path(engine.acme) / "spec_cpp/lib/gone.h").unlink()
    many_at_once(script, 8)
    together = snapshot(engine.out)
    subprocess.run(["rm", "-r", engine.out], check=True)
    many_at_once(script, 1)
    same(together, snapshot(engine.out))
