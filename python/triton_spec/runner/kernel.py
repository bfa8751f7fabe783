"""Kernels that were loaded from a file: load(), save() and Kernel."""

import json
import pathlib
import re
import shutil
import tempfile
import threading
import weakref
import zipfile

import triton
from triton.backends.compiler import GPUTarget
from triton.compiler.compiler import make_backend
from triton.runtime.errors import OutOfResources

from . import _launch
from . import meta as _meta
from .arguments import Order, locate, packing
from .device import cuda_device, cuda_load, current_stream_getter, host_load
from .entry import read_entry
from .errors import (ArchError, CompileFailed, CorruptBinary, LaunchFailed, MissingMetadata, RunnerError,
                     SignatureMismatch, StaleMetadata)
from .forked import forked
from .passes import Control, digest, find
from .source import MLIR, LevelSource, compile_source, levels, plan

BINARIES = ("cubin", "hsaco", "so", "o")
_SNAPSHOT = "// triton-spec snapshot "
_PREPARING = threading.RLock()


def active_target():
    """The target of this machine's device, or None where there is none."""
    from triton.runtime.driver import driver
    try:
        return driver.active.get_current_target()
    except Exception:  # whatever a driver raises that has no device
        return None


def option_names(target):
    """{the backend's option: its default}."""
    return dict(make_backend(target).parse_options({}).__dict__)


def _choose(folder, level):
    """The file in a folder that load() is to take."""
    sidecars = sorted(folder.glob("*" + _meta.SUFFIX)) or sorted(folder.glob("*.json"))
    if len(sidecars) != 1:
        raise MissingMetadata(f"the folder has {len(sidecars)} metadata files, not one", folder,
                              "name the file that is meant", fields=("*",))
    stem = sidecars[0].name.removesuffix(_meta.SUFFIX).removesuffix(".json")
    wanted = (level,) if level else (*BINARIES, "ptx", "amdgcn", "llir", "ttgir", "ttir", "glir", "source")
    found = [folder / f"{stem}.{name}" for name in wanted if level or (folder / f"{stem}.{name}").is_file()]
    if not found:
        raise RunnerError(f"the folder has no level of {stem}", folder, "give level=")
    return found[0]


class _Input:
    """A file to load, with what is known beside it: fields of metadata, and its place between passes or None.

    is_placed: the caller says which, and not the first line of a snapshot
    """

    def __init__(self, path, level, meta, strict, is_placed):
        path = pathlib.Path(path)
        if path.suffix == ".zip" and path.is_file():
            folder = pathlib.Path(tempfile.mkdtemp(prefix="triton-spec-"))
            weakref.finalize(self, shutil.rmtree, folder, True)
            with zipfile.ZipFile(path) as archive:
                archive.extractall(folder)
            path = folder
        if path.is_dir():
            path = _choose(path, level)
        if not path.is_file():
            raise RunnerError("there is no such file", path)
        self.path, self.strict, self.content = path, strict, path.read_bytes()
        head = self.content[:4096].partition(b"\n")[0].decode("utf-8", "replace")
        self.place = json.loads(head.removeprefix(_SNAPSHOT)) if head.startswith(_SNAPSHOT) else None
        if is_placed:
            self.place = {"kernel": path.name.partition(".")[0], "stage": path.suffix[1:]}
        self.level = self.place["stage"] if self.place else level or path.suffix[1:]
        self.meta_path = None
        if meta is None:
            self.meta_path = _meta.beside(path.with_name(f"{self.place['kernel']}.mlir") if self.place else path)
        elif not isinstance(meta, dict):
            self.meta_path = meta
        self.fields = _meta.read(self.meta_path, strict) if self.meta_path else meta or {}

    def header(self):
        """The entry.Entry of the content, or None where only a backend knows it."""
        if self.place:
            return read_entry(self.text(), "ttir", str(self.path)) if "tt.func" in self.text() else None
        return read_entry(self.content if self.level in BINARIES else self.text(), self.level, str(self.path))

    def text(self):
        """The content of a level that is no binary."""
        try:
            return self.content.decode()
        except UnicodeDecodeError as error:
            raise CompileFailed(f"the {self.level} is no text: {error}", self.path) from error


def snapshot_text(kernel, stage, index, passes, body):
    """A snapshot: a first line that load() reads, with the pass that comes next, then the module.

    passes: the plan; body: as the compiler printed it, so that it compiles it without ending its process
    """
    place = {"kernel": kernel, "stage": stage, "index": index, "plan": digest(passes), "triton": triton.__version__,
             "sha256": _meta.sha256(body.encode())}
    return f"{_SNAPSHOT}{json.dumps(place)}\n{body}"


def _is_edited(file, known, binary):
    """Whether a text is not the recorded one; a binary must be. Raises CorruptBinary."""
    wanted, content = known.files.get(file.path.name), file.content
    if file.place:
        wanted, content = file.place.get("sha256"), content.partition(b"\n")[2]
    differs = wanted != _meta.sha256(content)
    if differs and binary and file.strict and wanted is not None:
        raise CorruptBinary("the binary is not the one that its sidecar describes", file.path,
                            "compile it again; check=\"loose\" loads it all the same")
    return differs and not binary


def _is_foreign(entry, target, file):
    """Whether the file is for another architecture than the target. Raises ArchError unless loose."""
    if entry is None or entry.arch is None or entry.arch[0] != target.backend:
        return False
    foreign = str(entry.arch[1]) != str(target.arch)
    if foreign and file.strict:
        raise ArchError(f"the {file.level} is for {entry.arch[0]}:{entry.arch[1]}, the target is "
                        f"{target.backend}:{target.arch}", file.path,
                        "load it for its own target, or an earlier level, such as ttir")
    return foreign


def _check_known(file, known, options, order):
    """What the level does not say must be told. Raises MissingMetadata."""
    missing, mend = [], "save() the kernel to have a sidecar, or give meta={...}"
    if file.level in MLIR or file.place:  # the later stages find out the rest
        if file.level in ("ttir", "source") and not file.place and not file.fields and options is None:
            missing, mend = ["options"], "save() the kernel to have a sidecar, or give options={} for the defaults"
    elif file.level in order:
        missing = [] if "shared" in known.launch else ["shared"]
        if known.args is None and file.strict:
            mend += "" if missing else "; check=\"loose\" takes them from the file, unguarded"
            missing.append("args")
    if missing:
        raise MissingMetadata(f"{file.level} does not say: {', '.join(missing)}", file.path, mend, fields=missing)


def _hidden(launch):
    """How many pointers a launch passes behind the arguments: to global and to profiling scratch memory."""
    return sum(key in launch for key in ("global_scratch_size", "profile_scratch_size"))


def _bytes(kind):
    """The size of an argument of Triton's type."""
    bits = re.match(r"[a-z]+(\d+)", kind)
    return max(1, int(bits[1]) // 8) if bits else 8


def _arguments(entry, known, file):
    """The kernel's parameters; what the file says is held against what the metadata says."""
    hidden = 0 if file.level in MLIR or file.place else _hidden(known.launch)
    if known.args is None:
        return entry.args[:len(entry.args) - hidden] if entry else []
    passed = [arg for arg in known.args if not arg.is_constant]
    if entry is None or any(not isinstance(arg.type, str) or "tensordesc" in arg.type for arg in passed):
        return known.args
    if len(entry.args) != len(passed) + hidden:
        raise SignatureMismatch(f"the {file.level} has {len(entry.args)} parameters, its metadata {len(passed)} "
                                f"arguments and {hidden} hidden ones", file.path)
    for i, arg in enumerate(passed):
        if entry.sizes and entry.sizes[i] != _bytes(arg.type):
            raise SignatureMismatch(f"parameter {i} has {entry.sizes[i]} bytes, argument '{arg.name}: {arg.type}' "
                                    f"has {_bytes(arg.type)}", file.path)
        kinds = [kind.lstrip("*")[:1].replace("u", "i") for kind in (entry.args[i].type, arg.type)]
        if file.level in ("ttir", "ttgir") and kinds[0] != kinds[1]:
            raise SignatureMismatch(f"parameter {i} is {entry.args[i].type}, argument '{arg.name}' {arg.type}",
                                    file.path)
    return known.args


def _options(known, given, target, file):
    """The compiler's options: the recorded ones, what the text says, and the caller's on top."""
    defaults = option_names(target)
    options = {k: v for k, v in known.options.items() if k in defaults}
    if not known.options and file.level not in BINARIES:
        warps = _meta.declared_warps(file.text())
        options.update({} if warps is None else {"num_warps": warps})
    return {**options, **(given or {})}


def _check_place(file, target, options):
    """A snapshot goes on where it was made. Raises StaleMetadata."""
    made, here = (file.place["triton"], file.place["plan"]), (triton.__version__, digest(plan(target, options)))
    if made != here:
        raise StaleMetadata(f"the snapshot was made by triton {made[0]} with the list of passes {made[1]}, this is "
                            f"triton {here[0]} with {here[1]}", file.path, "make it again, or use its target and "
                            "options; check=\"loose\" goes on at the same index")


def prepare(path, *, level=None, target=None, options=None, meta=None, check="strict", after=None):
    """The LevelSource that load() compiles.

    is_described  its arguments are those of metadata, not what the text tells
    is_doubtful   a compiler may end its process on it: nobody has compiled this text for this target
    """
    if check not in ("strict", "loose"):
        raise RunnerError(f"check is {check!r}", "", "it is \"strict\" or \"loose\"")
    file = _Input(path, level, meta, check == "strict", after is not None)
    header, recorded = file.header(), file.fields.get("target")
    if target is None and recorded:
        target = GPUTarget(recorded["backend"], recorded["arch"], recorded["warp_size"])
    if target is None and header and header.arch and header.arch[0] == "cuda":
        target = GPUTarget(*header.arch, 32)
    target = target or active_target()
    if target is None:
        raise MissingMetadata("no target is known", file.path, "give target=GPUTarget(\"cuda\", 90, 32)",
                              fields=("target",))
    known = _meta.interpreted(file.fields, option_names(target), file.meta_path or file.path)
    binary = file.level == make_backend(target).binary_ext
    foreign, edited = _is_foreign(header, target, file), _is_edited(file, known, binary)
    _check_known(file, known, options, levels(target))
    settings = _options(known, options, target, file)
    if after is not None:
        item = find(plan(target, settings), after)
        file.level, file.place["index"] = item.stage, item.index + 1
    elif file.place and file.strict:
        _check_place(file, target, settings)
    source = LevelSource(file.content if binary else file.text(), file.level, target, settings,
                         name=known.name or (header.name if header else file.path.stem), path=file.path,
                         args=_arguments(header, known, file), launch=known.launch,
                         control=Control(start=(file.level, file.place["index"])) if file.place else None)
    source.is_described, source.is_doubtful = known.args is not None, edited or foreign
    return source


def load(path, *, level=None, target=None, options=None, meta=None, check="strict", after=None, skip=(), insert=(),
         safe=None):
    """The Kernel that a file is a level of.

    path     a file <name>.<level>, a folder or a zip file of one kernel's levels, or a snapshot
    level    the file's level, where its name does not say it; of a folder, the one to take
    target   a GPUTarget; default: the sidecar's, else what the file says, else this machine's device
    options  of the compiler, over those of the sidecar
    meta     a metadata file in place of the one beside the file, or a dict of its fields
    check    "strict", or "loose": a sidecar may be edited, a binary another, arguments unknown
    after    the pass that a module without the first line of a snapshot stands behind
    skip     passes to leave out: "name", "stage:name" or "stage:index"
    insert   [(pass, add)]: add(manager) appends a pass behind the named one
    safe     compile in a child process first, so that a compiler that ends its process raises CompileAborted;
             default: when the text is not the one that the sidecar was written for, or passes differ

    An edit of the file or its metadata always counts. Raises errors of this package, each before
    anything is launched.
    """
    source = prepare(path, level=level, target=target, options=options, meta=meta, check=check, after=after)
    if skip or insert:
        source = source.controlled(skip=tuple(skip), insert=tuple(insert))
        source.control.check(plan(source.target, source.options))
    if safe or (safe is None and (source.is_doubtful or skip or insert)):
        forked(compile_only, source)
    return Kernel(compile_source(source))


def compile_only(source):
    """Fills Triton's cache; for forked()."""
    compile_source(source)


class Kernel(_launch.Launcher):
    """A compiled kernel: kernel[grid](*arguments) launches it on the current stream.

    grid       an int, a tuple of one to three, or a function of the constants that gives one
    arguments  those that a launch passes, or all with the constants, which are compared; also by name
    name, target   the kernel's symbol; the GPUTarget that it is compiled for
    meta, compiled  its Metadata; Triton's CompiledKernel
    asm        {level: its text, or bytes of a binary}; "sass" is disassembled when it is asked for
    constants  {name: the value compiled in}
    registers, local_bytes  of a thread, as the driver tells, after the first launch

    Raises SignatureMismatch for arguments that the kernel was not compiled for, before it is launched.
    """

    def __init__(self, compiled):
        self.compiled, self.asm, self.target = compiled, compiled.asm, compiled.metadata.target
        self.meta = _meta.of_compiled(compiled, option_names(self.target))
        self.name = self.meta.name
        self.constants = {arg.name: arg.constant for arg in self.meta.args if arg.is_constant}
        self.registers = self.local_bytes = None
        self._passed = [arg for arg in self.meta.args if not arg.is_constant]
        self._arrange = Order(self.meta.args)
        self._rows = tuple(map(packing, self._passed))
        self._is_stock, self._is_prepared = None in self._rows or _is_special(self.meta), False
        self._on_host = self.target.backend != "cuda"
        self.is_described = getattr(compiled.src, "is_described", True)

    def prepare(self):
        """Loads the binary onto the device, once; what makes launches of grids in place of the extension, or None.

        Raises ArchError, OutOfResources, and LaunchFailed where the device refuses it.
        """
        with _PREPARING:  # while a binary is loaded, another thread may launch
            if not self._is_stock and not self._is_prepared:
                load_binary = self._prepare_host if self._on_host else self._prepare_cuda
                load_binary()
        return self._through_triton if self._is_stock else None

    def _ready(self, loaded, hidden=0, threads=1, shared=0, ordinal=0):
        stream = None if self._on_host else current_stream_getter()
        super().__init__(params=self._rows, hidden=hidden, threads=threads, shared=shared, **loaded,
                         objects=(_launch.Bound, "data_ptr", "dtype", "is_cuda", stream, ordinal))
        self._is_prepared = True

    def _prepare_cuda(self):
        device, launch = cuda_device(), self.meta.launch
        if device["arch"] != self.target.arch:
            raise ArchError(f"the kernel is for cuda:{self.target.arch}, the device is cuda:{device['arch']}",
                            self.name)
        threads, shared = launch["num_warps"] * self.target.warp_size, launch["shared"]
        if shared > device["shared"]:
            raise OutOfResources(shared, device["shared"], "shared memory")
        loaded, self.registers, self.local_bytes, most = cuda_load(self, self.compiled.kernel, self.name, shared)
        if threads > most:
            raise OutOfResources(threads, most, "threads")
        self._ready(loaded, _hidden(launch), threads, shared, device["ordinal"])

    def _prepare_host(self):
        extension = make_backend(self.target).binary_ext
        path = next((path for name, path in self.compiled.metadata_group.items() if name.endswith(f".{extension}")), "")
        try:
            self._ready(host_load(self, path))
        except LaunchFailed:  # another ABI than that of rt/ttabi.h: its own driver knows it
            self._is_stock = True

    def _through_triton(self, grid):
        """A launch by Triton's own launcher: clusters, tensor descriptors, scratch memory, other drivers."""
        grid = (grid,) if isinstance(grid, int) else tuple(grid)
        launch = self.compiled[grid + (1,) * (3 - len(grid))]

        def call(*values, **named):
            passed = iter(self._arrange(*values, **named))
            launch(*(arg.constant if arg.is_constant else next(passed) for arg in self.meta.args))
        return call

    # What the extension calls where a launch is not an everyday one.

    def _address(self, index, value):
        return locate(value, self._passed[index], self._on_host, not self.is_described)

    def _refuse(self, index, value, why):
        arg = self._passed[index]
        raise SignatureMismatch(f"argument '{arg.name}': {why.format(value=value, type=arg.type)}", self.name)

    def _failed(self, why):
        raise LaunchFailed(f"the launch failed: {why}", self.name)

    def bind(self, grid, stream=0):
        """A launch with a fixed grid and stream, whose arguments are packed without guards."""
        return self._bind(self.grid(grid), stream)

    def grid(self, grid):
        """The grid that a function gives for the constants; others as they are."""
        return grid(self.constants) if callable(grid) else grid

    def save(self, folder):
        """Writes every level and the sidecar; the sidecar's path."""
        return save(self.compiled, folder)

    def __repr__(self):
        return f"<Kernel {self.name} for {self.target.backend}:{self.target.arch}>"


def _is_special(known):
    """Whether a launch needs what only Triton's own launcher does."""
    launch = known.launch
    scratch = launch.get("global_scratch_size") or launch.get("profile_scratch_size")
    cluster = known.options.get("num_ctas", 1) > 1 or any(n > 1 for n in launch.get("cluster_dims") or ())
    flags = ("launch_pdl", "launch_cooperative_grid")
    return scratch or cluster or any(known.options.get(flag) or launch.get(flag) for flag in flags)


def save(compiled, folder):
    """Writes every level of a CompiledKernel, or of a Kernel, and its sidecar into a folder; the sidecar's path."""
    compiled = getattr(compiled, "compiled", compiled)
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    defaults = option_names(compiled.metadata.target)
    known = _meta.of_compiled(compiled, defaults)
    known.options = {k: v for k, v in known.options.items() if k != "extern_libs" or _meta.tuples(v) != defaults.get(k)}
    loaded = isinstance(compiled.src, LevelSource)
    for level, content in compiled.asm.items():
        if level == "sass" or (loaded and level == "source"):
            continue
        data = content if isinstance(content, bytes) else content.encode()
        path = folder / f"{known.name}.{level}"
        path.write_bytes(data)
        known.files[path.name] = _meta.sha256(data)
    return _meta.write(known, folder)
