"""The overlay acme_wheel over the stock wheel: what it changes, and that nothing else does."""

import json
import os
import pathlib
import shutil
import subprocess
import sys

import pytest

from support.packages import PACKAGES
from support.trunks import NEWEST, OLDER, path_of

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
PROBE = HERE / "stock_probe.py"
NEEDED = {"torch", "numpy", "pandas", "cloudpickle"}


class Stock:
    """A stock wheel, whose package `path` leads to."""

    def __init__(self, path, package, tmp):
        self.path, self.package, self.tmp = path, package, tmp

    def run(self, *args, overlay=ROOT / "third_party", run=("-m", "triton_spec", "run"), line_info=False, **options):
        """Runs Python with the arguments, with the overlay below `overlay` unless that is None; returns the process."""
        path = [str(self.package), *map(str, self.path)]
        environment = {"PATH": os.environ["PATH"], "HOME": str(self.tmp / "home"), "PYTHONPATH": os.pathsep.join(path),
                       "TRITON_CACHE_DIR": str(self.tmp / ("cache" if overlay is None else "cache-acme")),
                       "TRITON_SPEC_CACHE": str(self.tmp / "stages"), "TRITON_DISABLE_LINE_INFO": "10"[line_info]}
        command = [sys.executable]
        if overlay is not None:
            environment |= {"FLAGTREE_BACKEND": "acme_wheel", "SPEC_PATH": str(overlay)}
            command += run
        return subprocess.run([*command, *map(str, args)], env=environment, text=True, capture_output=True,
                              cwd=self.tmp, check=True, **options)

    def probe(self, what, **options):
        """What stock_probe.py says about `what`."""
        return json.loads(self.run(PROBE, what, **options).stdout)


@pytest.fixture(scope="module", params=[NEWEST, OLDER])
def stock(request, tmp_path_factory):
    """Each stock wheel that tools/bootstrap installs."""
    return Stock(path_of(request.param), PACKAGES, tmp_path_factory.mktemp(f"stock-{request.param}"))


def test_effects(stock):
    """Each override of acme_wheel is seen, and is not there without the overlay."""
    plain, acme = stock.probe("effects", overlay=None), stock.probe("effects")
    assert plain == {
        "powers of two": False, "cubin": True, "barriers": 0, "lanes of a tensor": plain["lanes of a tensor"],
        "chip": None, "lanes": None, "sum": True, "builtins": [], "filecheck": plain["filecheck"],
        "peak": plain["peak"], "bench": True, "depth": 2}
    assert plain["lanes of a tensor"] not in (True, False) and plain["filecheck"] != 90
    assert isinstance(plain["peak"], str)
    assert acme == {
        "powers of two": True, "cubin": True, "barriers": 1, "lanes of a tensor": True, "chip": "roadrunner",
        "lanes": 64, "sum": True, "builtins": acme["builtins"], "filecheck": 90, "peak": 6.144, "bench": True,
        "depth": 3}
    assert "arange" in acme["builtins"]


def test_kernels_that_no_override_reaches(stock):
    """All levels, down to the binary, are equal without line information."""
    plain, acme = stock.probe("kernels", overlay=None), stock.probe("kernels")
    compiled = [levels for levels in plain.values() if "fault" not in levels]
    assert len(compiled) >= 13
    assert all({"ttir", "ttgir", "llir", "ptx", "cubin"} <= set(levels) for levels in compiled)
    # One of them waits in a loop whose body is `pass`: acme's barrier belongs there.
    assert {name for name in plain if acme[name] != plain[name]} == {"atomics"}


def test_every_module(stock):
    """The overlay adds its modules, loses none, and the same ones cannot be imported."""
    plain, acme = stock.probe("modules", overlay=None), stock.probe("modules")
    added = set(acme["names"]) - set(plain["names"])
    assert set(plain["names"]) <= set(acme["names"])
    assert {"triton.language.acme", "triton.spec.acme_wheel.triton"} <= added
    assert not [name for name in added if not name.startswith(
        ("triton.spec", "triton._flagtree_", "triton.language.acme"))]
    assert acme["faults"] == plain["faults"]


@pytest.mark.slow
def test_every_module_alone(stock):
    """Each module of the trunk, imported first of all, has the outcome that it has without the overlay."""
    plain, acme = stock.probe("alone", overlay=None), stock.probe("alone")
    assert {name: acme[name] for name in plain} == plain
    faults = {name: told for name, told in plain.items() if told != "imported"}
    assert 0 < len(faults) < 20 and all(any(f"'{module}" in told for module in NEEDED) for told in faults.values())


def test_tool_that_looks_beside_itself(stock):
    done = stock.run("-m", "triton.tools.compile", HERE / "stock_kernels.py", "-n", "logistic", "-s", "*fp32, 64",
                     "-o", stock.tmp / "made")
    made = pathlib.Path(done.stdout.strip())
    assert 'logistic_chip = "roadrunner"' in made.read_text() and "0" in made.read_text()


def edited(tmp, old, new):
    """A copy of the overlay in which one text of the same length stands for another, the date kept."""
    shutil.copytree(ROOT / "third_party/acme_wheel", tmp / "acme_wheel")
    path = tmp / "acme_wheel/spec/triton/testing.py"
    before, text = path.stat(), path.read_text()
    assert text.count(old) == 1 and len(old) == len(new)
    yield tmp
    path.write_text(text.replace(old, new))
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert path.stat().st_size == before.st_size
    yield tmp


def test_cache_key(stock, tmp_path):
    """Equal in two processes; another one without the overlay, and after an edit that neither size nor date tells."""
    states = edited(tmp_path, "* 48 *", "* 47 *")
    overlay = next(states)
    first, again = stock.probe("key", overlay=overlay), stock.probe("key", overlay=overlay)
    assert first == again != stock.probe("key", overlay=None)
    assert stock.probe("key", overlay=next(states)) != first
