"""The C extension: python/src."""

from .errors import (SpecBusy as SpecBusy, SpecError as SpecError, SpecHookError as SpecHookError,
                     SpecInvalid as SpecInvalid, SpecNotFound as SpecNotFound,
                     SpecRefused as SpecRefused, SpecSystemError as SpecSystemError)

__version__: str
