"""Base of the package's exceptions."""


class TritonError(Exception):
    """Every error that a user of the package may want to catch."""
