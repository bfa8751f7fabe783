"""spec_path() in a package of FlagTree's layout: which folder it adds, and that one file is one module.
Both implementations."""

import copy

import pytest

from support.packages import Package

SERVED = "from triton._flagtree_spec import spec_path\nspec_path(__path__)\n"

TRUNK = {
    "language/__init__.py": SERVED,
    "language/semantic.py": "WHO = 'trunk'\n",
    "language/core.py": "WHO = 'trunk'\n",
    "language/extra/__init__.py": "WHO = 'trunk'\n",
    "language/extra/cuda.py": "WHO = 'trunk'\n",
    "language/extra/hip/__init__.py": "WHO = 'trunk'\n",
    "language/extra/hip/lib.py": "WHO = 'trunk'\n",
    "experimental/__init__.py": "",
    "experimental/gluon/__init__.py": SERVED + "from . import nvidia\n",
    "experimental/gluon/nvidia.py": "WHO = 'trunk'\n",
}


def vendor(files):
    """Files of backend acme, by their path below triton."""
    return {f"spec/acme/triton/{path}": text for path, text in files.items()}


SEMANTIC = vendor({"language/semantic.py": "WHO = 'acme'\nclass Sem:\n    pass\n"})


def test_folder_goes_first_once(package):
    package.flagtree("acme", {**TRUNK, **SEMANTIC})
    answer, = package.ask("""
import triton.language as tl
for _ in range(3):
    spec_path(tl.__path__)
from triton.language import semantic, core
result = tl.__path__, semantic.WHO, core.WHO, semantic.__file__
""")
    root = str(package.root / "triton")
    home = f"{root}/spec/acme/triton/language"
    assert answer.result == ([home, f"{root}/language"], "acme", "trunk", f"{home}/semantic.py")


def test_nothing_is_added_for_a_folder_that_the_backend_lacks(package):
    package.flagtree("acme", {**TRUNK, **SEMANTIC})
    answer, = package.ask("from triton.experimental import gluon\nresult = gluon.__path__")
    assert answer.result == [str(package.root / "triton/experimental/gluon")]


def test_deeper_package_is_served(package):
    package.flagtree("acme", {**TRUNK, **vendor({"experimental/gluon/nvidia.py": "WHO = 'acme'\n"})})
    assert package.ask("__import__('triton.experimental.gluon').experimental.gluon.nvidia.WHO")[0].result == "acme"


def test_package_itself_may_be_served(package):
    package.flagtree("acme", {**TRUNK, **SEMANTIC, **vendor({"testing.py": "WHO = 'acme'\n"})},
                     hooks="def hook():\n    return 1\n")
    package.write({"triton/__init__.py": SERVED, "triton/testing.py": "WHO = 'trunk'\n"})
    answer, = package.ask("from triton import testing, language\nfrom triton.language import semantic, core\n"
                          "result = testing.WHO, semantic.WHO, core.WHO, spec_call('hook')")
    assert answer.result == ("acme", "acme", "trunk", 1)


# --- P1: the root is the package's, whatever the path's text ------------------------------------

@pytest.mark.parametrize("site", ["tritonenv/site", "triton-lang/site", "triton/site", "a/triton/triton/site"])
def test_folder_above_may_have_triton_in_its_name(tmp_path, package, site):
    moved = Package(tmp_path / "elsewhere" / site, package.implementation)
    moved.flagtree("acme", {**TRUNK, **SEMANTIC})
    assert moved.ask("__import__('triton.language.semantic').language.semantic.WHO")[0].result == "acme"


def test_root_of_a_package_that_was_not_imported(package):
    package.flagtree("acme", {**TRUNK, **SEMANTIC})
    other = Package(package.root / "triton-2/lib")
    other.flagtree("acme", {**TRUNK, **SEMANTIC})
    answer, = package.ask(f"path = [{str(other.root / 'triton/language')!r}]\nspec_path(path)\nresult = path")
    assert answer.result[0] == str(other.root / "triton/spec/acme/triton/language")


def test_package_behind_a_link(tmp_path, package):
    package.flagtree("acme", {**TRUNK, **SEMANTIC})
    (tmp_path / "links").mkdir()
    (tmp_path / "links/triton").symlink_to(package.root / "triton", target_is_directory=True)
    linked = copy.copy(package)
    linked.root = tmp_path / "links"
    answer, = linked.ask("import triton.language.semantic as s\nresult = s.WHO, s.__file__")
    assert answer.result == ("acme", str(tmp_path / "links/triton/spec/acme/triton/language/semantic.py"))


# --- P5: children of both places ---------------------------------------------------------------

@pytest.mark.parametrize("init, who", [(None, "trunk"), ("WHO = 'acme'\n", "acme")], ids=["without", "with"])
def test_children_of_both_places_are_found(package, init, who):
    files = {"language/extra/libdevice.py": "WHO = 'acme'\n", "language/extra/hip/lib.py": "WHO = 'acme'\n"}
    package.flagtree("acme", {**TRUNK, **vendor(files)})
    if init is not None:
        package.write({"triton/spec/acme/triton/language/extra/__init__.py": init})
    answer, = package.ask("""
from triton.language import extra
from triton.language.extra import cuda, hip, libdevice
from triton.language.extra.hip import lib
import pkgutil
result = (extra.WHO, cuda.WHO, libdevice.WHO, hip.WHO, lib.WHO,
          sorted(m.name for m in pkgutil.iter_modules(extra.__path__)))
""")
    assert answer.result == (who, "trunk", "acme", "trunk", "acme", ["cuda", "hip", "libdevice"])


def test_reload_keeps_both_places(package):
    package.flagtree("acme", {**TRUNK, **vendor({"language/extra/libdevice.py": "WHO = 'acme'\n"})})
    answer, = package.ask("""
import importlib
from triton.language import extra
importlib.reload(extra)
importlib.reload(importlib.import_module("triton.language"))
from triton.language.extra import cuda, libdevice
result = cuda.WHO, libdevice.WHO
""")
    assert answer.result == ("trunk", "acme")


# --- P7: one file is one module ----------------------------------------------------------------

@pytest.mark.parametrize("statement", [
    "from .language.semantic import Sem", "from triton.spec.acme.triton.language.semantic import Sem",
    "from triton.language.semantic import Sem", "from .language import semantic\nSem = semantic.Sem",
])
def test_registry_that_imports_a_served_file_gets_the_trunks_module(package, statement):
    package.flagtree("acme", {**TRUNK, **SEMANTIC}, hooks=f"{statement}\ndef made():\n    return Sem()\n")
    answer, = package.ask("""
import pickle, sys
made = spec_call("made")
from triton.language.semantic import Sem
import triton.language, triton.spec.acme.triton
import triton.spec.acme.triton.language.semantic as other
here = pickle.loads(pickle.dumps(made))
result = (isinstance(made, Sem), isinstance(here, Sem), other is triton.language.semantic, other.__name__,
          other.__spec__.name, triton.language.__spec__.name, triton.language.semantic is other)
""")
    name = "triton.language.semantic"
    assert answer.result == (True, True, True, name, name, "triton.language", True)


def test_file_that_the_trunk_does_not_serve_is_its_own_module(package):
    hooks = "from .testing import hook\nfrom ._inner import other\n"
    package.flagtree("acme", {**TRUNK, "testing.py": "WHO = 'trunk'\n", **vendor({
        "testing.py": "def hook():\n    return __name__\n", "_inner.py": "def other():\n    return __name__\n"})}, hooks)
    answer, = package.ask("import triton.testing as t\nresult = spec_call('hook'), spec_call('other'), t.WHO")
    assert answer.result == ("triton.spec.acme.triton.testing", "triton.spec.acme.triton._inner", "trunk")


def test_relative_import_of_what_only_the_trunk_has(package):
    package.flagtree("acme", {**TRUNK, **SEMANTIC}, "from .language.core import WHO\n")
    assert package.ask("spec_func('WHO')")[0].result == "trunk"


def test_no_op_on_a_stage(package):
    package.staged({"acme": ""}, {**TRUNK, **SEMANTIC})
    answer, = package.ask("import triton.language as tl\nresult = tl.__path__, len(list(tl.__path__))")
    assert answer.result == ([str(package.root / "triton/language")], 1)


@pytest.mark.parametrize("value", ["[1]", "[None]"])
def test_entry_that_is_no_path_is_an_error(package, value):
    package.flagtree("acme", {**TRUNK, **SEMANTIC})
    answer, = package.ask(f"spec_path({value})")
    assert answer.error["bases"][0] == "TypeError"
