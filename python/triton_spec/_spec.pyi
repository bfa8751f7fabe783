"""The C extension: python/src."""

__version__: str

class SpecError(Exception):
    """What triton-spec cannot do, or finds wrong in an overlay."""
