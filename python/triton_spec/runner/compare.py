"""What differs between two kernels at a level: diff()."""

import collections
import dataclasses
import difflib
import pathlib
import re
import subprocess

from .errors import RunnerError
from .source import MLIR

_MLIR = (*MLIR, "mlir")  # the last for a module between two passes


def stripped(text):
    """MLIR without locations, and its values numbered in the order in which they appear."""
    lines = [re.sub(r" loc\((?:[^()]|\([^()]*\))*\)", "", line) for line in text.split("\n")
             if not line.startswith(("#loc", "// triton-spec snapshot"))]
    numbers = {}
    return re.sub(r"%[\w.$-]+", lambda found: numbers.setdefault(found[0], f"%{len(numbers)}"), "\n".join(lines))


# How a level's operations are found, or its instructions by their first part.
_OPERATIONS = {
    **dict.fromkeys(_MLIR, r'^\s*(?:%[^=\n]*= )?"?([a-z_]\w*\.[\w.]+)'),
    "llir": r"^\s+(?:%\S+ = )?(?:tail )?([a-z_]\w*)",
    "ptx": r"^\s+(?:@!?%\w+ +)?([a-z]\w*)[\w.]*[ ;]",
    "sass": r"^(?:[\w:-]+\t|\s*(?:/\*[^*]*\*/)?\s*)(?:@!?\w+ +)?([A-Z][A-Z0-9]+)\b",
}


def resources(kernel):
    """{registers, stack, shared, local} of a CUDA kernel in bytes, as cuobjdump tells; {} of others."""
    if "cubin" not in kernel.asm:
        return {}
    import tempfile
    import triton
    tool = pathlib.Path(triton.__file__).parent / "backends/nvidia/bin/cuobjdump"
    with tempfile.NamedTemporaryFile(suffix=".cubin") as file:
        file.write(kernel.asm["cubin"])
        file.flush()
        done = subprocess.run([tool, "-res-usage", file.name], capture_output=True, text=True, check=False)
    names = {"REG": "registers", "STACK": "stack", "SHARED": "shared", "LOCAL": "local"}
    found = {names[key]: int(value) for key, value in re.findall(r"(REG|STACK|SHARED|LOCAL):(\d+)", done.stdout)}
    return {**found, "dynamic shared": kernel.meta.launch.get("shared", 0)} if found else {}


@dataclasses.dataclass
class Difference:
    """operations: {name: (in a, in b)} where the counts differ; resources likewise; lines: a unified diff."""

    level: str
    operations: dict
    resources: dict
    lines: list

    def __bool__(self):
        return bool(self.operations or self.resources or self.lines)

    def __str__(self):
        rows = [f"{name:40} {first:6} {second:6} {second - first:+}" for name, (first, second) in
                [*self.resources.items(), *self.operations.items()]]
        return "\n".join([*rows, *self.lines]) if self else f"no difference at {self.level}"


def compare_texts(first, second, level, names=("a", "b"), context=3):
    """The Difference of two texts of a level."""
    if level in _MLIR:
        first, second = stripped(first), stripped(second)
    pattern = _OPERATIONS.get(level, _OPERATIONS["sass"])
    counts = [collections.Counter(re.findall(pattern, text, re.M)) for text in (first, second)]
    changed = {name: (counts[0][name], counts[1][name]) for name in sorted(counts[0] | counts[1])
               if counts[0][name] != counts[1][name]}
    lines = list(difflib.unified_diff(first.split("\n"), second.split("\n"), *names, lineterm="", n=context))
    return Difference(level, changed, {}, lines)


def diff(a, b, level="ttgir"):
    """The Difference of two Kernels at a level ("sass" too). Raises RunnerError for a level that one lacks."""
    texts = []
    for kernel in (a, b):
        try:
            texts.append(kernel.asm[level])
        except KeyError as error:
            raise RunnerError(f"the kernel {kernel.name} has no {level}", "",
                              f"it has {', '.join(kernel.asm)}; load it from an earlier level") from error
    if isinstance(texts[0], bytes):
        raise RunnerError(f"{level} is binary", "", "compare sass, or an earlier level")
    found = compare_texts(*texts, level)
    first, second = resources(a), resources(b)
    found.resources = {key: (first[key], second.get(key, 0)) for key in first if first[key] != second.get(key)}
    return found
