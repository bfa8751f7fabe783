"""Puts an overlay over the installed ``triton`` of this process."""

import os
import sys
import threading

from . import _log, _overlay, _spec, _stage, _trunk
from ._finder import StageFinder
from .errors import SpecError, SpecInvalid

# The overlay of this process; what it needs stays in it, and a fork inherits it.
_lock = threading.RLock()
_overlay_of_process = None


def _backend_name(name):
    backend = os.environ.get("FLAGTREE_BACKEND", "") if name is None else name
    if not backend:
        raise SpecInvalid("no backend is named", "", "give its name, or set FLAGTREE_BACKEND")
    if not backend.isascii() or not backend.isprintable():  # what is no text for the engine
        raise SpecInvalid(f"{backend!a} is no backend's name", "", "it is made of a-z, 0-9 and _")
    return backend


def environment_roots():
    """The overlay roots of SPEC_PATH and TRITON_PLUGIN_DIRS, as the command line reads them."""
    return [root for variable, separator in (("SPEC_PATH", ":"), ("TRITON_PLUGIN_DIRS", ";"))
            for root in os.environ.get(variable, "").split(separator) if root]


def _overlay_roots(roots):
    if isinstance(roots, (str, os.PathLike)):
        roots = [roots]
    given = environment_roots() if roots is None else roots
    return [os.path.abspath(os.fspath(root)) for root in given]


def _loaded_modules():
    """The names of what is imported of triton already, sorted."""
    return sorted(name for name, module in list(sys.modules.items())
                  if module is not None and (name == "triton" or name.startswith("triton.")))


def _refuse_loaded(backend):
    """Raises if triton is imported: what holds one of its objects would keep the trunk's."""
    loaded = _loaded_modules()
    if not loaded:
        return
    names = ", ".join(loaded[:5]) + (", ..." if len(loaded) > 5 else "")
    where = getattr(sys.modules[loaded[0]], "__file__", None) or loaded[0]
    raise SpecInvalid(
        f"'{backend}' cannot be activated: {len(loaded)} modules of triton are imported already "
        f"({names})", where, "call triton_spec.activate() before whatever imports triton, or start "
        f"the program with: python -m triton_spec run --backend {backend} ...")


def _own_trunk():
    """The folder of this Python's triton, or None if it has none but a stage's."""
    try:
        return os.path.realpath(_trunk.find())
    except SpecError:
        return None


def _adopt(backend, roots):
    """The stage of this backend that the path has, as a parent process left it; or None.

    All processes of one job run the same code, whatever is edited meanwhile; but a Python that has
    another triton than its parent has another trunk.
    """
    for entry in sys.path:
        if _stage.is_stage(entry):
            found = _overlay.of_stage(entry)
            if (found.backend == backend and (roots is None or found.root in _overlay_roots(roots))
                    and _own_trunk() in (None, os.path.realpath(found.trunk))):
                return found
    return None


def _stage_new(backend, roots, strict, quiet):
    """Plans against the installed triton and publishes its stage, or finds that it is baked in."""
    trunk = _trunk.find()
    baked = _overlay.baked(trunk)
    if baked is not None:
        if baked.backend != backend:
            raise SpecInvalid(f"the installed triton is baked for '{baked.backend}', not for "
                              f"'{backend}'", trunk, "install the stock wheel, or one baked for "
                              f"'{backend}'")
        return baked
    report = _log.Report(quiet)
    made = _spec.stage(backend=backend, roots=_overlay_roots(roots), trunk=trunk, strict=strict,
                       on_event=report.event)
    overlay = _overlay.of_stage(made["path"], made["hold"])
    report.activation(overlay)
    return overlay


def plan(name=None, roots=None, *, strict=False, quiet=False):
    """The overlay that activate() would put in place; nothing of this process is changed by it."""
    backend = _backend_name(name)
    overlay = _adopt(backend, roots)
    if overlay is not None:
        _log.Report(quiet).adoption(overlay)
        return overlay
    return _stage_new(backend, roots, strict, quiet)


def _put_on_path(stage, first):
    """Puts the stage on ``sys.path``: first of all, or as far behind as it still comes before the
    trunk, so that ``sys.path[0]`` stays the program's."""
    if not first and stage in sys.path:
        return
    entries = [entry for entry in sys.path if entry != stage]
    holds = (isinstance(entry, str) and os.path.isdir(os.path.join(entry, _trunk.NAME))
             for entry in entries)
    place = 0 if first else next((i for i, held in enumerate(holds) if held), 0)
    sys.path[:] = [*entries[:place], stage, *entries[place:]]
    sys.path_importer_cache.pop(stage, None)


def _install(overlay, first):
    """Makes Python find the overlay's package."""
    if overlay.mode == "baked":
        return
    _put_on_path(overlay.path, first)
    # What `enable` put in front has nothing left to wait for.
    sys.meta_path[:] = [finder for finder in sys.meta_path
                        if not getattr(finder, "is_triton_spec_startup", False)]
    members = _stage.read_members(overlay.path, overlay.trunk)
    sys.meta_path.insert(0, StageFinder(overlay.path, members, not _trunk.is_found_in(overlay.path)))


def _activate(name, roots, strict, quiet, first):
    global _overlay_of_process
    backend = _backend_name(name)
    with _lock:
        present = active()
        if present is not None and present.backend == backend:
            return present
        if present is not None:
            raise SpecInvalid(f"'{backend}' cannot be activated: '{present.backend}' is active",
                              present.path, "a process has one backend: start another one for it")
        _refuse_loaded(backend)
        overlay = plan(backend, roots, strict=strict, quiet=quiet)
        _install(overlay, first)
        _overlay_of_process = overlay
        return overlay


def activate(name=None, roots=None, *, strict=False, quiet=False):
    """Puts a backend's overlay over the installed ``triton`` of this process, before its import.

    name: the backend; None: ``FLAGTREE_BACKEND``. roots: overlay roots (folders that hold backends);
    None: those of ``SPEC_PATH`` and ``TRITON_PLUGIN_DIRS``. strict: a replaced function that does not
    take all calls of the trunk's is refused. quiet: nothing goes to standard error.

    Returns the Overlay. A second call for the same backend returns the same one.
    SpecInvalid: triton is imported already, or another backend is active. SpecNotFound: no triton,
    backend or root. SpecRefused: the overlay has findings. SpecSystemError: the cache cannot be
    written, say.
    """
    return _activate(name, roots, strict, quiet, True)


def find_spec():
    """What is to be found as ``triton`` with the overlay of ``FLAGTREE_BACKEND``, when it is first
    asked for; None for a baked package, which the path finds. Errors as activate()."""
    overlay = _activate(None, None, False, False, False)
    if overlay.mode == "baked":
        return None
    finder = next(finder for finder in sys.meta_path if isinstance(finder, StageFinder))
    return finder.find_spec(_trunk.NAME)


def active():
    """The :class:`Overlay` of this process, or None.

    It may be there without a call of :func:`activate`: of a baked package, or of a stage that a parent
    process put on the path, once triton is imported.
    """
    global _overlay_of_process
    if _overlay_of_process is None:
        file = getattr(sys.modules.get("triton"), "__file__", None)
        folder = os.path.dirname(os.path.dirname(file)) if file else ""
        if _stage.is_stage(folder):
            _overlay_of_process = _overlay.of_stage(folder)
        elif folder:
            _overlay_of_process = _overlay.baked(folder)
    return _overlay_of_process


def deactivate():
    """Takes the overlay of :func:`activate` away again, if triton is not imported yet.

    SpecInvalid once it is: its modules hold each other's objects. Nothing to do is no error.
    """
    global _overlay_of_process
    with _lock:
        overlay = active()
        if overlay is None or overlay.mode == "baked":
            return
        if _loaded_modules():
            raise SpecInvalid(f"'{overlay.backend}' cannot be deactivated: triton is imported",
                              overlay.path, "start another process without it")
        sys.meta_path[:] = [finder for finder in sys.meta_path
                            if not isinstance(finder, StageFinder)]
        sys.path[:] = [entry for entry in sys.path if entry != overlay.path]
        _overlay_of_process = None
