"""What is done with the passes between two levels: listed, stopped at, written out, resumed, left out."""

import dataclasses
import math
import pathlib

import triton

from . import meta as _meta
from .entry import read_entry
from .errors import CompileAborted, CompileFailed, RunnerError
from .forked import forked
from .kernel import Kernel, compile_only, load, option_names, prepare, save, snapshot_text
from .passes import align, split_dump
from .source import compile_source, levels, plan, stopped_text

# Triton 3.3 and 3.4 crash or never return when a module is printed behind the pass for debug scopes.
_UNPRINTABLE = "enable-line-info" if triton.__version__.startswith(("3.3.", "3.4.")) else None


def compile_to(path, stop, **how):
    """The module's text behind the pass `stop`. how: as load(). Raises UnknownPass."""
    source = prepare(path, **how).controlled(stop=stop)
    source.control.check(plan(source.target, source.options))
    text = stopped_text(source)
    if text is None:
        raise RunnerError(f"the pass '{stop}' does not come behind this level", path, "load an earlier level")
    return text


def _snapshot_folder(folder, name, target, options, args):
    """The folder, made where it is not there, with what its snapshots rely on beside them."""
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    if not (folder / f"{name}{_meta.SUFFIX}").exists():
        _meta.write(_meta.Metadata(name, dataclasses.asdict(target), None, options, {}, args), folder)
    return folder


def snapshot(path, folder, **how):
    """Writes the module before the first pass and behind each one as <kernel>.<n>.<stage>.<pass>.mlir.

    path  a file as load() takes it, or a Kernel, whose earliest level is taken; how: as load()
    Each file is one that load() resumes. Returns their paths in order.
    """
    if hasattr(path, "asm"):
        save(path, folder)
        files = [pathlib.Path(folder, f"{path.name}.{level}") for level in ("source", "ttir")]
        path = next(file for file in files if file.exists())
    source, written = prepare(path, **how), []
    folder = _snapshot_folder(folder, source.name, source.target, source.options, source.args or None)
    passes = plan(source.target, source.options)

    def write(stage, item, module):
        if item and item.name == _UNPRINTABLE:
            return
        file = folder / f"{source.name}.{len(written):03}.{stage}.{item.name if item else 'input'}.mlir"
        file.write_text(snapshot_text(source.name, stage, item.index + 1 if item else 0, passes, str(module)))
        written.append(file)
    stopped_text(source.controlled(watch=write))
    return written


def resume(path, after=None, **how):
    """load() of a module between two passes.

    after  the pass that it stands behind; default: what the snapshot's first line says. how: as load()
    """
    if after is not None and how.get("target") is None:
        raise RunnerError("resume(after=) needs a target", path, "give target=GPUTarget(...)")
    return load(path, after=after, **how)


def split(dump, folder, target, options=None):
    """Writes what MLIR_ENABLE_DUMP printed as snapshots; their paths.

    dump: the text, or a Path of it. Of several compilations in it, the last is taken. Raises NotAResumePoint.
    """
    passes, written = plan(target, options), []
    found = align(split_dump(dump.read_text() if isinstance(dump, pathlib.Path) else dump), passes)
    name, names = read_entry(found[0][1], "ttir").name, option_names(target)
    folder = _snapshot_folder(folder, name, target, {k: v for k, v in (options or {}).items() if k in names}, None)
    for number, (item, body) in enumerate(found):
        written.append(folder / f"{name}.{number:03}.{item.stage}.before-{item.name}.mlir")
        written[-1].write_text(snapshot_text(name, item.stage, item.index, passes, body))
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

    def __str__(self):
        return f"{self.outcome:8} {self.item.stage}:{self.item.index} {self.item.name}"


def _without(source, passes):
    """(what is compiled without these passes, or None; "compiled", "refused" or "aborted")."""
    source = source.controlled(skip=tuple(f"{item.stage}:{item.index}" for item in passes))
    try:
        forked(compile_only, source)
        return compile_source(source), "compiled"
    except CompileFailed as error:
        return None, "aborted" if isinstance(error, CompileAborted) else "refused"


def _candidates(source, stages):
    """The passes behind what is compiled, or those of them that are of the named stages."""
    order = ["source", *levels(source.target)]
    start, index = source.control.start or (source.level, math.inf)
    return [item for item in plan(source.target, source.options) if (not stages or item.stage in stages)
            and (order.index(item.stage), item.index) >= (order.index(start), index)]


def ablate(path, *, stages=(), check=None, **how):
    """Compiles once without each pass behind the level of `path`; [Ablation] in order.

    stages  names of stages, to try those alone
    check   check(kernel) is called for each kernel that is not the same
    """
    source, results = prepare(path, **how), []
    binary = compile_source(source).kernel
    for item in _candidates(source, stages):
        compiled, outcome = _without(source, [item])
        if compiled is not None:
            outcome = "same" if compiled.kernel == binary else "changed"
        good = check(Kernel(compiled)) if check and outcome == "changed" else None
        results.append(Ablation(item, outcome, good))
    return results


def bisect(path, good, *, stages=(), **how):
    """The first pass with which good(kernel) is false, among those that can be left out together.

    None when the kernel is good as it is. Raises RunnerError when it is bad without them too.
    """
    source, optional = prepare(path, **how), []
    if good(Kernel(compile_source(source))):
        return None
    for item in reversed(_candidates(source, stages)):
        if _without(source, [item, *optional])[0] is not None:
            optional.insert(0, item)

    def good_with(count):
        compiled, _outcome = _without(source, optional[count:])
        return compiled is not None and good(Kernel(compiled))
    if not optional or not good_with(0):
        raise RunnerError("the kernel is bad without the passes that can be left out too", path,
                          f"what can be left out: {', '.join(p.name for p in optional) or 'nothing'}")
    low, high = 0, len(optional)  # good with `low` of them, bad with `high`
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if good_with(middle) else (low, middle)
    return optional[high - 1]
