"""Live mode says which modules of the trunk are not those that the overlay was made against."""

import subprocess

import pytest
from support.live import Site
from support.toy import clean_environment

TESTING = "triton/testing.py"
ACTIVATE = "import triton_spec; triton_spec.activate('acme')"


@pytest.fixture
def locked(tmp_path, triton_spec):
    """A site whose overlay is locked against it."""
    site = Site(tmp_path)
    subprocess.run([triton_spec, "lock", "--installed", "--trunk", site.site, "--root", site.vendors,
                    "--backend", "acme"], check=True, capture_output=True, env=clean_environment())
    return site


def said(site):
    return site.run("-c", ACTIVATE, env={"TRITON_SPEC_LOG": None}).stderr


def test_drift_is_a_warning_each_time(locked):
    assert "[drift]" not in said(locked)
    path = locked.site / TESTING
    path.write_text(path.read_text() + "\n\ndef more():\n    pass\n")
    for _ in range(2):  # from the cache, too
        assert f"warning[drift]: 'spec/{TESTING}' was made against another trunk: '{TESTING}' has changed " \
            "since\n" in said(locked)
    (locked.vendors / "acme/spec.ini").write_text("[drift]\nmode = ignore\n")
    assert "[drift]" not in said(locked)


def test_drift_may_be_an_error(locked):
    path = locked.site / TESTING
    path.write_text(path.read_text() + "\n\ndef more():\n    pass\n")
    (locked.vendors / "acme/spec.ini").write_text("[drift]\nmode = error\n")
    assert f"error[drift]: 'spec/{TESTING}' was made against another trunk" in locked.fails(ACTIVATE)
