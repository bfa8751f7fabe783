"""`tools/demo` does what it says, on the build folders that the other tests use."""

import os
import re

import pytest
from support.toy import Run, clean_environment
from support_trunk import ROOT


@pytest.fixture(scope="session")
def shown(triton_spec, plain, acme):
    """What the demonstration prints; everything is built already."""
    env = clean_environment(TRITON_SPEC=str(triton_spec), CCACHE_DIR=plain.env["CCACHE_DIR"])
    return Run([ROOT / "tools/demo"], env=env, cwd=os.path.sep).expect(0).out


def test_log_is_shown(shown, acme):
    assert "\n".join(acme.log) in shown


def test_build_is_proved(shown, acme):
    proved = re.search(r"(\d+) overrides: (\d+) proved by what read them, (\d+) by configuration\n", shown)
    assert int(proved[1]) == int(proved[2]) + int(proved[3]) == len(acme.manifest["overrides"])


def test_difference_is_that_of_the_kernel(shown):
    kernel = shown[shown.index("== The kernel"):shown.index("== Kernels on the cpu")]
    assert "@triton.jit\ndef softmax" in kernel
    removed = [line for line in kernel.splitlines() if line.startswith("-")]
    added = [line for line in kernel.splitlines() if line.startswith("+")]
    assert any('"ttg.scratch-offset" = 16 ' in line for line in removed)
    assert any('"ttg.scratch-offset" = 128 ' in line for line in added)
    assert any('acme.chip = "roadrunner"' in line for line in added)
    assert len(removed) == len(added) < 10


def test_kernels_run_on_the_device_through_an_overlay(shown):
    device = shown[shown.index("== Kernels on the cpu device"):shown.index("== The trunk afterwards")]
    assert re.search(r"SPEC: acme_wheel: \d+ overrides over ", device)
    assert len(re.findall(r"^softmax: .* allowed$", device, re.MULTILINE)) == 3


def test_trunk_is_compared(shown):
    digests = re.findall(r"^\d+ files, sha256 ([0-9a-f]{64})$", shown, re.MULTILINE)
    assert len(digests) == 2 and digests[0] == digests[1]
    assert "no file of the trunk has changed" in shown


def test_no_colour_off_a_terminal(shown):
    assert "\033" not in shown


def test_commands_to_try_next_work(shown, triton_spec):
    commands = re.findall(r"^triton-spec .*$", shown[shown.index("== Try next"):], re.MULTILINE)
    assert len(commands) == 3
    for command in commands:
        Run(["sh", "-c", command], cwd=ROOT, env=clean_environment(PATH=f"{triton_spec.parent}:{os.environ['PATH']}")
            ).expect(0)


def test_missing_program_is_named(tmp_path):
    done = Run([ROOT / "tools/demo"], env=clean_environment(TRITON_SPEC=str(tmp_path / "absent"))).expect(2)
    assert f"{tmp_path}/absent is missing; run make build" in done.text
