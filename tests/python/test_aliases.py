"""Names below triton.spec.<layer>.triton in a staged package: they are the trunk's modules."""

import pytest

FILES = {"language/__init__.py": "from . import core\n", "language/core.py": "class Core:\n    pass\n",
         "errors.py": "class Oops(Exception):\n    pass\n", "broken.py": "import missing_lib\n"}


@pytest.fixture
def staged(package):
    return package.staged({"acme": "from .language.core import Core\nfrom .errors import Oops\n"
                                   "def make():\n    return Core()\n", "base": ""}, FILES)


def test_alias_is_the_module(staged):
    answer, = staged.ask("""
import sys
import triton.spec.acme.triton.language.core as alias
import triton.language.core as core
import triton.spec.base.triton.language.core as other
result = alias is core is other, sys.modules["triton.spec.acme.triton.language.core"] is core
""")
    assert answer.result == (True, True)


def test_module_keeps_what_it_is(staged):
    answer, = staged.ask("""
import triton.language.core as core
before = core.__spec__, core.__name__, core.__package__, core.__loader__
import triton.spec.acme.triton.language.core as alias
after = core.__spec__, core.__name__, core.__package__, core.__loader__
import triton.language
result = before == after, before[0] is after[0], triton.language.core is core, after[1]
""")
    assert answer.result == (True, True, True, "triton.language.core")


def test_alias_first_is_the_same(staged):
    answer, = staged.ask("""
import triton.spec.acme.triton.language.core as alias
result = alias.__name__, alias.__spec__.name, alias.__spec__._initializing
""")
    assert answer.result == ("triton.language.core", "triton.language.core", False)


def test_classes_are_pickled_by_the_trunks_name(staged):
    answer, = staged.ask("import pickle\nmade = spec_call('make')\nresult = type(made).__module__, "
                         "b'spec' in pickle.dumps(made), type(pickle.loads(pickle.dumps(made))) is type(made)")
    assert answer.result == ("triton.language.core", False, True)


def test_imported_modules_are_no_hooks(staged):
    answer, = staged.ask("import triton.spec.acme.triton.language\n"
                         "result = spec_func('language'), spec_func('errors'), spec_has('Oops')")
    assert answer.result == (None, None, True)


def test_find_spec_and_reload(staged):
    answer, = staged.ask("""
import importlib, importlib.util
found = importlib.util.find_spec("triton.spec.acme.triton.language.core")
import triton.spec.acme.triton.language.core as alias
again = importlib.reload(alias)
result = (found.origin == alias.__file__, again is alias,
          importlib.util.find_spec("triton.spec.acme.triton.nowhere"),
          importlib.util.find_spec("triton.spec.acme.triton.language").submodule_search_locations
          == importlib.import_module("triton.language").__path__)
""")
    assert answer.result == (True, True, None, True)


def test_alias_of_a_broken_module_says_why(staged):
    first, second = staged.ask("import triton.spec.acme.triton.broken\n", "import triton.spec.acme.triton.broken.x\n")
    assert first.error["bases"][0] == "ModuleNotFoundError" and first.error["name"] == "missing_lib"
    assert second.error["name"] == "missing_lib"


def test_absent_module_is_absent(staged):
    answer, = staged.ask("import triton.spec.acme.triton.nowhere\n")
    assert answer.error["name"] == "triton.spec.acme.triton.nowhere"


def test_finder_is_there_once(staged):
    answer, = staged.ask("""
import importlib, sys
import triton.spec
importlib.reload(triton.spec)
spec_call("make")
result = [type(finder).__name__ for finder in sys.meta_path].count("_AliasFinder")
""")
    assert answer.result == 1
