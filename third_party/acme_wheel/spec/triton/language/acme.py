"""What acme adds to the language. The trunk has no such module."""

from ..runtime.jit import jit
from . import core, math

CHIP = "roadrunner"

LANES = core.constexpr(64)
"""The threads of a warp."""

LOG2_E = core.constexpr(1.4426950408889634)


@jit
def sigmoid(x):
    """The logistic function, by powers of two, for which acme has an instruction."""
    return 1.0 / (1.0 + math.exp2(-x * LOG2_E))
