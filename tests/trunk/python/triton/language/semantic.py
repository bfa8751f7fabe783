"""Rules of the language: what the operands of an operation become, and which operation it is."""

from . import core
from .core import constexpr, tensor


def to_tensor(value):
    """Return a value as a tensor; Python integers and constexprs become constants."""
    if isinstance(value, tensor):
        return value
    value = value.value if isinstance(value, constexpr) else value
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError(f"a kernel computes with tensors and integers, not with {value!r}")
    return core.current_builder().create("arith.constant", [], "i32", (), f"value = {value} : i32")


def splat(value, shape):
    value = to_tensor(value)
    return core.current_builder().create("tt.splat", [value], value.element, shape)


def broadcast(a, b):
    """Return both operands with one shape."""
    a, b = to_tensor(a), to_tensor(b)
    if not a.shape and b.shape:
        a = splat(a, b.shape)
    elif a.shape and not b.shape:
        b = splat(b, a.shape)
    if a.shape != b.shape:
        raise ValueError(f"shapes {a.shape} and {b.shape} do not fit each other")
    return a, b


def _same_element(a, b):
    a, b = broadcast(a, b)
    if a.element != b.element:
        raise TypeError(f"element types {a.element} and {b.element} differ")
    return a, b


def _binary(a, b, integer, floating, attributes):
    a, b = _same_element(a, b)
    is_float = a.element.startswith("f")
    name, text = (floating, "fastmath = #arith.fastmath<none>") if is_float else (integer, attributes)
    return core.current_builder().create(name, [a, b], a.element, a.shape, text)


def add(a, b):
    """Add numbers, or advance a pointer."""
    a, b = broadcast(a, b)
    if b.element.startswith("!tt.ptr"):
        a, b = b, a
    if a.element.startswith("!tt.ptr"):
        return core.current_builder().create("tt.addptr", [a, b], a.element, a.shape)
    return _binary(a, b, "arith.addi", "arith.addf", "overflowFlags = #arith.overflow<none>")


def mul(a, b):
    return _binary(a, b, "arith.muli", "arith.mulf", "overflowFlags = #arith.overflow<none>")


def less_than(a, b):
    a, b = _same_element(a, b)
    if a.element.startswith("f"):
        name, text = "arith.cmpf", "fastmath = #arith.fastmath<none>, predicate = 4 : i64"  # ordered
    else:
        name, text = "arith.cmpi", "predicate = 2 : i64"  # signed
    return core.current_builder().create(name, [a, b], "i1", a.shape, text)


def program_id(axis):
    if axis not in (0, 1, 2):
        raise ValueError(f"a grid has the axes 0, 1 and 2, not {axis!r}")
    return core.current_builder().create("tt.get_program_id", [], "i32", (), f"axis = {axis} : i32")


def arange(start, end):
    start, end = (bound.value if isinstance(bound, constexpr) else bound for bound in (start, end))
    size = end - start
    if size <= 0 or size & (size - 1):
        raise ValueError(f"the number of a range's elements must be a power of two, but it is {size}")
    attributes = f"end = {end} : i32, start = {start} : i32"
    return core.current_builder().create("tt.make_range", [], "i32", (size, ), attributes)


def load(pointer, mask):
    element = pointer.element.removeprefix("!tt.ptr<").removesuffix(">")
    operands = [pointer] if mask is None else [pointer, mask]
    segments = f"operandSegmentSizes = array<i32: 1, {len(operands) - 1}, 0>"
    return core.current_builder().create("tt.load", operands, element, pointer.shape, f"isVolatile = false, {segments}")


def store(pointer, value, mask):
    core.current_builder().create("tt.store", [pointer, value] + ([] if mask is None else [mask]), None)
