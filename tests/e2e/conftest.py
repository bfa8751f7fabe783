"""The small trunk, built once a session without a backend and once with acme.

All other tests only configure it, or build what takes seconds.
"""

import pytest
from support_trunk import FOLDERS, OVERLAYS, TRUNK, TrunkBuild, folder_digest, injection_arguments, locked
from support_trunk import ROOT  # noqa: F401  tests of the documents take it from here

# What `all` leaves out.
EXTRA = ("triton-tensor-layout", "mlir-doc")


@pytest.fixture(scope="session")
def inputs_before():
    """Digests of the trunk and of the overlays before anything is built from them."""
    return {root: folder_digest(root) for root in (TRUNK, OVERLAYS / "acme")}


@pytest.fixture(scope="session")
def plain(inputs_before):
    """The small trunk, wholly built without triton-spec."""
    build = TrunkBuild(FOLDERS / "plain")
    with locked(build.path):
        build.configure()
        build.ninja("all", *EXTRA)
    return build


@pytest.fixture(scope="session")
def acme(triton_spec, inputs_before):
    """The small trunk with acme's overlay, wholly built."""
    build = TrunkBuild(FOLDERS / "acme")
    with locked(build.path):
        build.configure(*injection_arguments(triton_spec, "acme"))
        build.ninja("all", *EXTRA)
    return build
