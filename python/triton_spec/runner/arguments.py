"""What is passed for a kernel's pointers: tensors of torch, arrays of numpy, whatever has an array
interface or DLPack, and plain addresses."""

import ctypes

from .errors import SignatureMismatch
from .meta import same_constant

_NAMES = {"float32": "fp32", "float64": "fp64", "float16": "fp16", "half": "fp16", "bfloat16": "bf16", "bool": "i1",
          "float8_e4m3fn": "fp8e4nv", "float8_e4m3fnuz": "fp8e4b8", "float8_e5m2": "fp8e5",
          "float8_e5m2fnuz": "fp8e5b16"}
_TYPESTR = {"f": "fp"}  # other letters are Triton's own
_DLPACK = {0: "i", 1: "u", 2: "fp", 4: "bf"}
_HOST, _PINNED, _MANAGED = 1, 3, 13  # kinds of DLPack's devices that the host can read


def type_name(dtype):
    """Triton's name of a data type of torch, numpy or Triton ("torch.float32" is "fp32")."""
    name = str(dtype).rpartition(".")[2]
    if name in _NAMES:
        return _NAMES[name]
    return name.replace("uint", "u").replace("int", "i")


def _accept(found, kind, name, signless):
    wanted = kind.lstrip("*").removeprefix("k")
    if not wanted or found == wanted or {found, wanted} == {"i1", "u8"} or {found, wanted} == {"i1", "i8"}:
        return
    if signless and found.replace("u", "i") == wanted.replace("u", "i"):
        return
    raise SignatureMismatch(f"argument '{name}': elements are {found}, the kernel was compiled for {wanted}")


class _DLTensor(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("device", ctypes.c_int32), ("ordinal", ctypes.c_int32),
                ("ndim", ctypes.c_int32), ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16),
                ("shape", ctypes.c_void_p), ("strides", ctypes.c_void_p), ("byte_offset", ctypes.c_uint64)]


def _of_dlpack(value):
    capsule = value.__dlpack__()
    get = ctypes.pythonapi.PyCapsule_GetPointer
    get.restype, get.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    tensor = _DLTensor.from_address(get(capsule, b"dltensor"))
    name = "i1" if tensor.code == 6 else f"{_DLPACK.get(tensor.code, '?')}{tensor.bits}"
    return (tensor.data or 0) + tensor.byte_offset, name, tensor.device in (_HOST, _PINNED, _MANAGED)


def _described(value, name):
    """(address, type of the elements, whether it is the host's memory)."""
    for attribute, host in (("__cuda_array_interface__", False), ("__array_interface__", True)):
        interface = getattr(value, attribute, None)
        if interface is not None:
            code, size = interface["typestr"][1], int(interface["typestr"][2:])
            kind = "i1" if code == "b" else f"{_TYPESTR.get(code, code)}{8 * size}"
            return interface["data"][0], kind, host
    if hasattr(value, "__dlpack__"):
        return _of_dlpack(value)
    if hasattr(value, "data_ptr"):
        return value.data_ptr(), type_name(getattr(value, "dtype", "")), None
    raise SignatureMismatch(f"argument '{name}': {type(value).__name__} is no tensor, array or address")


def helpers(signless=False):
    """(address, accept, same) as the extension's Launcher calls them.

    signless: a kernel's types were read from a text that has no signs
    """
    def accept(dtype, kind, name):
        _accept(type_name(dtype), kind, name, signless)

    def address(value, kind, name, on_host):
        wanted = ("data_ptr", "dtype") if on_host else ("data_ptr", "dtype", "is_cuda")
        if all(hasattr(value, attribute) for attribute in wanted):
            return None  # a tensor: the extension asks it itself
        if value is None:
            return 0
        where, found, host = _described(value, name)
        _accept(found, kind, name, signless)
        if host is not None and host != on_host:
            raise SignatureMismatch(f"argument '{name}' is in {'the host' if host else 'a GPU'}'s memory, the kernel "
                                    f"runs on {'the host' if on_host else 'a GPU'}")
        return where
    return address, accept, same_constant
