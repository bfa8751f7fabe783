"""The types of the extension say what the module has."""

import ast
import inspect

import pytest

from support.packages import ROOT
from triton_spec import _spec


@pytest.fixture(scope="module")
def stub():
    """Top-level nodes of the stub by name."""
    tree = ast.parse((ROOT / "python/triton_spec/_spec.pyi").read_text())
    named = {}
    for node in tree.body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            named[node.name] = node
        elif isinstance(node, ast.AnnAssign):
            named[node.target.id] = node
        elif isinstance(node, ast.ImportFrom) and node.module == "errors":
            named.update((alias.asname, node) for alias in node.names)
    return named


def test_stub_names_what_the_module_has(stub):
    public = {name for name in vars(_spec) if not name.startswith("_")} | {"__version__"}
    assert set(stub) == public


def _parameters(node):
    """(name, kind, has a default) of a stub's function."""
    shape, kinds = node.args, inspect.Parameter
    positional = [*shape.posonlyargs, *shape.args]
    defaults = [None] * (len(positional) - len(shape.defaults)) + shape.defaults
    told = [(each.arg, kinds.POSITIONAL_ONLY if each in shape.posonlyargs else kinds.POSITIONAL_OR_KEYWORD, d is not None)
            for each, d in zip(positional, defaults)]
    told += [(shape.vararg.arg, kinds.VAR_POSITIONAL, False)] if shape.vararg else []
    told += [(each.arg, kinds.KEYWORD_ONLY, d is not None) for each, d in zip(shape.kwonlyargs, shape.kw_defaults)]
    return told + ([(shape.kwarg.arg, kinds.VAR_KEYWORD, False)] if shape.kwarg else [])


def test_stub_has_the_modules_signatures(stub):
    functions = {name: node for name, node in stub.items() if isinstance(node, ast.FunctionDef)}
    assert len(functions) >= 8
    for name, node in functions.items():
        signature = inspect.signature(getattr(_spec, name))
        told = [(p.name, p.kind, p.default is not p.empty) for p in signature.parameters.values()]
        assert told == _parameters(node), name
        assert ast.get_docstring(node) and getattr(_spec, name).__doc__, name
        assert node.returns is not None and all(a.annotation for a in ast.walk(node) if isinstance(a, ast.arg)), name
