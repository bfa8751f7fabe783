"""What tests of kernels need, with acme's grids. spec.ini allows this file, which is else merged only."""

from ._utils import cdiv


def count_ops(module):
    """Return how often each operation of the tt dialect occurs in a module, as a dict."""
    from ._C.libtriton import ir

    copy = ir.parse_mlir_module(module.str_generic(), module.context)
    ir.run_pass_pipeline("tritongpu-count-ops", copy)
    entries = copy.get_attr("ttg.op-counts").strip("{}").split(", ")
    return {name: int(count.split(" : ")[0]) for name, count in (entry.split(" = ") for entry in entries if entry)}


def grid_of(elements, block):
    """Return the grid on which programs of ``block`` elements cover ``elements``; acme runs programs in pairs."""
    return (2 * cdiv(elements, 2 * block), )
