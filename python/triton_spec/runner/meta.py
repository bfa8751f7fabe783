"""Metadata of a kernel: the sidecar file <name>.run.json, and the JSON of Triton and of triton-runner.

A file of a level below TTGIR does not say how it is launched (shared memory, scratch memory) nor what
its arguments must be like; the sidecar does. docs/reference/runner.md lists the fields.
"""

import ast
import dataclasses
import hashlib
import json
import pathlib

from .errors import MissingMetadata, StaleMetadata

FORMAT = "triton-spec run 1"
SUFFIX = ".run.json"
# Keys of Triton's JSON that say nothing of the kernel, and options that a target or a machine decides.
_NOT_LAUNCH = ("hash", "target", "triton_version", "kernel_signature", "triton_runner_version")
_NOT_OPTIONS = ("arch", "backend_name", "ir_override")


@dataclasses.dataclass
class Arg:
    """A parameter of the kernel's function.

    type      Triton's name ("*fp32", "i32", "constexpr"); "*" for a pointer to what is not known
    div16     the compiled code relies on a value (or address) that 16 divides
    constant  the value that was compiled in, for type "constexpr"
    """

    name: str
    type: str
    div16: bool = False
    constant: object = None

    @property
    def is_constant(self):
        """Whether the launch does not pass it."""
        return self.type == "constexpr"


@dataclasses.dataclass
class Metadata:
    """What is known of a kernel beside its text.

    options  the compiler's options, those that are not the default of every version spelled out
    launch   what the compiler found out: shared, num_warps (of a launch), scratch sizes, ...
    args     all parameters in order; None when not known
    files    {file name: sha256}
    origin   "sidecar", "triton", "triton-runner", "caller", or "file": there is none
    """

    name: str
    target: dict | None = None
    triton: str | None = None
    options: dict = dataclasses.field(default_factory=dict)
    launch: dict = dataclasses.field(default_factory=dict)
    args: list | None = None
    files: dict = dataclasses.field(default_factory=dict)
    origin: str = "file"


def sha256(data):
    """The digest of bytes, in hexadecimal digits."""
    return hashlib.sha256(data).hexdigest()


def _seal(fields):
    return sha256(json.dumps({k: v for k, v in fields.items() if k != "seal"}, sort_keys=True).encode())


def _plain(value):
    """A constant as JSON can hold it: what it cannot is written as Python shows it."""
    value = getattr(value, "value", value)  # constexpr
    return value if value is None or isinstance(value, (bool, int, float, str)) else {"repr": repr(value)}


def same_constant(recorded, value):
    """Whether a value is the one that was compiled in; 1, 1.0 and True are three values."""
    plain = _plain(value)
    return type(plain) is type(recorded) and plain == recorded


def _write_sealed(fields, path):
    fields["seal"] = _seal(fields)
    path.write_text(json.dumps(fields, indent=1) + "\n")


def write(metadata, folder):
    """Writes <name>.run.json into the folder; its path."""
    fields = {
        "format": FORMAT, "name": metadata.name, "target": metadata.target, "triton": metadata.triton,
        "options": metadata.options, "launch": metadata.launch,
        "args": None if metadata.args is None else [dataclasses.asdict(arg) for arg in metadata.args],
        "files": metadata.files,
    }
    fields = json.loads(json.dumps(fields, default=vars))
    path = pathlib.Path(folder) / (metadata.name + SUFFIX)
    _write_sealed(fields, path)
    return path


def seal(path):
    """Declares a sidecar that was edited by hand to be as it is meant."""
    path = pathlib.Path(path)
    _write_sealed(json.loads(path.read_text()), path)


def tuples(value):
    """A JSON value whose lists are tuples, as options must be, which the compiler hashes."""
    return tuple(map(tuples, value)) if isinstance(value, (list, tuple)) else value


def _sidecar(fields, path, strict):
    if fields["format"] != FORMAT:
        raise StaleMetadata(f"the sidecar's format is {fields['format']!r}, this version reads {FORMAT!r}", path)
    if strict and fields.get("seal") != _seal(fields):
        raise StaleMetadata("the sidecar was edited after it was written", path,
                            "seal(path) if that was meant, or load with check=\"loose\"")
    args = fields["args"]
    return Metadata(fields["name"], fields["target"], fields["triton"], tuples_of(fields["options"]),
                    tuples_of(fields["launch"]), None if args is None else [Arg(**arg) for arg in args],
                    fields["files"], "sidecar")


def tuples_of(fields):
    """The dict with tuples() of its values."""
    return {key: tuples(value) for key, value in fields.items()}


def split(fields, option_names):
    """(options, launch) of Triton's own metadata, which has both in one dict.

    option_names: the fields of the backend's options.
    """
    options = {k: v for k, v in fields.items() if k in option_names and k not in _NOT_OPTIONS and v is not None}
    launch = {k: v for k, v in fields.items()
              if k not in option_names and k not in _NOT_LAUNCH and not k.isupper()}
    if "num_warps" in fields:
        launch["num_warps"] = fields["num_warps"]
    return options, launch


def _signature(text):
    """Arguments of triton-runner's kernel_signature, the repr of tuples (name, type, specialization)."""
    args = []
    for name, kind, special, *_more in ast.literal_eval(text) if isinstance(text, str) else text:
        constant = kind == "constexpr"
        args.append(Arg(name, kind, not constant and special == "D", _plain(special) if constant else None))
    return args


def _foreign(fields, path, option_names):
    options, launch = split(tuples_of(fields), option_names)
    known = "kernel_signature" in fields
    return Metadata(fields.get("name", path.stem), fields.get("target"), fields.get("triton_version"), options,
                    launch, _signature(fields["kernel_signature"]) if known else None, {},
                    "triton-runner" if known else "triton")


def read(path, option_names=(), strict=True):
    """The Metadata of a JSON file of any of the three kinds. Raises StaleMetadata, MissingMetadata."""
    path = pathlib.Path(path)
    try:
        fields = json.loads(path.read_text())
    except FileNotFoundError as error:
        raise MissingMetadata("there is no such metadata file", path, fields=("*",)) from error
    except ValueError as error:
        raise StaleMetadata(f"the metadata is no JSON: {error}", path) from error
    if not isinstance(fields, dict):
        raise StaleMetadata("the metadata is no JSON object", path)
    try:
        return _sidecar(fields, path, strict) if "format" in fields else _foreign(fields, path, option_names)
    except (KeyError, TypeError, ValueError) as error:
        raise StaleMetadata(f"the metadata lacks a field or has one of a wrong type: {error!r}", path) from error


def beside(file):
    """The metadata file that belongs to the file of a level, or None."""
    stem = pathlib.Path(file).with_suffix("")
    return next((path for path in (stem.with_name(stem.name + SUFFIX), stem.with_suffix(".json"))
                 if path.is_file()), None)


def of_compiled(compiled, option_names):
    """The Metadata of a kernel that Triton has compiled."""
    fields = tuples_of(compiled.metadata._asdict())
    options, launch = split(fields, option_names)
    warps = declared_warps(compiled.asm.get("ttgir", ""))
    if warps is not None and "num_warps" in options:
        options["num_warps"] = warps  # a specialized kernel launches more than its option says
    target = fields["target"]
    source = compiled.src
    args = getattr(source, "args", None) or _args_of(source)
    return Metadata(fields["name"], dataclasses.asdict(target), fields.get("triton_version"), options, launch, args)


def declared_warps(text):
    """num_warps as a TTGIR module has it, or None."""
    head, found, rest = text.partition('"ttg.num-warps" = ') if isinstance(text, str) else ("", "", "")
    return int(rest.split()[0].rstrip(",}")) if found else None


def _args_of(source):
    names = list(getattr(source.fn, "arg_names", ()))
    args = []
    for i, (name, kind) in enumerate(source.signature.items()):
        where = (names.index(name) if name in names else i,)
        div16 = any(list(attr) == ["tt.divisibility", 16] for attr in source.attrs.get(where, ()))
        args.append(Arg(name, kind if isinstance(kind, str) else repr(kind), div16,
                        _plain(source.constants.get(where)) if kind == "constexpr" else None))
    return args
