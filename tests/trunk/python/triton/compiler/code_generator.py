"""Traces a kernel and writes what it does as MLIR's generic form."""

from .. import language
from .._utils import canonicalize_dtype
from .errors import CompilationError


class Builder:
    """Collects the operations of one function."""

    def __init__(self):
        self.lines = []
        self.count = 0

    def create(self, operation, operands, element, shape=(), attributes=""):
        """Add an operation; return its result, or None if ``element`` is None."""
        result = None if element is None else language.tensor(f"%{self.count}", element, shape)
        self.count += result is not None
        text = f'"{operation}"({", ".join(operand.name for operand in operands)})'
        text += f" <{{{attributes}}}>" if attributes else ""
        types = ", ".join(operand.type for operand in operands)
        text += f" : ({types}) -> {result.type if result else '()'}"
        self.lines.append(f"{result.name} = {text}" if result else text)
        return result


def generate(function, signature, constants):
    """Return the TTIR of a kernel as text.

    ``signature`` gives the Triton type of each argument that is not in ``constants``; both are dicts by name.
    """
    arguments = {}
    for name, dtype in signature.items():
        try:
            arguments[name] = language.tensor(f"%arg{len(arguments)}", canonicalize_dtype(dtype))
        except ValueError as error:
            raise CompilationError(function.__name__, f"argument '{name}': {error}") from error
    builder = Builder()
    with language.builder_scope(builder):
        try:
            function(**arguments, **{name: language.constexpr(value) for name, value in constants.items()})
        except (TypeError, ValueError) as error:
            raise CompilationError(function.__name__, error) from error
    return _wrap(function.__name__, list(arguments.values()), builder.lines)


def _wrap(name, arguments, lines):
    types = ", ".join(argument.type for argument in arguments)
    header = ", ".join(f"{argument.name}: {argument.type}" for argument in arguments)
    body = "\n".join(f"    {line}" for line in [*lines, '"tt.return"() : () -> ()'])
    attributes = f'function_type = ({types}) -> (), sym_name = "{name}", sym_visibility = "public"'
    return (f'"builtin.module"() ({{\n  "tt.func"() <{{{attributes}}}> ({{\n  ^bb0({header}):\n{body}\n'
            "  }) : () -> ()\n}) : () -> ()\n")
