"""What the text of a level says of its kernel: name, parameters, architecture, threads.

Only the kernel's header is read, by brackets; nothing is parsed that a compiler would have to parse.
"""

import dataclasses
import re

from .elf import read_cubin
from .errors import CompileFailed
from .meta import Arg

_OPEN, _CLOSE = "([{<", ")]}>"
_SCALARS = {"f16": "fp16", "bf16": "bf16", "f32": "fp32", "f64": "fp64", "f8E5M2": "fp8e5", "f8E4M3FN": "fp8e4nv"}
_LLVM_SCALARS = {"half": "fp16", "bfloat": "bf16", "float": "fp32", "double": "fp64"}
_PTX_SCALARS = {"u8": "i8", "u16": "i16", "u32": "i32", "u64": "i64", "b8": "i8", "b16": "i16", "b32": "i32",
                "b64": "i64", "f16": "fp16", "f32": "fp32", "f64": "fp64"}


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


def _balanced(text, start):
    """The index behind the bracket that closes the one at `start`."""
    depth, quoted = 0, False
    for i in range(start, len(text)):
        c = text[i]
        if c == '"':
            quoted = not quoted
        elif not quoted and c in _OPEN:
            depth += 1
        elif not quoted and c in _CLOSE and text[i - 1] != "-":  # not the arrow
            depth -= 1
            if depth == 0:
                return i + 1
    return -1


def split_list(text):
    """The parts of a list at its top-level commas."""
    parts, depth, begin, quoted = [], 0, 0, False
    for i, c in enumerate(text):
        if c == '"':
            quoted = not quoted
        elif quoted:
            continue
        elif c in _OPEN:
            depth += 1
        elif c in _CLOSE:
            depth -= 1
        elif c == "," and depth == 0:
            parts.append(text[begin:i].strip())
            begin = i + 1
    last = text[begin:].strip()
    return parts + [last] if last else parts


def _type(text):
    """Triton's name of an MLIR type."""
    if text.startswith("!tt.ptr<"):
        inner = split_list(text[len("!tt.ptr<"):-1])[0]
        return "*" + _type(inner)
    if text.startswith("!tt.tensordesc<"):
        inner = text[len("!tt.tensordesc<"):-1]
        inner = inner[len("tensor<"):-1] if inner.startswith("tensor<") else inner
        *shape, element = split_list(inner)[0].split("x")
        return f"tensordesc<{_type(element)}[{', '.join(shape)}]>"
    return _SCALARS.get(text, text)


def _mlir_arg(text, names):
    head, _, rest = text.partition(":")
    kind = rest.strip()
    end = _balanced(kind, kind.index("<")) if re.match(r"![\w.]+<", kind) else re.match(r"\S*", kind).end()
    tail = kind[end:]
    alias = re.search(r"loc\((#\w+|\"([^\"]*)\")", tail)
    name = (alias[2] or names.get(alias[1])) if alias else None
    return Arg(name or head.strip().lstrip("%"), _type(kind[:end]), "tt.divisibility = 16" in tail)


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
    end = _balanced(text, found.end() - 1)
    names = {alias: name for alias, name in re.findall(r'^(#loc\d*) = loc\("([^"]*)"\(', text, re.M)}
    args = _collapsed([_mlir_arg(part, names) for part in split_list(text[found.end():end - 1])])
    target = re.search(r'ttg\.target = "(\w+):(\w+)"', text)
    arch = (target[1], int(target[2]) if target[2].isdigit() else target[2]) if target else None
    return Entry(found[1], args, arch)


def _llvm_arg(number, text):
    kind = text.split()[0]
    return Arg(f"arg{number}", "*" if kind == "ptr" else _LLVM_SCALARS.get(kind, kind))


def _of_llvm(text, where):
    headers = list(re.finditer(r"^define [^@\n]*@(?:\"([^\"]+)\"|([\w.$]+))\(", text, re.M))
    kernel = next((m for m in headers if "_kernel" in m[0]), headers[0] if headers else None)
    if kernel is None:
        raise CompileFailed("the text defines no function", where)
    end = _balanced(text, kernel.end() - 1)
    args = [_llvm_arg(i, part) for i, part in enumerate(split_list(text[kernel.end():end - 1]))]
    return Entry(kernel[1] or kernel[2], args)


def _of_ptx(text, where):
    found = re.search(r"\.entry\s+([\w$]+)\s*\(([^)]*)\)", text)
    if not found:
        raise CompileFailed("the text has no .entry", where)
    args = [Arg(f"arg{i}", "*" if ".ptr" in part else _PTX_SCALARS.get(part.split()[1].lstrip("."), part))
            for i, part in enumerate(split_list(found[2]))]
    target = re.search(r"^\.target\s+sm_(\d+)", text, re.M)
    return Entry(found[1], args, ("cuda", int(target[1])) if target else None)


def _of_cubin(data, where):
    cubin = read_cubin(data, where)
    name, sizes = next(iter(cubin.kernels.items()))
    return Entry(name, [Arg(f"arg{i}", f"i{8 * size}") for i, size in enumerate(sizes)],
                 ("cuda", cubin.arch), sizes)


def read_entry(data, level, where=""):
    """The Entry of a level's content (text or bytes), or None for a level that only its backend knows.

    Of a binary that has several, the first. Raises CorruptBinary, CompileFailed.
    """
    reader = {"source": _of_mlir, "ttir": _of_mlir, "glir": _of_mlir, "ttgir": _of_mlir, "llir": _of_llvm,
              "ptx": _of_ptx, "cubin": _of_cubin}.get(level)
    return reader(data, where) if reader else None
