"""Kernels compiled with AddressSanitizer and UndefinedBehaviorSanitizer."""

import os
import pathlib
import subprocess
import sys

import pytest

from processes import HERE, PACKAGE

SCRIPT = """
import sys
from kernels_plain import doubled
print(doubled([1] * 64, int(sys.argv[1])) == [2] * 64)
"""


def sanitized(command, tmp_path):
    """Runs a command of Python in a process that has the sanitizers' library from the start."""
    from triton_cpu import _toolchain
    library = subprocess.run([_toolchain.compiler(), "-print-file-name=libclang_rt.asan-x86_64.so"],
                             check=True, capture_output=True, text=True).stdout.strip()
    assert pathlib.Path(library).is_file(), "no library of AddressSanitizer's: tools/bootstrap clang"
    # Python's own allocator would hide where an object ends.
    environment = {**os.environ, "LD_PRELOAD": library, "TTCPU_SANITIZE": "1", "PYTHONMALLOC": "malloc",
                   "ASAN_OPTIONS": "detect_leaks=0", "TRITON_CACHE_DIR": str(tmp_path / "cache"),
                   "PYTHONPATH": f"{PACKAGE}:{HERE}"}
    return subprocess.run([sys.executable, *command], env=environment, capture_output=True, text=True)


def test_a_place_behind_an_array_is_noticed(tmp_path):
    done = sanitized(["-c", SCRIPT, "64"], tmp_path)
    assert (done.returncode, done.stdout) == (0, "True\n"), done.stderr[-2000:]
    done = sanitized(["-c", SCRIPT, "128"], tmp_path)
    assert done.returncode != 0 and "AddressSanitizer: heap-buffer-overflow" in done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("module", ["elementwise", "casts", "memory", "reductions", "sorting", "products", "atomics", "flow"])
def test_kernels_have_no_undefined_behaviour(module, tmp_path):
    done = sanitized(["-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider", str(HERE / f"test_{module}.py")], tmp_path)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
