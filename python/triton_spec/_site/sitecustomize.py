"""For the children of ``python -m triton_spec run``: their PYTHONPATH begins with this folder.

Puts the finder in front, takes the folder off the path, and runs the sitecustomize that it hides.
"""
import importlib.util
import os
import sys
from importlib.machinery import PathFinder


def _run_hidden():
    """Runs the next sitecustomize of the path in this one's place."""
    spec = PathFinder.find_spec(__name__)
    if spec is not None and spec.loader is not None:
        sys.modules[__name__] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(sys.modules[__name__])


def _begin():
    here = os.path.dirname(os.path.abspath(__file__))
    if os.environ.get("FLAGTREE_BACKEND"):
        import triton_spec_finder  # noqa: F401, it puts itself in front
    sys.path[:] = [entry for entry in sys.path if os.path.abspath(entry) != here]
    _run_hidden()


_begin()
