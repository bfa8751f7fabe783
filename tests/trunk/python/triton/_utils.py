"""Helpers without a place of their own."""

TYPE_NAMES = {"i1": "i1", "i32": "i32", "i64": "i64", "fp16": "f16", "fp32": "f32"}
"""Triton's names of the element types -> MLIR's."""


def cdiv(a, b):
    """Return the quotient of two positive integers, rounded up."""
    return -(-a // b)


def next_power_of_2(n):
    """Return the least power of two that is not below ``n``."""
    return 1 << max(n - 1, 0).bit_length()


def canonicalize_dtype(name):
    """Return MLIR's type for a Triton type such as ``fp32`` or ``*i32``; ValueError for others."""
    element = TYPE_NAMES.get(name.lstrip("*"))
    if element is None or name.count("*") > 1:
        raise ValueError(f"'{name}' is not a type; there are {', '.join(TYPE_NAMES)}, and a pointer to each, as *fp32")
    return f"!tt.ptr<{element}>" if name.startswith("*") else element
