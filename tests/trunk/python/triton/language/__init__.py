"""What a kernel may use."""

from .core import arange, builder_scope, constexpr, load, program_id, splat, store, tensor
from .standard import ravel_index, zeros_like

__all__ = [
    "arange", "builder_scope", "constexpr", "load", "program_id", "ravel_index", "splat", "store", "tensor", "zeros_like"
]
