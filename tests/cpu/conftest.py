"""The package triton_cpu of the build folder, as if it were installed, and Triton with its device.

Set before Triton is imported, which looks for backends then.
"""

import os
import pathlib
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = pathlib.Path(os.environ.get("TRITON_SPEC", ROOT / "build/dev/spec/triton-spec")).resolve()
PACKAGE = PROGRAM.parents[1] / "third_party/cpu/runtime"

sys.path.insert(0, str(PACKAGE))


@pytest.fixture(scope="session")
def extension():
    """The built extension triton_cpu._ttcpu."""
    from triton_cpu import _ttcpu
    assert pathlib.Path(_ttcpu.__file__).is_relative_to(PACKAGE), f"triton_cpu comes from {_ttcpu.__file__}"
    return _ttcpu


@pytest.fixture(scope="session")
def load_c(extension, tmp_path_factory):
    """A function that compiles a C text with a tt_kernel in it and loads it."""
    from triton_cpu import _toolchain
    folder = tmp_path_factory.mktemp("kernels")

    def load(text):
        return extension.load(_toolchain.build('#include "ttabi.h"\n' + text), folder)
    return load


@pytest.fixture(scope="session")
def device(extension, tmp_path_factory, request):
    """Triton's driver for the cpu, made active; kernels are cached in a folder of this run's workers."""
    from triton import knobs
    from triton.backends import Backend, backends
    from triton.runtime import driver
    from triton_cpu.compiler import CPUBackend
    from triton_cpu.driver import CPUDriver
    if "cpu" not in backends:  # Triton was imported before this folder's tests were
        backends["cpu"] = Backend(CPUBackend, CPUDriver)
    shared = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        shared = shared.parent
    knobs.cache.dir = str(shared / "kernels-of-cpu")
    request.config.pluginmanager.getplugin("tally").listen(knobs)
    driver.set_active(backends["cpu"].driver())
    return driver.active
