"""Values and operations of a kernel while it is traced."""

import contextlib
import functools

_builders = []


@contextlib.contextmanager
def builder_scope(builder):
    """Let the operations of the ``with`` block add to ``builder``."""
    _builders.append(builder)
    try:
        yield builder
    finally:
        _builders.pop()


def builtin(function):
    """Mark a function as part of the language: it may be called only while a kernel is traced."""

    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        if not _builders:
            raise RuntimeError(f"'{function.__name__}' was called outside of a kernel; decorate the kernel with triton.jit")
        return function(*args, **kwargs)

    return wrapper


class constexpr:
    """A value that is known at compile time."""

    def __init__(self, value):
        self.value = value

    def __repr__(self):
        return f"constexpr[{self.value!r}]"


class tensor:
    """A value of the program: ``name`` in the printed code, MLIR element type, shape (empty for a scalar)."""

    def __init__(self, name, element, shape=()):
        self.name = name
        self.element = element
        self.shape = tuple(shape)

    @property
    def type(self):
        """Text of the MLIR type."""
        return f"tensor<{'x'.join(map(str, self.shape))}x{self.element}>" if self.shape else self.element

    def __add__(self, other):
        from . import semantic
        return semantic.add(self, other)

    def __mul__(self, other):
        from . import semantic
        return semantic.mul(self, other)

    def __lt__(self, other):
        from . import semantic
        return semantic.less_than(self, other)

    __radd__ = __add__
    __rmul__ = __mul__


@builtin
def program_id(axis):
    from . import semantic
    return semantic.program_id(axis)


@builtin
def arange(start, end):
    from . import semantic
    return semantic.arange(start, end)


@builtin
def splat(value, shape):
    from . import semantic
    return semantic.splat(value, shape)


@builtin
def load(pointer, mask=None):
    from . import semantic
    return semantic.load(pointer, mask)


@builtin
def store(pointer, value, mask=None):
    from . import semantic
    semantic.store(pointer, value, mask)


def current_builder():
    """Return the builder of the kernel that is being traced."""
    return _builders[-1]
