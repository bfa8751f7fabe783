"""acme's hooks. This file is `triton.spec.acme_wheel.triton`, no override of the package's `__init__.py`."""

from triton.language.acme import CHIP

__all__ = ["language_extend_globals", "max_shared_memory"]


def language_extend_globals(names):
    """Give `triton.language` what acme adds to it. `names`: the module's globals. Called as the trunk has
    made that module."""
    names["acme_chip"] = CHIP


def max_shared_memory():
    """Return the bytes of shared memory that one program may use."""
    return 96 * 1024
