"""The cpu backend's kernels, from their own levels and from between passes: the runner knows nothing of it but its ABI."""

import array
import sys

import pytest
from triton.backends import Backend, backends
from triton.backends.compiler import GPUTarget

from support.packages import PACKAGES
from triton_spec.runner import CompileFailed, SignatureMismatch, levels, load, plan, save, snapshot

import runner_kernels as kernels
from test_use import command

TARGET = GPUTarget("cpu", "host", 1)
COUNT = 5008


@pytest.fixture(scope="module")
def cpu(kept):
    """(its package, the kernel add, the folder that it is saved in)."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "path", [str(PACKAGES.parent / "third_party/cpu/runtime"), *sys.path])
        import triton_cpu
        from triton_cpu.compiler import CPUBackend
        from triton_cpu.driver import CPUDriver
        patch.setitem(backends, "cpu", Backend(CPUBackend, CPUDriver))
        kernel = kernels.compiled("add", TARGET)
        save(kernel, kept / "add")
        yield triton_cpu, kernel, kept / "add"


def arrays(package):
    """(three arrays for add, the memory of the last, which takes the result)."""
    memory = [array.array("f", values) for values in (range(COUNT), [0.5] * COUNT, [0] * COUNT)]
    return [package.array(values) for values in memory], memory[2]


def test_levels(cpu):
    """Compiled again from its levels: the same library, the right result, and guards."""
    package, original, folder = cpu
    assert levels(TARGET)[0] == "ttir" and levels(TARGET)[-1] == "so"
    for level in ("ttir", "c", "so"):
        kernel = load(folder, level=level)
        assert kernel.asm["so"] == original.asm["so"]
        (x, y, out), result = arrays(package)
        kernel[(5,)](x, y, out, COUNT)
        assert result.tolist() == [value + 0.5 for value in range(COUNT)]
        with pytest.raises(SignatureMismatch):
            kernel[(5,)](x, y, out, COUNT - 1)


def test_printouts(cpu):
    """What nothing reads is refused, with the level that is read in its place; linalg is one by way of C alone."""
    folder = cpu[2]
    for level in ("tile", "linalg"):
        with pytest.raises(CompileFailed, match=rf"{level} is a printout, .* can be compiled is c\b"):
            load(folder / f"add.{level}")
    with pytest.raises(CompileFailed, match="can be compiled is linalg"):
        load(folder / "add.tile", options={"route": "mlir"})


def test_passes(cpu):
    """Its passes are recorded where its own modules add them; a module between them goes on."""
    package, original, folder = cpu
    names = [item.name for item in plan(TARGET)]
    assert "triton-combine" in names and len(names) >= 6
    files = snapshot(folder / "add.source", folder / "life", target=TARGET)
    assert len(files) == len(names) + 1
    kernel = load(files[3])
    (x, y, out), result = arrays(package)
    kernel[(5,)](x, y, out, COUNT)
    assert kernel.asm["so"] == original.asm["so"] and result[7] == 7.5


def test_check(cpu, tmp_path):
    """A launch on the command line is compared with a function that has the arguments as they were before."""
    _package, _original, folder = cpu
    (tmp_path / "ref.py").write_text("def add(x, y, out, n):\n    assert not any(out)\n    return [a + b for a, b in zip(x, y)]\n")
    status, text = command("run", folder / "add.so", "--grid", 5, "--arg", f"fp32[{COUNT}]=randn", "--arg", f"fp32[{COUNT}]=ones",
                           "--arg", f"fp32[{COUNT}]=zeros:out", "--arg", f"i32={COUNT}", "--check", f"{tmp_path}/ref.py:add")
    assert (status, text) == (0, "right\n")
