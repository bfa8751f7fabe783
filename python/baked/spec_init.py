"""What lies below ``triton.spec``: a backend's hook registry is ``triton.spec.<layer>.triton``.

A module has one name, the trunk's: ``triton.spec.<layer>.triton.x`` is the module ``triton.x``, unless the
registry's own folder has another file of that name. The functions here serve the extension
``triton_spec._spec`` and its twin in Python, ``triton/_flagtree_spec.py``.
"""

import os
import sys
from importlib import import_module
from importlib.machinery import ModuleSpec, PathFinder
from importlib.util import find_spec

_ROOT = "triton.spec."
_TWIN = "triton._flagtree_spec"

# Builtins by which a registry may publish a name that its code does not hold.
_DYNAMIC = {"globals", "locals", "vars", "setattr", "exec", "__getattr__"}


class _Alias:
    """Loads one name as the module that has another."""

    def __init__(self, name):
        self.name = name

    def create_module(self, spec):
        """None: as Python makes modules."""

    def exec_module(self, module):
        """Put the other module in the place of this one, which nobody has seen yet."""
        sys.modules[module.__spec__.name] = import_module(self.name)


class _AliasFinder:
    """Finds trunk modules by their names below a registry."""

    def find_spec(self, fullname, path=None, _target=None):
        """The spec of a name below ``triton.spec.<layer>.triton``; None for any other."""
        parts = fullname.split(".", 4)
        if len(parts) < 5 or not fullname.startswith(_ROOT) or parts[3] != "triton":
            return None
        own, trunk = PathFinder.find_spec(fullname, path), _spec_of(f"triton.{parts[4]}")
        if trunk is None or (own is not None and own.loader is not None and own.origin != trunk.origin):
            return own
        spec = ModuleSpec(fullname, _Alias(f"triton.{parts[4]}"), origin=trunk.origin)
        spec.submodule_search_locations = trunk.submodule_search_locations
        return spec


class _PlacesFinder:
    """Finds packages below those that spec_path() served, in the backend's folder and in the trunk's."""

    def __init__(self, home):
        self.home = home  # <root>/spec/<backend>/triton

    def find_spec(self, fullname, path=None, _target=None):
        """The spec of a package that may lie in both; None for any other module."""
        if path is None or not fullname.startswith("triton.") or fullname.startswith(_ROOT):
            return None
        path = list(path)
        if not any((entry + os.sep).startswith(self.home + os.sep) for entry in path):
            return None
        spec = PathFinder.find_spec(fullname, path)
        if spec is None or spec.loader is None or spec.submodule_search_locations is None:
            return None
        places = [os.path.join(entry, fullname.rpartition(".")[2]) for entry in path]
        places = [place for place in places if os.path.isdir(place)]
        spec.submodule_search_locations = list(dict.fromkeys([*places, *spec.submodule_search_locations]))
        return spec


def _spec_of(name):
    """The spec of a module, imported or not; None when there is none."""
    module = sys.modules.get(name)
    if module is not None:
        return getattr(module, "__spec__", None) or ModuleSpec(name, None)
    try:
        return find_spec(name)
    except ModuleNotFoundError as error:
        if error.name is None or not f"{name}.".startswith(f"{error.name}."):
            raise  # a package above it lacks something else
        return None


def install(home=None):
    """Put the finders on sys.meta_path, once.

    home: the backend's folder in a package of FlagTree's layout, where spec_path() let it be searched
    """
    there = {(type(finder).__name__, getattr(finder, "home", None)) for finder in sys.meta_path}
    if home is not None and ("_PlacesFinder", home) not in there:
        sys.meta_path.insert(0, _PlacesFinder(home))
    if ("_AliasFinder", None) not in there:
        sys.meta_path.insert(0, _AliasFinder())


def fault(layer, error):
    """What to say of a registry whose import raised an error: (what, where, mend, path)."""
    package = f"triton.spec.{layer}"
    path, line = None, None
    if isinstance(error, SyntaxError) and error.filename:
        path, line = error.filename, error.lineno
    trace = None if path else error.__traceback__
    while trace is not None:
        name = str(trace.tb_frame.f_globals.get("__name__"))
        if f"{name}.".startswith(f"{package}."):
            path, line = trace.tb_frame.f_code.co_filename, trace.tb_lineno
        trace = trace.tb_next
    path = path or _origin(f"{package}.triton") or ""
    return (f"the hooks of backend '{layer}' cannot be imported: {type(error).__name__}: {error}",
            f"{path}:{line}" if line else path,
            "mend what the cause says; until then no hook of this backend can be asked for", path)


def _origin(name):
    """The file of a module that cannot be imported, None when it cannot even be found."""
    try:
        return getattr(find_spec(name), "origin", None)
    except Exception:
        return None


def pending(registry, name):
    """What to say when a hook is asked for while its registry's code still runs.

    None when that code will surely not publish the name; else (layer, (None, what, where, mend, path)).
    """
    frames = list(_frames(sys._getframe(1)))
    running = [frame for frame in frames
               if frame.f_globals is vars(registry) and frame.f_code.co_name == "<module>"]
    if name in vars(registry) or not _may_bind(running[-1].f_code if running else None, registry, name):
        return None
    layer = registry.__name__.split(".")[2]
    path = getattr(registry, "__file__", None) or ""
    asker = f"{frames[0].f_code.co_filename}:{frames[0].f_lineno}" if frames else "C code"
    what = f"the hook '{name}' is asked for by {asker} while the hooks of backend '{layer}' are being imported"
    if not running:
        return layer, (None, f"{what} by another thread, which waits for this one", path,
                       "import triton before threads start", path)
    path, line = running[-1].f_code.co_filename, running[-1].f_lineno
    mend = f"have '{name}' before line {line}, or import what that line imports inside the hooks that need it"
    return layer, (None, what, f"{path}:{line}", mend, path)


def _frames(frame):
    """A frame and its callers, but for those of the twin."""
    while frame is not None:
        if frame.f_globals.get("__name__") != _TWIN:
            yield frame
        frame = frame.f_back


def _may_bind(code, registry, name):
    """Whether the code of a registry, as far as one can tell, publishes a name later on."""
    listed = vars(registry).get("__all__")
    if code is None or listed is not None:
        return listed is None or name in listed
    return name in code.co_names or ("*",) in code.co_consts or not _DYNAMIC.isdisjoint(code.co_names)


if __name__ == "triton.spec":
    install()
