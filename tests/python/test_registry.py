"""A backend's hook registry: absent, failing, asked while it is being imported. Both implementations."""

import pytest

FILE = "triton/spec/acme/triton/__init__.py"

# Counts in the process how often the registry is executed.
COUNTED = "import builtins\nbuiltins.executed = getattr(builtins, 'executed', 0) + 1\n"


def hook_error(answer):
    """The error of an answer, which must be a SpecHookError with all its parts."""
    assert answer.error is not None, answer.result
    assert answer.error["bases"][:3] == ["SpecHookError", "SpecError", "ImportError"]
    assert answer.error["code"] == "hook" and answer.error["mend"]
    assert answer.error["name"] == "triton.spec.acme.triton"
    return answer.error


# --- absent ------------------------------------------------------------------------------------

def test_nothing_is_published_without_registry(package):
    package.staged({"acme": None})
    answer, = package.ask("spec_call('hook', 1), spec_call_or(2, 'hook'), spec_func('hook'), spec_has('hook')")
    assert answer.result == (None, 2, None, False)


def test_folder_of_overrides_alone_publishes_nothing(package):
    package.flagtree("acme", {"spec/acme/triton/language/core.py": ""})
    assert package.ask("spec_func('hook'), spec_func('language')")[0].result == (None, None)


def test_absence_is_found_out_once(package):
    package.staged({"acme": None})
    counted, = package.ask("""
import importlib, sys
class Counter:
    asked = []
    def find_spec(self, name, path=None, target=None):
        self.asked.append(name)
spec_call("hook")
sys.meta_path.insert(0, Counter())
for _ in range(100):
    spec_call("hook"), spec_func("hook"), spec_has("hook"), spec_call_or(1, "hook")
result = Counter.asked
""")
    assert counted.result == []


# --- P2: a registry that cannot be imported --------------------------------------------------------

FAILING = {
    "ImportError": "import vendor_lib_that_is_missing\n",
    "from": "from triton.nowhere import thing\n",
    "attribute": "from triton import thing_that_is_not_there\n",
    "OSError": "open('/nowhere/libdevice.so')\n",
    "ValueError": "\n\nint('device')\n",
    "wrong type": "len(3)\n",
    "own error": "class Broken(Exception):\n    pass\nraise Broken('no device')\n",
}


@pytest.mark.parametrize("text", FAILING.values(), ids=FAILING)
def test_failing_registry_is_an_error_at_every_call(package, text):
    package.staged({"acme": COUNTED + text})
    answers = package.ask("spec_call('hook')", "spec_func('hook')", "spec_has('other')", "spec_call_or(1, 'x')",
                          "__import__('builtins').executed")
    *errors, executed = answers
    assert executed.result == 1
    causes = {(hook_error(answer)["cause"]["text"], hook_error(answer)["text"]) for answer in errors}
    assert len(causes) == 1
    error = errors[0].error
    line = COUNTED.count("\n") + text.rstrip("\n").count("\n") + 1
    assert error["where"].endswith(f"{FILE}:{line}") and error["path"].endswith(FILE)
    assert error["what"].endswith(f"{error['cause']['bases'][0]}: {error['cause']['text']}")


def test_each_error_is_fresh_with_the_same_cause(package):
    package.staged({"acme": "import vendor_lib_that_is_missing\n"})
    answer, = package.ask("""
import traceback
seen = []
for _ in range(3):
    try:
        spec_call("hook")
    except ImportError as error:
        seen.append((error, error.__cause__, len(traceback.extract_tb(error.__traceback__)),
                     len(traceback.extract_tb(error.__cause__.__traceback__))))
result = [len({id(s[0]) for s in seen}), len({id(s[1]) for s in seen}), len({s[2:] for s in seen})]
""")
    assert answer.result == [3, 1, 1]


@pytest.mark.parametrize("source, where", [
    ("def hook(:\n", f"{FILE}:1"), ("x = 1\n\n  y = 2\n", f"{FILE}:3"), ("a = 'open\n", f"{FILE}:1"),
])
def test_syntax_error_names_the_file(package, source, where):
    package.staged({"acme": source})
    error = hook_error(package.ask("spec_call('hook')")[0])
    assert error["where"].endswith(where) and "SyntaxError" in error["cause"]["bases"]


def test_source_that_is_no_text_is_named(package):
    package.staged({"acme": ""})
    (package.root / FILE).write_bytes(b"x = '\xff\xfe'\n")
    error = hook_error(package.ask("spec_call('hook')")[0])
    assert error["path"].endswith(FILE) and "SyntaxError" in error["cause"]["bases"]


def test_file_that_the_registry_imports_is_named(package):
    package.staged({"acme": "from . import inner\n"}, {"spec/acme/triton/inner.py": "x = 1\nimport missing_lib\n"})
    error = hook_error(package.ask("spec_call('hook')")[0])
    assert error["where"].endswith("triton/spec/acme/triton/inner.py:2")


def test_failing_package_above_the_registry_is_named(package):
    package.staged({"acme": "def hook():\n    pass\n"}, {"spec/acme/__init__.py": ""})
    package.write({"triton/spec/acme/__init__.py": "import missing_lib\n"})
    error = hook_error(package.ask("spec_call('hook')")[0])
    assert error["where"].endswith("triton/spec/acme/__init__.py:1")


def test_failing_base_is_an_error_too(package):
    package.staged({"acme": "def hook():\n    return 1\n", "base": "import missing_lib\n"})
    answer, = package.ask("spec_call('hook')")
    assert answer.error["name"] == "triton.spec.base.triton" and "backend 'base'" in answer.error["what"]


@pytest.mark.parametrize("error", ["KeyboardInterrupt", "SystemExit(3)", "GeneratorExit"])
def test_interrupt_is_no_failure_of_the_registry(package, error):
    package.staged({"acme": "import builtins\nif not hasattr(builtins, 'again'):\n"
                            f"    builtins.again = True\n    raise {error}\ndef hook():\n    return 'second try'\n"})
    first, second = package.ask("spec_call('hook')", "spec_call('hook')")
    assert first.error["bases"][0] == error.split("(")[0]
    assert second.result == "second try"


def test_lack_of_memory_is_no_failure_of_the_registry(package):
    package.staged({"acme": "import builtins\nif not hasattr(builtins, 'again'):\n"
                            "    builtins.again = True\n    raise MemoryError\ndef hook():\n    return 'second try'\n"})
    first, second = package.ask("spec_call('hook')", "spec_call('hook')")
    assert (first.error["bases"][0], second.result) == ("MemoryError", "second try")


# --- P2c: asked while it is being imported -----------------------------------------------------

# A trunk that asks for a hook when `runtime` is imported.
ASKING = {"runtime.py": "from ._flagtree_spec import spec_func\nJIT = 'trunk'\n"
                        "picked = spec_func('late') or 'trunk'\n"}


def test_hook_that_comes_later_is_an_error(package):
    package.staged({"acme": "from triton.runtime import JIT\n\ndef late():\n    pass\n"}, ASKING)
    error = hook_error(package.ask("spec_call('late')")[0])
    inner = error["cause"]
    assert inner["bases"][0] == "SpecHookError" and inner["where"].endswith(f"{FILE}:1")
    assert "triton/runtime.py:3" in inner["what"] and "'late'" in inner["what"]
    assert "before line 1" in inner["mend"]


def test_hook_that_is_there_is_used(package):
    package.staged({"acme": "def late():\n    return 'vendor'\nfrom triton.runtime import JIT\n"}, ASKING)
    answer, = package.ask("from triton import runtime\nresult = runtime.picked()")
    assert answer.result == "vendor"
    registry_first, = package.ask("import triton.spec.acme.triton as r, triton.runtime as t\nresult = t.picked()")
    assert registry_first.result == "vendor"


def test_name_that_the_registry_never_binds_is_a_miss(package):
    package.staged({"acme": "from triton.runtime import JIT\ndef other():\n    return JIT\n"}, ASKING)
    answer, = package.ask("spec_call('other'), __import__('triton.runtime').runtime.picked")
    assert answer.result == ("trunk", "trunk")


@pytest.mark.parametrize("rest", [
    "from triton.vendor_hooks import *\n", "globals()['late'] = 1\n", "import sys\nsetattr(sys, 'late', 1)\n",
    "exec('late = 1')\n", "def __getattr__(name):\n    return name\n",
])
def test_name_that_may_come_by_other_ways_is_an_error(package, rest):
    package.staged({"acme": "from triton.runtime import JIT\n" + rest}, {**ASKING, "vendor_hooks.py": "late = 1\n"})
    assert hook_error(package.ask("spec_call('late')")[0])["cause"]["bases"][0] == "SpecHookError"


def test_all_tells_early_what_comes(package):
    listed = "__all__ = ['other']\nfrom triton.runtime import JIT\nlate = other = 1\n"
    package.staged({"acme": listed}, ASKING)
    assert package.ask("spec_func('late'), spec_func('other')")[0].result == (None, 1)
    package.staged({"acme": listed.replace("['other']", "['late']")}, ASKING)
    assert hook_error(package.ask("spec_func('late')")[0])["cause"]["bases"][0] == "SpecHookError"


def test_module_that_the_registry_imported_is_a_miss(package):
    package.staged({"acme": "import os as late\nfrom triton.runtime import JIT\n"}, ASKING)
    assert package.ask("spec_func('late')")[0].result is None


def test_registry_that_asks_itself(package):
    package.staged({"acme": "from triton._flagtree_spec import spec_has\nA = 1\nresult = spec_has('A')\n"})
    assert package.ask("spec_func('result')")[0].result is True


def test_trunk_that_asks_while_it_is_being_imported(package):
    package.staged({"acme": "def extend(names):\n    names['extended'] = True\n"})
    package.write({"triton/__init__.py": "from ._flagtree_spec import spec_call\nspec_call('extend', globals())\n"
                                         "from . import language\n",
                   "triton/language/__init__.py": "from .._flagtree_spec import spec_call\n"
                                                  "spec_call('extend', globals())\n"})
    answer, = package.ask("import triton\nresult = triton.extended, triton.language.extended")
    assert answer.result == (True, True)


# --- threads -----------------------------------------------------------------------------------

def test_threads_wait_for_the_one_that_imports(package):
    package.staged({"acme": COUNTED + "import time\ntime.sleep(0.2)\ndef hook():\n    return executed\n"})
    answer, = package.ask("""
import threading
results = []
barrier = threading.Barrier(16)
def ask():
    barrier.wait()
    results.append(spec_call("hook"))
threads = [threading.Thread(target=ask) for _ in range(16)]
for thread in threads: thread.start()
for thread in threads: thread.join(60)
result = results
""")
    assert answer.result == [1] * 16


def test_threads_that_import_each_others_modules_do_not_hang(package):
    package.staged({"acme": "import time, triton.runtime\ntime.sleep(0.1)\ndef late():\n    return 'vendor'\n"},
                   {"runtime.py": "import time\ntime.sleep(0.1)\nfrom ._flagtree_spec import spec_has\n"
                                  "has = spec_has('late')\n"})
    answer, = package.ask("""
import threading
results = []
def run(body):
    try:
        results.append(body())
    except ImportError as error:
        results.append(type(error).__name__)
threads = [threading.Thread(target=run, args=(body,)) for body in
           (lambda: spec_has("late"), lambda: __import__("triton.runtime") and "imported")]
for thread in threads: thread.start()
for thread in threads: thread.join(60)
result = any(thread.is_alive() for thread in threads), results
""")
    hangs, results = answer.result
    assert not hangs and len(results) == 2
    # Either is right, by who came first; never a silent "no".
    assert set(results) <= {True, "imported", "SpecHookError"}


def test_change_while_threads_call(package):
    package.staged({"acme": "def hook():\n    return 1\n"})
    answer, = package.ask("""
import sys, threading
import triton.spec.acme.triton as registry
sys.setswitchinterval(1e-6)
stop = threading.Event()
seen = set()
def ask():
    while not stop.is_set():
        seen.add(spec_call("hook"))
threads = [threading.Thread(target=ask) for _ in range(4)]
for thread in threads: thread.start()
for n in range(3000):
    registry.hook = (lambda n: lambda: n % 3)(n)
    if n % 7 == 0:
        del registry.hook
    if n % 11 == 0:
        registry.__all__ = ["hook"]
    elif n % 11 == 5:
        vars(registry).pop("__all__", None)
stop.set()
for thread in threads: thread.join(60)
result = seen <= {None, 0, 1, 2}
""")
    assert answer.result is True
