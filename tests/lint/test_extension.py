"""What the C extension must not do, on sources that do it."""

import pytest

from lint import extension


@pytest.mark.parametrize("rule", [extension.check_calls, extension.check_state, extension.check_null],
                         ids=lambda rule: rule.__name__)
def test_extension_keeps_the_rule(repository, rule):
    assert [str(finding) for finding in rule(repository)] == []


def lines(findings):
    return [finding.line for finding in findings]


@pytest.mark.parametrize("name", sorted(extension.FORBIDDEN))
def test_forbidden_call_is_found(tree_of, name):
    text = f"static int f(PyObject *o) {{\n  /* {name}(o) */\n  return {name}(o) != 0;\n}}\n"
    tree = tree_of({"python/src/a.c": text, "python/runner/a.c": text, extension.COMPAT: text, "spec/base/a.c": text})
    assert lines(extension.check_calls(tree)) == [3, 3]


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


def test_variable_of_a_named_struct_is_found(tree_of):
    text = """static struct table {
  int (*open)(void);
} known;
struct row {
  int a;
} rows[16], *last;
static const struct {
  int a;
} fixed = {1};
typedef struct plain {
  int a;
} plain;
typedef enum { A, B } kind;
"""
    assert lines(extension.check_state(tree_of({"python/runner/a.c": text}))) == [1, 4]


def test_unchecked_reference_is_found(tree_of):
    text = """static PyObject *f(PyObject *a) {
  PyObject *seen = PyUnicode_FromString("a");
  PyObject *unseen = PyObject_GetAttrString(a, "b");
  PyObject *both = seen == NULL ? NULL : PyList_New(0);
  PyObject *given = PyObject_Str(a);
  PyObject *later = PyDict_New(), *inner;
  if ((inner = PyNumber_Index(a)) == NULL)
    return NULL;
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
    assert lines(extension.check_null(tree_of({"python/src/a.c": text}))) == [3, 4, 15]
