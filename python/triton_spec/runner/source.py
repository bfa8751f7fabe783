"""Any level of a kernel through Triton's own compiler.

`triton.compile` takes a subclass of ASTSource as it is. A LevelSource names the level as the first
stage, and while it is compiled that stage of the backend gives the file's content in place of what it
would have made. So Triton caches, dumps, tells its listeners and makes the kernel as for every other,
and nothing of a Triton version is repeated here.
"""

import contextlib
import hashlib
import json
import pathlib
import tempfile
import threading
import types

import triton
from triton.compiler import ASTSource
from triton.compiler.compiler import make_backend

from . import passes as _passes
from .errors import CompileFailed, RunnerError

MLIR = ("source", "ttir", "glir", "ttgir")  # levels that are a module of Triton's own MLIR library
_SALT = "triton-spec runner 1"

_one_at_a_time = threading.RLock()


class Stopped(Exception):
    """Ends a compilation where it was asked to end; `text` is what had been made."""

    def __init__(self, text):
        super().__init__("stopped")
        self.text = text


class LevelSource(ASTSource):
    """The content of one level, as a source for `triton.compile`.

    data   text, or bytes of a binary; path: a file with that content, or None
    name   of the kernel; args: its parameters (meta.Arg), as a launcher needs them
    level  a stage of the backend, or "source": the module before the first stage
    launch what the stages that are not run would have put into the metadata
    between  the content is no result of its level's stage, but a module that enters it: the stage is run
    control  a passes.Control, or None
    """

    def __init__(self, data, level, *, name, path=None, args=(), launch=None, between=False, control=None):
        self.data, self.level, self.path = data, level, path
        self.name, self.args, self.launch = name, list(args), launch or {}
        self.run_stage, self.control = between or level == "source", control
        self.is_module = between or level in MLIR
        self.language = _language(level, data)
        self.fn = types.SimpleNamespace(arg_names=[arg.name for arg in self.args], launch_metadata=None)
        self.signature = {arg.name: arg.type for arg in self.args}
        self.constants = {(i,): arg.constant for i, arg in enumerate(self.args) if arg.is_constant}
        self.attrs = {(i,): [["tt.divisibility", 16]] for i, arg in enumerate(self.args) if arg.div16}

    @property
    def content(self):
        """The data as bytes."""
        return self.data if isinstance(self.data, bytes) else self.data.encode()

    def hash(self):
        """Stands for all that the result depends on, beside options and compiler; no other source has it."""
        known = [_SALT, self.level, hashlib.sha256(self.content).hexdigest(), self.run_stage, self.name, self.launch,
                 [vars(arg) for arg in self.args], self.control.key() if self.control else None]
        return hashlib.sha256(json.dumps(known, sort_keys=True, default=str).encode()).hexdigest()

    def parse_options(self):
        """Options that the text decides."""
        return {}

    def make_ir(self, *arguments):
        """What the compiler takes as the front end's result."""
        if isinstance(self.data, bytes):
            return f"{self.level} {hashlib.sha256(self.data).hexdigest()}"
        return self._parse(arguments[-1]) if self.is_module else self.data

    def _parse(self, context):
        from triton._C.libtriton import ir
        with contextlib.ExitStack() as scope:
            path = self.path
            if path is None or pathlib.Path(path).read_bytes() != self.content:
                folder = scope.enter_context(tempfile.TemporaryDirectory())
                path = pathlib.Path(folder) / f"{self.name}.{self.level}"
                path.write_bytes(self.content)
            try:
                module = ir.parse_mlir_module(str(path), context)
            except Exception as error:  # the parser's own, of several types
                raise CompileFailed(f"the {self.level} does not parse: {error}", self.path or "",
                                    "its message is on standard error; was it made by another "
                                    f"version than triton {triton.__version__}?") from error
        module.context = context
        return module

    def enter(self, backend, stages):
        """Puts this content in the place of its stage's result; called with the backend's stages."""
        first = next(iter(stages)) if self.level == "source" else self.level
        if first not in stages:
            raise RunnerError(f"the backend has no level '{first}'", self.path or "",
                              f"its levels are {', '.join(stages)}")
        self.ext = first
        for name in list(stages):
            stages[name] = _passes.controlled(backend, name, stages[name], self.control)
        if self.control and self.control.watch:
            stages[list(stages)[-1]] = _stop
        stage = stages[first]

        def entered(module, metadata):
            self._prepare(module, metadata)
            if self.run_stage:
                return stage(module, metadata)
            return self.data if isinstance(self.data, bytes) else module
        stages[first] = entered

    def _prepare(self, module, metadata):
        if self.is_module:  # options stand in the module; later stages find out the rest
            metadata.update({k: v for k, v in self.launch.items() if k not in metadata})
            if self.level not in ("source", "ttir") and hasattr(module, "get_tensordesc_metadata"):
                found = module.get_tensordesc_metadata() if "tt.func" in self.data else []  # it dies without
                metadata.setdefault("tensordesc_meta", found)
            return
        metadata.update(self.launch, name=self.name)
        from triton._C.libtriton import llvm
        llvm.init_targets()  # LLVM's parsers crash without


def _stop(module, metadata):
    raise Stopped("")


def _language(level, data=""):
    try:
        from triton.backends.compiler import Language
    except ImportError:  # Triton 3.3 has one language
        return None
    gluon = level == "glir" or (level == "source" and "ttg.num-warps" in data)
    return Language.GLUON if gluon else Language.TRITON


def levels(target):
    """The names of the levels that the target's backend makes, in order."""
    backend, found = make_backend(target), {}
    _call_stages(type(backend).add_stages, backend, found, backend.parse_options({}))
    return list(found)


def _call_stages(add_stages, backend, stages, options):
    language = _language("ttir")
    return add_stages(backend, stages, options, *([] if language is None else [language]))


@contextlib.contextmanager
def _stages_of(backend_class, edit):
    """While it lasts, edit(backend, stages) follows add_stages() of that class, in this thread alone."""
    with _one_at_a_time:
        owner, own = threading.get_ident(), vars(backend_class).get("add_stages")
        original = backend_class.add_stages

        def add_stages(self, stages, options, *rest):
            original(self, stages, options, *rest)
            if threading.get_ident() == owner:
                edit(self, stages)
        backend_class.add_stages = add_stages
        try:
            yield
        finally:
            if own is None:
                del backend_class.add_stages
            else:
                backend_class.add_stages = own


def compile_source(source, target, options=None):
    """The CompiledKernel of a LevelSource. Raises CompileFailed, and whatever else Triton does."""
    backend_class = type(make_backend(target))
    source.ext = source.level
    with _stages_of(backend_class, source.enter):
        try:
            return triton.compile(source, target=target, options=dict(options or {}))
        except (Stopped, RunnerError, MemoryError):
            raise
        except Exception as error:
            raise CompileFailed(f"{type(error).__name__}: {error}", source.path or source.name) from error
