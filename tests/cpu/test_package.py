"""The folder third_party/cpu is a distribution by itself."""

import pathlib
import shutil
import subprocess
import sys

import pytest

from processes import HERE, environment
from test_tool import ADD

ROOT = HERE.parents[1]


@pytest.mark.slow
def test_pip_installs_the_folder_alone(tmp_path):
    source = tmp_path / "source"
    shutil.copytree(ROOT / "third_party/cpu", source)
    subprocess.run([sys.executable, "-m", "venv", tmp_path / "venv"], check=True)
    site = next((tmp_path / "venv/lib").glob("python3.*/site-packages"))
    # Triton and what builds the distribution come from the packages of these tests.
    import triton
    (site / "tests.pth").write_text(str(pathlib.Path(triton.__file__).parents[1]))
    python = tmp_path / "venv/bin/python"
    subprocess.run([python, "-m", "pip", "install", "--quiet", "--no-build-isolation", "--no-deps", "--no-index", source],
                   check=True)
    script = "import kernels_plain, triton_cpu; print(kernels_plain.doubled([1, 2, 3, 4]), triton_cpu.__file__)"
    done = subprocess.run([python, "-c", script], env=environment(tmp_path / "cache", path=()), capture_output=True,
                          text=True, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout == f"[2.0, 4.0, 6.0, 8.0] {site}/triton_cpu/__init__.py\n"
    command = [site / "triton_cpu/ttcpu", "run", "-", "f32[4]=arange", "f32[4]=1", "f32[4]:out", "i32=4"]
    done = subprocess.run(command, input=ADD, capture_output=True, text=True, cwd=tmp_path)
    assert done.stdout == "1 2 3 4\n", done.stderr
