"""A vendor's differences to Triton, put over an unedited package.

The functions that a trunk calls to ask for a backend's hooks, and those that put an overlay over the
installed ``triton`` package.
"""

from ._activate import activate, active, deactivate
from ._overlay import Overlay
from ._spec import (__version__, bind_language_extension_symbols_to_tl, spec, spec_call, spec_call_or,
                    spec_func, spec_has, spec_path)
from .errors import (SpecBusy, SpecError, SpecHookError, SpecInvalid, SpecNotFound, SpecRefused,
                     SpecSystemError)

__all__ = ["Overlay", "SpecBusy", "SpecError", "SpecHookError", "SpecInvalid", "SpecNotFound", "SpecRefused",
           "SpecSystemError", "__version__", "activate", "active", "bind_language_extension_symbols_to_tl",
           "deactivate", "spec", "spec_call", "spec_call_or", "spec_func", "spec_has", "spec_path"]
