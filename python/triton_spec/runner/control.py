"""What is done with the passes between two levels: listed, stopped at, written out, resumed, left out."""

import dataclasses
import pathlib

import triton

from . import meta as _meta
from .errors import CompileAborted, CompileFailed, RunnerError
from .forked import forked
from .kernel import (Kernel, _compiled_only, load, option_names, prepare, save, snapshot_text)
from .passes import Control, align, find, split_dump
from .source import LevelSource, Stopped, compile_source

_EMPTY = "module {\n  tt.func public @plan() {\n    tt.return\n  }\n}\n"
_plans = {}


def _ignore(stage, item, module):
    """A watcher that only makes passes run one at a time."""


def plan(target, options=None):
    """The passes of all stages in order, [Pass], as the backend runs them for a target and options.

    Raises RunnerError for a backend that fills its pass managers where the recorder does not see it.
    """
    key = repr((target, sorted((options or {}).items(), key=repr)))
    if key not in _plans:
        control = Control(watch=_ignore)
        try:
            compile_source(LevelSource(_EMPTY, "source", name="plan", control=control), target, options)
        except Stopped:
            pass
        if not control.seen:
            raise RunnerError(f"no pass of the backend '{target.backend}' was seen",
                              "", "its stages must find Triton's passes as globals of its module")
        _plans[key] = control.seen
    return list(_plans[key])


def compile_to(path, stop, **how):
    """The module's text behind the pass `stop`. how: as load(). Raises UnknownPass."""
    source, target, options, _file = prepare(path, **how)
    passes = plan(target, options)
    find(passes, stop)
    source.control = Control(stop=stop, start=source.control.start if source.control else None)
    try:
        compile_source(source, target, options)
    except Stopped as stopped:
        return stopped.text
    raise RunnerError(f"the pass '{stop}' does not come behind this level", path, "load an earlier level")


def _following(item):
    """(stage, index) of what comes behind a pass: it may be the end of its stage."""
    return item.stage, item.index + 1


def _write_sidecar(folder, name, target, options, args):
    """Writes what the snapshots of a folder rely on, unless it is there."""
    if not (folder / f"{name}{_meta.SUFFIX}").exists():
        _meta.write(_meta.Metadata(name, dataclasses.asdict(target), None, options, {}, args), folder)


def snapshot(path, folder, **how):
    """Writes the module before the first pass and behind each one as <kernel>.<n>.<stage>.<pass>.mlir.

    path  a file as load() takes it, or a Kernel, whose earliest level is taken; how: as load()
    Each file is one that load() resumes. Returns their paths in order.
    """
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    if hasattr(path, "asm"):
        save(path, folder)
        levels = [folder / f"{path.name}.{level}" for level in ("source", "ttir")]
        path = next(level for level in levels if level.exists())
    source, target, options, _file = prepare(path, **how)
    passes, written = plan(target, options), []
    _write_sidecar(folder, source.name, target, options, source.args or None)

    def write(stage, item, module):
        if item and item.name == _UNPRINTABLE:
            return
        following = _following(item) if item else (stage, 0)
        name = f"{source.name}.{len(written):03}.{stage}.{item.name if item else 'input'}.mlir"
        (folder / name).write_text(snapshot_text(source.name, item, following, passes, str(module)))
        written.append(folder / name)
    source.control = Control(watch=write)
    try:
        compile_source(source, target, options)
    except Stopped:
        pass
    return written


# Triton 3.3 and 3.4 crash or never return when a module is printed behind the pass for debug scopes.
_UNPRINTABLE = "enable-line-info" if triton.__version__.startswith(("3.3.", "3.4.")) else None


def resume(path, after=None, **how):
    """load() of a module between two passes.

    after  the pass that it stands behind; default: what the snapshot's first line says. how: as load()
    """
    if after is None:
        return load(path, **how)
    target = how.get("target")
    if target is None:
        raise RunnerError("resume(after=) needs a target", path, "give target=GPUTarget(...)")
    passes = plan(target, how.get("options"))
    item = find(passes, after)
    path = pathlib.Path(path)
    placed = path.with_name(f"{path.stem}.resumed.mlir")
    kernel = path.name.split(".")[0]
    placed.write_text(snapshot_text(kernel, item, _following(item), passes, path.read_text(), False))
    try:
        return load(placed, **how)
    finally:
        placed.unlink()


def split(dump, folder, target, options=None, name=None):
    """Writes what MLIR_ENABLE_DUMP printed as snapshots; their paths. name: the kernel's, for the files.

    dump: the text, or a Path of it. Of several compilations in it, the last is taken. Raises NotAResumePoint.
    """
    text = dump.read_text() if isinstance(dump, pathlib.Path) else dump
    passes = plan(target, options)
    found = align(split_dump(text), passes)
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    from .entry import read_entry
    name = name or read_entry(found[0][1], "ttir").name
    names = option_names(target)
    settings = {k: v for k, v in (options or {}).items() if k in names}
    _write_sidecar(folder, name, target, settings, None)
    written, previous = [], None
    for number, (item, body) in enumerate(found):
        path = folder / f"{name}.{number:03}.{item.stage}.before-{item.name}.mlir"
        path.write_text(snapshot_text(name, previous, (item.stage, item.index), passes, body))
        written.append(path)
        previous = item
    return written


@dataclasses.dataclass
class Ablation:
    """What leaving one pass out did.

    outcome  "same" binary, "changed", "refused" by the compiler, or "aborted"
    good     what the check said of the kernel; None where there is no kernel or no check
    """

    item: object
    outcome: str
    good: object = None


def _without(prepared, skip):
    source, target, options, _file = prepared
    return LevelSource(source.data, source.level, name=source.name, path=source.path, args=source.args,
                       launch=source.launch, control=Control(skip=skip)), target, options


def _try(prepared, skip):
    """The compiled kernel without some passes, and how it went: (compiled or None, outcome)."""
    source, target, options = _without(prepared, skip)
    try:
        forked(_compiled_only, source, target, options)
        return compile_source(source, target, options), "compiled"
    except CompileAborted:
        return None, "aborted"
    except CompileFailed:
        return None, "refused"


def _candidates(prepared, stages):
    """The passes of the stages behind the level, or of those of them that are named."""
    source, target, options, _file = prepared
    passes = plan(target, options)
    made = list(dict.fromkeys(item.stage for item in passes))
    if source.level != "source":
        made = made[made.index(source.level) + 1:] if source.level in made else []
    return [item for item in passes if item.stage in made and (not stages or item.stage in stages)]


def _places(passes):
    """What leaves out these passes and no others of their names."""
    return tuple(f"{item.stage}:{item.index}" for item in passes)


def ablate(path, *, stages=(), check=None, **how):
    """Compiles once without each pass behind the level of `path`; [Ablation] in order.

    stages  names of stages, to try those alone
    check   check(kernel) is called for each kernel that is not the same
    """
    prepared = prepare(path, **how)
    binary = compile_source(*_without(prepared, ())).kernel
    results = []
    for item in _candidates(prepared, stages):
        compiled, outcome = _try(prepared, _places([item]))
        if compiled is not None:
            outcome = "same" if compiled.kernel == binary else "changed"
        good = check(Kernel(compiled)) if check and outcome == "changed" else None
        results.append(Ablation(item, outcome, good))
    return results


def bisect(path, good, *, stages=(), **how):
    """The first pass with which good(kernel) is false, among those that can be left out together.

    None when the kernel is good as it is. Raises RunnerError when it is bad without them too.
    """
    prepared = prepare(path, **how)
    if good(Kernel(compile_source(*_without(prepared, ())))):
        return None
    optional = []
    for item in reversed(_candidates(prepared, stages)):
        if _try(prepared, _places([item, *optional]))[0] is not None:
            optional.insert(0, item)

    def good_with(count):
        compiled = _try(prepared, _places(optional[count:]))[0]
        return compiled is not None and good(Kernel(compiled))
    if not optional or not good_with(0):
        raise RunnerError("the kernel is bad without the passes that can be left out too", path,
                          f"what can be left out: {', '.join(p.name for p in optional) or 'nothing'}")
    low, high = 0, len(optional)  # good with `low` of them, bad with `high`
    while high - low > 1:
        middle = (low + high) // 2
        if good_with(middle):
            low = middle
        else:
            high = middle
    return optional[high - 1]
