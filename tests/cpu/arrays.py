"""Arrays for the cases of kernels: in memory that ends at a page nobody may touch, and of element types that
numpy lacks."""

import ctypes
import functools
import inspect
import mmap

import numpy as np
import triton
import triton.language as tl
from hypothesis import settings, strategies

import triton_cpu

np.seterr(all="ignore")  # infinities and NaNs are among the numbers
PAGE = mmap.PAGESIZE
LIBC = ctypes.CDLL(None, use_errno=True)
LIBC.mmap.restype = ctypes.c_void_p
LIBC.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long]
LIBC.mprotect.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
LIBC.munmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t]

# The same cases in every run; a case takes as long as it takes.
cases = settings(deadline=None, derandomize=True, database=None, max_examples=10)
seeds = strategies.integers(0, 2**32 - 1)


def jit(function):
    """triton.jit, such that one compiled kernel serves all arguments: whether a number is 1 or an address is
    aligned makes no other."""
    names = [name for name, parameter in inspect.signature(function).parameters.items()
             if parameter.annotation is not tl.constexpr]
    return triton.jit(do_not_specialize=names)(function)


class Guarded:
    """Writable memory of size bytes whose end, or beginning, is the edge of a page that faults."""

    def __init__(self, size, at_end=True):
        inner = (size + PAGE - 1) // PAGE * PAGE or PAGE
        self.size = inner + 2 * PAGE
        self.start = LIBC.mmap(None, self.size, 0, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, -1, 0)
        assert self.start not in (None, ctypes.c_void_p(-1).value), "no memory"
        assert LIBC.mprotect(self.start + PAGE, inner, mmap.PROT_READ | mmap.PROT_WRITE) == 0
        self.address = self.start + PAGE + (inner - size if at_end else 0)
        self.__array_interface__ = {"version": 3, "typestr": "|u1", "shape": (size,), "data": (self.address, False)}

    def __del__(self):
        if getattr(self, "start", None):
            LIBC.munmap(self.start, self.size)


def guarded(values, at_end=True):
    """A copy of an array of numpy's in guarded memory."""
    values = np.ascontiguousarray(values)
    made = np.asarray(Guarded(values.nbytes, at_end)).view(values.dtype).reshape(values.shape)
    made[...] = values
    return made


class Element:
    """A type of elements: name is Triton's; in numpy they are of the type `stored`, and decode() gives their
    numbers as float64 or as integers."""

    def __init__(self, name, stored=None, bias=None, mantissa=None, kind=None):
        self.name, self.stored = name, np.dtype(stored or name)
        self.bias, self.mantissa, self.kind = bias, mantissa, kind

    @property
    def is_float(self):
        return "float" in self.name

    @property
    def bits(self):
        return self.stored.itemsize * 8

    def argument(self, values):
        """Values of the type `stored` as a kernel's argument."""
        return triton_cpu.array(values, dtype=self.name)

    @functools.cached_property
    def table(self):
        """The numbers of all bit patterns, of a type of 16 bits at most."""
        if self.name == "bfloat16":
            return (np.arange(1 << 16, dtype=np.uint32) << 16).view(np.float32).astype(np.float64)
        if self.name == "float16":
            return np.arange(1 << 16, dtype=np.uint16).view(np.float16).astype(np.float64)
        return np.array([self._number(bits) for bits in range(256)])

    def _number(self, bits):
        sign, rest = -1.0 if bits & 0x80 else 1.0, bits & 0x7f
        exponent, fraction = rest >> self.mantissa, rest & (1 << self.mantissa) - 1
        if self.kind == "ieee" and exponent == 31:
            return sign * np.inf if fraction == 0 else np.nan
        if self.kind == "fn" and rest == 0x7f or self.kind == "fnuz" and bits == 0x80:
            return np.nan
        scale = 2.0 ** (max(exponent, 1) - self.bias - self.mantissa)
        return sign * scale * (fraction + (1 << self.mantissa if exponent else 0))

    @functools.cached_property
    def ordered(self):
        """The bits of all finite numbers in the order of the numbers, and these."""
        bits = np.arange(len(self.table))
        bits = bits[np.isfinite(self.table) & ~((self.table == 0) & (bits != 0))]
        bits = bits[np.argsort(self.table[bits], kind="stable")]
        return bits, self.table[bits]

    def decode(self, stored):
        if self.stored.name == self.name:
            return stored.astype(np.float64) if self.is_float else stored
        return self.table[stored]

    def encode(self, numbers):
        """The nearest of the type, ties to even; what is beyond stays the largest."""
        if self.stored.name == self.name:
            return numbers.astype(self.stored)
        order, known = self.ordered
        right = np.clip(np.searchsorted(known, numbers), 1, len(known) - 1)
        low, high = known[right - 1], known[right]
        up = (high - numbers < numbers - low) | ((high - numbers == numbers - low) & (order[right] & 1 == 0))
        up &= numbers > known[0]
        return np.where(up | (numbers >= known[-1]), order[right], order[right - 1]).astype(self.stored)

    def __repr__(self):
        return self.name


INTEGERS = [Element(f"{sign}int{bits}") for bits in (8, 16, 32, 64) for sign in ("", "u")]
F16, BF16, F32, F64 = Element("float16"), Element("bfloat16", "uint16"), Element("float32"), Element("float64")
FLOATS = [F16, BF16, F32, F64]
FLOATS8 = [Element("float8e5", "uint8", 15, 2, "ieee"), Element("float8e4nv", "uint8", 7, 3, "fn"),
           Element("float8e4b8", "uint8", 8, 3, "fnuz"), Element("float8e5b16", "uint8", 16, 2, "fnuz"),
           Element("float8e4b15", "uint8", 15, 3, "finite")]
BOOL = Element("bool")


def numbers(element, shape, seed, low=-100, high=100):
    """Random elements of a type, in guarded memory: integers over their whole range or floats between low and
    high, some of them special."""
    random = np.random.default_rng(seed)
    if element.name == "bool":
        return guarded(random.integers(0, 2, shape).astype(bool))
    if not element.is_float:
        info = np.iinfo(element.stored)
        values = random.integers(info.min, info.max, shape, dtype=element.stored, endpoint=True)
        special = np.array([info.min, info.max, 0, 1, -1 if info.min else 2, info.max - 1], element.stored)
        return guarded(np.where(random.random(shape) < 0.2, random.choice(special, shape), values))
    values = random.uniform(low, high, shape)
    values = np.where(random.random(shape) < 0.2, np.round(values), values)
    return guarded(element.encode(values))


def close(found, wanted, element, ulps=2, scale=None):
    """Asserts that decoded numbers are the wanted ones up to roundings of the element's type."""
    fraction = {"float16": 10, "bfloat16": 7, "float32": 23, "float64": 52}.get(element.name, element.mantissa)
    found, wanted = np.asarray(found, np.float64), np.asarray(wanted, np.float64)
    size = np.abs(wanted) if scale is None else np.broadcast_to(scale, wanted.shape)
    smallest = {"float16": 2.0**-24, "bfloat16": 2.0**-133, "float32": 2.0**-149}.get(element.name, 0)
    allowed = ulps * np.maximum(size * 2.0**-fraction, smallest)
    with np.errstate(invalid="ignore"):  # infinities are equal, or are not
        near = np.abs(found - wanted) <= allowed
    same = (found == wanted) | (np.isnan(found) & np.isnan(wanted)) | near
    assert same.all(), f"{element}: {found[~same][:5]} for {wanted[~same][:5]} at {np.argwhere(~same)[:5].tolist()}"
