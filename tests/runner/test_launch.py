"""The launcher: what reaches a kernel, and what is refused before it is launched."""

import array
import concurrent.futures
import ctypes
import struct
import time

import pytest

import triton
import triton.language as tl

from triton_spec.runner import LaunchFailed, SignatureMismatch, _launch, load, save
from triton_spec.runner.arguments import _DLTensor
from triton_spec.runner import kernel as kernel_module

import toy_backend
from runner_kernels import source_of


@triton.jit
def record(out, n, wide, unsigned, small, single, double, half, brain, truth, BLOCK: tl.constexpr):
    tl.store(out, n + wide + unsigned + small + BLOCK)
    tl.store(out + 1, (single + double + half + brain).to(tl.int64))
    tl.store(out + 2, truth)


@pytest.fixture(scope="module")
def kernel(kept, toy_registered):
    """The kernel from its file, for a backend that the runner knows nothing of."""
    return saved_and_loaded(kept)


def saved_and_loaded(folder):
    """The kernel, compiled, saved and loaded from its ttir."""
    source = source_of(record, "*i64 i32 i64 u32 i8 fp32 fp64 fp16 bf16 i1", {"BLOCK": 64}, aligned=2)
    save(triton.compile(source, target=toy_backend.TARGET), folder / "saved")
    return load(folder / "saved", level="ttir")


class Memory:
    """64-bit integers of the host, at an address that 16 divides, with numpy's interface."""

    def __init__(self, count=256, typestr="<i8"):
        self.buffer = (ctypes.c_int64 * (count + 2))()
        self.address = (ctypes.addressof(self.buffer) + 15) // 16 * 16
        self.values = (ctypes.c_int64 * count).from_address(self.address)
        self.__array_interface__ = {"typestr": typestr, "data": (self.address, False), "shape": (count,), "version": 3}


class Numbers(array.array):
    """The same with a buffer too, as numpy's arrays have."""

    @property
    def __array_interface__(self):
        return {"typestr": "<f8" if self.typecode == "d" else "<i8", "data": (self.buffer_info()[0], False), "version": 3}


GOOD = (48, -5, 4294967295, -128, 1.5, 2.5, 0.5, 3.140625, True)


def bits(form, value):
    return int.from_bytes(struct.pack(form, value), "little")


def test_every_type(kernel):
    """Each program finds its place and each parameter in its own size."""
    out = Memory()
    kernel[(2, 3)](out, *GOOD)
    assert list(out.values[:3]) == [2, 3, 1] and list(out.values[80:83]) == [1002, 2003, 1]
    assert [value & (1 << 64) - 1 for value in out.values[83:93]] == [
        out.address, 48, (1 << 64) - 5, 4294967295, 0x80, bits("<f", 1.5), bits("<d", 2.5), bits("<e", 0.5),
        bits("<f", 3.140625) >> 16, 1]


def test_ways_to_call(kernel):
    """By position, by name, with the constants and without; a grid of one number or from a function."""
    for call in (lambda out: kernel[2](out, *GOOD), lambda out: kernel[(2,)](out.address, *GOOD),
                 lambda out: kernel[lambda meta: (meta["BLOCK"] // 32,)](out, *GOOD, 64),
                 lambda out: kernel[2](out, *GOOD[:-1], truth=True, BLOCK=64),
                 lambda out: kernel.bind(2)(out, *GOOD), lambda out: kernel[2].loop(3, out, *GOOD)):
        out = Memory()
        call(out)
        assert out.values[4] == 48 and out.values[20] == 48 and out.values[36] == 0
    out = Memory()
    kernel[0](out, *GOOD)
    assert not any(out.values)


REFUSED = [
    ("2 arguments", lambda out: (out, 1), "takes 10 arguments"),
    ("12 arguments", lambda out: (out, *GOOD, 64, 1), "takes 10 arguments"),
    ("another constant", lambda out: (out, *GOOD, 32), "'BLOCK': the kernel was compiled for 64, not 32"),
    ("a constant of another type", lambda out: (out, *GOOD, 64.0), "compiled for 64, not 64.0"),
    ("elements of 4 bytes", lambda out: (Memory(4, "<i4"), *GOOD), "elements are i32, the kernel was compiled for i64"),
    ("floating point elements", lambda out: (Memory(4, "<f8"), *GOOD), "elements are fp64"),
    ("an address that 16 does not divide", lambda out: (out.address + 8, *GOOD), "an address divisible by 16"),
    ("a value that 16 does not divide", lambda out: (out, 47, *GOOD[1:]), "'n': the kernel was compiled for a value"),
    ("the value 1", lambda out: (out, 1, *GOOD[1:]), "'n': the kernel was compiled for a value"),
    ("beyond i32", lambda out: (out, 1 << 31, *GOOD[1:]), "'n': 2147483648 does not fit in i32"),
    ("beyond u32", lambda out: (out, 48, 0, -1, *GOOD[3:]), "'unsigned': -1 does not fit in u32"),
    ("beyond i8", lambda out: (out, 48, 0, 0, 128, *GOOD[4:]), "'small': 128 does not fit in i8"),
    ("beyond i64", lambda out: (out, 48, 1 << 63, *GOOD[2:]), "does not fit in i64"),
    ("a fraction for an integer", lambda out: (out, 48.0, *GOOD[1:]), "'n': not an integer"),
    ("a text for a number", lambda out: (out, *GOOD[:4], "1", *GOOD[5:]), "'single': not a number"),
    ("a list for a pointer", lambda out: ([1], *GOOD), "list is no tensor, array or address"),
    ("an array without an interface", lambda out: (array.array("q", [1]), *GOOD), "array is no tensor"),
    ("a negative address", lambda out: (-16, *GOOD), "'out': not an address"),
]


@pytest.mark.parametrize("arguments, message", [case[1:] for case in REFUSED], ids=[case[0] for case in REFUSED])
def test_refused(kernel, arguments, message):
    """Nothing of the grid runs, and a good launch follows."""
    out = Memory()
    with pytest.raises(SignatureMismatch) as raised:
        kernel[2](*arguments(out))
    assert message in str(raised.value) and not any(out.values)
    kernel[2](out, *GOOD)
    assert out.values[4] == 48


def test_names(kernel):
    """A name that is not there, given twice, or left out."""
    out = Memory()
    for named, message in (({"no": 1}, "no argument 'no'"), ({"out": out}, "'out' is given twice"), ({}, "'truth' is missing")):
        with pytest.raises(SignatureMismatch, match=message):
            kernel[2](out, *GOOD[:-1], BLOCK=64, **named)


class Tensor:
    """What the launcher asks of a tensor of torch."""

    def __init__(self, memory, dtype="torch.int64", is_cuda=False):
        self.memory, self.dtype, self.is_cuda = memory, dtype, is_cuda

    def data_ptr(self):
        """Its address."""
        return self.memory.address


def test_tensors(kernel):
    """Their type, device and alignment are asked for; a good one is not asked twice for what it is."""
    out = Memory()
    for _ in range(3):
        kernel[2](Tensor(out), *GOOD)
    assert out.values[4] == 48
    with pytest.raises(SignatureMismatch, match="elements are fp32"):
        kernel[2](Tensor(out, "torch.float32"), *GOOD)
    with pytest.raises(SignatureMismatch, match="in a GPU's memory"):
        kernel[2](Tensor(out, is_cuda=True), *GOOD)
    kernel[2](Tensor(out), *GOOD)


def test_arrays(kernel, monkeypatch):
    """An array is looked at in Python once for each type of elements, then its buffer is asked."""
    asked, locate = [], kernel_module.locate
    monkeypatch.setattr(kernel_module, "locate", lambda *given: asked.append(given[0]) or locate(*given))
    first, second, floats = Numbers("q", [0] * 64), Numbers("q", [0] * 64), Numbers("d", [0] * 64)
    for out in (first, second, first):
        kernel[2](out, *GOOD)
    assert first[4] == second[4] == 48 and asked == [first]
    for _ in range(2):
        with pytest.raises(SignatureMismatch, match="elements are fp64"):
            kernel[2](floats, *GOOD)
    assert not any(floats)
    interface_alone = Memory()
    for _ in range(2):
        kernel[2](interface_alone, *GOOD)
    assert interface_alone.values[4] == 48 and len(asked) == 5


def test_arrays_of_numpy(kernel):
    """Of the right elements, also read-only and in steps; others are refused whatever was launched before."""
    numpy = pytest.importorskip("numpy")
    memory = numpy.zeros(128, numpy.int64)
    memory = memory[memory.ctypes.data % 16 // 8:]
    for _ in range(2):
        kernel[2](memory[:64], *GOOD)
        kernel[1](memory[64:][::-1][-1:], *GOOD)
    assert memory[4] == memory[20] == memory[68] == 48
    memory.flags.writeable = False
    kernel[1](memory, *GOOD)
    for wrong in (numpy.int32, numpy.uint64, numpy.float64):
        with pytest.raises(SignatureMismatch, match="elements are"):
            kernel[1](numpy.zeros(64, wrong), *GOOD)
    with pytest.raises(SignatureMismatch, match="divisible by 16"):
        kernel[1](memory[1:], *GOOD)


class Exchanged:
    """Memory behind DLPack's protocol."""

    def __init__(self, memory, code=0, bits=64, device=1):
        self.memory = memory  # lives as long as the capsule
        self.tensor = _DLTensor(data=memory.address, device=device, ndim=1, code=code, bits=bits, lanes=1)

    def __dlpack__(self):
        new = ctypes.pythonapi.PyCapsule_New
        new.restype, new.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
        return new(ctypes.addressof(self.tensor), b"dltensor", None)


def test_dlpack(kernel):
    """Address, type and device come from the capsule."""
    out = Memory()
    kernel[2](Exchanged(out), *GOOD)
    assert out.values[4] == 48
    for wrong, message in (({"bits": 32}, "elements are i32"), ({"code": 2}, "elements are fp64"),
                           ({"device": 2}, "in a GPU's memory")):
        with pytest.raises(SignatureMismatch, match=message):
            kernel[2](Exchanged(out, **wrong), *GOOD)


class Described:
    """Memory of a GPU, as __cuda_array_interface__ tells."""

    __cuda_array_interface__ = {"typestr": "<i8", "data": (4096, False), "shape": (1,), "version": 3}


def test_memory_of_a_gpu(kernel):
    """Refused by a kernel of the host."""
    with pytest.raises(SignatureMismatch, match="in a GPU's memory, the kernel runs on the host"):
        kernel[2](Described(), *GOOD)


def test_through_triton_s_launcher(kernel, monkeypatch):
    """Where the C launcher cannot, Triton's has each constant in its place; a wrong number is refused."""
    seen = []
    monkeypatch.setattr(kernel.compiled, "_init_handles", lambda: None)
    monkeypatch.setattr(type(kernel.compiled), "__getitem__", lambda self, grid: lambda *args: seen.append((grid, args)))
    stock = kernel._through_triton
    stock(2)(0, *GOOD)
    stock((2, 3))(0, *GOOD, BLOCK=64)
    assert seen == [((2, 1, 1), (0, *GOOD, 64)), ((2, 3, 1), (0, *GOOD, 64))]
    with pytest.raises(SignatureMismatch, match="takes 10 arguments: 'n' is missing"):
        stock(2)(0)


def test_failing_program(kernel):
    """What a kernel's own program says, as an exception."""
    with pytest.raises(LaunchFailed, match=r"program \(0, 0, 0\): the first argument is no address"):
        kernel[2](0, *GOOD)
    out = Memory()
    kernel[2](out, *GOOD)
    assert out.values[4] == 48


def test_grids(kernel):
    """What is no grid."""
    for grid, kind in ((-1, ValueError), ((1, 2, 3, 4), TypeError), ("8", TypeError), ((), TypeError), (1 << 40, ValueError)):
        with pytest.raises(kind):
            kernel[grid](Memory(), *GOOD)


def test_first_launches_at_once(kept, toy_registered, monkeypatch):
    """Threads that launch a kernel while another loads its binary wait for that one."""
    made, loads, host_load = saved_and_loaded(kept), [], kernel_module.host_load

    def slowly(*arguments):
        loads.append(arguments)
        time.sleep(0.1)
        return host_load(*arguments)
    monkeypatch.setattr(kernel_module, "host_load", slowly)
    outs = [Memory() for _ in range(4)]
    with concurrent.futures.ThreadPoolExecutor(4) as threads:
        list(threads.map(lambda out: made[2](out, *GOOD), outs))
    assert len(loads) == 1 and [out.values[4] for out in outs] == [48] * 4


def test_levels_of_a_backend(kernel, tmp_path):
    """The levels are those that the backend names: its c and so are loaded as every other."""
    kernel.save(tmp_path / "again")
    for level in ("ttir", "c", "so"):
        found = load(tmp_path / "again", level=level)
        assert found.asm["so"] == kernel.asm["so"]
        out = Memory()
        found[2](out, *GOOD)
        assert out.values[4] == 48


def made(params=(), objects=(_launch.Bound, "data_ptr", "dtype", "is_cuda", None, 0)):
    """A launcher of nothing."""
    return _launch.Launcher(params=params, hidden=0, function=0, threads=1, shared=0, driver=(0, 0, 0), objects=objects)


def test_a_launcher_that_is_not_made():
    """A parameter that is none is refused, and so is a launcher that is made again."""
    for wrong, kind in ((("P",), TypeError), (("integer", 0, 0, True), TypeError)):
        with pytest.raises(kind):
            made(params=(wrong,))
    with pytest.raises(ValueError, match="more than 128"):
        made(params=(("P", 0, 0, True),) * 129)
    with pytest.raises(ValueError, match="objects are"):
        made(objects=())
    once = made()
    with pytest.raises(TypeError, match="made once"):
        once.__init__(params=(), hidden=0, function=0, threads=1, shared=0, driver=(0, 0, 0), objects=())
