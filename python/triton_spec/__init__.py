"""A vendor's differences to Triton, put over an unedited package.

The functions that a trunk calls to ask for a backend's hooks, and those that put an overlay over the
installed ``triton`` package.
"""

from ._spec import SpecError, __version__

__all__ = ["SpecError", "__version__"]
