"""Memory as Triton wants its tensors: with data_ptr() and a dtype whose name Triton knows."""

import ctypes

# Triton's name of an element -> its bytes; the further names are numpy's and the array module's.
SIZES = {"bool": 1, "int8": 1, "int16": 2, "int32": 4, "int64": 8,
         "uint8": 1, "uint16": 2, "uint32": 4, "uint64": 8,
         "float16": 2, "bfloat16": 2, "float32": 4, "float64": 8,
         "float8e5": 1, "float8e4nv": 1, "float8e4b15": 1, "float8e4b8": 1, "float8e5b16": 1}
CODES = {"?": "bool", "b": "int8", "B": "uint8", "h": "int16", "H": "uint16", "i": "int32", "I": "uint32",
         "q": "int64", "Q": "uint64", "l": "int64", "L": "uint64", "e": "float16", "f": "float32", "d": "float64"}


class DType:
    """The type of an element; equal by name. itemsize is in bytes."""

    __slots__ = ("name", "itemsize")

    def __init__(self, name):
        if name not in SIZES:
            raise TypeError(f"no element type {name!r}: there are {', '.join(SIZES)}")
        self.name, self.itemsize = name, SIZES[name]

    @property
    def is_floating_point(self):
        return "float" in self.name

    def __eq__(self, other):
        return isinstance(other, DType) and self.name == other.name

    def __hash__(self):
        return hash(self.name)

    def __repr__(self):
        return f"triton_cpu.{self.name}"


class Array:
    """An object's memory, not copied, as an argument of kernels. Make one with array()."""

    is_cpu = True

    __slots__ = ("base", "dtype", "shape", "_strides", "_address")

    def __init__(self, base, address, dtype, shape, strides):
        self.base, self._address, self.dtype = base, address, dtype
        self.shape, self._strides = tuple(shape), tuple(strides)

    def data_ptr(self):
        return self._address

    def stride(self, dim=None):
        """Elements between neighbours, of one dimension or of all."""
        return self._strides if dim is None else self._strides[dim]

    @property
    def ndim(self):
        return len(self.shape)

    def numel(self):
        count = 1
        for size in self.shape:
            count *= size
        return count

    def element_size(self):
        return self.dtype.itemsize

    def is_contiguous(self):
        return self._strides == _row_major(self.shape)

    def _bytes(self):
        if not self.is_contiguous():
            raise ValueError("the elements of a view with gaps cannot be copied as one piece: "
                             "copy the array that it wraps")
        return self.numel() * self.dtype.itemsize

    # What Triton's autotuner asks of a tensor.

    def zero_(self):
        ctypes.memset(self._address, 0, self._bytes())
        return self

    def clone(self):
        memory = bytearray(self._bytes())
        made = Array(memory, _address_of(memory), self.dtype, self.shape, self._strides)
        return made.copy_(self)

    def copy_(self, other):
        if (self.dtype, self.shape) != (other.dtype, other.shape):
            raise ValueError(f"a copy of {other!r} does not fit {self!r}")
        other._bytes()
        ctypes.memmove(self._address, other.data_ptr(), self._bytes())
        return self

    def __repr__(self):
        return f"<triton_cpu.Array {self.dtype.name} {self.shape}>"


def _row_major(shape):
    strides, step = [], 1
    for size in reversed(shape):
        strides.append(step)
        step *= size
    return tuple(reversed(strides))


def _address_of(memory):
    return ctypes.addressof((ctypes.c_char * max(1, len(memory))).from_buffer(memory)) if len(memory) else 0


def array(object, dtype=None):
    """object's memory as an argument of kernels, without a copy.

    object is a numpy array or another with __array_interface__, or one with a writable buffer. dtype
    names the elements where they are not what the object says: "bfloat16" for an array of uint16,
    "float8e5" for one of uint8. Raises TypeError and ValueError for what cannot be one.
    """
    interface = getattr(object, "__array_interface__", None)
    if interface is not None:
        address, shape, strides = interface["data"][0], interface["shape"], interface.get("strides")
        size, found = int(interface["typestr"][2:]), getattr(object, "dtype", None)
        name = str(found) if found is not None else CODES.get(interface["typestr"][1:])
    else:
        view = memoryview(object)
        if view.readonly:
            raise ValueError(f"the memory of {type(object).__name__} may not be written")
        shape, strides, size, name = view.shape, view.strides, view.itemsize, CODES.get(view.format.lstrip("@=<"))
        address = _address_of(view.cast("B")) if view.c_contiguous else None
        if address is None:
            raise ValueError("a buffer with gaps has no address here: wrap the whole of it")
    made = DType(str(dtype).split(".")[-1] if dtype is not None else name)
    if made.itemsize != size:
        raise TypeError(f"elements of {size} bytes are no {made.name} of {made.itemsize}")
    if strides is not None and any(step % size for step in strides):
        raise ValueError(f"strides of {strides} bytes are no multiples of {size}, an element's size")
    steps = _row_major(shape) if strides is None else [step // size for step in strides]
    return Array(object, address, made, shape, steps)
