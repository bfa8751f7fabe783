"""What the C extension must not do, on sources that do it, and its stub against the module."""

import ast
import inspect
import sys

import pytest

from lint import extension
from support.packages import PACKAGES, ROOT


@pytest.mark.parametrize("rule", [extension.check_calls, extension.check_state, extension.check_null],
                         ids=lambda rule: rule.__name__)
def test_extension_keeps_the_rule(repository, rule):
    assert [str(finding) for finding in rule(repository)] == []


def lines(findings):
    return [finding.line for finding in findings]


@pytest.mark.parametrize("name", sorted(extension.FORBIDDEN))
def test_forbidden_call_is_found(tree_of, name):
    text = f"static int f(PyObject *o) {{\n  /* {name}(o) */\n  return {name}(o) != 0;\n}}\n"
    tree = tree_of({"python/src/a.c": text, extension.COMPAT: text, "spec/base/a.c": text})
    assert lines(extension.check_calls(tree)) == [3]


def test_shared_state_is_found(tree_of):
    text = """static PyObject *cache;
PyObject *exported = NULL;
static int calls = 0;
static PyTypeObject type = {
    PyVarObject_HEAD_INIT(NULL, 0)
};
static const char *const names[] = {"a"};
static PyMethodDef methods[] = {{NULL, NULL, 0, NULL}};
static struct PyModuleDef definition = {0};
extern PyMethodDef others[];
typedef struct state {
  PyObject *mine;
} state;
struct other {
  int a;
};
enum { A, B };
PyDoc_STRVAR(doc, "text");
static int f(int a);
int f(int a) {
  static int counted;
  static const int fixed = 3;
  static PyObject *kept = NULL;
  int local = 0;
  return a;
}
"""
    assert lines(extension.check_state(tree_of({"python/src/a.c": text}))) == [1, 2, 3, 4, 21, 23]


def test_unchecked_reference_is_found(tree_of):
    text = """static PyObject *f(PyObject *a) {
  PyObject *seen = PyUnicode_FromString("a");
  PyObject *unseen = PyObject_GetAttrString(a, "b");
  PyObject *both = seen == NULL ? NULL : PyList_New(0);
  PyObject *given = PyObject_Str(a);
  PyObject *later = PyDict_New();
  if (later != NULL)
    use(unseen, both);
  return given;
}
static void g(PyObject *a, PyObject **out) {
  *out = PyList_New(0);
  PyList_Append(a, PyUnicode_FromString("lost"));
  PyList_Append(a, kept(PyUnicode_FromString("kept")));
  PyObject *made = Py_BuildValue("(N)", PyLong_FromLong(1));
  if (made == NULL)
    return;
}
"""
    assert lines(extension.check_null(tree_of({"python/src/a.c": text}))) == [3, 4, 13]


# --- the stub ----------------------------------------------------------------------------------

@pytest.fixture(scope="module")
def module():
    """The built extension."""
    sys.path.insert(0, str(PACKAGES))
    from triton_spec import _spec
    return _spec


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


def test_stub_names_what_the_module_has(module, stub):
    public = {name for name in vars(module) if not name.startswith("_")} | {"__version__"}
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


def test_stub_has_the_modules_signatures(module, stub):
    functions = {name: node for name, node in stub.items() if isinstance(node, ast.FunctionDef)}
    assert len(functions) >= 8
    for name, node in functions.items():
        signature = inspect.signature(getattr(module, name))
        told = [(p.name, p.kind, p.default is not p.empty) for p in signature.parameters.values()]
        assert told == _parameters(node), name
        assert ast.get_docstring(node) and getattr(module, name).__doc__, name
        assert node.returns is not None and all(a.annotation for a in ast.walk(node) if isinstance(a, ast.arg)), name
