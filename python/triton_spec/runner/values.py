"""Arguments of the command line as values: "fp32[1024]=randn" is an array, "i32=5" a number."""

import array
import math
import random
import re

from .errors import RunnerError

_NAMES = {"fp": "float", "f": "float", "bf": "bfloat", "i": "int", "u": "uint"}  # as torch and numpy call them
_CODES = {"float32": "f", "float64": "d", "int8": "b", "int16": "h", "int32": "i", "int64": "q", "uint8": "B",
          "uint16": "H", "uint32": "I", "uint64": "Q"}  # of array; other elements need torch


class HostArray(array.array):
    """Elements of the host with numpy's interface; Python's memory for them begins where 16 divides."""

    @property
    def __array_interface__(self):
        kind = {"f": "f", "d": "f"}.get(self.typecode, "u" if self.typecode.isupper() else "i")
        return {"typestr": f"<{kind}{self.itemsize}", "data": (self.buffer_info()[0], False), "shape": (len(self),),
                "version": 3}

    def __str__(self):
        shown = ", ".join(f"{value:.6g}" for value in self[:8])
        return f"[{shown}{', ...' if len(self) > 8 else ''}] ({len(self)} elements)"


def _number(text, integer, what):
    try:
        return int(text, 0) if integer else float(text)
    except ValueError as error:
        raise RunnerError(f"'{text}' {what}", "", "a number, or for arrays randn, zeros, ones or arange") from error


def _array(kind, count, fill, backend):
    found = re.fullmatch(r"(fp|f|bf|i|u)(\d+)", kind)
    name = _NAMES[found[1]] + found[2] if found else kind
    generator, integer = random.Random(0), kind[0] in "iu"
    if fill == "randn":
        elements = [generator.randrange(-100, 100) if integer else generator.gauss(0, 1) for _ in range(count)]
    elif fill == "arange":
        elements = list(range(count))
    else:
        elements = [_number({"zeros": "0", "ones": "1"}.get(fill, fill), integer, "fills no array")] * count
    if backend != "cuda":
        if name not in _CODES:
            raise RunnerError(f"no arrays of {kind} on the host", "", f"one of {', '.join(_CODES)}")
        return HostArray(_CODES[name], elements)
    try:
        import torch
    except ImportError as error:
        raise RunnerError("arrays on a GPU need torch", "", "pip install torch") from error
    if not hasattr(torch, name):
        raise RunnerError(f"torch has no arrays of {kind}")
    return torch.tensor(elements, dtype=getattr(torch, name)).cuda()


def make_values(texts, backend):
    """(values, indices of those that end in ":out") of arguments "type=value" and "type[count]=fill"."""
    values, out = [], []
    for text in texts:
        found = re.fullmatch(r"(\w+)(?:\[(\d+)\])?=([^:]+)(:out)?", text)
        if not found:
            raise RunnerError(f"'{text}' is no argument", "", "write i32=5 or fp32[1024]=randn:out")
        kind, count, value, is_out = found.groups()
        if is_out:
            out.append(len(values))
        values.append(_number(value, kind[0] in "iu", f"is no {kind}") if count is None else
                      _array(kind, int(count), value, backend))
    return values, out


def for_reference(value):
    """A value as a reference function takes it, before the kernel changes it."""
    return list(value) if isinstance(value, HostArray) else value


def same(value, wanted):
    """Whether a result is as wanted, but for what rounding may do."""
    if hasattr(value, "is_cuda"):
        import torch
        wanted = torch.as_tensor(wanted, device=value.device).double()
        return torch.allclose(value.double(), wanted, rtol=1e-3, atol=1e-5)
    return all(math.isclose(a, b, rel_tol=1e-5, abs_tol=1e-6) for a, b in zip(value, wanted, strict=True))
