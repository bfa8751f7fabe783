"""What the passes do to a kernel: listed, gone on with, left out, compared."""

import pathlib
import tempfile

from kernels import TARGET, compiled
from triton_spec.runner import ablate, diff, load, page, plan, save, snapshot

with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    original = compiled()
    save(original, folder)
    passes = plan(TARGET)
    print(len(passes), "passes; the first of ttgir:", next(item for item in passes if item.stage == "ttgir").name)

    files = snapshot(folder / "add.ttir", folder / "life")
    middle = next(path for path in files if "tritongpu-coalesce" in path.name)
    print("gone on behind coalesce:", load(middle).asm["cubin"] == original.asm["cubin"] and "the same binary")

    without = load(folder / "add.ttir", skip=["ttgir:tritongpu-coalesce"])
    found = diff(load(folder / "add.ttir"), without, "sass")
    print("without coalesce:", {name: counts for name, counts in found.operations.items() if name in ("LDG", "STG")})

    for result in ablate(folder / "add.source", stages=["ttir"]):
        print(f"  without {result.item.name}: {result.outcome}")
    print("page:", page(folder / "add.ttir", folder / "add.html").stat().st_size > 0 and "written")
