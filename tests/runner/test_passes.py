"""Control over passes: what a kernel is between two of them, and without some."""

import shutil

import pytest
from triton._C.libtriton import passes
from triton.backends.compiler import GPUTarget

from support.trunks import NEWEST, OLDER
from triton_spec.runner import (NotAResumePoint, RunnerError, StaleMetadata, UnknownPass, ablate, bisect, compile_to, load,
                                plan, resume, save, snapshot)
from triton_spec.runner.passes import Pass, align, split_dump

import runner_kernels as kernels

TARGET = GPUTarget("cuda", 90, 32)


@pytest.fixture(scope="module")
def add(kept):
    """(the kernel, its folder with all levels, its snapshots)."""
    kernel = kernels.compiled("add", TARGET)
    return kernel, kept / "all", snapshot(kernel, kept / "all")


def test_plan():
    """The passes of all stages, in order and by their names in MLIR; they depend on the target."""
    found = plan(TARGET)
    assert list(dict.fromkeys(item.stage for item in found)) == ["ttir", "ttgir", "llir"]
    names = [item.name for item in found]
    assert names.index("convert-triton-to-tritongpu") < names.index("tritongpu-coalesce") < names.index(
        "convert-triton-gpu-to-llvm" if "convert-triton-gpu-to-llvm" in names else names[-1])
    assert "num-warps=4" in found[names.index("convert-triton-to-tritongpu")].arguments
    assert [item.name for item in plan(GPUTarget("cuda", 80, 32))] != names


def test_snapshots(add):
    """One before each stage and one behind each pass; each goes on to the same binary."""
    kernel, _folder, files = add
    found = plan(TARGET)
    assert len(files) == len(found) + 3
    assert [path.name.split(".")[2:4] for path in files if "input" not in path.name] == [
        [item.stage, item.name] for item in found]
    for path in (files[2], files[len(files) // 2], files[-1]):
        assert load(path).asm["cubin"] == kernel.asm["cubin"]


def test_a_snapshot_of_another_version(add, tmp_path):
    """Refused: of another version, or of another list of passes."""
    _kernel, folder, files = add
    for old, new in (('"triton": "', '"triton": "0.'), ('"plan": "', '"plan": "0')):
        (tmp_path / files[9].name).write_text(files[9].read_text().replace(old, new, 1))
        (tmp_path / "add.run.json").write_text((folder / "add.run.json").read_text())
        with pytest.raises(StaleMetadata):
            load(tmp_path / files[9].name)


def test_an_edited_snapshot(add, tmp_path):
    """What was changed between two passes is in the binary."""
    kernel, folder, files = add
    path = tmp_path / files[12].name
    (tmp_path / "add.run.json").write_text((folder / "add.run.json").read_text())
    path.write_text(files[12].read_text().replace("arith.addf", "arith.mulf"))
    assert load(path).asm["cubin"] != kernel.asm["cubin"] and "FMUL" in load(path).asm["sass"]


def test_stop_and_resume(add, tmp_path):
    """The text behind a pass, and what becomes of it."""
    kernel, folder, _files = add
    text = compile_to(folder / "add.ttir", "tritongpu-coalesce")
    assert "#blocked" in text and "tt.load" in text
    (tmp_path / "add.mlir").write_text(text)
    (tmp_path / "add.run.json").write_text((folder / "add.run.json").read_text())
    options = load(folder / "add.ttir").meta.options
    again = resume(tmp_path / "add.mlir", "ttgir:tritongpu-coalesce", target=TARGET, options=options)
    assert again.asm["cubin"] == kernel.asm["cubin"]
    with pytest.raises(RunnerError, match="does not come behind"):
        compile_to(folder / "add.ttgir", "ttir:inline")


def test_skip_and_insert(add):
    """A pass left out or added is seen in the text; the original stays what it was."""
    kernel, folder, _files = add
    plain = load(folder / "add.ttir")
    skipped = load(folder / "add.ttir", skip=["ttgir:tritongpu-coalesce"])
    assert plain.asm["cubin"] == kernel.asm["cubin"] and "sizePerThread = [4]" in plain.asm["ttgir"]
    assert skipped.asm["ttgir"] != plain.asm["ttgir"]

    def unroll(manager):
        passes.common.add_symbol_dce(manager)
    inserted = load(folder / "add.ttir", insert=[("ttgir:tritongpu-coalesce", unroll)])
    assert inserted.asm["cubin"] == kernel.asm["cubin"] and inserted.compiled.hash != plain.compiled.hash
    again = load(folder / "add.ttir", insert=[("ttgir:tritongpu-coalesce", unroll)])
    assert again.compiled.hash != inserted.compiled.hash  # a function of the same name may insert something else
    with pytest.raises(UnknownPass):
        load(folder / "add.ttir", insert=[("no-such", unroll)])


def test_ablate(add):
    """Without each pass of one stage: what is the same, and what the compiler refuses."""
    _kernel, folder, _files = add
    found = ablate(folder / "add.source", stages=("ttir",))
    assert [result.item.stage for result in found] == ["ttir"] * len(found) and len(found) >= 7
    assert {result.outcome for result in found} <= {"same", "changed", "refused", "aborted"}
    assert "same" in {result.outcome for result in found}
    checked = ablate(folder / "add.source", stages=("ttir",), check=lambda kernel: "FADD" in kernel.asm["sass"])
    assert all(result.good is True for result in checked if result.outcome == "changed")


def test_bisect(add, tmp_path):
    """The pass that brings what a check refuses; None for a kernel that is good."""
    _kernel, folder, _files = add
    text = (folder / "add.source").read_text()
    start = text.index("tt.return")
    path = tmp_path / "add.source"
    path.write_text(text[:start] + "%unused = arith.constant 1234567 : i32\n    " + text[start:])
    (tmp_path / "add.run.json").write_text((folder / "add.run.json").read_text())
    found = bisect(path, lambda kernel: "1234567" in kernel.asm["ttir"], stages=("ttir",))
    assert found.stage == "ttir" and found.name in ("inline", "canonicalize")
    assert bisect(path, lambda kernel: True) is None
    with pytest.raises(RunnerError, match="bad without the passes"):
        bisect(path, lambda kernel: False, stages=("ttir",))


@pytest.mark.parametrize("version", [NEWEST, OLDER])
def test_stock_dumps(probe, version, tmp_path):
    """What MLIR_ENABLE_DUMP prints, in the form of before and of since 3.8: each pass of the plan, no nested one."""
    answer = probe(version, "dumped", tmp_path)
    found = answer.pop("answers")
    assert found.pop("refused") == "no-resume-point" and not any(found.values()) and len(found) >= 4
    assert answer == {"passes": answer["passes"], "files": answer["passes"], "nested": True}


def test_headers_of_dumps():
    """Both forms; passes on functions, and texts that only look like headers, are none."""
    old = ("// -----// IR Dump Before CanonicalizerPass (canonicalize) ('builtin.module' operation) //----- //\nmodule {}\n"
           "// -----// IR Dump Before CSE (cse) ('tt.func' operation: @f) //----- //\ntt.func\n"
           "// -----// IR Dump Before X::Y (tritongpu-z) ('builtin.module' operation) //----- //\nmodule { a }\n")
    new = ("// -----// IR Dump Before Canonicalizer: canonicalize{max=1} ('builtin.module' operation) //----- //\nmodule {}\n"
           "// -----// IR Dump Before Z: tritongpu-z ('builtin.module' operation) //----- //\nmodule { a }\n")
    for text in (old, new):
        assert split_dump(text) == [("canonicalize", "module {}\n"), ("tritongpu-z", "module { a }\n")]
    assert split_dump("") == [] and split_dump("// -----// IR Dump Before") == []


def test_alignment():
    """A pass runs another of the plan's names inside it: its own dump is taken, from the end."""
    def named(*names):
        return [Pass("s", i, f"builtin.module({name})", None) for i, name in enumerate(names)]
    dump = [("inline", "1"), ("canonicalize", "nested"), ("canonicalize", "2"), ("cse", "3"), ("canonicalize", "nested")]
    assert [text for _item, text in align(dump, named("inline", "canonicalize", "cse"))] == ["1", "2", "3"]
    with pytest.raises(NotAResumePoint):
        align(dump, named("inline", "licm", "cse"))


def test_folders_and_zip_files(add, tmp_path):
    """A folder's binary, or the level that is asked for; the same packed into one file."""
    kernel, _folder, _files = add
    save(kernel, tmp_path / "k")
    packed = shutil.make_archive(str(tmp_path / "k"), "zip", tmp_path / "k")
    for path in (tmp_path / "k", packed):
        assert load(path).asm["cubin"] == kernel.asm["cubin"] and "ttir" not in load(path).asm
        assert load(path, level="ttgir").asm["cubin"] == kernel.asm["cubin"]
