"""The extension leaks nothing, survives failing allocations, and lives in each interpreter by itself."""

import json
import sys

import pytest

from support.packages import Package

HOOKS = """
MANY = [f"name{n}" for n in range(50)]
def hook(*args, **kwargs):
    return args, kwargs
def fails(*args):
    raise ValueError("vendor")
LIMIT = 4
"""

# Every way through the calls, hits, misses and errors.
CALLS = """
def calls(names, error=Exception):
    def tried(function, *args, **kwargs):
        try:
            function(*args, **kwargs)
        except error:
            pass
    def run():
        spec_call("hook"); spec_call("hook", 1, [2], key=names); spec_call("absent", names)
        spec_call_or(names, "absent"); spec_call_or(names, "hook", 1); spec_call_or(3, "name1", k=1)
        spec_func("hook"); spec_func("absent"); spec_func("LIMIT"); spec_has("hook"); spec_has("__file__")
        spec_path([]); spec_path(["/nowhere/triton/language"])
        tried(spec_call, "fails", names); tried(spec_call, "LIMIT"); tried(spec_call, 3); tried(spec_call)
        tried(spec_func, None); tried(spec_call_or, names); tried(spec_path, names); tried(spec_has, b"x")
        tried(bind_language_extension_symbols_to_tl, types.SimpleNamespace(__all__=["own", "LIMIT"], LIMIT=names))
    return run
import gc, sys, tracemalloc, types
"""

FILES = {"language/__init__.py": "own = 1\n"}


@pytest.fixture
def package(tmp_path):
    """A staged package that asks by the extension."""
    return Package(tmp_path).staged({"acme": HOOKS, "base": None}, FILES)


# --- leaks -------------------------------------------------------------------------------------

def test_calls_keep_no_reference(package):
    answer, = package.ask(CALLS + """
import triton.spec.acme.triton as registry
names = ["name"]
run = calls(names)
watched = [names, registry, vars(registry), registry.hook, registry.LIMIT, None, spec_call.__self__, names[0], "hook"]
run()
before = [sys.getrefcount(each) for each in watched]
for _ in range(10000): run()
result = [sys.getrefcount(each) - was for each, was in zip(watched, before)]
""")
    # None is everybody's, so some others come and go; one kept each round would be 10,000.
    assert all(abs(difference) < 1000 for difference in answer.result), answer.result


def test_hundred_thousand_calls_take_no_memory(package):
    answer, = package.ask(CALLS + """
run = calls(["name"])
for _ in range(500): run()
gc.collect()
objects = len(gc.get_objects())
tracemalloc.start()
before = tracemalloc.get_traced_memory()[0]
for _ in range(5000): run()
gc.collect()
result = tracemalloc.get_traced_memory()[0] - before, len(gc.get_objects()) - objects
""")
    memory, objects = answer.result
    # 5,000 rounds of 24 calls: one leaked object a round would be 80,000 bytes.
    assert memory < 80000 and objects < 50, answer.result


def test_failing_registry_keeps_one_cause(package):
    package.staged({"acme": "import missing_lib\n"})
    answer, = package.ask("""
import gc
def ask():
    try:
        spec_call("hook")
    except ImportError:
        pass
for _ in range(100): ask()
gc.collect()
before = len(gc.get_objects())
for _ in range(2000): ask()
gc.collect()
result = len(gc.get_objects()) - before
""")
    assert answer.result < 20


def test_development_mode_is_silent(package):
    answer, = package.ask(CALLS + "calls(['name'])()\nresult = 'done'", options=("-X", "dev", "-W", "error"))
    assert answer.result == "done"


def test_collector_sees_through_the_extension(package):
    answer, = package.ask(CALLS + """
import weakref, importlib, triton_spec._spec as extension
import triton.spec.acme.triton as registry
calls(["name"])()
seen = gc.get_referents(extension)
result = registry in seen, any(each is vars(registry) for each in seen), gc.is_tracked(extension)
""")
    assert answer.result == (True, True, True)


def test_extension_can_be_collected(package):
    # A second copy, made by hand and dropped: its state goes with it.
    answer, = package.ask("""
import gc, importlib.util, sys, types, weakref
import triton_spec._spec as first
spec = importlib.util.spec_from_file_location("triton_spec._spec", first.__file__)
second = importlib.util.module_from_spec(spec)
spec.loader.exec_module(second)
second.spec_call("hook")
import triton.spec.acme.triton as registry
held = sys.getrefcount(registry)
gone = weakref.ref(second)
different = second.spec_call is not first.spec_call
del second
gc.collect()
result = different, gone() is None, held - sys.getrefcount(registry) >= 1, first.spec_call("hook")
""")
    assert answer.result == (True, True, True, ((), {}))


# --- failing allocations -----------------------------------------------------------------------

def test_no_allocation_may_fail_unseen(package):
    """Each allocation of a call fails once: MemoryError or the right answer, and never a crash."""
    pytest.importorskip("_testcapi", reason="this Python was built without its test modules")
    # Hooks in C: Python itself may lose such an error when it makes a frame.
    package.write({"triton/spec/acme/triton/__init__.py": "from builtins import dict as hook\nLIMIT = 4\n"})
    answer, = package.ask(CALLS + """
import _testcapi, os
os.dup2(os.open(os.devnull, os.O_WRONLY), 2)  # where 3.13 says what else it could not do
def each(function):
    for start in range(1, 2000):
        _testcapi.set_nomemory(start, start + 1)
        try:
            value = function()
        except MemoryError:
            continue
        except TypeError as error:
            value = type(error)
        finally:
            _testcapi.remove_mem_hooks()
        return value, start
spec_call("hook")
extension = types.SimpleNamespace(__all__=["own", "none"], own=1)
made = [each(function) for function in (
    lambda: spec_call("hook", [(1, 2)]), lambda: spec_call("hook", k=2), lambda: spec_call("absent"),
    lambda: spec_call_or(5, "absent"), lambda: spec_func("LIMIT"), lambda: spec_has("hook"), lambda: spec_call(3),
    lambda: spec_call("LIMIT"), lambda: spec_path(["/nowhere/triton/x"]), lambda: spec_path(()),
    lambda: bind_language_extension_symbols_to_tl(extension))]
result = [getattr(value, "__name__", value) for value, _ in made], sum(start - 1 for _, start in made)
""")
    assert answer.error is None, answer.error
    values, failed = answer.result
    assert values == [{1: 2}, {"k": 2}, None, 5, 4, True, "TypeError", "TypeError", None, "TypeError", None]
    assert failed > 5


# --- interpreters ------------------------------------------------------------------------------

SUBINTERPRETERS = """
import json, sys
try:
    import _interpreters as interpreters
except ImportError:
    import _xxsubinterpreters as interpreters
CODE = '''
from triton._flagtree_spec import *
import triton.spec.acme.triton as registry
assert spec_call("hook", 1) == ((1,), {}), "hit"
assert spec_call("absent") is None
registry.hook = lambda: "only here"
assert spec_call("hook") == "only here"
'''
import triton_spec, gc
triton_spec.spec_call("hook")
for _ in range(COUNT):
    made = interpreters.create()
    problem = interpreters.run_string(made, CODE)
    assert problem is None, problem
    interpreters.destroy(made)
gc.collect()
print(json.dumps(triton_spec.spec_call("hook", 2)))
"""


def test_many_interpreters(package):
    done = package.python("-c", SUBINTERPRETERS.replace("COUNT", "20"))
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == [[2], {}]


@pytest.mark.skipif(sys.version_info < (3, 13), reason="interpreters share their lock before 3.12, and have no "
                    "module to run them in threads before 3.13")
def test_interpreters_in_parallel(package):
    done = package.python("-c", """
import _interpreters, threading
problems = []
def run():
    made = _interpreters.create("isolated")
    problems.append(_interpreters.run_string(made, '''
from triton_spec import spec_call
assert all(spec_call("hook", n) == ((n,), {}) for n in range(20000))
'''))
    _interpreters.destroy(made)
threads = [threading.Thread(target=run) for _ in range(4)]
for thread in threads: thread.start()
for thread in threads: thread.join()
print(problems)
""")
    assert (done.returncode, done.stdout.strip()) == (0, "[None, None, None, None]"), done.stderr
