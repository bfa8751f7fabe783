"""What the runner does on the triton on the path, printed as JSON: `python probe.py levels|boundaries|dumped FOLDER`."""

import json
import os
import pathlib
import sys

import runner_kernels as kernels
import triton
from triton.backends.compiler import GPUTarget

from triton_spec.runner import NotAResumePoint, load, plan, save, snapshot, split

TARGET = GPUTarget("cuda", 90, 32)
LEVELS = ("ttir", "ttgir", "llir", "ptx", "cubin")
VARYING = {"hash"}  # what names a cache entry


def differences(kernel, original):
    """Names of what is not as in the original compile: the binary, fields of the metadata."""
    first, second = original.metadata._asdict(), kernel.compiled.metadata._asdict()
    found = [key for key in first if key not in VARYING and first[key] != second.get(key)]
    return found if kernel.asm["cubin"] == original.asm["cubin"] else [*found, "cubin"]


def levels(folder):
    """{"kernel.level": differences} of each kernel, compiled again from each of its levels."""
    answers = {}
    for name in kernels.KERNELS:
        original = kernels.compiled(name, TARGET)
        save(original, folder / name)
        for level in LEVELS:
            kernel = load(folder / name / f"{name}.{level}")
            answers[f"{name}.{level}"] = differences(kernel, original) if kernel.meta.args else ["args"]
    return answers


def boundaries(folder, every=1):
    """(passes of the plan, {snapshot: differences}) of each kernel, gone on with behind each pass."""
    answers = {}
    for name in kernels.KERNELS:
        original = kernels.compiled(name, TARGET)
        files = snapshot(original, folder / name)
        for path in files[::every]:
            answers[path.name] = differences(load(path), original)
    return len(plan(TARGET)), answers


def dumped(folder):
    """The same from what MLIR_ENABLE_DUMP=1 prints, at every sixteenth pass; and what is refused."""
    answers = {}
    original = kernels.compiled("matmul", TARGET)
    save(original, folder / "plain")
    text = folder / "dump"
    kept, os.environ["MLIR_ENABLE_DUMP"], os.environ["TRITON_ALWAYS_COMPILE"] = os.dup(2), "1", "1"
    with text.open("w") as file:
        os.dup2(file.fileno(), 2)
        kernels.compiled("matmul", TARGET)
        os.dup2(kept, 2)
    del os.environ["MLIR_ENABLE_DUMP"], os.environ["TRITON_ALWAYS_COMPILE"]
    options = load(folder / "plain").meta.options
    files = split(text, folder / "split", TARGET, options)
    for path in files[::16]:
        answers[path.name] = differences(load(path), original)
    headers = text.read_text().count("IR Dump Before")
    try:
        split(text.read_text().replace("tritongpu-coalesce", "tritongpu-unknown"), folder / "no", TARGET, options)
    except NotAResumePoint as error:
        answers["refused"] = error.code
    return {"passes": sum(item.on_module for item in plan(TARGET, options)), "files": len(files), "nested": headers > len(files), "answers": answers}


if __name__ == "__main__":
    answer = globals()[sys.argv[1]](pathlib.Path(sys.argv[2]))
    print(json.dumps({"triton": triton.__version__, "answer": answer}))
