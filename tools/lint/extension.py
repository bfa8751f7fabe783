"""What C extensions must not do that are loaded into several interpreters, with and without their lock."""

import re

from .source import Finding, c_code, c_functions, c_variables

FOLDERS = ("python/src/", "python/runner/")
COMPAT = "python/src/compat.h"  # the one place that knows Python's versions

_BORROWED = "another thread may drop what it returns; take a new reference, see python/src/compat.h"

# call -> the mend; what `compat.h` may do is marked
FORBIDDEN = {
    **dict.fromkeys(("PyDict_GetItem", "PyDict_GetItemString", "PyDict_GetItemWithError", "PyDict_Next",
                     "PyList_GetItem", "PyList_GET_ITEM", "PyWeakref_GetObject", "PyImport_AddModule",
                     "PySys_GetObject", "PyEval_GetGlobals", "PyEval_GetLocals"), _BORROWED),
    **dict.fromkeys(("PyErr_Fetch", "PyErr_Restore", "PyErr_NormalizeException"),
                    "gone in later versions; use spec_take_exception() and spec_give_exception()"),
    "PyModule_AddObject": "it takes the reference only when it succeeds; use PyModule_AddObjectRef()",
    "PyType_Ready": "a static type is shared by all interpreters; use PyType_FromModuleAndSpec()",
    "PyModule_Create": "a module of one phase is shared by all interpreters; use PyModuleDef_Init()",
    "PyGILState_Ensure": "it knows the main interpreter only; keep the thread state",
    "PyState_FindModule": "it does not find a module of several phases; use the module that is handed over",
    **dict.fromkeys(("PyObject_HasAttr", "PyObject_HasAttrString", "PyMapping_HasKey", "PyMapping_HasKeyString"),
                    "it hides every error; use spec_attr_get() or spec_dict_get()"),
}

# What a file may keep between calls: it is written once, by the compiler.
_CONSTANT = re.compile(r"\bconst\b|\bPy(MethodDef|ModuleDef|ModuleDef_Slot|MemberDef|GetSetDef|Type_Slot|Type_Spec)\b"
                       r"|\bchar \*names\[\]")

# Functions whose result is a new reference, or NULL with an error.
_NEW = (r"Py(?:Unicode|Bytes|Long|Dict|List|Tuple|Set|Import|Sequence)_(?:From|New|Pack|Decode|Intern|Import|Tuple|List"
        r"|Concat|GetItem|GetModule)\w*|PyObject_(?:GetAttr|GetItem|Call|Vectorcall|Str|Repr|New)\w*|PyNumber_\w+"
        r"|Py(?:Type|Capsule)_(?:From|New)\w*|Py_(?:Va)?BuildValue|PyMem_(?:Malloc|Calloc)")
_ASSIGNED = re.compile(r"(?:\w\s*\*\s*|(?<![*.>\w]))(\w+)\s*=\s*(?:[^;?]*\?[^;:]*:\s*)?(" + _NEW + r")\s*\(")
_NESTED = re.compile(r"\bPy[A-Z]\w*_\w+\((?:(?:[^;(){}]|\([^;(){}]*\))*?,)?\s*(Py(?:Unicode|Long|Dict|List|Tuple)_(?:From|New|"
                     r"Pack)\w*)\(")
_TAKES_OVER = re.compile(r"Py_BuildValue|PyErr_SetObject")


def _sources(tree):
    return tree.matching((".c", ".h"), below=FOLDERS)


def check_calls(tree):
    """Functions of Python that are forbidden here."""
    findings = []
    for path in _sources(tree):
        for number, line in enumerate(c_code(tree.text(path) or "").split("\n"), 1):
            for name in re.findall(r"\b(Py\w+)\s*\(", line):
                if name in FORBIDDEN and path != COMPAT:
                    findings.append(Finding(path, number, "extension", f"{name}: {FORBIDDEN[name]}"))
    return findings


def check_state(tree):
    """Variables that all interpreters would share."""
    findings = []
    for path in _sources(tree):
        for head, line in c_variables(tree.text(path) or ""):
            if not _CONSTANT.search(head):
                findings.append(Finding(path, line, "extension", (
                    f"'{' '.join(head.split())}' is shared by all interpreters: keep it in the module's state")))
    return findings


def check_null(tree):
    """New references that nobody compares with NULL, and such that are lost inside another call."""
    findings = []
    for path in _sources(tree):
        lines = c_code(tree.text(path) or "").split("\n")
        for _name, first, last in c_functions(tree.text(path) or ""):
            body = "\n".join(lines[first - 1:last])
            for match in _ASSIGNED.finditer(body):
                name = match.group(1)
                if not re.search(rf"\b{name}\s*[!=]=\s*NULL|[!=]=\s*NULL\s*\|\|\s*{name}\b|return {name};"
                                 rf"|\({name} = [^;]*\)\s*[!=]=\s*NULL", body):
                    findings.append(Finding(path, first + body.count("\n", 0, match.start()), "extension", (
                        f"{name} is never compared with NULL, which {match.group(2)} may return")))
            for match in _NESTED.finditer(body):
                if not _TAKES_OVER.match(match.group()):
                    findings.append(Finding(path, first + body.count("\n", 0, match.start()), "extension", (
                        f"what {match.group(1)} returns is lost in another call: name it, and compare it with NULL")))
    return findings


def check(tree):
    """All findings of this module."""
    return check_calls(tree) + check_state(tree) + check_null(tree)
