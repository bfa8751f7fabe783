"""What an active overlay says about itself."""

import glob
import os

from . import _stage

_BAKED = "_spec_manifest.json"  # in the package, when a build from source has put it there
_BAKED_WHEEL = "spec-manifest.json"  # in the dist-info folder, when `triton-spec bake` has


class Overlay:
    """The overlay of a process.

    backend    its name
    mode       "live": a stage stands before the installed package; "baked": it is the package
    path       the folder that holds ``triton/``: the stage, or where the baked package is installed
    key        the stage's key, None when baked: equal keys, equal code
    trunk      the folder that holds the trunk's ``triton/``
    overrides  the manifest's list: a dict for each, with trunk path, action, layer, vendor file, ...
    """

    __slots__ = ("backend", "mode", "path", "key", "trunk", "overrides", "layers", "_hold")

    def __init__(self, manifest, mode, path, hold=None):
        self._hold = hold  # what keeps the stage from being removed
        self.backend = manifest["backend"]
        self.mode = mode
        self.path = path
        self.key = os.path.basename(path) if mode == "live" else None
        self.trunk = manifest["trunk"]
        self.layers = manifest["layers"]
        self.overrides = manifest["overrides"]

    @property
    def root(self):
        """The overlay root that has the backend; "" when baked."""
        return os.path.dirname(self.layers[-1]["dir"])

    def __repr__(self):
        return (f"<Overlay {self.backend}, {self.mode}, {len(self.overrides)} overrides, "
                f"{self.path}>")


def of_stage(stage, hold=None):
    """The overlay that a stage holds; `hold` keeps it from being removed, as _stage.hold() does."""
    if hold is None:
        hold = _stage.hold(stage)
    return Overlay(_stage.read_json(stage, "manifest.json"), "live", stage, hold)


def _baked_manifest(folder):
    """The manifest of a baked package: bake puts it beside the wheel's metadata, a build of the sources
    into the package."""
    inside = os.path.join(folder, "triton", "_spec_manifest.json")
    if os.path.isfile(inside):
        return inside
    found = glob.glob(os.path.join(glob.escape(folder), "triton-*.dist-info", "spec-manifest.json"))
    return found[0] if found else None


def baked(folder):
    """The overlay that is baked into the ``triton`` installed in a folder, or None."""
    if not os.path.isfile(os.path.join(folder, "triton", "_flagtree_backend.py")):
        return None
    manifest = _baked_manifest(folder)
    return None if manifest is None else Overlay(_stage.read_json(*os.path.split(manifest)), "baked", folder)
