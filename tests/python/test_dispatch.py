"""The calls for hooks: what is published, what is returned, what is raised. Both implementations."""

import pytest

from support.packages import IMPLEMENTATIONS, Package

HOOKS = """
import os
from triton import runtime
from . import child

LIMIT = 42
NOTHING = None
_private = "underscored"

def echo(*args, **kwargs):
    return args, kwargs

def none():
    return None

def zero():
    return 0

def fails():
    raise KeyError("the vendor's own")

class Made:
    def __init__(self, value):
        self.value = value
    def __repr__(self):
        return f"Made({self.value})"

bound = [1, 2].count
"""

# expression: value, or the class of the error and a part of its text
CASES = {
    # hits
    "spec_call('echo')": ((), {}),
    "spec_call('echo', 1, 2, 3)": ((1, 2, 3), {}),
    "spec_call('echo', 1, k=2)": ((1,), {"k": 2}),
    "spec_call('echo', *range(40), **{f'k{i}': i for i in range(40)})":
        (tuple(range(40)), {f"k{i}": i for i in range(40)}),
    "spec_call('echo', name=1, default=2, module=3, self=4)": ((), {"name": 1, "default": 2, "module": 3, "self": 4}),
    "spec('echo', 1)": ((1,), {}),
    "spec_call('Made', 5)": "Made(5)",
    "spec_call('bound', 2)": 1,
    "spec_call('ec' + 'ho', 7)": ((7,), {}),
    "spec_func('echo')(1, a=2)": ((1,), {"a": 2}),
    "spec_func('LIMIT')": 42,
    "spec_func('_private')": "underscored",
    "spec_has('LIMIT'), spec_has('NOTHING'), spec_has('absent')": (True, True, False),
    # P3: what None means
    "spec_call('none')": None,
    "spec_call('absent')": None,
    "spec_call_or(80, 'none')": None,
    "spec_call_or(80, 'zero')": 0,
    "spec_call_or(80, 'absent')": 80,
    "spec_call_or(80, 'echo', default=1, name=2)": ((), {"default": 1, "name": 2}),
    "spec_call_or(80, 'echo', 1, 2)": ((1, 2), {}),
    "spec_func('NOTHING')": None,
    # misses
    "spec_func('absent')": None,
    "spec_call('absent', 1, 2, k=3)": None,
    "spec_call_or(80, 'absent', 1, k=3)": 80,
    "spec_func('') is spec_func('\\ud800') is None": True,
    # P6: modules and what every module has are no hooks
    "spec_func('os')": None,
    "spec_func('runtime')": None,
    "spec_func('child')": None,
    "spec_call('runtime')": None,
    "spec_call_or(1, 'child')": 1,
    "spec_func('__name__')": None,
    "spec_call('__doc__')": None,
    "spec_has('__file__'), spec_has('os')": (False, False),
    # the vendor's errors are its own
    "spec_call('fails')": (KeyError, "the vendor's own"),
    "spec_call('none', 1)": (TypeError, "none() takes 0 positional arguments but 1 was given"),
    # what cannot be called
    "spec_call('LIMIT')": (TypeError, "spec/acme/triton/__init__.py is <class 'int'> and cannot be called"),
    "spec_call('NOTHING', 1)": (TypeError, "'NOTHING'"),
    "spec_call_or(3, 'LIMIT')": (TypeError, "cannot be called"),
    # wrong calls
    "spec_call()": (TypeError, ""),
    "spec_call(name='echo')": (TypeError, ""),
    "spec_call(1)": (TypeError, "spec_call() takes the name of a hook, a str, not <class 'int'>"),
    "spec_call(b'echo')": (TypeError, "<class 'bytes'>"),
    "spec_call_or(1)": (TypeError, ""),
    "spec_call_or(1, 2)": (TypeError, "spec_call_or() takes"),
    "spec_func()": (TypeError, ""),
    "spec_func(None)": (TypeError, "spec_func() takes"),
    "spec_func('a', 'b')": (TypeError, ""),
    "spec_has(3)": (TypeError, "spec_has() takes"),
    "spec_path((1,))": (TypeError, "spec_path() takes a package's __path__, a list, not <class 'tuple'>"),
    "spec_path('/a')": (TypeError, "a list, not <class 'str'>"),
    "spec_path(path_list=[])": (TypeError, ""),
    "spec_path([])": None,
}

FILES = {"runtime.py": "", "child.py": "", "language/__init__.py": "own = 1\n"}


@pytest.fixture(scope="module", params=IMPLEMENTATIONS)
def answers(request, tmp_path_factory):
    """{expression: Answer} of all cases, asked in one process."""
    package = Package(tmp_path_factory.mktemp("dispatch"), request.param).staged({"acme": HOOKS}, FILES)
    return dict(zip(CASES, package.ask(*CASES)))


@pytest.mark.parametrize("text", CASES)
def test_call(answers, text):
    answer, expected = answers[text], CASES[text]
    if isinstance(expected, tuple) and expected and isinstance(expected[0], type):
        assert answer.error is not None, answer.result
        assert answer.error["bases"][0] == expected[0].__name__ and expected[1] in answer.error["text"]
    else:
        assert answer.error is None, answer.error
        assert answer.result == expected


def test_exported_names(package):
    package.staged({})
    answer, = package.ask("import triton._flagtree_spec as m\nresult = sorted(m.__all__)")
    assert answer.result == ["bind_language_extension_symbols_to_tl", "spec", "spec_call", "spec_call_or",
                             "spec_func", "spec_has", "spec_path"]


def test_result_is_the_very_object(package):
    package.staged({"acme": "token = object()\ndef same(x):\n    return x\n"})
    answer, = package.ask("import triton.spec.acme.triton as r\nx = object()\n"
                          "result = spec_func('token') is r.token, spec_call('same', x) is x")
    assert answer.result == (True, True)


# --- which names are published -----------------------------------------------------------------

def test_all_decides_alone_when_there_is_one(package):
    package.staged({"acme": "import os\n__version__ = '1'\n"
                            "__all__ = ['listed', 'os', '__version__', 'gone']\nlisted = 1\nother = 2\n"})
    answer, = package.ask("[spec_func(n) is not None for n in "
                          "('listed', 'os', '__version__', 'gone', 'other', '__name__')]")
    assert answer.result == [True, True, True, False, False, False]


@pytest.mark.parametrize("value", ["5", "'hook'", "{'hook': 1}", "None"])
def test_all_of_another_type_is_named(package, value):
    package.staged({"acme": f"__all__ = {value}\ndef hook():\n    pass\n"})
    answer, missing = package.ask("spec_func('hook')", "spec_func('absent')")
    assert answer.error["bases"][0] == "SpecHookError" and "__all__" in answer.error["what"]
    assert answer.error["where"].endswith("triton/spec/acme/triton/__init__.py")
    assert missing.result is None


def test_module_getattr_is_asked(package):
    package.staged({"acme": """
def __getattr__(name):
    if name == "lazy":
        return lambda: "made late"
    if name == "broken":
        raise OSError("no device")
    if name == "module":
        import os
        return os
    raise AttributeError(name)
"""})
    lazy, absent, broken, module, has = package.ask(
        "spec_call('lazy')", "spec_call('absent')", "spec_func('broken')", "spec_func('module')", "spec_has('lazy')")
    assert (lazy.result, absent.result, module.result, has.result) == ("made late", None, None, True)
    assert broken.error["bases"][0] == "OSError"


def test_registry_may_be_another_object(package):
    package.staged({"acme": """
import sys
class Hooks:
    __name__ = __name__
    __all__ = ["hook", "late"]
    extra = 1
    def hook(self):
        return "method"
    @property
    def late(self):
        return lambda: "property"
sys.modules[__name__] = Hooks()
"""})
    answer, = package.ask("spec_call('hook'), spec_call('late'), spec_func('extra'), spec_func('absent')")
    assert answer.result == ("method", "property", None, None)


def test_change_of_the_registry_is_seen_at_once(package):
    package.staged({"acme": "def hook():\n    return 1\n"})
    answer, = package.ask("""
import importlib, pathlib
import triton.spec.acme.triton as registry
seen = [spec_call("hook")]
registry.hook = lambda: 2
seen.append(spec_call("hook"))
registry.new = lambda: 3
seen.append(spec_call("new"))
del registry.new
seen.append(spec_call("new"))
registry.__all__ = []
seen.append(spec_call("hook"))
del registry.__all__
pathlib.Path(registry.__file__).write_text("def hook():\\n    return 'reloaded'\\n")
importlib.invalidate_caches()
importlib.reload(registry)
seen.append(spec_call("hook"))
result = seen
""")
    assert answer.result == [1, 2, 3, None, None, "reloaded"]


def test_hook_that_removes_itself_lives_until_it_returns(package):
    package.staged({"acme": """
def hook():
    import gc
    del globals()["hook"]
    gc.collect()
    return "alive"
"""})
    answer, = package.ask("spec_call('hook'), spec_call('hook')")
    assert answer.result == ("alive", None)


# --- layers ------------------------------------------------------------------------------------

def test_outer_layer_wins_and_base_answers_the_rest(package):
    package.staged({"acme": "def both():\n    return 'acme'\n",
                    "base": "def both():\n    return 'base'\ndef below():\n    return 'base'\n"})
    answer, = package.ask("spec_call('both'), spec_call('below'), spec_call('none')")
    assert answer.result == ("acme", "base", None)


def test_layer_without_registry_is_passed_over(package):
    package.staged({"acme": None, "base": "def hook():\n    return 'base'\n"})
    assert package.ask("spec_call('hook')")[0].result == "base"


def test_outer_layer_may_build_on_its_base(package):
    package.staged({"acme": "from triton.spec.base.triton import hook as _hook\n"
                            "def hook():\n    return ('acme', _hook())\n",
                    "base": "def hook():\n    return 'base'\n"})
    assert package.ask("spec_call('hook')")[0].result == ("acme", "base")


# --- FlagTree's own extension hook -------------------------------------------------------------

def test_symbols_of_an_extension_reach_language(package):
    package.staged({}, {"language/__init__.py": "own = 1\n"})
    answer, none = package.ask("""
import types, triton.language as tl
extension = types.SimpleNamespace(__all__=["own", "new", "gone"], own=2, new=3, hidden=4)
returned = bind_language_extension_symbols_to_tl(extension)
result = returned, tl.own, tl.new, hasattr(tl, "hidden"), hasattr(tl, "gone")
""", "bind_language_extension_symbols_to_tl(object())")
    assert answer.result == (None, 1, 3, False, False)
    assert none.result is None and none.error is None
