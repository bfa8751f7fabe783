"""Triton on the device cpu: launches, stages, benchmarks, autotuning; without numpy and without torch."""

import abc
import array
import shutil

import pytest
import triton
import triton.language as tl

import triton_cpu
from processes import PACKAGE, python
from support.trunks import OLDER, path_of

pytestmark = pytest.mark.usefixtures("device")


@triton.jit
def add(x, y, z, n, N: tl.constexpr):
    i = tl.program_id(0) * N + tl.arange(0, N)
    inside = i < n
    tl.store(z + i, tl.load(x + i, mask=inside) + tl.load(y + i, mask=inside), mask=inside)


def floats(values):
    return triton_cpu.array(array.array("f", values))


def test_a_kernel_runs_and_shows_its_stages():
    x, y, z = floats(range(1000)), floats([0.5] * 1000), floats([-1] * 1001)
    kernel = add[(triton.cdiv(1000, 128),)](x, y, z, 1000, N=128)
    assert list(z.base) == [value + 0.5 for value in range(1000)] + [-1]
    assert list(kernel.asm) == ["source", "ttir", "tile", "linalg", "c", "so"]
    assert kernel.asm["so"].startswith(b"\x7fELF") and "ttcpu_kernel" in kernel.asm["c"]
    assert kernel.metadata.name == "add" and kernel.metadata.target.backend == "cpu"


def test_a_compiled_kernel_is_found_again():
    x, z = floats([1] * 64), floats([0] * 64)
    first = add.warmup(x, x, z, 64, N=64, grid=(1,))
    add.device_caches.clear()
    again = add.warmup(x, x, z, 64, N=64, grid=(1,))
    assert again is not first and again.metadata_group == first.metadata_group


def test_an_option_makes_another_kernel():
    x, z = floats([1] * 64), floats([0] * 64)
    hashes = {add.warmup(x, x, z, 64, N=64, grid=(1,), **options).hash
              for options in ({}, {"num_cpu_threads": 2}, {"strict": True}, {"enable_fp_fusion": False})}
    assert len(hashes) == 4


def test_an_impossible_option_is_named():
    x = floats([1] * 64)
    with pytest.raises(ValueError, match="num_cpu_threads=-2"):
        add[(1,)](x, x, x, 64, N=64, num_cpu_threads=-2)
    with pytest.raises(AssertionError, match="num_warps=3: it must be a power of 2"):
        add[(1,)](x, x, x, 64, N=64, num_warps=3)
    with pytest.raises(KeyError, match="num_gpu_threads"):
        add[(1,)](x, x, x, 64, N=64, num_gpu_threads=2)


@triton.jit
def asserts(x):
    tl.device_assert(tl.load(x + tl.program_id(0)) > 0, "not positive")


def test_a_failed_assertion_raises():
    with pytest.raises(RuntimeError, match=r"program \(2, 0, 0\).*not positive"):
        asserts[(4,)](floats([1, 2, -3, 4]), debug=True)
    asserts[(2,)](floats([1, 2, -3, 4]), debug=True)


@triton.jit
def prints(x):
    tl.device_print("value", tl.load(x + tl.program_id(0)))


def test_prints_come_in_order(capfd):
    print("before")
    prints[(20,)](floats(range(20)))
    lines = capfd.readouterr().out.splitlines()
    assert lines[0] == "before" and len(lines) == 21
    assert [f"({at}, 0, 0)" in line and f"{at}" in line.split("value")[1] for at, line in enumerate(lines[1:])] == [True] * 20


@triton.jit
def passes_a_token(flags, n):
    at = tl.program_id(0)
    if at + 1 < n:
        while tl.atomic_cas(flags + at + 1, 1, 1) == 0:
            pass
    tl.atomic_xchg(flags + at, 1)


@pytest.mark.parametrize("options", [{"num_cpu_threads": -1}, {"launch_cooperative_grid": True}], ids=str)
def test_programs_that_wait_for_later_ones_run_at_once(options):
    flags = triton_cpu.array(array.array("i", [0] * 12))
    passes_a_token[(12,)](flags, 12, **options)
    assert set(flags.base) == {1}


@triton.jit
def assembly(x):
    i = tl.arange(0, 4)
    tl.store(x + i, tl.inline_asm_elementwise("mov $0, $1;", "=r,r", [tl.load(x + i)], tl.int32, True, 1))


def test_what_a_cpu_cannot_do_is_named():
    with pytest.raises(ValueError, match=r"(?s)inline assembly.*tt.elementwise_inline_asm"):
        assembly[(1,)](triton_cpu.array(array.array("i", [0] * 4)))


def test_do_bench_measures():
    x, z = floats([1] * 64), floats([0] * 64)
    assert triton.testing.do_bench(lambda: add[(1,)](x, x, z, 64, N=64), warmup=1, rep=2) > 0


def test_the_autotuner_chooses_and_restores():
    calls = []

    @triton.autotune(configs=[triton.Config({"N": size}) for size in (16, 32, 64)], key=["n"],
                     reset_to_zero=["z"], restore_value=["x"], pre_hook=None)
    @triton.jit
    def accumulate(x, z, n, N: tl.constexpr):
        for at in range(0, n, N):
            i = at + tl.arange(0, N)
            tl.store(z + i, tl.load(z + i) + tl.load(x + i))
            tl.store(x + i, tl.load(x + i) + 1)
    x, z = floats(range(64)), floats([5] * 64)
    accumulate[lambda meta: calls.append(meta["N"]) or (1,)](x, z, 64)
    assert {16, 32, 64} >= set(calls) and len(set(calls)) == 3
    assert list(x.base) == [value + 1 for value in range(64)]
    assert list(z.base) == list(range(64))


def test_hooks_of_triton_see_launches():
    x, z = floats([1] * 64), floats([0] * 64)
    seen = []

    def enter(data):
        seen.append(data.get()["name"])
    triton.knobs.runtime.launch_enter_hook.add(enter)
    try:
        add[(1,)](x, x, z, 64, N=64)
    finally:
        triton.knobs.runtime.launch_enter_hook.remove(enter)
    assert seen == ["add"]


# Arrays as arguments.

def test_an_array_is_its_objects_memory():
    base = array.array("h", [1, 2, 3, 4, 5, 6])
    made = triton_cpu.array(base)
    assert (str(made.dtype), made.shape, made.stride(), made.numel()) == ("triton_cpu.int16", (6,), (1,), 6)
    assert made.data_ptr() == base.buffer_info()[0]
    other = made.clone()
    made.zero_()
    assert list(base) == [0] * 6
    made.copy_(other)
    assert list(base) == [1, 2, 3, 4, 5, 6]
    assert str(triton_cpu.array(base, dtype="bfloat16").dtype) == "triton_cpu.bfloat16"


@pytest.mark.parametrize("make, error, message", [
    (lambda: triton_cpu.array(b"text"), ValueError, "may not be written"),
    (lambda: triton_cpu.array(bytearray(8), dtype="float32"), TypeError, "elements of 1 bytes are no float32 of 4"),
    (lambda: triton_cpu.array(bytearray(8), dtype="complex64"), TypeError, "no element type 'complex64'"),
    (lambda: triton_cpu.array(5), TypeError, "int"),
    (lambda: triton_cpu.array(bytearray(8)).copy_(triton_cpu.array(bytearray(9))), ValueError, "does not fit"),
])
def test_what_is_no_array_is_named(make, error, message):
    with pytest.raises(error, match=message):
        make()


# Selection, and what may be missing.

WHICH = "import triton; print(type(triton.runtime.driver.active).__name__)"


@pytest.mark.parametrize("variables", [{}, {"TRITON_DEFAULT_BACKEND": "cpu"}], ids=str)
def test_the_device_is_chosen(tmp_path, variables):
    done = python(WHICH, tmp_path, **variables)
    assert (done.returncode, done.stdout) == (0, "CPUDriver\n"), done.stderr


def test_a_device_that_is_active_goes_first(tmp_path):
    done = python("""
        import triton
        from triton.backends import backends
        backends["nvidia"].driver.is_active = staticmethod(lambda: True)
        print(backends["cpu"].driver.is_active())
        import os
        os.environ["TRITON_DEFAULT_BACKEND"] = "cpu"
        print(backends["cpu"].driver.is_active())
    """, tmp_path)
    assert (done.returncode, done.stdout) == (0, "False\nTrue\n"), done.stderr


def test_a_triton_that_cannot_choose_says_how_to(tmp_path):
    """With another device active 3.6 takes neither, whatever TRITON_DEFAULT_BACKEND says."""
    script = """
        from triton.backends import backends
        from triton.runtime import driver
        backends["nvidia"].driver.is_active = staticmethod(lambda: True)
        try:
            driver.active
        except RuntimeError as error:
            print(error)
            driver.set_active(backends["cpu"].driver())
        print(driver.active.get_current_target().backend)
    """
    done = python(script, tmp_path, path=[PACKAGE, *path_of(OLDER)], TRITON_DEFAULT_BACKEND="cpu")
    assert done.returncode == 0 and done.stdout.endswith("\ncpu\n"), done.stderr
    assert "hide that, as CUDA_VISIBLE_DEVICES= does, or call triton.runtime.driver.set_active(" in done.stdout
    assert python(script, tmp_path, TRITON_DEFAULT_BACKEND="cpu").stdout == "cpu\n"


def package_without_extension(tmp_path):
    folder = tmp_path / "site"
    for entry in PACKAGE.glob("*.dist-info"):
        shutil.copytree(entry, folder / entry.name)
    (folder / "triton_cpu").mkdir()
    for entry in (PACKAGE / "triton_cpu").iterdir():
        if not entry.name.startswith(("_ttcpu", "__pycache__")):
            (folder / "triton_cpu" / entry.name).symlink_to(entry.resolve())
    return folder


def test_a_missing_extension_is_told_when_the_device_is_wanted(tmp_path):
    folder = package_without_extension(tmp_path)
    done = python("import triton; print('imported'); triton.runtime.driver.active", tmp_path, path=[folder])
    assert done.stdout == "imported\n" and done.returncode == 1
    assert "the extension of triton-cpu-backend cannot be loaded" in done.stderr
    assert "pip install --force-reinstall" in done.stderr


def test_an_extension_of_another_python_is_told(tmp_path):
    folder = package_without_extension(tmp_path)
    (folder / "triton_cpu/_ttcpu.so").write_bytes(b"no library")
    done = python("import triton; print('imported'); triton.runtime.driver.active", tmp_path, path=[folder])
    assert done.stdout == "imported\n" and "the extension of triton-cpu-backend cannot be loaded" in done.stderr


def test_what_a_newer_triton_wants_is_told_when_it_is_called():
    from triton_cpu import _versions

    class Base(abc.ABC):
        @abc.abstractmethod
        def unheard_of(self):
            pass

    class Driver(Base):
        pass
    assert _versions.complete(Driver) is Driver
    with pytest.raises(NotImplementedError, match="this triton calls Driver.unheard_of"):
        Driver().unheard_of()


RUN = """
    import sys
    from kernels_plain import doubled
    print(doubled([1, 2, 3, 4]))
    assert not {"torch", "numpy"} & set(sys.modules), "torch or numpy was imported"
"""


def test_a_missing_compiler_is_named_at_the_first_compile(tmp_path):
    done = python(RUN, tmp_path, TTCPU_CC="no-such-clang")
    assert done.returncode == 1
    assert "TTCPU_CC names 'no-such-clang', which is no program" in done.stderr and "apt install clang-22" in done.stderr
    done = python(RUN, tmp_path, PATH="/nonexistent")
    assert "there is no clang (looked for clang-22" in done.stderr


def test_neither_torch_nor_numpy_is_needed(tmp_path):
    done = python(RUN, tmp_path)
    assert (done.returncode, done.stdout) == (0, "[2.0, 4.0, 6.0, 8.0]\n"), done.stderr


FORKS = """
    import os
    from kernels_plain import doubled
    children = []
    for _ in range({count}):
        child = os.fork()
        if child == 0:
            status = 1
            try:
                status = 0 if doubled([1, 2, 3, 4]) == [2, 4, 6, 8] else 2
            finally:
                os._exit(status)
        children.append(child)
    print([os.waitpid(child, 0)[1] for child in children])
"""


@pytest.mark.parametrize("count", [20, pytest.param(100, marks=pytest.mark.slow)])
def test_processes_share_a_cache(tmp_path, count):
    done = python(FORKS.format(count=count), tmp_path)
    assert (done.returncode, done.stdout) == (0, f"{[0] * count}\n"), done.stderr


def test_the_generic_form_is_had_by_mlirs_own_option_too():
    from triton_cpu import _generic
    x = floats([1] * 64)
    pretty = add.warmup(x, x, x, 64, N=64, grid=(1,)).asm["ttir"]
    text = _generic.by_option(pretty)
    assert not _generic.is_generic(pretty) and _generic.is_generic(text) and '"tt.store"' in text


def test_a_triton_without_the_generic_form_falls_back_or_is_named(monkeypatch):
    from triton._C.libtriton import ir
    from triton_cpu import _generic

    class Module:
        context = ir.context()

        def set_attr(self, name, value):
            pass

        def str_nodebug(self):
            return "module attributes {generic} {}"
    monkeypatch.setattr(_generic, "by_option", lambda pretty: _generic.BEGINNING + pretty)
    assert _generic.generic_text(Module(), ir) == _generic.BEGINNING + "module attributes {} {}"
    monkeypatch.setattr(_generic, "by_option", lambda pretty: "")
    with pytest.raises(_generic.NoGenericForm, match="does not take --mlir-print-op-generic.*it knows 3.6 to 3.9"):
        _generic.generic_text(Module(), ir)


def test_the_older_triton_runs_kernels(tmp_path):
    done = python(RUN, tmp_path, path=[PACKAGE, *path_of(OLDER)])
    assert (done.returncode, done.stdout) == (0, "[2.0, 4.0, 6.0, 8.0]\n"), done.stderr
