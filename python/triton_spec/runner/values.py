"""Arguments of the command line as values: "fp32[1024]=randn" is an array, "i32=5" a number."""

import array
import math
import random
import re

from .errors import RunnerError

# Triton's type: (code of array, numpy's typestr). Other types of elements need torch.
_CODES = {"fp32": ("f", "<f4"), "f32": ("f", "<f4"), "fp64": ("d", "<f8"), "i8": ("b", "<i1"), "i16": ("h", "<i2"),
          "i32": ("i", "<i4"), "i64": ("q", "<i8"), "u8": ("B", "<u1"), "u32": ("I", "<u4"), "u64": ("Q", "<u8")}
_TORCH = {"fp32": "float32", "f32": "float32", "fp64": "float64", "fp16": "float16", "bf16": "bfloat16", "i8": "int8",
          "i16": "int16", "i32": "int32", "i64": "int64", "u8": "uint8"}


class HostArray:
    """Elements of the host, at an address that 64 divides, with numpy's interface."""

    def __init__(self, kind, elements):
        code, typestr = _CODES[kind]
        size, pad = array.array(code).itemsize, 64
        self._buffer = array.array(code, [0] * (len(elements) + pad))
        address = self._buffer.buffer_info()[0]
        self._begin = (-address % 64) // size
        self._count = len(elements)
        self._buffer[self._begin:self._begin + self._count] = array.array(code, elements)
        self.__array_interface__ = {"typestr": typestr, "data": (address + self._begin * size, False),
                                    "shape": (self._count,), "version": 3}

    def copy(self):
        """The elements as a list."""
        return list(self._buffer[self._begin:self._begin + self._count])

    def __repr__(self):
        shown = ", ".join(f"{value:.6g}" for value in self.copy()[:8])
        return f"[{shown}{', ...' if self._count > 8 else ''}] ({self._count} elements)"


def _filled(fill, count, integer):
    generator = random.Random(0)
    makers = {"zeros": lambda i: 0, "ones": lambda i: 1, "arange": lambda i: i,
              "randn": lambda i: generator.randrange(-100, 100) if integer else generator.gauss(0, 1)}
    maker = makers.get(fill)
    if maker is None:
        try:
            value = float(fill)
        except ValueError as error:
            raise RunnerError(f"'{fill}' fills no array", "", "randn, zeros, ones, arange or a number") from error
        return [int(value) if integer else value] * count
    return [maker(i) for i in range(count)]


def _array(kind, count, fill, backend):
    integer = kind[0] in "iu"
    elements = _filled(fill, count, integer)
    if backend != "cuda":
        if kind not in _CODES:
            raise RunnerError(f"no arrays of {kind} on the host", "", f"one of {', '.join(_CODES)}")
        return HostArray(kind, elements if integer else [float(value) for value in elements])
    try:
        import torch
    except ImportError as error:
        raise RunnerError("arrays on a GPU need torch", "", "pip install torch") from error
    return torch.tensor(elements, dtype=getattr(torch, _TORCH[kind])).cuda()


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
        if count is not None:
            values.append(_array(kind, int(count), value, backend))
            continue
        try:
            values.append(int(value, 0) if kind[0] in "iu" else float(value))
        except ValueError as error:
            raise RunnerError(f"'{value}' is no {kind}", "", "a number") from error
    return values, out


def same(value, wanted):
    """Whether a result is as wanted, but for what rounding may do."""
    if hasattr(value, "is_cuda"):
        import torch
        return torch.allclose(value.double(), torch.as_tensor(wanted, device=value.device).double(), rtol=1e-3, atol=1e-5)
    return all(math.isclose(a, b, rel_tol=1e-5, abs_tol=1e-6) for a, b in zip(value.copy(), wanted, strict=True))
