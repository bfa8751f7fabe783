"""The calls by which a trunk asks for a backend's hooks, in a package that needs no triton_spec.

The twin of the extension ``triton_spec._spec``: the same functions with the same results. It needs the file
``spec/__init__.py`` beside it.
"""

import os
import sys
from importlib import import_module
from types import FunctionType, ModuleType

__all__ = ["bind_language_extension_symbols_to_tl", "spec", "spec_call", "spec_call_or", "spec_func",
           "spec_has", "spec_path"]

_NONE = object()
_NAME = frozenset("abcdefghijklmnopqrstuvwxyz0123456789_")

_registries = None  # [(registry, its dict)], the backend's first; None until all are imported
_outcomes = {}  # {layer: module, None when it has no registry, or the arguments of _hook_error}


class SpecError(Exception):
    """What cannot be done: what is wrong, where, and the mend."""

    code = "error"

    def __init__(self, what="", where="", mend=""):
        super().__init__(what, where, mend)
        self.what, self.where, self.mend, self.findings = what, where, mend, []

    def __str__(self):
        details = [f"  {label}: {text}" for label, text in (("at", self.where), ("mend", self.mend)) if text]
        return "\n".join([self.what, *details])


class SpecNotFound(SpecError):
    """The package was not specialized for the backend that is asked for."""

    code = "not-found"


class SpecInvalid(SpecError):
    """A wrong name of a backend."""

    code = "invalid"


class SpecHookError(SpecError, ImportError):
    """A hook registry cannot be asked: what it raised when it was imported is `__cause__`."""

    code = "hook"


# --- which backend -----------------------------------------------------------------------------

def _optional(name):
    """A module, or None when there is none of that name. By __import__, which gives a thread that another
    one waits for what there is of the module; import_module() would raise."""
    try:
        __import__(name)
        return sys.modules[name]
    except ModuleNotFoundError as error:
        if error.name != name:
            raise
        return None


def _marker():
    """(layers, whether every override is in its place already, who says so)."""
    module = _optional("triton._flagtree_backend")
    if module is not None:
        file = getattr(module, "__file__", "")
        if hasattr(module, "LAYERS"):
            return tuple(module.LAYERS), True, file
        name = module.FLAGTREE_BACKEND
        return _layers_of(name), False, file
    for folder in sys.modules["triton"].__path__:
        path = os.path.join(folder, "FLAGTREE_BACKEND")
        if os.path.exists(path):
            with open(path, encoding="utf-8", errors="backslashreplace") as file:
                return _layers_of(file.read()), False, folder
    return (), False, ""


def _layers_of(name):
    name = name.strip() if isinstance(name, str) else name
    return (name,) if name else ()


def _backend():
    """(layers, whether every override is in its place already). Raises SpecInvalid and SpecNotFound."""
    layers, staged, source = _marker()
    for name in layers:
        if not isinstance(name, str) or not name or not _NAME.issuperset(name):
            raise SpecInvalid(f"{name!r} is no name of a backend (a name is [a-z0-9_]+)", source,
                              "name the backend's folder, as in FLAGTREE_BACKEND=acme")
    asked = os.environ.get("FLAGTREE_BACKEND")
    if asked and not layers:
        raise SpecNotFound(f"FLAGTREE_BACKEND asks for {asked!r}, and the triton package in use was not "
                           "specialized for any backend", sys.modules["triton"].__file__ or "",
                           "install a wheel that was baked for that backend")
    return layers, staged


# --- the registries ----------------------------------------------------------------------------

def _hook_error(layer, cause, what, where, mend, path):
    error = SpecHookError(what, where, mend)
    error.name, error.path = f"triton.spec.{layer}.triton", path
    if cause is not None:
        error.__cause__ = cause
    return error


def _is_lasting(error):
    """Whether an error tells of the registry, and not of this moment."""
    return not isinstance(error, MemoryError) and type(error).__name__ != "_DeadlockError"


def _unfinished(module):
    return bool(getattr(getattr(module, "__spec__", None), "_initializing", False))


def _import_registry(layer):
    """The registry of a layer, None when there is none. Package by package, so that threads take the
    import locks in one order."""
    module = None
    for name in ("triton", "triton.spec", f"triton.spec.{layer}", f"triton.spec.{layer}.triton"):
        module = _optional(name)
        if module is None:
            break
    return module


def _load(layer):
    """The registry of a layer, None when there is none; it is imported once."""
    outcome = _outcomes.get(layer, _NONE)
    if outcome is _NONE:
        try:
            outcome = _import_registry(layer)
        except Exception as error:
            if not _is_lasting(error):
                raise
            from .spec import fault
            outcome = (layer, error, *fault(layer, error))
        if outcome is None or isinstance(outcome, tuple) or not _unfinished(outcome):
            _outcomes[layer] = outcome
    if isinstance(outcome, tuple):
        raise _hook_error(*outcome)
    return outcome


def _find_first(name):
    """As _find(), importing what is not imported yet."""
    global _registries
    layers, staged = _backend()
    if layers and not staged:
        from .spec import install
        install()
    modules = [module for module in map(_load, layers) if module is not None]
    settled = not any(map(_unfinished, modules))
    registries = [(module, vars(module) if type(module) is ModuleType else _Attributes(module))
                  for module in modules]
    hook = _NONE
    for module, names in registries:
        unfinished = _unfinished(module)
        hook = _look(module, names, name)
        if hook is not _NONE:
            break
        if unfinished:
            from .spec import pending
            told = pending(module, name)
            if told is not None:
                raise _hook_error(told[0], *told[1])
    if settled:
        _registries = registries
    return hook


class _Attributes:
    """Those of an object that a registry put in its place, asked like a module's dict."""

    def __init__(self, registry):
        self.registry = registry

    def __contains__(self, name):
        return hasattr(self.registry, name)

    def get(self, name, default):
        """The attribute of a name, or the default."""
        return getattr(self.registry, name, default)


def _look(module, names, name):
    """What a registry publishes under a name, or _NONE."""
    hook, listed = names.get(name, _NONE), names.get("__all__", _NONE)
    if hook is _NONE and "__getattr__" in names:
        hook = getattr(module, name, _NONE)
    if hook is _NONE:
        return hook
    if listed is _NONE:
        dunder = len(name) > 4 and name.startswith("__") and name.endswith("__")
        return _NONE if dunder or isinstance(hook, ModuleType) else hook
    if not isinstance(listed, (list, tuple, set, frozenset)):
        raise SpecHookError(f"__all__ of a hook registry is a list of names, not {listed!r}",
                            getattr(module, "__file__", ""), 'write __all__ = ["hook", ...]')
    return hook if name in listed else _NONE


def _find(name, function):
    """The hook of a name in the first registry that publishes it, or _NONE. What is asked most, a function
    of a registry without __all__ or a name that is not there, is answered without a call."""
    if type(name) is not str and not isinstance(name, str):
        raise TypeError(f"{function}() takes the name of a hook, a str, not {type(name)!r}")
    if _registries is None:
        return _find_first(name)
    for module, names in _registries:
        hook = names.get(name, _NONE)
        if hook is _NONE and "__getattr__" not in names:
            continue
        if type(hook) is FunctionType and "__all__" not in names and name[0] != "_":
            return hook
        hook = _look(module, names, name)
        if hook is not _NONE:
            return hook
    return _NONE


def _not_callable(name, hook):
    """The TypeError of a hook that is no function."""
    files = [module.__file__ for module, names in _registries or () if _look(module, names, name) is not _NONE]
    return TypeError(f"the hook {name!r} of {files[0] if files else 'a registry that is being imported'} is "
                     f"{type(hook)!r} and cannot be called")


# --- what a trunk calls ------------------------------------------------------------------------

def spec_call(name, /, *args, **kwargs):
    """The result of the backend's hook `name`, or None when it has none."""
    hook = _find(name, "spec_call")
    if hook is _NONE:
        return None
    if not callable(hook):
        raise _not_callable(name, hook)
    return hook(*args, **kwargs)


spec = spec_call


def spec_call_or(default, name, /, *args, **kwargs):
    """The result of the backend's hook `name`, or `default` when it has none."""
    hook = _find(name, "spec_call_or")
    if hook is _NONE:
        return default
    if not callable(hook):
        raise _not_callable(name, hook)
    return hook(*args, **kwargs)


def spec_func(name, /):
    """What the backend publishes as `name`, or None."""
    hook = _find(name, "spec_func")
    return None if hook is _NONE else hook


def spec_has(name, /):
    """Whether the backend publishes `name`."""
    return _find(name, "spec_has") is not _NONE


def bind_language_extension_symbols_to_tl(extension, /):
    """Gives triton.language the names in extension.__all__ that it lacks."""
    names = tuple(getattr(extension, "__all__", ()))
    language = import_module("triton.language") if names else None
    for name in names:
        if hasattr(extension, name) and not hasattr(language, name):
            setattr(language, name, getattr(extension, name))


def spec_path(path_list, /):
    """Puts the backend's folder before the others of a package's __path__, where the triton package has
    FlagTree's layout; elsewhere every override is in its place already."""
    if not isinstance(path_list, list):
        raise TypeError(f"spec_path() takes a package's __path__, a list, not {type(path_list)!r}")
    layers, staged = _backend() if path_list else ((), True)
    if staged or not layers:
        return
    folder = os.path.normpath(path_list[0])
    root = _root_of(folder)
    home = os.path.join(root, "spec", layers[0], "triton")
    rest = os.path.relpath(folder, home if _is_below(folder, home) else root)
    place = os.path.normpath(os.path.join(home, rest))
    if os.path.isdir(place):
        if place not in path_list:
            path_list.insert(0, place)
        from .spec import install
        install(home)


def _is_below(path, folder):
    return f"{path}{os.sep}".startswith(f"{folder}{os.sep}")


def _root_of(folder):
    """The folder of the package triton: of its __path__, or the outermost package around another."""
    roots = map(os.path.normpath, getattr(sys.modules.get("triton"), "__path__", ()))
    around = [root for root in roots if _is_below(folder, root)]
    if around:
        return min(around, key=len)
    while os.path.isfile(os.path.join(os.path.dirname(folder), "__init__.py")):
        folder = os.path.dirname(folder)
    return folder
