"""The C extension: python/src."""

from collections.abc import Callable
from typing import Any, TypeVar

from .errors import (SpecBusy as SpecBusy, SpecError as SpecError, SpecHookError as SpecHookError,
                     SpecInvalid as SpecInvalid, SpecNotFound as SpecNotFound,
                     SpecRefused as SpecRefused, SpecSystemError as SpecSystemError)

_T = TypeVar("_T")

__version__: str

def spec_call(name: str, /, *args: Any, **kwargs: Any) -> Any:
    """The result of the backend's hook `name`, or None when it has none.

    Raises what the hook raises, TypeError for a hook that cannot be called, SpecHookError when the backend's
    registry cannot be imported or is asked too early, SpecInvalid for a backend whose name is none, and
    SpecNotFound when FLAGTREE_BACKEND asks for a backend that the triton package in use does not have.
    """

def spec(name: str, /, *args: Any, **kwargs: Any) -> Any:
    """FlagTree's former name of spec_call."""

def spec_call_or(default: _T, name: str, /, *args: Any, **kwargs: Any) -> _T | Any:
    """The result of the backend's hook `name`, or `default` when it has none; raises as spec_call does."""

def spec_func(name: str, /) -> Any:
    """What the backend publishes as `name`, or None; raises as spec_call does."""

def spec_has(name: str, /) -> bool:
    """Whether the backend publishes `name`; raises as spec_call does."""

def spec_path(path_list: list[str], /) -> None:
    """Puts the backend's folder before the others of a package's __path__, where the triton package has
    FlagTree's layout; elsewhere every override is in its place already."""

def bind_language_extension_symbols_to_tl(extension: object, /) -> None:
    """Gives triton.language the names in extension.__all__ that it lacks."""

def stage(backend: str, roots: list[str], trunk: str, cache: str | None = None, strict: bool = False,
          on_event: Callable[[dict[str, str]], object] | None = None) -> dict[str, Any]:
    """Makes the merged package of a backend over an installed one, unless it is there.

    trunk is the folder that holds triton/, roots are the folders that hold backends; cache is the
    user's when it is None. strict: a signature that no longer fits the trunk's is an error.
    Returns path (goes first on sys.path), key, fresh (made by this call), manifest (path), findings
    (as SpecError has them) and hold: the stage is not removed while it, or a process forked with
    it, lives. on_event gets each finding as it is made. Raises SpecError.
    """

def bake_folder(backend: str, roots: list[str], folder: str, strict: bool = False,
                on_event: Callable[[dict[str, str]], object] | None = None) -> list[dict[str, str]]:
    """Puts a backend's package over the one that a build has made in folder/triton, in its place.

    roots, strict and on_event as for stage(). Returns the findings. triton/_spec_manifest.json says
    afterwards what was done. Raises SpecError.
    """
