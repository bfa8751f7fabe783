"""A launch's arguments, as far as Python looks at them: in which order they are passed, and what is passed for a
pointer: tensors of torch, arrays of numpy, whatever has an array interface or DLPack, and plain addresses."""

import ctypes
import re

from .errors import SignatureMismatch
from .meta import same_constant

_NAMES = {"float32": "fp32", "float64": "fp64", "float16": "fp16", "half": "fp16", "bfloat16": "bf16", "bool": "i1",
          "float8_e4m3fn": "fp8e4nv", "float8_e4m3fnuz": "fp8e4b8", "float8_e5m2": "fp8e5",
          "float8_e5m2fnuz": "fp8e5b16"}
_DLPACK = {0: "i", 1: "u", 2: "fp", 4: "bf"}
_HOST, _PINNED, _MANAGED = 1, 3, 13  # kinds of DLPack's devices that the host can read
_FLOATS = {"fp16": "e", "bf16": "b", "fp32": "f", "f32": "f", "fp64": "d"}


def packing(arg):
    """How the extension packs a parameter, (kind, least, most, div16) as in launch.h; None: it cannot."""
    integer = re.fullmatch(r"([iu])(1|8|16|32|64)", arg.type)
    if integer:
        signed, bits = integer[1] == "i" and integer[2] != "1", int(integer[2])
        least, most = (-1 << bits - 1, (1 << bits - 1) - 1) if signed else (0, (1 << bits) - 1)
        return "Q" if most >> 63 else "i", least, min(most, (1 << 63) - 1), arg.div16
    kind = "P" if arg.type.startswith("*") else _FLOATS.get(arg.type)
    return kind and (kind, 0, 0, arg.div16)


class Order:
    """order(*values, **named): what a launch passes, of all parameters or of those without the constants, which are
    compared. Raises SignatureMismatch."""

    def __init__(self, args):
        self._args, self._known = args, {}

    def __call__(self, *values, **named):
        call = (len(values), *named)
        if call not in self._known:
            self._known[call] = self._places(len(values), named)
        passed, constants = self._known[call]
        given = (*values, *named.values())
        for place, arg in constants:
            if not same_constant(arg.constant, given[place]):
                raise SignatureMismatch(f"argument '{arg.name}': the kernel was compiled for {arg.constant!r}, not "
                                        f"{given[place]!r}")
        return tuple([given[place] for place in passed])

    def _places(self, count, named):
        """Where a call has what is passed; [(where, argument)] of its constants."""
        passed = [arg for arg in self._args if not arg.is_constant]
        if count > len(self._args):
            raise SignatureMismatch(f"the kernel takes {len(passed)} arguments, or {len(self._args)} with its "
                                    f"constants, got {count}")
        by_position = passed if count == len(passed) and not named else self._args
        places = {arg.name: place for place, arg in enumerate(by_position[:count])}
        for place, name in enumerate(named, count):
            if name in places or all(arg.name != name for arg in self._args):
                raise SignatureMismatch(f"argument '{name}' is given twice" if name in places else
                                        f"the kernel has no argument '{name}'")
            places[name] = place
        missing = [arg.name for arg in passed if arg.name not in places]
        if missing:
            raise SignatureMismatch(f"the kernel takes {len(passed)} arguments: '{missing[0]}' is missing")
        constants = [(places[arg.name], arg) for arg in self._args if arg.is_constant and arg.name in places]
        return [places[arg.name] for arg in passed], constants


def type_name(dtype):
    """Triton's name of a data type of torch, numpy or Triton ("torch.float32" is "fp32")."""
    name = str(dtype).rpartition(".")[2]
    return _NAMES.get(name) or name.replace("uint", "u").replace("int", "i")


class _DLTensor(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("device", ctypes.c_int32), ("ordinal", ctypes.c_int32),
                ("ndim", ctypes.c_int32), ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8),
                ("lanes", ctypes.c_uint16), ("shape", ctypes.c_void_p), ("strides", ctypes.c_void_p),
                ("byte_offset", ctypes.c_uint64)]


def _of_dlpack(value):
    capsule = value.__dlpack__()
    get = ctypes.pythonapi.PyCapsule_GetPointer
    get.restype, get.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    tensor = _DLTensor.from_address(get(capsule, b"dltensor"))
    name = "i1" if tensor.code == 6 else f"{_DLPACK.get(tensor.code, '?')}{tensor.bits}"
    return (tensor.data or 0) + tensor.byte_offset, name, tensor.device in (_HOST, _PINNED, _MANAGED)


def _described(value, name):
    """(address, type of the elements, whether it is the host's memory, or None: only a GPU's driver can tell)."""
    if hasattr(value, "data_ptr"):
        host = False if getattr(value, "is_cuda", False) else None
        return value.data_ptr(), type_name(getattr(value, "dtype", "")), host
    for attribute, host in (("__cuda_array_interface__", False), ("__array_interface__", True)):
        interface = getattr(value, attribute, None)
        if interface is not None:
            code, size = interface["typestr"][1], int(interface["typestr"][2:])
            return interface["data"][0], "i1" if code == "b" else f"{code.replace('f', 'fp')}{8 * size}", host
    if hasattr(value, "__dlpack__"):
        return _of_dlpack(value)
    raise SignatureMismatch(f"argument '{name}': {type(value).__name__} is no tensor, array or address")


def locate(value, arg, on_host, signless):
    """(address, data type of a tensor or None) of what is passed for a pointer. Raises SignatureMismatch.

    on_host: where the kernel runs; signless: its types were read from a text that has no signs
    """
    if value is None:
        return 0, None
    address, found, host = _described(value, arg.name)
    wanted = arg.type.lstrip("*").removeprefix("k")
    same = not wanted or found == wanted or {found, wanted} in ({"i1", "u8"}, {"i1", "i8"})
    if not same and not (signless and found.replace("u", "i") == wanted.replace("u", "i")):
        raise SignatureMismatch(f"argument '{arg.name}': elements are {found}, the kernel was compiled for {wanted}")
    if host is not None and host != on_host:
        raise SignatureMismatch(f"argument '{arg.name}' is in {'the host' if host else 'a GPU'}'s memory, the kernel "
                                f"runs on {'the host' if on_host else 'a GPU'}")
    return address, getattr(value, "dtype", None) if hasattr(value, "data_ptr") else None
