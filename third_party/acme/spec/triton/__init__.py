"""acme's hooks: the names that the trunk's `spec_call` and `spec_func` find.

This file is no override of the package's own `__init__.py`; it is `triton.spec.acme.triton`.
"""

from triton.language.acme import lanes

__all__ = ["lanes", "max_shared_memory"]


def max_shared_memory():
    """Return the bytes of shared memory that one program may use."""
    return 96 * 1024
