"""The calls by which a trunk asks for a backend's hooks, in a stage: those of triton_spec's extension."""

from triton_spec._spec import (bind_language_extension_symbols_to_tl, spec, spec_call, spec_call_or, spec_func,
                               spec_has, spec_path)

__all__ = ["bind_language_extension_symbols_to_tl", "spec", "spec_call", "spec_call_or", "spec_func",
           "spec_has", "spec_path"]
