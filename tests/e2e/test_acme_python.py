"""acme's Python side: the module `libtriton` and the merged package, run beside the trunk's own."""

import json
import shutil

import pytest
from support_trunk import TRUNK


def put_together(folder, package, build):
    """A package that can be imported: its Python files, and the module from the build."""
    shutil.copytree(package, folder / "triton", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(build.path / "python/triton/_C", folder / "triton/_C")
    return folder


@pytest.fixture(scope="session")
def trunk_python(plain, tmp_path_factory):
    """Runs code with the trunk's package; returns what it prints."""
    folder = put_together(tmp_path_factory.mktemp("plain"), TRUNK / "python/triton", plain)
    return lambda code: plain.python(folder, code)


@pytest.fixture(scope="session")
def acme_python(acme, tmp_path_factory):
    """The same with the package that the overlay is merged into."""
    folder = put_together(tmp_path_factory.mktemp("acme"), acme.spec / "python/triton", acme)
    return lambda code: acme.python(folder, code)


def test_header_of_three_sources(trunk_python, acme_python):
    """python/src/ir.h of FlagTree's place: main.cc, ir.cc and passes.cc all see acme's."""
    code = ("from triton._C import libtriton as l\n"
            "print(l.bindings_version, l.ir.bindings_version, l.passes.bindings_version)")
    assert trunk_python(code) == "1 1 1\n"
    assert acme_python(code) == "2 2 2\n"


ADD_PIPELINE = """
from triton._C.libtriton import ir, passes
module = ir.parse_mlir_module('module {}', ir.context())
manager = ir.pass_manager()
passes.acme.add_pipeline(manager)
manager.run(module)
print(module.get_attr("acme.chip"), module.get_attr("ttg.num-warps"))
"""


def test_source_of_the_module(trunk_python, acme_python):
    """passes.cc adds acme's pipeline, which bin/RegisterTritonDialects.h has registered in the module too."""
    assert acme_python(ADD_PIPELINE) == '"roadrunner" 8 : i32\n'
    assert trunk_python("from triton._C.libtriton import passes\nprint(hasattr(passes, 'acme'))") == "False\n"


KERNEL = """
import inspect, triton, triton.language as tl

@triton.jit
def clear(out, BLOCK):
    at = out + tl.arange(0, BLOCK)
    tl.store(at, tl.zeros_like(tl.load(at)))
"""


def test_whole_module(trunk_python, acme_python, tmp_path):
    """language/standard.py: zeros of the value's own type, where the trunk has integers."""
    script = tmp_path / "kernel.py"
    script.write_text(KERNEL + 'print(clear.warmup(out="*fp32", BLOCK=64).asm["ttir"])\n')
    run = f"import runpy; runpy.run_path({str(script)!r})"
    assert "dense<0.000000e+00> : tensor<64xf32>" in acme_python(run)
    failing = f"import triton\ntry:\n    {run}\nexcept triton.TritonError as error:\n    print(error)"
    assert "value has the pointers' element type" in trunk_python(failing)


def test_module_that_policy_would_close(trunk_python, acme_python):
    """testing.py, which spec.ini frees: programs in pairs."""
    code = "import triton.testing as t\nprint(t.grid_of(300, 100), t.grid_of(400, 100))"
    assert trunk_python(code) == "(3,) (4,)\n"
    assert acme_python(code) == "(4,) (4,)\n"


def test_data_file(trunk_python, acme_python):
    """tools/extra/compile.c, read by the trunk's tools/compile.py."""
    code = ("from triton.compiler import compile\nfrom triton.tools.compile import render\n"
            "print(render(compile('module {}', 'k')))")
    assert 'k_chip = "acme"' in acme_python(code)
    assert "k_chip" not in trunk_python(code) and "k_shared = 0" in trunk_python(code)


def test_added_module_and_hooks(trunk_python, acme_python):
    code = ("import triton.spec.acme.triton as hooks, triton.language.acme as added\n"
            "print(hooks.lanes is added.lanes, hooks.lanes(), hooks.max_shared_memory())")
    assert acme_python(code) == "True 64 98304\n"
    absent = ("import importlib.util as u, triton\n"
              "print(u.find_spec('triton.spec'), u.find_spec('triton.language.acme'))")
    assert trunk_python(absent) == "None None\n"


def test_registry_is_no_override(trunk_python, acme_python):
    code = "import json, triton\nprint(json.dumps([triton.__all__, triton.__doc__]))"
    assert json.loads(acme_python(code)) == json.loads(trunk_python(code))


def test_removed_module(trunk_python, acme_python):
    code = "import importlib.util as u, triton\nprint(u.find_spec('triton.runtime.driver') is None)"
    assert (trunk_python(code), acme_python(code)) == ("False\n", "True\n")


def test_merged_package_finds_its_own_files(acme_python):
    """The cache key reads its neighbours: those of the merged package."""
    code = ("import triton\nfrom triton.runtime.cache import ROOT, triton_key\n"
            "assert str(ROOT) == triton.__path__[0], (ROOT, triton.__path__)\nprint(len(triton_key()) > 64)")
    assert acme_python(code) == "True\n"
