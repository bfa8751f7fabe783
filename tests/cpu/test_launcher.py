"""The launcher of the cpu backend, by kernels written in C: arguments, grids, threads, what ends a launch."""

import array
import collections
import ctypes
import struct
import textwrap
import threading

import pytest
from hypothesis import given, settings, strategies

from processes import python

KERNEL = """
%s
static void run(const void *const *params, const tt_env *env) { %s }
const tt_kernel ttcpu_kernel = {TT_ABI, %d, "probe", "%s", %d, run};
"""


def probe(body, params, frame=0, before=""):
    """The C text of a kernel with that body; params are a letter each, as in rt/ttabi.h."""
    return KERNEL % (before, body, len(params), params, frame)


@pytest.fixture(scope="module")
def load(load_c):
    """A function as load_c that loads a text once."""
    loaded = {}

    def load_once(text):
        if text not in loaded:
            loaded[text] = load_c(text)
        return loaded[text]
    return load_once


@pytest.fixture(scope="module")
def launch(extension, load):
    """launch(text, types, *arguments, grid=, **options of the launcher)"""
    def run(text, types, *arguments, grid=(1, 1, 1), hooks=(None, None), metadata=None, **options):
        signature = tuple((f"a{index}", kind) for index, kind in enumerate(types))
        launcher = extension.Launcher(signature, **options)
        return launcher(*grid, 0, load(text), (), metadata, *hooks, *arguments)
    return run


COPY = {1: "uint8_t", 2: "uint16_t", 4: "uint32_t", 8: "uint64_t"}
INTEGERS = {"i8": "b", "i16": "h", "i32": "w", "i64": "q", "u8": "b", "u16": "h", "u32": "w", "u64": "q"}
FLOATS = {"fp16": "H", "bf16": "B", "fp32": "f", "fp64": "d", "fp8e5": "e", "fp8e4nv": "e"}
SIZES = {"b": 1, "h": 2, "w": 4, "q": 8, "H": 2, "B": 2, "f": 4, "d": 8, "e": 1}


def keep_bits(letter):
    """A kernel that writes the bits of its second argument to its first."""
    kind = COPY[SIZES[letter]]
    return probe(f"**({kind} *const *)params[0] = *(const {kind} *)params[1];", "p" + letter)


def bits_of(launch, kind, letter, value):
    out = ctypes.c_uint64(0)
    launch(keep_bits(letter), ("*i64", kind), ctypes.addressof(out), value)
    return out.value


@pytest.mark.parametrize("kind", INTEGERS)
def test_integers_keep_their_value_to_the_limits(launch, kind):
    bits, signed = int(kind[1:]), kind[0] == "i"
    low, high = (-(1 << bits - 1), (1 << bits - 1) - 1) if signed else (0, (1 << bits) - 1)
    for value in {low, high, 0, 1, high // 3}:
        assert bits_of(launch, kind, INTEGERS[kind], value) == value % (1 << bits)
    for value in (low - 1, high + 1, 1 << 200):
        with pytest.raises(OverflowError, match=rf"argument 1 \(a1\): {value} does not fit {kind}: it must be from {low} "
                                                rf"to {high}"):
            bits_of(launch, kind, INTEGERS[kind], value)
    with pytest.raises(TypeError, match=r"argument 1 \(a1\)"):
        bits_of(launch, kind, INTEGERS[kind], 1.5)


@pytest.mark.parametrize("kind", ["i1", "u1"])
def test_truth_is_a_byte(launch, kind):
    assert [bits_of(launch, kind, "b", value) for value in (False, True, 7, 0)] == [0, 1, 1, 0]


@pytest.mark.parametrize("kind, value, bits", [
    ("fp32", 0.1, 0x3DCCCCCD), ("fp64", 0.1, 0x3FB999999999999A), ("fp16", 0.1, 0x2E66), ("bf16", 0.1, 0x3DCD),
    ("fp16", 65504.0, 0x7BFF), ("fp16", 1e9, 0x7C00), ("bf16", -2, 0xC000), ("fp32", 1e300, 0x7F800000),
    ("fp8e5", 0.75, 0x3A), ("fp8e4nv", -448.0, 0xFE), ("fp32", float("nan"), 0x7FC00000)])
def test_floats_are_rounded_to_nearest(launch, kind, value, bits):
    assert bits_of(launch, kind, FLOATS[kind], value) == bits


@settings(deadline=None)
@given(strategies.floats(width=16))
def test_halves_are_exact(launch, value):
    wanted = struct.unpack("<H", struct.pack("<e", value))[0]
    if value == value:
        assert bits_of(launch, "fp16", "H", value) == wanted


class Tensor:
    """What Triton takes for a tensor."""

    def __init__(self, address, is_cpu=True):
        self.address, self.is_cpu = address, is_cpu

    def data_ptr(self):
        return self.address


class Interface:
    def __init__(self, address):
        self.__array_interface__ = {"data": (address, False)}


class Owner:
    """A DLPack exporter without a library: the structure and its capsule, by ctypes."""

    def __init__(self, address, device=1):
        self.device = device
        self.tensor = (ctypes.c_uint64 * 16)(address - 8, device, 1, 0, 0, 8)

    def __dlpack_device__(self):
        return (self.device, 0)

    def __dlpack__(self):
        make = ctypes.pythonapi.PyCapsule_New
        make.restype, make.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
        return make(ctypes.addressof(self.tensor), b"dltensor", None)


WRITE = probe("**(int64_t *const *)params[0] = 42;", "p")
IS_NULL = probe("**(int64_t *const *)params[0] = *(void *const *)params[1] == 0;", "pp")


@pytest.mark.parametrize("wrap", [int, Tensor, Interface, Owner], ids=lambda wrap: wrap.__name__)
def test_a_pointer_is_found_in(launch, wrap):
    place = ctypes.c_int64(0)
    launch(WRITE, ("*i64",), wrap(ctypes.addressof(place)))
    assert place.value == 42


def test_a_pointer_is_found_in_a_buffer(launch):
    place = array.array("q", [0])
    launch(WRITE, ("*i64",), place)
    assert place[0] == 42


def test_none_is_a_null_pointer(launch):
    place = array.array("q", [0])
    launch(IS_NULL, ("*i64", "*fp32"), place, None)
    assert place[0] == 1


@pytest.mark.parametrize("argument, error, message", [
    (Tensor(0, is_cpu=False), ValueError, "the Tensor is not in the CPU's memory: move it there"),
    (Owner(8, device=2), ValueError, r"lies on DLPack's device type 2, not on the CPU \(1\)"),
    (1.5, TypeError, r"a pointer is wanted: .*; not float"),
    (-1 << 80, OverflowError, ""),
], ids=["elsewhere", "dlpack", "float", "huge"])
def test_what_is_no_pointer_is_named(launch, argument, error, message):
    with pytest.raises(error, match=r"argument 0 \(a0\): .*" + message):
        launch(WRITE, ("*i64",), argument)


def test_an_error_of_the_argument_itself_is_raised(launch):
    class Broken:
        def data_ptr(self):
            raise KeyError("gone")
    with pytest.raises(KeyError, match="gone"):
        launch(WRITE, ("*i64",), Broken())


Pair = collections.namedtuple("Pair", "first second")
SUM = probe("int64_t sum = 0; for (int i = 1; i < 4; i++) sum = sum * 100 + *(const int32_t *)params[i];"
            "**(int64_t *const *)params[0] = sum;", "pwww")


def test_tuples_are_taken_apart_and_constants_left_out(launch):
    place = array.array("q", [0])
    launch(SUM, (("*i64", "constexpr"), ("i32", ("constexpr", "i32")), "constexpr", "i32"),
           (place, "text"), Pair(1, (2.5, 2)), 16, 3)
    assert place[0] == 10203


def test_a_tuple_of_another_length_is_named(launch):
    with pytest.raises(TypeError, match=r"argument 1 \(a1\): a tuple of 2 is wanted, not of 1"):
        launch(SUM, ("*i64", ("i32", "i32"), "i32"), array.array("q", [0]), (1,), 2)


def test_many_parameters(launch):
    count = 200
    body = f"int64_t sum = 0; for (int i = 1; i <= {count}; i++) sum += *(const int64_t *)params[i] * i;" \
           "**(int64_t *const *)params[0] = sum;"
    place = array.array("q", [0])
    launch(probe(body, "p" + "q" * count), ("*i64",) + ("i64",) * count, place, *range(count))
    assert place[0] == sum(value * (value + 1) for value in range(count))


class Descriptor:
    def __init__(self, base, shape, strides):
        self.base, self.shape, self.strides = base, shape, strides


def test_a_descriptor_is_what_decompose_says(launch):
    place = array.array("q", [0] * 8)
    text = probe("int64_t *out = *(int64_t *const *)params[0]; out[0] = *(const int64_t *)params[1];"
                 "out[1] = *(const int64_t *)params[2]; out[2] = *(const uint8_t *)params[3];"
                 "out[3] = *(const int32_t *)params[4]; out[4] = *(const int16_t *)params[5];", "pqqbwh")
    launch(text, ("tensordesc<fp32[2]>", "i16"), Descriptor(place, [1 << 40], [3]), -5,
           decompose=lambda d: [d.base, *d.shape, *d.strides, True, 12])
    assert list(place)[:5] == [1 << 40, 3, 1, 12, -5]


@pytest.mark.parametrize("types, arguments, message", [
    (("*i64", "i32"), (0, 1), "has 2|signature has more"),
    ((), (), "takes 1 parameters, the signature has 0"),
    (("i64",), (1,), "parameter 0 of kernel 'probe' is of kind 'p', the signature says 'q'"),
    (("*i64",), (1, 2), "is launched with 2 arguments, it has 1"),
])
def test_a_signature_that_is_not_the_kernels_is_named(launch, types, arguments, message):
    with pytest.raises(TypeError, match=message):
        launch(WRITE, types, *arguments)


def test_an_unknown_type_is_named(extension):
    with pytest.raises(TypeError, match="the cpu backend knows no arguments of type 'i128'"):
        extension.Launcher((("x", "i128"),))


IDS = probe("""
  int64_t at = (env->id[2] * (int64_t)env->count[1] + env->id[1]) * env->count[0] + env->id[0];
  (*(int64_t *const *)params[0])[at] += at + 1000 * env->count[0] + (env->frame != 0);
  for (int i = 0; env->frame != 0 && i < 5000; i++) env->frame[i] = (char)i;""", "p", 5000)


@settings(deadline=None)
@given(strategies.tuples(*[strategies.integers(0, 12)] * 3), strategies.integers(1, 5))
def test_every_program_runs_once(launch, grid, threads):
    total = grid[0] * grid[1] * grid[2]
    place = array.array("q", [0] * (total + 1))
    launch(IDS, ("*i64",), place, grid=grid, threads=threads)
    assert list(place) == [at + 1000 * grid[0] + 1 for at in range(total)] + [0]


@pytest.mark.parametrize("grid", [(-1, 1, 1), (1, 1 << 31, 1), (1 << 30, 1 << 30, 1 << 30)])
def test_an_impossible_grid_is_named(launch, grid):
    with pytest.raises(ValueError, match="is negative or too large"):
        launch(WRITE, ("*i64",), 0, grid=grid)


SLOW = "for (volatile int i = 0; i < 20000; i++);"


@pytest.mark.parametrize("programs, most", [(256, 4), (32, 2), (8, 2)])
def test_long_launches_use_all_threads(launch, programs, most):
    threads = array.array("q", [0] * programs)
    # A launch takes some milliseconds, whatever the number of programs: longer than it takes to wake a thread. A
    # thread of its own shows as an address of its own stack.
    slow = SLOW.replace("20000", str(20000 * 256 // programs))
    text = probe(slow + "int here; (*(int64_t *const *)params[0])[env->id[0]] = (int64_t)(intptr_t)&here >> 20;", "p")
    for _ in range(50):
        launch(text, ("*i64",), threads, grid=(programs, 1, 1), threads=most)
        if len(set(threads)) > 1:
            return
    pytest.fail("no launch of 50 had more than one thread")


def test_threads_launch_at_the_same_time(launch):
    text = probe(SLOW + "(*(int64_t *const *)params[0])[env->id[0]]++;", "p")
    places = [array.array("q", [0] * 64) for _ in range(6)]

    def work(place):
        for _ in range(5):
            launch(text, ("*i64",), place, grid=(64, 1, 1), threads=3)
    workers = [threading.Thread(target=work, args=(place,)) for place in places]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert all(list(place) == [5] * 64 for place in places)


def test_the_interpreter_is_free_while_a_kernel_runs(launch):
    flag = array.array("q", [0])
    text = probe("volatile int64_t *flag = *(int64_t *const *)params[0]; while (*flag == 0) env->runtime->wait(env);", "p")
    worker = threading.Thread(target=launch, args=(text, ("*i64",), flag))
    worker.start()
    flag[0] = 1  # would never be reached
    worker.join()


def test_a_failed_program_raises_and_the_rest_goes_on(launch):
    text = probe('if (env->id[0] == 5 && env->id[1] == 1) env->runtime->fail(env, "x > 0");'
                 "(*(int64_t *const *)params[0])[0]++;", "p")
    place = array.array("q", [0])
    with pytest.raises(RuntimeError, match=r"device-side assert in kernel 'probe', program \(5, 1, 0\): x > 0"):
        launch(text, ("*i64",), place, grid=(8, 2, 1), threads=1)
    assert place[0] == 13
    for _ in range(20):
        with pytest.raises(RuntimeError, match=r"program \(5, 1, 0\)"):
            launch(text, ("*i64",), place, grid=(1000, 2, 1), threads=4)
    launch(WRITE, ("*i64",), place)
    assert place[0] == 42


WAITS = probe("""
  _Atomic int32_t *flags = *(_Atomic int32_t *const *)params[0];
  flags[env->id[0]] = 1;
  while (flags[(env->id[0] + 1) % env->count[0]] == 0) WAIT;""", "p")


def test_cooperative_programs_wait_for_each_other(launch):
    flags = array.array("i", [0] * 40)
    launch(WAITS.replace("WAIT", ""), ("*i32",), flags, grid=(40, 1, 1), cooperative=True)
    assert set(flags) == {1}


def test_a_waiting_program_gives_way_to_others(launch):
    flags = array.array("i", [0] * 3)
    launch(WAITS.replace("WAIT", "env->runtime->wait(env)"), ("*i32",), flags, grid=(3, 1, 1), threads=3)
    assert set(flags) == {1}


def test_a_program_that_waits_for_a_failed_one_ends(launch):
    text = probe('if (env->id[0] == 1) env->runtime->fail(env, "no"); for (;;) env->runtime->wait(env);', "")
    for options in ({"threads": 2}, {"cooperative": True}):
        with pytest.raises(RuntimeError, match=r"program \(1, 0, 0\): no"):
            launch(text, (), grid=(2, 1, 1), **options)


def test_too_many_programs_for_a_cooperative_launch_are_named(launch):
    with pytest.raises(RuntimeError, match="a cooperative launch has a thread for each program"):
        launch(WAITS.replace("WAIT", ""), ("*i32",), 0, grid=(1 << 20, 1, 1), cooperative=True)


PRINTS = probe(SLOW + """
  char line[] = "0000 a"; for (int i = 0, id = env->id[0]; i < 4; i++, id /= 10) line[3 - i] += (char)(id % 10);
  env->runtime->print(env, line, 6); line[5] = 'b'; env->runtime->print(env, line, 6);""", "")


@pytest.mark.parametrize("options", [{"threads": 1}, {"threads": 4}, {"cooperative": True}], ids=str)
def test_lines_appear_in_the_order_of_the_grid(launch, capfd, options):
    launch(PRINTS, (), grid=(300, 1, 1), **options)
    assert capfd.readouterr().out.splitlines() == [f"{at:04d} {letter}" for at in range(300) for letter in "ab"]


def test_what_was_printed_before_comes_before(launch, capfd):
    calls = []
    launch(PRINTS, (), before=lambda: calls.append(capfd.readouterr().out))
    assert calls == [""] and capfd.readouterr().out == "0000 a\n0000 b\n"


def test_hooks_are_called_around_the_launch(launch):
    place = array.array("q", [0])
    calls = []
    launch(WRITE, ("*i64",), place, metadata="data", hooks=(lambda data: calls.append((data, place[0])),) * 2)
    assert calls == [("data", 0), ("data", 42)]


def test_a_failing_hook_ends_the_launch(launch):
    def hook(metadata):
        raise LookupError("hook")
    place = array.array("q", [0])
    with pytest.raises(LookupError, match="hook"):
        launch(WRITE, ("*i64",), place, hooks=(hook, None))
    assert place[0] == 0


SCRIPT = """
    import array, os, signal, threading
    from triton_cpu import _ttcpu, _toolchain
    kernel = _ttcpu.load(_toolchain.build({text!r}), {folder!r})
    def launch(place, grid=(64, 1, 1), **options):
        _ttcpu.Launcher((("x", "*i64"),), **options)(*grid, 0, kernel, (), None, None, None, place)
"""


def run_script(tmp_path, text, script):
    """Runs Python in a process of its own, in which launch() is as above and runs the kernel."""
    beginning = textwrap.dedent(SCRIPT).format(text='#include "ttabi.h"\n' + text, folder=str(tmp_path))
    return python(beginning + textwrap.dedent(script), tmp_path, timeout=120)


def test_a_child_after_a_fork_has_threads_of_its_own(tmp_path):
    text = probe(SLOW + "(*(int64_t *const *)params[0])[env->id[0]]++;", "p")
    done = run_script(tmp_path, text, """
        place = array.array("q", [0] * 64)
        launch(place, threads=4)
        child = os.fork()
        launch(place, threads=4)
        assert list(place) == [2] * 64
        if child == 0:
            os._exit(0)
        assert os.waitpid(child, 0)[1] == 0
    """)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("body, options", [
    ("for (;;) env->runtime->wait(env);", "threads=2"),
    ("for (;;) env->runtime->wait(env);", "cooperative=True"),
    ("for (volatile int i = 0; i < 5000000; i++); ", "threads=2, grid=(1 << 20, 1, 1)"),
], ids=["waiting", "cooperative", "working"])
def test_an_interrupt_ends_a_launch_and_the_pool_lives(tmp_path, body, options):
    place = "int64_t *place = *(int64_t *const *)params[0]; if (place == 0) { " + body + " } else place[env->id[0]]++;"
    done = run_script(tmp_path, probe(place, "p"), f"""
        threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
        try:
            launch(None, {options})
        except KeyboardInterrupt:
            print("interrupted")
        place = array.array("q", [0] * 64)
        launch(place, threads=4)
        assert list(place) == [1] * 64
    """)
    assert (done.returncode, done.stdout, done.stderr) == (0, "interrupted\n", "")


def test_what_is_no_kernel_is_refused(extension, load_c, tmp_path):
    with pytest.raises(ImportError, match="a compiled kernel cannot be loaded"):
        extension.load(b"no library", tmp_path)
    with pytest.raises(ImportError, match="has no symbol 'ttcpu_kernel'"):
        load_c("int unused;")
    with pytest.raises(ImportError, match="is of ABI 999 and this backend of"):
        load_c('const tt_kernel ttcpu_kernel = {999, 0, "old", "", 0, 0};')
    with pytest.raises(OSError):
        extension.load(b"no library", tmp_path / "absent")
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(TypeError, match="the function is no kernel of the cpu backend but 5"):
        extension.Launcher(())(1, 1, 1, 0, 5, (), None, None, None)


def test_a_kernel_says_what_it_is(load):
    kernel = load(IDS)
    assert (kernel.name, kernel.params, kernel.frame) == ("probe", "p", 5000)
