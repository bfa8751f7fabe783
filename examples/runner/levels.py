"""A kernel saved, and loaded again from each of its levels."""

import pathlib
import tempfile

from kernels import compiled
from triton_spec.runner import load, save

with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    original = compiled()
    save(original, folder)  # add.ttir, add.ttgir, add.llir, add.ptx, add.cubin and add.run.json
    for level in ("ttir", "ttgir", "llir", "ptx", "cubin"):
        kernel = load(folder / f"add.{level}")
        same = kernel.asm["cubin"] == original.asm["cubin"]
        print(f"from {level}: {'the same' if same else 'another'} binary, {', '.join(kernel.asm)}")

    text = folder / "add.ttgir"
    text.write_text(text.read_text().replace("arith.addf", "arith.mulf"))
    kernel = load(text)
    print("edited:", "FMUL" in kernel.asm["sass"] and "it multiplies")
