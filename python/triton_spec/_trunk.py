"""Where the installed ``triton`` lies: what ``import triton`` would find, without importing it.

Whatever can find a package is asked in Python's own order: folders of ``sys.path`` (site-packages,
those that a .pth file adds) and other finders (editable installs). Stages of this project are passed
over, since a stage is never the trunk of another.
"""

import os
import sys
from importlib.machinery import PathFinder

from . import _stage
from .errors import SpecInvalid, SpecNotFound

NAME = "triton"


def _ask(finder, search_path):
    """The finder's answer, with `search_path` for ``sys.path``; ours and very old ones have none."""
    if finder is PathFinder:
        return PathFinder.find_spec(NAME, search_path)
    if getattr(finder, "is_triton_spec", False):
        return None
    find_spec = getattr(finder, "find_spec", None)
    return find_spec(NAME, None) if find_spec is not None else None


def _refuse_kind(spec):
    """Raises for what is found under the name but is no package of plain files."""
    places = list(spec.submodule_search_locations or ())
    if getattr(spec.loader, "archive", None):
        raise SpecInvalid("the installed 'triton' is zipped", spec.loader.archive,
                          "install it unpacked, as pip does: an overlay links to its files")
    if spec.submodule_search_locations is None:
        raise SpecInvalid("'triton' is a module, not a package", spec.origin or "",
                          "rename it, or take its folder off sys.path")
    if spec.origin is None or spec.origin == "namespace":
        raise SpecNotFound("'triton' is only a folder without __init__.py",
                           ", ".join(places), f"install triton for {sys.executable}, and take the "
                           "folder that holds this one off sys.path")
    if os.path.basename(spec.origin) != "__init__.py":
        raise SpecInvalid("the installed 'triton' has no source text", spec.origin,
                          "install it with its __init__.py: an overlay is put together from sources")


def _first_answer(search_path):
    answers = (_ask(finder, search_path) for finder in sys.meta_path)
    return next((answer for answer in answers if answer is not None), None)


def find():
    """The folder that holds the installed ``triton/``, absolute.

    SpecNotFound when there is none; SpecInvalid when it is nothing that an overlay can be put over:
    a module, a zipped package, compiled files only.
    """
    spec = _first_answer([entry for entry in sys.path if not _stage.is_stage(entry)])
    if spec is None:
        raise SpecNotFound("no package 'triton' is installed", sys.executable,
                           "install it for this Python: pip install triton")
    _refuse_kind(spec)
    package = os.path.dirname(os.path.abspath(spec.origin))
    if os.path.basename(package) != NAME:
        raise SpecInvalid("the package 'triton' lies in a folder of another name", package,
                          "rename the folder to 'triton'")
    return os.path.dirname(package)


def is_found_in(folder):
    """Whether ``import triton`` would take the package of this folder."""
    spec = _first_answer(sys.path)
    return spec is not None and spec.origin == os.path.join(folder, NAME, "__init__.py")
