"""@jit: a kernel's function whose launches may name a file of one of its levels.

    @jit
    def add(x, y, o, n, BLOCK: tl.constexpr): ...
    add[grid](x, y, o, n, BLOCK=1024, ttgir="edited.ttgir")

Without such a name it is Triton's own jit. The names of triton-runner's keywords are taken too.
"""

import pathlib

import triton
from triton.backends.compiler import GPUTarget

from . import meta as _meta
from .errors import MissingMetadata, RunnerError, SignatureMismatch
from .kernel import active_target, load, option_names

LEVELS = ("ttir", "ttgir", "glir", "llir", "ptx", "cubin", "amdgcn", "hsaco", "c", "so")
_OWN = ("skip", "insert", "start_after", "metadata_json", "target", "check")


class _Request:
    """What a launch's keywords, of which these are taken, ask for: a level's file or text, and how it is loaded."""

    def __init__(self, keywords, name):
        asked = [(level, key) for level in LEVELS for key in (level, f"{level}_src", f"{level}_dir") if key in keywords]
        if len(asked) > 1:
            raise RunnerError(f"'{asked[0][1]}' and '{asked[1][1]}' are both given", "", "give one level")
        self.level, key = asked[0] if asked else (None, None)
        value = keywords.pop(key, None)
        self.text = value if isinstance(value, str) and "\n" in value else None
        self.path = None if value is None or self.text else pathlib.Path(value)
        if key == f"{self.level}_dir":
            self.path /= f"{name}.{self.level}"
        self.own = {key: keywords.pop(key) for key in _OWN if key in keywords}

    def key(self):
        """What makes two requests one kernel, in one process; a file's own content is not looked at."""
        stamp = self.path.stat() if self.path is not None and self.path.exists() else None
        return (self.level, self.text, str(self.path), stamp and (stamp.st_mtime_ns, stamp.st_size, stamp.st_ino),
                repr(sorted(self.own.items(), key=lambda item: item[0])))


class Function:
    """A kernel's function: Triton's JITFunction, and kernels from files.

    kernels  those that were loaded, by request; clear() to have files read again whatever their time
    """

    def __init__(self, jitted):
        self.jitted, self.kernels = jitted, {}
        self.__name__, self.__doc__ = jitted.__name__, jitted.__doc__

    def __getattr__(self, name):
        return getattr(self.jitted, name)

    def __getitem__(self, grid):
        def launch(*args, **keywords):
            request = _Request(keywords, self.__name__)
            if request.level is None:
                return self.jitted[grid](*args, **keywords)
            options = {key: value for key, value in keywords.items() if key not in self.jitted.arg_names}
            kernel = self.kernels.get(key := (request.key(), repr(sorted(options.items()))))
            if kernel is None:
                kernel = self.kernels[key] = self._load(request, options)
            named = {**dict(zip(self.jitted.arg_names, args)), **keywords}
            chosen = grid(named) if callable(grid) else grid
            kernel[tuple(chosen) if isinstance(chosen, list) else chosen](*self._passed(kernel, named))
            return kernel
        return launch

    def _load(self, request, options):
        own = request.own
        target = own.get("target") or active_target()
        known = option_names(target) if target is not None else ()
        path = self._written(request) if request.text is not None else request.path
        meta, beside = own.get("metadata_json"), _meta.beside(path)
        if meta is not None and not isinstance(meta, (str, pathlib.Path, dict)):
            raise RunnerError("metadata_json is a file's path or a dict", path)
        if meta is None and beside is None and request.level in ("llir", "ptx", "cubin"):
            raise MissingMetadata(f"{request.level} needs metadata", path, "give metadata_json= or a sidecar beside it",
                                  fields=("shared",))
        foreign = meta is not None or (beside is not None and not beside.name.endswith(_meta.SUFFIX))
        return load(path, level=request.level, target=target if isinstance(target, GPUTarget) else None,
                    options={key: value for key, value in options.items() if key in known}, meta=meta,
                    check=own.get("check", "loose" if foreign else "strict"),
                    after=own.get("start_after"), skip=own.get("skip", ()), insert=own.get("insert", ()))

    def _written(self, request):
        from triton.runtime.cache import get_cache_manager
        digest = _meta.sha256(f"{request.level}{request.text}".encode())
        name = f"{self.__name__}.{request.level}"
        return pathlib.Path(get_cache_manager(digest).put(request.text, name, binary=False))

    def _passed(self, kernel, named):
        """The call's arguments as the kernel takes them: by its own names, else in the function's order."""
        wanted = [arg.name for arg in kernel.meta.args]
        if kernel.is_described or all(name in named for name in wanted):
            lacking = [arg.name for arg in kernel.meta.args if arg.name not in named and not arg.is_constant]
            if lacking:
                raise SignatureMismatch(f"{self.__name__}() is called without '{lacking[0]}'", kernel.name)
            return [named.get(arg.name, arg.constant) for arg in kernel.meta.args]
        constants = {param.name for param in self.jitted.params if param.is_constexpr}
        passed = [named[name] for name in self.jitted.arg_names if name in named and name not in constants]
        if len(passed) > len(wanted):  # Triton compiles a 1 in, and passes it no more
            passed = [value for value in passed if not (isinstance(value, int) and value == 1)]
        return passed


def jit(function=None, **how):
    """Triton's jit, whose launches also take ttir=, ttgir=, llir=, ptx= and cubin= (and *_dir=, *_src=).

    how: as triton.jit. The file's kernel is loaded once, and again when its time or size changes.
    """
    if function is None:
        return lambda given: jit(given, **how)
    return Function(triton.jit(function, **how))
