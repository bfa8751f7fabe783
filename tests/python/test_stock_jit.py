"""A JIT reads the text of a kernel when its module is imported: in a vendor's merged module of the stock
wheel, that must be the text that was planned."""

import importlib.util
import pathlib

import pytest

from support.live import Site

KERNEL = """\
import json, sys
import triton_spec
overlay = triton_spec.activate("acme")
if sys.argv[1] == "edited":
    vendor = overlay.overrides[0]["vendor"]
    text = open(vendor).read()
    open(vendor, "w").write("# A line more.\\n" + text.replace("1234", "4321"))
import triton, triton.language as tl
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource


@triton.jit
def kernel(x):
    tl.store(x, tl.standard.vendors_own(tl.load(x)))


source = ASTSource(fn=kernel, signature={"x": "*i32"}, constexprs={})
text = triton.compile(source, target=GPUTarget("cuda", 90, 32)).asm["ttir"]
print(json.dumps(["1234" in text, "4321" in text, tl.standard.vendors_own.src.split("\\n")[0]]))
"""
VENDOR = """\
@jit
def vendors_own(x):
    return x + 1234
"""


@pytest.fixture
def site(tmp_path):
    """The wheel of this environment as the trunk, and one jitted function for a module of it."""
    found = importlib.util.find_spec("triton")
    assert found is not None, "the stock wheel is not installed: tools/bootstrap python"
    made = Site(tmp_path, {"triton/language/standard.py": VENDOR}, trunk={"nothing.txt": ""})
    (made.vendors / "acme/spec.ini").write_text("[policy]\ntriton/language/standard.py = merge\n")
    (tmp_path / "kernel.py").write_text(KERNEL)
    made.wheel = pathlib.Path(found.origin).parents[1]
    return made


@pytest.mark.parametrize("when", ["as planned", "edited"])
def test_the_kernel_is_the_planned_one(site, when):
    env = {"TRITON_CACHE_DIR": str(site.folder / "kernels"), "PYTHONPATH": f"{site.environment()['PYTHONPATH']}:{site.wheel}"}
    done = site.run("kernel.py", when, env=env)
    assert done.stdout == '[true, false, "def vendors_own(x):"]\n', done.stderr
