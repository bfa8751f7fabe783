"""The passes of a backend's stages: recorded while a stage runs, and run as they are or otherwise.

A stage function fills a pass manager through functions `add_*` of Triton's extension, which it finds as
globals of its module. While one stage runs, these globals are stand-ins that note each pass; when the
stage runs its manager, the noted passes are run: all, some, or one by one. So no list of passes is
repeated here, and a version with other passes needs no change.
"""

import collections
import dataclasses
import difflib
import hashlib
import inspect
import re
import sys
import threading
import uuid

from .errors import NotAResumePoint, UnknownPass

_EXTENSION = "triton._C.libtriton"


class Pass:
    """One pass of a plan: the `index`-th of its stage.

    name       as MLIR spells it ("tritongpu-coalesce")
    arguments  its options, as in a textual pipeline; on_module: it runs on the module, not on each function
    add        add(manager) appends it to a pass manager
    """

    def __init__(self, stage, index, pipeline, add):
        found = re.match(r"(?:[\w.]+\()*([\w.-]+)(\{.*\})?", pipeline)
        self.stage, self.index, self.add = stage, index, add
        self.name = found[1] if found else pipeline
        self.arguments = (found[2] or "") if found else ""
        self.on_module = "func(" not in pipeline

    def __repr__(self):
        return f"{self.stage}:{self.index} {self.name}{self.arguments}"

    def is_named(self, text):
        """Whether "name", "stage:name" or "stage:index" means this pass."""
        stage, _, rest = text.rpartition(":")
        return (not stage or stage == self.stage) and rest in (self.name, str(self.index) if stage else self.name)


def digest(plan):
    """A short digest of a plan: equal for equal lists of passes."""
    return hashlib.sha256("\n".join(map(repr, plan)).encode()).hexdigest()[:16]


def find(plan, text):
    """The first Pass of the plan that the text means. Raises UnknownPass."""
    for item in plan:
        if item.is_named(text):
            return item
    stage, _, rest = text.rpartition(":")
    names = sorted({item.name for item in plan if not stage or item.stage == stage})
    stages = list(dict.fromkeys(item.stage for item in plan))
    near = difflib.get_close_matches(rest, names, 5, 0.5) or names[:8]
    if stage and stage not in stages:
        raise UnknownPass(f"no stage '{stage}' has passes", "", f"stages with passes: {', '.join(stages)}")
    raise UnknownPass(f"no pass '{text}' in the plan of {len(plan)} passes", "", f"near it: {', '.join(near)}")


class Stopped(Exception):
    """Ends a compilation where it was asked to end; `text` is what had been made."""

    def __init__(self, text):
        super().__init__("stopped")
        self.text = text


@dataclasses.dataclass
class Control:
    """What is to happen to the passes of a compilation.

    start   (stage, index): that stage's passes before the index are left out
    skip    texts as Pass.is_named() takes them: these are left out
    stop    a text: the compilation ends behind that pass
    insert  [(text, add)]: add(manager) appends a pass behind the named one
    watch   called with (the stage; Pass, or None for what the stage begins with; the module) after each pass,
            which then are run one at a time; such a compilation ends before its last stage
    seen    after the compilation, the passes of all stages that ran
    token   tells this Control from others that insert something
    """

    start: tuple | None = None
    skip: tuple = ()
    stop: str | None = None
    insert: tuple = ()
    watch: object = None
    seen: list = dataclasses.field(default_factory=list, compare=False)
    token: str = dataclasses.field(default_factory=lambda: uuid.uuid4().hex, compare=False)

    def key(self):
        """What a cache must tell apart; nobody can tell whether two functions insert the same."""
        return [self.start, list(self.skip), self.stop, self.watch is not None, self.token if self.insert else None]

    def check(self, plan):
        """Raises UnknownPass when a text names no pass of the plan."""
        for text in (*self.skip, *([self.stop] if self.stop else []), *(text for text, _add in self.insert)):
            find(plan, text)

    def edited(self, items):
        """(the passes to run, whether to stop behind them)."""
        kept = []
        for item in items:
            before = self.start is not None and item.stage == self.start[0] and item.index < self.start[1]
            if not before and not any(item.is_named(text) for text in self.skip):
                kept.append(item)
            kept += [Pass(item.stage, item.index, f"inserted-{getattr(add, '__name__', 'pass')}", add)
                     for text, add in self.insert if item.is_named(text)]
            if self.stop and item.is_named(self.stop):
                return kept, True
        return kept, False


class _Manager:
    """Stands in for a pass manager: notes what is added, and runs it as the control says."""

    def __init__(self, stage, context):
        self._stage, self._context = stage, context
        self._real, self._adders, self._debug = stage.manager(context), [], False

    def enable_debug(self):
        self._debug = True
        return self._real.enable_debug()

    def __getattr__(self, name):
        return getattr(self._real, name)

    def note(self, add):
        add(self._real)
        self._adders.append(add)

    def _fresh(self, items):
        manager = self._stage.manager(self._context)
        if self._debug:
            manager.enable_debug()
        for item in items:
            item.add(manager)
        return manager

    def _named(self):
        """The noted passes."""
        stage, items = self._stage, []
        first = sum(item.stage == stage.name for item in stage.control.seen)
        for index, add in enumerate(self._adders, first):
            alone = stage.manager(self._context)
            add(alone)
            items.append(Pass(stage.name, index, alone.get_pipeline_str(), add))
        stage.control.seen += items
        return items

    def run(self, module, *arguments):
        stage, control = self._stage, self._stage.control
        kept, stop = control.edited(self._named())
        if control.watch:
            control.watch(stage.name, None, module)
            for item in kept:
                self._fresh([item]).run(module, *arguments)
                control.watch(stage.name, item, module)
        elif kept:
            self._fresh(kept).run(module, *arguments)
        if stop:
            raise Stopped(str(module))


# One stage while it runs. manager: Triton's class of pass managers; thread: that in which it runs.
_Stage = collections.namedtuple("_Stage", "name control manager thread")


class _StandIn:
    """Stands in for a module of Triton's extension, or for its class of pass managers."""

    def __init__(self, real, stage):
        self._real, self._stage = real, stage

    def __call__(self, context):
        return _Manager(self._stage, context)

    def __getattr__(self, name):
        value, stage = getattr(self._real, name), self._stage
        if threading.get_ident() != stage.thread:
            return value
        if inspect.ismodule(value) or name == "pass_manager":
            return _StandIn(value, stage)
        if name.startswith("add_"):
            def add(manager, *arguments, **named):
                if not isinstance(manager, _Manager):
                    return value(manager, *arguments, **named)
                return manager.note(lambda real: value(real, *arguments, **named))
            return add
        return value


def controlled(backend, name, function, control):
    """The function of the backend's stage of that name under a Control; as it is where that says nothing."""
    if control == Control():
        return function
    from triton._C.libtriton import ir

    def call(module, metadata):
        stage, changed = _Stage(name, control, ir.pass_manager, threading.get_ident()), []
        for namespace in _namespaces(backend, function):
            real = {key: value for key, value in namespace.items()
                    if inspect.ismodule(value) and value.__name__.startswith(_EXTENSION)}
            changed.append((namespace, real))
            namespace.update({key: _StandIn(value, stage) for key, value in real.items()})
        try:
            return function(module, metadata)
        finally:
            for namespace, real in changed:
                namespace.update(real)
    return call


def _namespaces(backend, function):
    """The globals of the modules beside the backend's own, where its stages find Triton's extension."""
    name = type(backend).__module__
    if name not in sys.modules:  # Triton 3.3 does not register it
        return [getattr(function, "__func__", function).__globals__]
    package = name.rpartition(".")[0]
    return [vars(module) for other, module in list(sys.modules.items())
            if other == name or (package and other.startswith(package + ".") and inspect.ismodule(module))]


_HEADER = re.compile(r"// -----// IR Dump Before (?:(?P<new>[\w.-]+): (?P<arg>[\w.-]+)|[^\n(]*\((?P<old>[\w.-]+)\))"
                     r"[^\n]*?\((?:'(?P<op>[\w.]+)' operation[^\n)]*)\)")


def split_dump(text):
    """[(pass name, module text)] of what MLIR_ENABLE_DUMP prints, before each pass on a whole module."""
    marks = list(re.finditer(r"// -----// IR Dump [^\n]*", text))
    found = []
    for mark, end in zip(marks, [*(mark.start() for mark in marks[1:]), len(text)]):
        header = _HEADER.match(mark[0])
        if header and header["op"] == "builtin.module":
            found.append((header["arg"] or header["old"], text[mark.end():end].strip() + "\n"))
    return found


def align(dump, plan):
    """[(Pass, text before it)]: which entries of split_dump() are the plan's own.

    Passes run others inside them, whose dumps are no resume points. The plan is looked for from the
    end: what a pass runs inside stands between its own dump and the next of the plan. A pass on
    functions has no dump of the module.
    Raises NotAResumePoint when the dump is not of this plan.
    """
    matched, at = [], len(dump) - 1
    for item in reversed([item for item in plan if item.on_module]):
        while at >= 0 and dump[at][0] != item.name:
            at -= 1
        if at < 0:
            raise NotAResumePoint(f"the dump does not have the pass {item!r} of this plan", "",
                                  "it was made by another version, for another target or with other options")
        matched.append((item, dump[at][1]))
        at -= 1
    return matched[::-1]
