"""Any level of a kernel through Triton's own compiler.

`triton.compile` takes a subclass of ASTSource as it is. A LevelSource names the level as the first
stage, and while it is compiled that stage of the backend gives the file's content in place of what it
would have made. So Triton caches, dumps, tells its listeners and makes the kernel as for every other,
and nothing of a Triton version is repeated here.
"""

import contextlib
import copy
import dataclasses
import hashlib
import json
import pathlib
import tempfile
import threading
import types

import triton
from triton.compiler import ASTSource, compiler

from . import passes as _passes
from .errors import CompileFailed, RunnerError

MLIR = ("source", "ttir", "glir", "ttgir")  # levels that are a module of Triton's own MLIR library
_SALT = "triton-spec runner 2"

_EMPTY = "module {\n  tt.func public @plan() {\n    tt.return\n  }\n}\n"

_one_at_a_time = threading.RLock()
_plans = {}


class LevelSource(ASTSource):
    """The content of one level, as a source for `triton.compile`.

    data     text, or bytes of a binary; path: a file with that content, or None
    level    a stage of the backend, or "source": the module before the first stage
    target, options  what it is compiled for, and how
    name     of the kernel; args: its parameters (meta.Arg), as a launcher needs them
    launch   what the stages that are not run would have put into the metadata
    control  a passes.Control; with a start, the content is no result of its level's stage, but a module that enters it
    """

    def __init__(self, data, level, target, options, *, name, path=None, args=(), launch=None, control=None):
        self.data, self.level, self.path = data, level, path
        self.target, self.options = target, dict(options or {})
        self.name, self.args, self.launch = name, list(args), launch or {}
        self.control = control or _passes.Control()
        self.is_entering = self.control.start is not None or level == "source"
        self.is_module = self.is_entering or level in MLIR
        self.language = _language(level, data)
        self.fn = types.SimpleNamespace(arg_names=[arg.name for arg in self.args], launch_metadata=None)
        self.signature = {arg.name: arg.type for arg in self.args}
        self.constants = {(i,): arg.constant for i, arg in enumerate(self.args) if arg.is_constant}
        self.attrs = {(i,): [["tt.divisibility", 16]] for i, arg in enumerate(self.args) if arg.div16}

    def controlled(self, **changes):
        """The same, with these fields of its Control."""
        other = copy.copy(self)
        other.control = dataclasses.replace(self.control, seen=[], **changes)
        return other

    @property
    def content(self):
        """The data as bytes."""
        return self.data if isinstance(self.data, bytes) else self.data.encode()

    def hash(self):
        """Stands for all that the result depends on, beside options and compiler; no other source has it."""
        known = [_SALT, self.level, hashlib.sha256(self.content).hexdigest(), self.name, self.launch,
                 [vars(arg) for arg in self.args], self.control.key()]
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
        self.ext, self.control.seen = first, []
        for name in list(stages):
            stages[name] = _passes.controlled(backend, name, stages[name], self.control)
        if self.control.watch:
            stages[list(stages)[-1]] = _stop
        stage = stages[first]

        def entered(module, metadata):
            self._prepare(module, metadata)
            if self.is_entering:
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
    raise _passes.Stopped("")


def _language(level, data=""):
    try:
        from triton.backends.compiler import Language
    except ImportError:  # Triton 3.3 has one language
        return None
    gluon = level == "glir" or (level == "source" and "ttg.num-warps" in data)
    return Language.GLUON if gluon else Language.TRITON


def levels(target):
    """The names of the levels that the target's backend makes, in order."""
    backend, found = compiler.make_backend(target), {}
    language = _language("ttir")
    backend.add_stages(found, backend.parse_options({}), *([] if language is None else [language]))
    return list(found)


def compile_source(source):
    """The CompiledKernel of a LevelSource. Raises CompileFailed, and whatever else Triton does."""
    owner = threading.get_ident()

    def make_entered(target):
        backend = original(target)
        if threading.get_ident() == owner:
            add_stages = backend.add_stages

            def add_and_enter(stages, *rest):
                add_stages(stages, *rest)
                source.enter(backend, stages)
            backend.add_stages = add_and_enter
        return backend
    source.ext = source.level
    with _one_at_a_time:
        original, compiler.make_backend = compiler.make_backend, make_entered
        try:
            return triton.compile(source, target=source.target, options=source.options)
        except (_passes.Stopped, RunnerError, MemoryError):
            raise
        except Exception as error:
            raise CompileFailed(f"{type(error).__name__}: {error}", source.path or source.name) from error
        finally:
            compiler.make_backend = original


def stopped_text(source):
    """What a compilation had made where its Control stopped it; None where it did not."""
    try:
        compile_source(source)
    except _passes.Stopped as stopped:
        return stopped.text
    return None


def plan(target, options=None):
    """The passes of all stages in order, [Pass], as the backend runs them for a target and options.

    Raises RunnerError for a backend that fills its pass managers where the recorder does not see it.
    """
    key = repr((target, sorted((options or {}).items(), key=repr)))
    if key not in _plans:
        control = _passes.Control(watch=lambda stage, item, module: None)  # makes passes run one at a time
        stopped_text(LevelSource(_EMPTY, "source", target, options, name="plan", control=control))
        if not control.seen:
            raise RunnerError(f"no pass of the backend '{target.backend}' was seen",
                              "", "its stages must find Triton's passes as globals of its module")
        _plans[key] = control.seen
    return list(_plans[key])
