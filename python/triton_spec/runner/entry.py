"""What the text of a level says of its kernel: name, parameters, architecture, threads.

Only the kernel's header is read, by brackets; nothing is parsed that a compiler would have to parse.
"""

import dataclasses
import re

from .elf import read_cubin
from .errors import CompileFailed
from .meta import Arg

_OPEN, _CLOSE = "([{<", ")]}>"
_MARKS = re.compile(r'"[^"]*"|->|[()\[\]{}<>,]')
# Triton's names of types of MLIR, of LLVM and of PTX; integers are i8 to i64.
_SCALARS = {"f16": "fp16", "f32": "fp32", "f64": "fp64", "f8E5M2": "fp8e5", "f8E4M3FN": "fp8e4nv", "half": "fp16",
            "bfloat": "bf16", "float": "fp32", "double": "fp64", "ptr": "*"}


@dataclasses.dataclass
class Entry:
    """A kernel's header.

    args   as far as the level tells; the hidden ones of scratch memory are among them below TTGIR
    arch   ("cuda", 90), or None where the text does not say
    sizes  bytes of each parameter, for a binary; else None
    """

    name: str
    args: list
    arch: tuple | None = None
    sizes: list | None = None


def read_list(text, start):
    """(the parts between its commas, the index behind it) of the list in the bracket that opens at `start`."""
    parts, depth, begin = [], 0, start + 1
    for found in _MARKS.finditer(text, start):
        mark = found[0]
        depth += (mark in _OPEN) - (mark in _CLOSE)
        if depth == 0 or (depth == 1 and mark == ","):
            parts.append(text[begin:found.start()].strip())
            begin = found.end()
        if depth == 0:
            break
    return [part for part in parts if part], begin


def _type(text):
    """Triton's name of a type of any level."""
    if not text.startswith(("!tt.ptr<", "!tt.tensordesc<")):
        return _SCALARS.get(text) or re.sub(r"^[bu](?=\d+$)", "i", text)
    inner = read_list(text, text.index("<"))[0][0]
    if text.startswith("!tt.ptr<"):
        return "*" + _type(inner)
    inner = read_list(inner, len("tensor"))[0][0] if inner.startswith("tensor<") else inner
    *shape, element = inner.split("x")
    return f"tensordesc<{_type(element)}[{', '.join(shape)}]>"


def _mlir_arg(text, names):
    head, _, kind = text.partition(": ")
    end = read_list(kind, kind.index("<"))[1] if re.match(r"![\w.]+<", kind) else re.match(r"\S*", kind).end()
    alias = re.search(r"loc\((#\w+|\"([^\"]*)\")", kind[end:])
    name = (alias[2] or names.get(alias[1])) if alias else None
    return Arg(name or head.lstrip("%"), _type(kind[:end]), "tt.divisibility = 16" in kind[end:])


def _collapsed(args):
    """Arguments as a caller passes them: a tensor descriptor stands for its extents and strides, which follow it
    (i32 and i64 for each dimension). No two have one name."""
    kept, names, at = [], set(), 0
    while at < len(args):
        arg = args[at]
        rank = arg.type.count(",") + 1 if arg.type.startswith("tensordesc") else 0
        follow = [other.type for other in args[at + 1:at + 1 + 2 * rank]]
        at += 1 + (2 * rank if follow == ["i32"] * rank + ["i64"] * rank else 0)
        arg.name = arg.name if arg.name not in names else f"{arg.name}.{at}"
        names.add(arg.name)
        kept.append(arg)
    return kept


def _of_mlir(text, where):
    found = re.search(r"tt\.func public @(\w+)\(", text) or re.search(r"tt\.func @(\w+)\(", text)
    if not found:
        raise CompileFailed("the text has no public function (tt.func public @name)", where)
    names = {alias: name for alias, name in re.findall(r'^(#loc\d*) = loc\("([^"]*)"\(', text, re.M)}
    args = _collapsed([_mlir_arg(part, names) for part in read_list(text, found.end() - 1)[0]])
    target = re.search(r'ttg\.target = "(\w+):(\w+)"', text)
    arch = (target[1], int(target[2]) if target[2].isdigit() else target[2]) if target else None
    return Entry(found[1], args, arch)


def _numbered(kinds):
    """Parameters that have no names, of the level's types."""
    return [Arg(f"arg{i}", _type(kind)) for i, kind in enumerate(kinds)]


def _of_llvm(text, where):
    headers = list(re.finditer(r"^define [^@\n]*@(?:\"([^\"]+)\"|([\w.$]+))\(", text, re.M))
    kernel = next((m for m in headers if "_kernel" in m[0]), headers[0] if headers else None)
    if kernel is None:
        raise CompileFailed("the text defines no function", where)
    args = _numbered(part.split()[0] for part in read_list(text, kernel.end() - 1)[0])
    return Entry(kernel[1] or kernel[2], args)


def _of_ptx(text, where):
    found = re.search(r"\.entry\s+([\w$]+)\s*\(", text)
    if not found:
        raise CompileFailed("the text has no .entry", where)
    args = _numbered("ptr" if ".ptr" in part else part.split()[1].lstrip(".")
                     for part in read_list(text, found.end() - 1)[0])
    target = re.search(r"^\.target\s+sm_(\d+)", text, re.M)
    return Entry(found[1], args, ("cuda", int(target[1])) if target else None)


def _of_cubin(data, where):
    arch, kernels = read_cubin(data, where)
    name, sizes = next(iter(kernels.items()))
    return Entry(name, _numbered(f"i{8 * size}" for size in sizes), ("cuda", arch), sizes)


_READERS = {**dict.fromkeys(("source", "ttir", "glir", "ttgir"), _of_mlir), "llir": _of_llvm, "ptx": _of_ptx,
            "cubin": _of_cubin}


def read_entry(data, level, where=""):
    """The Entry of a level's content (text or bytes), or None for a level that only its backend knows.

    Of a binary that has several, the first. Raises CorruptBinary, CompileFailed.
    """
    return _READERS[level](data, where) if level in _READERS else None
