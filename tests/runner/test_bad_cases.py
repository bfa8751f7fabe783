"""Bad input: each case is a typed error before anything is launched, in a process that goes on.

The thirteen cases at which runners of kernels are known to fail, by number: 1 to 5 are arguments and are tested
here on the host launcher and by tools/runner-gpu on a GPU, 13 here against the target and there against the
device; all others need no device.
"""

import json
import os
import pathlib

import pytest
from triton.backends.compiler import GPUTarget

from triton_spec.runner import (ArchError, CompileAborted, CompileFailed, CorruptBinary, MissingMetadata,
                                RunnerError, SignatureMismatch, StaleMetadata, UnknownPass, load, save, seal)

import runner_kernels as kernels
import test_launch
from test_launch import GOOD, Memory

TARGET = GPUTarget("cuda", 90, 32)


@pytest.fixture(scope="module")
def folder(kept):
    """The kernel add, saved; tests copy what they change."""
    save(kernels.compiled("add", TARGET), kept / "add")
    return kept / "add"


@pytest.fixture
def own(folder, tmp_path):
    """A copy of the saved kernel for one test, with the cache of all."""
    for path in folder.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    return tmp_path


def edit(path, change):
    """Changes a JSON file by a function of its object."""
    fields = json.loads(path.read_text())
    change(fields)
    path.write_text(json.dumps(fields))


def replace_silently(path, old, new):
    """Replaces bytes by as many others; the file keeps its size and time."""
    before = path.stat()
    data = path.read_bytes()
    assert old in data and len(old) == len(new)
    path.write_bytes(data.replace(old, new))
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert path.stat().st_mtime_ns == before.st_mtime_ns and path.stat().st_size == before.st_size


@pytest.mark.parametrize("number, arguments", [
    (1, lambda out: (out, *GOOD, 32)), (2, lambda out: (Memory(4, "<f2"), *GOOD)), (3, lambda out: (out, 47, *GOOD[1:])),
    (4, lambda out: (out, 1, *GOOD[1:])), (5, lambda out: (out.address + 4, *GOOD))])
def test_cases_1_to_5(number, arguments, own, toy_registered):
    """A constant, a type, a value, the value 1 and an address that the code was not made for."""
    kernel = test_launch.saved_and_loaded(own)
    out = Memory()
    with pytest.raises(SignatureMismatch):
        kernel[1](*arguments(out))
    assert not any(out.values), number
    kernel[1](out, *GOOD)
    assert out.values[4] == 48


def test_case_6_shared_memory_of_the_metadata(own):
    """A sidecar that says less shared memory than the kernel uses."""
    edit(own / "add.run.json", lambda fields: fields["launch"].update(shared=0, num_warps=1))
    with pytest.raises(StaleMetadata, match="edited after it was written"):
        load(own / "add.cubin")


def test_case_7_cut_off(own):
    """A cubin that ends too early, wherever, with a sidecar and without."""
    whole = (own / "add.cubin").read_bytes()
    for length in (0, 3, 63, 64, len(whole) // 2, len(whole) - 1):
        (own / "add.cubin").write_bytes(whole[:length])
        for check in ("strict", "loose"):
            with pytest.raises(CorruptBinary):
                load(own / "add.cubin", check=check)


def test_case_8_a_flipped_byte(own):
    """Wherever it is; what the loader of the driver would not notice."""
    whole = (own / "add.cubin").read_bytes()
    for at in range(0, len(whole), len(whole) // 50):
        (own / "add.cubin").write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1:])
        with pytest.raises(CorruptBinary):
            load(own / "add.cubin")


@pytest.mark.parametrize("level, old, new", [
    ("ttir", b"arith.addf", b"arith.mulf"), ("ttgir", b"arith.addf", b"arith.mulf"), ("llir", b"fadd float", b"fmul float"),
    ("ptx", b"add.f32", b"mul.f32")])
def test_case_9_an_edit_counts(own, level, old, new):
    """A text of the same size and time: the kernel is another, in the same process and with a warm cache."""
    path = own / f"add.{level}"
    first, again = load(path), load(path)
    replace_silently(path, old, new)
    changed = load(path)
    assert first.asm["cubin"] == again.asm["cubin"] != changed.asm["cubin"]
    assert "FMUL" in changed.asm["sass"] and "FMUL" not in first.asm["sass"]


def test_case_10_metadata_counts(own):
    """A sidecar that was edited, for the same binary: refused, and what it says holds once it is sealed."""
    assert load(own / "add.cubin").meta.launch["num_warps"] == 4
    edit(own / "add.run.json", lambda fields: fields["launch"].update(num_warps=8))
    with pytest.raises(StaleMetadata):
        load(own / "add.cubin")
    assert load(own / "add.cubin", check="loose").meta.launch["num_warps"] == 8
    seal(own / "add.run.json")
    assert load(own / "add.cubin").meta.launch["num_warps"] == 8


def test_case_11_no_such_pass(own):
    """The names near it are told."""
    with pytest.raises(UnknownPass, match="tritongpu-coalesce"):
        load(own / "add.ttir", skip=["ttgir:tritongpu-coalesc"])
    with pytest.raises(UnknownPass, match="ttir, ttgir, llir"):
        load(own / "add.ttir", skip=["ptx:canonicalize"])


@pytest.mark.parametrize("level, fields", [("ttir", ("options",)), ("llir", ("shared", "args")),
                                           ("ptx", ("shared", "args")), ("cubin", ("shared", "args"))])
def test_case_12_no_metadata(own, level, fields):
    """What the level does not say is named; TTGIR says all."""
    (own / "add.run.json").unlink()
    with pytest.raises(MissingMetadata) as raised:
        load(own / f"add.{level}", target=TARGET)
    assert raised.value.fields == fields
    assert load(own / "add.ttgir").meta.options["num_warps"] == 4


def test_case_13_another_architecture(own):
    """A cubin for 9.0 where 8.0 is wanted; the device's is compared when the kernel is first launched."""
    for level in ("cubin", "ptx", "ttgir"):
        with pytest.raises(ArchError, match="is for cuda:90"):
            load(own / f"add.{level}", target=GPUTarget("cuda", 80, 32))


def test_loose_without_metadata(own):
    """A cubin with Triton's own metadata alone is loaded when asked for, with what its parameters tell."""
    (own / "add.run.json").rename(own / "sidecar")
    known = json.loads((own / "sidecar").read_text())
    (own / "add.json").write_text(json.dumps({**known["options"], **known["launch"], "target": known["target"],
                                              "hash": "0", "triton_version": known["triton"]}))
    with pytest.raises(MissingMetadata) as raised:
        load(own / "add.cubin")
    assert raised.value.fields == ("args",)
    kernel = load(own / "add.cubin", check="loose")
    assert [arg.type for arg in kernel.meta.args] == ["i64", "i64", "i64", "i32"]
    kernel = load(own / "add.llir", check="loose")
    assert [arg.type for arg in kernel.meta.args] == ["*", "*", "*", "i32"]
    signature = [("x", "*fp32", "D"), ("y", "*fp32", "D"), ("o", "*fp32", ""), ("n", "i32", "D"), ("BLOCK", "constexpr", 1024)]
    edit(own / "add.json", lambda fields: fields.update(kernel_signature=repr(signature)))
    args = load(own / "add.cubin").meta.args
    assert [(arg.name, arg.type, arg.div16, arg.constant) for arg in args] == [
        ("x", "*fp32", True, None), ("y", "*fp32", True, None), ("o", "*fp32", False, None), ("n", "i32", True, None),
        ("BLOCK", "constexpr", False, 1024)]


def test_signature_of_another_kernel(own):
    """Arguments that do not fit the parameters of the binary."""
    edit(own / "add.run.json", lambda fields: fields["args"].pop(0))
    seal(own / "add.run.json")
    for level in ("cubin", "ptx", "llir", "ttir"):
        with pytest.raises(SignatureMismatch, match="parameters"):
            load(own / f"add.{level}")
    edit(own / "add.run.json", lambda fields: fields["args"].insert(0, {
        "name": "x", "type": "i32", "div16": False, "constant": None}))
    seal(own / "add.run.json")
    with pytest.raises(SignatureMismatch, match="parameter 0 has 8 bytes, argument 'x: i32' has 4"):
        load(own / "add.cubin")


def test_an_aborting_compiler(tmp_path, cache):
    """LLVM ends its process on another architecture's instructions: a child's, whose last words are kept."""
    save(kernels.compiled("matmul", TARGET), tmp_path)
    with pytest.raises(CompileAborted, match="SIGABRT.*LLVM ERROR"):
        load(tmp_path / "matmul.ttgir", target=GPUTarget("cuda", 80, 32), check="loose")


def test_texts_that_do_not_compile(own):
    """Each level's own compiler refuses it."""
    for level, old, new in (("ttir", "tt.load", "tt.lode"), ("llir", "ret void", "ret vide"), ("ptx", "ret;", "rot;")):
        path = own / f"add.{level}"
        path.write_text(path.read_text().replace(old, new))
        with pytest.raises(CompileFailed):
            load(path)


def test_files_that_are_not_there(tmp_path):
    """A path, a level, a folder without metadata, metadata that is none."""
    with pytest.raises(RunnerError, match="no such file"):
        load(tmp_path / "k.ptx")
    with pytest.raises(MissingMetadata, match="0 metadata files"):
        load(tmp_path)
    (tmp_path / "k.ptx").write_text(".version 8.0\n.target sm_90a\n.visible .entry k()\n{ ret; }\n")
    (tmp_path / "k.run.json").write_text("{")
    with pytest.raises(StaleMetadata, match="no JSON"):
        load(tmp_path / "k.ptx")
    (tmp_path / "k.run.json").unlink()
    (tmp_path / "k.linalg").write_text("x")
    with pytest.raises(RunnerError, match="no level 'linalg'"):
        load(tmp_path / "k.linalg", target=TARGET, options={})


def test_triton_s_own_cache_stays(own, cache):
    """What is loaded, edited or without passes is never what a plain compile finds."""
    plain = kernels.compiled("add", TARGET)
    entry = {path: pathlib.Path(path).read_bytes() for path in plain.metadata_group.values()}
    path = own / "add.ttir"
    replace_silently(path, b"arith.addf", b"arith.mulf")
    assert load(path).asm["cubin"] != plain.asm["cubin"]
    load(own / "add.ttgir", skip=["llir:canonicalize"])
    assert {path: pathlib.Path(path).read_bytes() for path in entry} == entry
    again = kernels.compiled("add", TARGET)
    assert again.asm["cubin"] == plain.asm["cubin"] and again.hash == plain.hash
