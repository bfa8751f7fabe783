"""A system that does not play along: full disks, no permission, files that vanish, closed streams."""

import os
import pathlib
import shutil
import subprocess
import sys

import pytest

from support.engine import Engine
from support.toy import clean_environment

VENDOR = {"vendors/acme/spec_cpp/lib/a.c": "int vendor;\n",
          "vendors/acme/spec_cpp/include/new.td": "",
          "vendors/acme/spec/triton/language/x.py": "x = 1\n",
          "trunk/python/triton/language/y.py": "y = 1\n"}

NOBODY = 65534


@pytest.fixture
def engine(tmp_path, triton_spec):
    """A trunk with a sound backend acme."""
    engine = Engine(tmp_path, triton_spec)
    engine.write(VENDOR)
    return engine


# --- permissions ---------------------------------------------------------------------------------

def as_nobody(engine):
    """What makes a child nobody: root may read and write everything. Folders above are opened."""
    if os.geteuid() != 0:
        return {}
    for folder in [engine.root, *engine.root.parents]:
        if folder.stat().st_uid == os.geteuid() and folder != folder.parent:
            folder.chmod(folder.stat().st_mode | 0o055)
    return {"user": NOBODY, "group": NOBODY, "extra_groups": []}


@pytest.fixture
def open_program(engine, tmp_path):
    """A copy of the program that nobody can run, wherever the build folder is."""
    copy = tmp_path / "bin/triton-spec"
    copy.parent.mkdir()
    shutil.copy(engine.program, copy)
    engine.program = str(copy)


@pytest.mark.parametrize("path", ["trunk", "trunk/lib", "vendors", "vendors/acme", "vendors/acme/spec_cpp",
                                  "vendors/acme/spec_cpp/lib", "vendors/acme/spec_cpp/lib/a.c",
                                  "vendors/acme/spec.ini", "trunk/lib/a.c"])
@pytest.mark.usefixtures("open_program")
def test_what_may_not_be_read(engine, path):
    engine.write({"vendors/acme/spec.ini": ""})
    how = as_nobody(engine)
    target = engine.root / path
    target.chmod(0)
    try:
        outcome = engine.run("plan", **how)
        if path.endswith("a.c") and outcome.status == 0:
            return  # of another size than its counterpart: nothing of it was needed
        outcome.says(2, "error[", "Permission denied", path, "give this user access")
    finally:
        target.chmod(0o755)


@pytest.mark.usefixtures("open_program")
def test_output_that_may_not_be_written(engine):
    how = as_nobody(engine)
    engine.out.mkdir(mode=0o555)
    engine.stage(**how).says(2, "error[io]", "Permission denied", "out/", "give this user access")
    assert list(engine.out.iterdir()) == []


@pytest.mark.usefixtures("open_program")
def test_read_only_sources_are_enough(engine):
    how = as_nobody(engine)
    for root in (engine.trunk, engine.vendors):
        for folder, _, names in os.walk(root):
            os.chmod(folder, 0o555)
            for name in names:
                os.chmod(os.path.join(folder, name), 0o444)
    engine.out.mkdir()
    engine.out.chmod(0o777)
    engine.stage(**how).says(0)


# --- full disks ----------------------------------------------------------------------------------

def on_small_disk(engine, script):
    """A shell script, run where <out> is a disk of 64 KiB of its own; what it printed, or a skip."""
    if subprocess.run(["unshare", "-rm", "true"], check=False, capture_output=True).returncode != 0:
        pytest.skip("this system lets nobody mount a disk of his own (unshare -rm)")
    engine.out.mkdir()
    mount = f"set -e\nmount -t tmpfs -o size=64k none '{engine.out}'\n"
    return subprocess.run(["unshare", "-rm", "sh", "-c", mount + script], check=True,
                          capture_output=True, text=True, env=clean_environment())


def test_disk_that_fills_up(engine):
    """What was there stays whole; with room again, the run is right."""
    stage = " ".join(f"'{word}'" for word in engine.command("stage", "--out", engine.out))
    done = on_small_disk(engine, f"""
        cd '{engine.out}'
        {stage}
        cp plan.cmake ../plan.old
        head -c 1M /dev/zero >targets.txt 2>/dev/null || true
        echo vendor >'{engine.acme}/spec_cpp/lib/b.c'
        status=0; {stage} || status=$?
        echo "full: $status"
        cmp -s plan.cmake ../plan.old && echo 'plan: old'
        find . -name '.*.tmp' | sed 's/^/left: /'
        rm targets.txt
        {stage}
        grep -c '_SPEC_FILE/lib/b.c' plan.cmake
    """)
    assert done.stdout.splitlines() == ["full: 2", "plan: old", "1"], done.stdout + done.stderr
    assert "No space left on device" in done.stderr and "free some space" in done.stderr


# --- what changes meanwhile ----------------------------------------------------------------------

FLICKER = """
import os, sys, time
end = time.monotonic() + 20
print("ready", flush=True)
while time.monotonic() < end:
    for path in sys.argv[1:]:
        os.rename(path, path + ".away")
        os.rename(path + ".away", path)
"""


@pytest.mark.parametrize("paths", [
    ["vendors/acme/spec_cpp/lib/a.c"], ["vendors/acme/spec_cpp/lib"], ["trunk/lib/a.c"], ["trunk/lib"],
    ["vendors/acme/spec.ini", "vendors/acme/spec"],
], ids=" ".join)
def test_files_that_come_and_go(engine, paths):
    """Each run ends with an answer, of one moment or another, or says what was not there."""
    engine.write({"vendors/acme/spec.ini": "[policy]\ntriton/x.py = whole\n"})
    engine.write({f"vendors/acme/spec_cpp/lib/f{i}.c": "vendor" for i in range(50)})
    engine.write({f"trunk/lib/f{i}.c": "trunk" for i in range(50)})
    flicker = subprocess.Popen([sys.executable, "-c", FLICKER, *(engine.root / p for p in paths)],
                               stdout=subprocess.PIPE)
    try:
        flicker.stdout.readline()
        for _ in range(20):
            for outcome in (engine.stage(sources_change=True), engine.place("a.c;f1.c", sources_change=True)):
                assert outcome.status == 0 or b"error[" in outcome.err, outcome.text
    finally:
        flicker.kill()
        flicker.wait()
        flicker.stdout.close()


def test_two_runs_at_once(engine):
    """All write the same, one after the other."""
    engine.write({f"vendors/acme/spec_cpp/lib/f{i}.h": "vendor" for i in range(100)})
    command = engine.command("stage", "--out", engine.out)
    for _ in range(5):
        shutil.rmtree(engine.out, ignore_errors=True)
        runs = [subprocess.Popen(command, stderr=subprocess.PIPE, env=clean_environment()) for _ in range(4)]
        for run in runs:
            text = run.communicate()[1]
            assert run.returncode == 0, text
        assert len(list((engine.out / "stage/lib").iterdir())) == 101


def test_current_folder_is_gone(engine, tmp_path):
    gone = tmp_path / "gone"
    gone.mkdir()
    command = " ".join(f"'{word}'" for word in engine.command("plan"))
    script = f"cd '{gone}' && rmdir '{gone}' && exec {command}"
    outcome = engine.run_command(["sh", "-c", script])
    if outcome.status != 0:
        outcome.says(2, "current folder")


# --- limits --------------------------------------------------------------------------------------

def test_few_open_files(engine):
    script = 'ulimit -n 8 && exec "$@"'
    engine.run_command(["sh", "-c", script, "sh", *engine.command("plan")]).says(0, "lib/a.c")


def test_little_memory(engine):
    """From a limit under which the program cannot start to one under which it is done."""
    if b"__asan_init" in pathlib.Path(engine.program).read_bytes():
        pytest.skip("AddressSanitizer itself needs more")
    engine.write({f"trunk/include/{i}.h": f'#include "{i + 1}.h"\n' for i in range(2000)})
    engine.write({f"vendors/acme/spec_cpp/include/{i}.h": "vendor" for i in range(2000)})
    seen = set()
    for kilobytes in range(2048, 65536, 128):
        script = f'ulimit -v {kilobytes} && exec "$@"'
        done = subprocess.run(["sh", "-c", script, "sh", *engine.command("plan")], check=False,
                              capture_output=True, env=clean_environment())
        if not seen and done.returncode not in (0, 2):
            continue  # the system could not even load it
        seen.add(done.returncode)
        assert done.returncode in (0, 2), (kilobytes, done.returncode, done.stderr)
        if done.returncode == 0:
            break
        assert b"out of memory" in done.stderr, done.stderr
    assert seen == {0, 2}


# --- streams -------------------------------------------------------------------------------------

@pytest.mark.parametrize("step", ["plan", "why", "--help", "--version", "plan --help"])
def test_full_output(engine, step):
    words = {"plan": engine.command("plan"), "why": engine.command("why", "lib/a.c")}.get(
        step, [engine.program, *step.split()])
    with open("/dev/full", "wb") as full:
        engine.run_command(words, stdout=full).says(2, "No space left on device")


@pytest.mark.parametrize("closed", ["1", "2", "0", "1 2", "0 1 2"])
@pytest.mark.parametrize("step", ["plan", "plan --json", "why", "stage", "unknown"])
def test_closed_streams(engine, closed, step):
    """A file opened meanwhile may get the number of a closed stream; nothing is printed into it."""
    words = {"plan": engine.command("plan"), "plan --json": engine.command("plan", "--json"),
             "why": engine.command("why", "lib/a.c"), "unknown": [engine.program, "unknown"],
             "stage": engine.command("stage", "--out", engine.out)}[step]
    engine.write({"vendors/acme/spec_cpp/lib/unknown.kind": ""})  # so that there is something to say
    script = "exec " + " ".join(f"{n}>&-" for n in closed.split()) + '; exec "$@"'
    outcome = engine.run_command(["sh", "-c", script, "sh", *words])
    assert outcome.status == (2 if step == "unknown" or "1" in closed and step != "stage" else 1)


def test_reader_that_leaves(engine):
    """As `triton-spec plan | head -1`: no message, no core."""
    engine.write({f"vendors/acme/spec_cpp/lib/f{i}.h": "vendor" for i in range(3000)})
    command = " ".join(f"'{word}'" for word in engine.command("plan"))
    outcome = engine.run_command(["bash", "-c", f"{command} | head -1; echo ${{PIPESTATUS[0]}}"])
    first, status = outcome.out.decode().splitlines()
    assert first.startswith("trunk") and status in ("0", "2", "141")
