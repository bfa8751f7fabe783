"""Python in processes of its own, which find the package of the build folder and the modules of this one."""

import os
import pathlib
import subprocess
import sys
import textwrap

import triton_cpu

HERE = pathlib.Path(__file__).parent
PACKAGE = pathlib.Path(triton_cpu.__file__).parents[1]


def environment(cache, path=(PACKAGE,), **variables):
    """This process's variables without those of Triton, of the backend and of Python, with a cache of kernels."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("TRITON", "TTCPU", "PYTHON"))}
    return {**kept, "PYTHONPATH": os.pathsep.join(map(str, (*path, HERE))), "TRITON_CACHE_DIR": str(cache), **variables}


def python(script, folder, path=(PACKAGE,), timeout=300, **variables):
    """Runs Python in a folder, with its cache of kernels there and that path; timeout is in seconds."""
    return subprocess.run([sys.executable, "-c", textwrap.dedent(script)], cwd=folder, capture_output=True, text=True,
                          env=environment(folder / "cache", path, **variables), timeout=timeout)
