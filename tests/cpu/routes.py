"""A kernel's library as a function of arguments in memory, to hold what two routes made against each
other. Needs neither Triton nor a launcher: it calls the tt_kernel of rt/ttabi.h itself."""

import ctypes
import math
import random
import struct

PRINT = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.POINTER(ctypes.c_char), ctypes.c_size_t)
FAIL = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_char_p)
WAIT = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


class Runtime(ctypes.Structure):
    _fields_ = [("print", PRINT), ("fail", FAIL), ("wait", WAIT)]


class Env(ctypes.Structure):
    _fields_ = [("id", ctypes.c_int32 * 3), ("count", ctypes.c_int32 * 3), ("frame", ctypes.c_void_p),
                ("runtime", ctypes.POINTER(Runtime))]


class Kernel(ctypes.Structure):
    _fields_ = [("abi", ctypes.c_uint32), ("param_count", ctypes.c_uint32), ("name", ctypes.c_char_p),
                ("params", ctypes.c_char_p), ("frame", ctypes.c_size_t),
                ("run", ctypes.CFUNCTYPE(None, ctypes.POINTER(ctypes.c_void_p), ctypes.POINTER(Env)))]


# Of each type of Triton's: how struct spells an element; None for floats that it does not know.
FORMATS = {"fp64": "d", "fp32": "f", "fp16": "e", "bf16": None, "fp8e4nv": None, "fp8e5": None, "i1": "?", "i8": "b",
           "u8": "B", "i16": "h", "u16": "H", "i32": "i", "u32": "I", "i64": "q", "u64": "Q"}
WIDTHS = {"bf16": 2, "fp8e4nv": 1, "fp8e5": 1}


def width(kind):
    return WIDTHS.get(kind) or struct.calcsize(FORMATS[kind])


def make_elements(kind, count, source):
    """The bytes of count numbers: small ones, of both signs where there are."""
    if kind == "bf16":
        return b"".join(struct.pack("<f", source.uniform(-2, 2))[2:] for _ in range(count))
    if kind.startswith("fp8"):  # below 2, without NaNs and infinities
        return bytes(source.randrange(0x40) | source.choice((0, 0x80)) for _ in range(count))
    if kind.startswith("fp"):
        return struct.pack(f"<{count}{FORMATS[kind]}", *(source.uniform(-2, 2) for _ in range(count)))
    least = -9 if kind[0] == "i" and kind != "i1" else 0
    return struct.pack(f"<{count}{FORMATS[kind]}", *(source.randint(least, 1 if kind == "i1" else 9) for _ in range(count)))


def numbers(kind, data):
    """The numbers that the bytes are; bytes for floats of 8 bits, whose order is that of their numbers."""
    if kind == "bf16":
        return [struct.unpack("<f", b"\0\0" + data[i:i + 2])[0] for i in range(0, len(data), 2)]
    if kind.startswith("fp8"):
        return [byte if byte < 0x80 else 0x80 - byte for byte in data]
    return struct.unpack(f"<{len(data) // width(kind)}{FORMATS[kind]}", data)


def tolerance(kind):
    """(relative, absolute): rounding differs where sums are grouped otherwise, and functions have
    an error of their own."""
    return {"fp64": (1e-9, 1e-9), "fp32": (2e-5, 2e-5), "fp16": (4e-3, 4e-3), "bf16": (3e-2, 3e-2)}.get(
        kind, (0, 1 if kind.startswith("fp8") else 0))


def differences(kind, left, right):
    """The elements that are not the same: (place, left, right)."""
    relative, absolute = tolerance(kind)
    pairs = zip(numbers(kind, left), numbers(kind, right))
    return [(i, a, b) for i, (a, b) in enumerate(pairs)
            if not (a == b or (a != a and b != b) or math.isclose(a, b, rel_tol=relative, abs_tol=absolute))]


class Library:
    """What was compiled, at path."""

    def __init__(self, path):
        self.library = ctypes.CDLL(str(path))
        self.kernel = Kernel.in_dll(self.library, "ttcpu_kernel")

    def run(self, arguments, grid=(1, 1, 1)):
        """Runs the grid's programs in order. An argument is a ctypes object: an array is passed by its
        address. Returns what was printed, and the messages of assertions that did not hold."""
        said = []
        runtime = Runtime(PRINT(lambda env, line, size: said.append(line[:size])),
                          FAIL(lambda env, message: said.append(message)), WAIT(lambda env: None))
        passed = [ctypes.c_void_p(ctypes.addressof(a)) if isinstance(a, ctypes.Array) else a for a in arguments]
        assert len(passed) == self.kernel.param_count
        places = (ctypes.c_void_p * max(len(passed), 1))(*(ctypes.addressof(a) for a in passed))
        room = ctypes.create_string_buffer(self.kernel.frame + 64)
        frame = -(-ctypes.addressof(room) // 64) * 64
        for z in range(grid[2]):
            for y in range(grid[1]):
                for x in range(grid[0]):
                    env = Env((x, y, z), grid, frame, ctypes.pointer(runtime))
                    self.kernel.run(places, ctypes.byref(env))
        return said


SCALARS = {"i32": ctypes.c_int32, "i64": ctypes.c_int64, "fp32": ctypes.c_float}


def make_arguments(types, seed, count, scalars):
    """Arguments of those types ("*fp32", "i32"): arrays of count numbers, scalars as given by place."""
    source = random.Random(seed)
    made = []
    for i, kind in enumerate(types):
        if kind.startswith("*"):
            data = make_elements(kind[1:], count, source)
            made.append((ctypes.c_char * len(data)).from_buffer_copy(data))
        else:
            made.append(SCALARS[kind](scalars.get(i, 5)))
    return made
