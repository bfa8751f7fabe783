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
_NOT_LAUNCH = ("hash", "name", "target", "triton_version", "kernel_signature", "triton_runner_version", "args")
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
    """

    name: str
    target: dict | None = None
    triton: str | None = None
    options: dict = dataclasses.field(default_factory=dict)
    launch: dict = dataclasses.field(default_factory=dict)
    args: list | None = None
    files: dict = dataclasses.field(default_factory=dict)


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
    path = pathlib.Path(folder) / (metadata.name + SUFFIX)
    fields = {"format": FORMAT, **dataclasses.asdict(metadata)}
    _write_sealed(json.loads(json.dumps(fields, default=vars)), path)
    return path


def seal(path):
    """Declares a sidecar that was edited by hand to be as it is meant."""
    path = pathlib.Path(path)
    _write_sealed(json.loads(path.read_text()), path)


def tuples(value):
    """A JSON value whose lists are tuples, as options must be, which the compiler hashes."""
    if isinstance(value, dict):
        return {key: tuples(item) for key, item in value.items()}
    return tuple(map(tuples, value)) if isinstance(value, (list, tuple)) else value


def read(path, strict=True):
    """The fields of a metadata file of any of the three kinds, for interpreted().

    strict: a sidecar may not have been edited. Raises StaleMetadata, MissingMetadata.
    """
    path = pathlib.Path(path)
    try:
        fields = json.loads(path.read_text())
        if not isinstance(fields, dict):
            raise ValueError("it is no object")
    except FileNotFoundError as error:
        raise MissingMetadata("there is no such metadata file", path, fields=("*",)) from error
    except ValueError as error:
        raise StaleMetadata(f"the metadata is no JSON: {error}", path) from error
    if fields.get("format", FORMAT) != FORMAT:
        raise StaleMetadata(f"the sidecar's format is {fields['format']!r}, this version reads {FORMAT!r}", path)
    if "format" in fields and strict and fields.get("seal") != _seal(fields):
        raise StaleMetadata("the sidecar was edited after it was written", path,
                            "seal(path) if that was meant, or load with check=\"loose\"")
    return fields


def interpreted(fields, option_names, where=""):
    """The Metadata that fields mean: a sidecar's, or those of Triton's JSON, which has options and the rest in one.

    option_names: the backend's options; where: the file, for messages. Raises StaleMetadata.
    """
    try:
        args = _signature(fields["kernel_signature"]) if "kernel_signature" in fields else fields.get("args")
        args = None if args is None else [arg if isinstance(arg, Arg) else Arg(**arg) for arg in args]
        if "format" in fields:
            return Metadata(fields["name"], fields["target"], fields["triton"], tuples(fields["options"]),
                            tuples(fields["launch"]), args, fields["files"])
        return Metadata(fields.get("name"), fields.get("target"), fields.get("triton_version"),
                        *_split(tuples(fields), option_names), args)
    except (KeyError, TypeError, ValueError, AttributeError, SyntaxError) as error:
        raise StaleMetadata(f"the metadata lacks a field or has one of a wrong type: {error!r}", where) from error


def _split(fields, option_names):
    """(options, launch) of Triton's own metadata."""
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


def beside(file):
    """The metadata file that belongs to the file of a level, or None."""
    stem = pathlib.Path(file).with_suffix("")
    return next((path for path in (stem.with_name(stem.name + SUFFIX), stem.with_suffix(".json"))
                 if path.is_file()), None)


def of_compiled(compiled, option_names):
    """The Metadata of a kernel that Triton has compiled."""
    known = interpreted(compiled.metadata._asdict(), option_names)
    known.target = dataclasses.asdict(known.target)
    warps = declared_warps(compiled.asm.get("ttgir", ""))
    if warps is not None and "num_warps" in known.options:
        known.options["num_warps"] = warps  # a specialized kernel launches more than its option says
    known.args = getattr(compiled.src, "args", None) or _args_of(compiled.src)
    return known


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
