"""The C extension: python/src."""

from collections.abc import Callable
from typing import Any

from .errors import (SpecBusy as SpecBusy, SpecError as SpecError, SpecHookError as SpecHookError,
                     SpecInvalid as SpecInvalid, SpecNotFound as SpecNotFound,
                     SpecRefused as SpecRefused, SpecSystemError as SpecSystemError)

__version__: str

def stage(backend: str, roots: list[str], trunk: str, cache: str | None = None, strict: bool = False,
          on_event: Callable[[dict[str, str]], object] | None = None) -> dict[str, Any]:
    """Makes the merged package of a backend over an installed one, unless it is there.

    trunk is the folder that holds triton/, roots are the folders that hold backends; cache is the
    user's when it is None. strict: a signature that no longer fits the trunk's is an error.
    Returns path (goes first on sys.path), key, fresh (made by this call), manifest (path), findings
    (as SpecError has them) and hold: the stage is not removed while it, or a process forked with
    it, lives. on_event gets each finding as it is made. Raises SpecError.
    """
