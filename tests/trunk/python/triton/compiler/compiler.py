"""The stages of a compilation."""

from dataclasses import dataclass, field

from .._C.libtriton import ir, passes
from .errors import CompilationError


@dataclass
class CompiledKernel:
    """A kernel after each stage: ``asm`` holds the texts by the stages' names, ``metadata`` what was counted."""

    name: str
    asm: dict = field(default_factory=dict)
    metadata: dict = field(default_factory=dict)


def make_ttir(module, options):
    """Device-independent simplification, in place."""
    pm = ir.pass_manager()
    passes.common.add_inliner(pm)
    passes.common.add_canonicalizer(pm)
    passes.ttir.add_combine(pm)
    passes.ttir.add_reorder_broadcast(pm)
    passes.common.add_cse(pm)
    passes.common.add_symbol_dce(pm)
    pm.run(module)


def make_ttgir(module, options):
    """Distribution over threads, in place."""
    pm = ir.pass_manager()
    passes.ttir.add_convert_to_ttgpuir(pm, options["num_warps"])
    passes.ttgpuir.add_coalesce(pm)
    passes.ttgpuir.add_allocate_shared_memory(pm)
    pm.run(module)


STAGES = {"ttir": make_ttir, "ttgir": make_ttgir}


def compile(source, name="kernel", num_warps=4):
    """Run the text of a module through all stages; raises CompilationError."""
    options = {"num_warps": num_warps}
    kernel = CompiledKernel(name, metadata=dict(options))
    try:
        module = ir.parse_mlir_module(source, ir.context())
        for stage, run in STAGES.items():
            run(module, options)
            kernel.asm[stage] = module.str_generic()
    except RuntimeError as error:
        raise CompilationError(name, error) from error
    kernel.metadata["shared"] = int(module.get_attr("ttg.shared").split(" : ")[0])
    return kernel
