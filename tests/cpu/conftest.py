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
