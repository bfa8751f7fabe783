"""What a process that imports `triton` sees: printed as JSON, the same for the plain wheel and one with an overlay.

    python stock_probe.py effects|kernels|modules|alone|key
"""

import importlib
import importlib.util
import json
import os
import pathlib
import pkgutil
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "e2e"))


def compiled(function, signature, constants):
    """The compiled kernel for compute capability 9.0; no GPU is needed."""
    import triton
    from triton.backends.compiler import GPUTarget
    source = triton.compiler.ASTSource(fn=function, signature=signature, constexprs=constants)
    return triton.compile(source, target=GPUTarget("cuda", 90, 32))


def effects():
    """What the overlay acme_wheel changes; a fault's text where the plain wheel lacks something."""
    import inspect

    import stock_kernels
    import triton
    import triton.language as tl
    from triton import _filecheck, testing
    kernel = compiled(stock_kernels.logistic, {"x": "*fp32", "BLOCK": "constexpr"}, {"BLOCK": 64})
    waiting = compiled(stock_kernels.waiting, {"x": "*fp32", "BLOCK": "constexpr"}, {"BLOCK": 64})
    try:
        lanes = "dense<64>" in compiled(stock_kernels.lanes, {"x": "*i32", "BLOCK": "constexpr"}, {"BLOCK": 16}).asm["ttir"]
    except Exception as error:  # the compiler's own, whose type differs between versions
        lanes = type(error).__name__
    return {
        "powers of two": "math.exp2" in kernel.asm["ttir"],
        "cubin": len(kernel.asm["cubin"]) > 0,
        "barriers": waiting.asm["ttir"].count("barrier"),
        "lanes of a tensor": lanes,
        "chip": getattr(tl, "acme_chip", None),
        "lanes": getattr(getattr(tl, "acme_lanes", None), "value", None),
        "sum": tl.sum is importlib.import_module("triton.language.standard").sum,
        "builtins": sorted(getattr(tl.core, "BUILTINS_USED", ())),
        "filecheck": inspect.signature(_filecheck.run_parser).parameters["target"].default.arch,
        "peak": testing_peak(testing),
        "bench": inspect.getsource(testing.do_bench).startswith("def do_bench("),
        "depth": len(pathlib.Path(kernel.metadata_group[f"{kernel.name}.ttir"]).relative_to(
            triton.knobs.cache.dir).parts),
    }


def testing_peak(testing):
    """acme's figure, which needs no device; the trunk's asks one."""
    class Float32:
        def __str__(self):
            return "torch.float32"
    try:
        return round(testing.get_max_simd_tflops(Float32(), 1e6), 3)
    except Exception as error:
        return type(error).__name__


def kernels():
    """Digests of every level of each kernel; the fault of one that this version does not compile."""
    import hashlib

    import ttir_inputs
    from triton.compiler.errors import CompilationError
    out = {}
    for name, (function, signature, constants) in ttir_inputs.KERNELS.items():
        try:
            levels = compiled(function, signature, constants).asm
        except CompilationError as error:
            out[name] = {"fault": str(error)}
            continue
        out[name] = {level: hashlib.sha256(text if isinstance(text, bytes) else text.encode()).hexdigest()
                     for level, text in levels.items()}
    return out


def modules():
    """Which modules of the package cannot be imported, and why."""
    import triton
    names = [found.name for found in pkgutil.walk_packages(triton.__path__, "triton.", onerror=lambda name: None)]
    faults = {}
    for name in names:
        try:
            importlib.import_module(name)
        except BaseException as error:  # SystemExit too: some are programs
            faults[name] = type(error).__name__
    return {"names": names, "faults": faults}


def alone():
    """The outcome of importing each module in a process that has imported nothing of the package."""
    folder = pathlib.Path(importlib.util.find_spec("triton").origin).parent  # imports nothing
    outcomes = {}
    for path in sorted(folder.rglob("*.py")):
        name = ".".join(path.relative_to(folder.parent).with_suffix("").parts).removesuffix(".__init__")
        reader, writer = os.pipe()
        child = os.fork()
        if child == 0:
            try:
                importlib.import_module(name)
                outcome = "imported"
            except BaseException as error:
                outcome = f"{type(error).__name__}: {error}"
            os.write(writer, outcome.encode()[:4096])
            os._exit(0)
        os.close(writer)
        with os.fdopen(reader, "rb") as told:
            outcomes[name] = told.read().decode()
        os.waitpid(child, 0)
    assert not [name for name in sys.modules if name == "triton" or name.startswith("triton.")]
    return outcomes


def key():
    """The cache key's part that stands for the compiler."""
    cache = importlib.import_module("triton.runtime.cache")
    return cache.triton_key()


if __name__ == "__main__":
    print(json.dumps(globals()[sys.argv[1]]()))
