"""The kernels of kernels.py as linalg: MLIR's own tool verifies what `ttcpu compile --to linalg` prints, and
`ttcpu-mlir` compiles it."""

import pathlib
import re
import shutil
import subprocess
import sys

import pytest

from support.toy import clean_environment

HERE = pathlib.Path(__file__).parent


@pytest.fixture(scope="session")
def programs(triton_spec):
    """The folder with the programs of the cpu backend, below it tool/ttcpu and mlir/ttcpu-mlir."""
    return triton_spec.parents[1] / "third_party/cpu"


@pytest.fixture(scope="module")
def linalg(programs, tmp_path_factory):
    """({kernel: its linalg}, {kernel: why it is refused})."""
    folder = tmp_path_factory.mktemp("lowered")
    environment = {**clean_environment(), "PYTHONDONTWRITEBYTECODE": "1"}
    subprocess.run([sys.executable, "-W", "ignore", HERE / "generic.py", folder, "--lowered"], check=True,
                   env=environment, stdout=subprocess.PIPE)
    texts, refused = {}, {}
    for path in sorted(folder.iterdir()):
        done = subprocess.run([programs / "tool/ttcpu", "compile", "--to", "linalg", path], text=True,
                              env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        if done.returncode == 0:
            texts[path.stem] = done.stdout
        else:
            refused[path.stem] = done.stderr
    return texts, refused


@pytest.fixture(scope="module")
def ttcpu_mlir(programs):
    path = programs / "mlir/ttcpu-mlir"
    if not path.is_file():
        pytest.skip("ttcpu-mlir is not built, for want of MLIR 22: tools/bootstrap mlir")
    return path


def test_every_kernel_but_assembly_has_a_form(linalg):
    texts, refused = linalg
    assert len(texts) >= 27
    assert set(refused) == {"assembly"} and "PTX inline assembly cannot run on a CPU" in refused["assembly"]


def test_mlir_verifies_it_and_reads_it_again(linalg, tmp_path):
    mlir_opt = shutil.which("mlir-opt-22") or shutil.which("mlir-opt")
    if mlir_opt is None:
        pytest.skip("no mlir-opt: tools/bootstrap mlir")
    (tmp_path / "0.mlir").write_text("\n// -----\n".join(linalg[0].values()))
    for turn in range(2):
        done = subprocess.run([mlir_opt, "--split-input-file", tmp_path / f"{turn}.mlir", "-o",
                               tmp_path / f"{turn + 1}.mlir"], stderr=subprocess.PIPE, text=True)
        assert done.returncode == 0, done.stderr[:4000]
    assert (tmp_path / "1.mlir").read_text() == (tmp_path / "2.mlir").read_text()
    assert (tmp_path / "1.mlir").read_text().count("llvm.emit_c_interface") == len(linalg[0])


def test_nests_reductions_and_dots_are_generics(linalg):
    texts, _ = linalg
    for name, wanted in {
            "elementwise": r'iterator_types = \["parallel"\]',
            "reductions": r'iterator_types = \["reduction", "parallel"\]',
            "matmul": r'iterator_types = \[("parallel", )+"reduction"(, "parallel")+\]',
            "control": r"scf\.while", "blocks": r"cf\.cond_br", "random": r"arith\.mului_extended",
            "atomics": r"llvm\.atomicrmw", "descriptors": r"scf\.if",
            "messages": r"func\.call @ttx_tt_print_float", "device_functions": r"func\.call @ttx_powf"}.items():
        assert re.search(wanted, texts[name]), f"{name} lacks {wanted}:\n{texts[name]}"


def compile_linalg(ttcpu_mlir, text, folder):
    return subprocess.run([ttcpu_mlir, "-", "--object", folder / "kernel.o", "--stub", folder / "kernel.c"],
                          input=text, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


@pytest.mark.parametrize("text, message", [
    ("module {", "it is no module of MLIR"),
    ("module {}", "the module has 0 functions with 'params' and 'frame'"),
    ("func.func private @f()", "'f' is declared and has no body"),
    ("func.func private @ttx_f(index)", "'ttx_f' has a type that C cannot pass"),
])
def test_what_is_no_kernel_is_refused(ttcpu_mlir, tmp_path, text, message):
    done = compile_linalg(ttcpu_mlir, text, tmp_path)
    assert done.returncode == 1 and message in done.stderr
    assert not (tmp_path / "kernel.o").exists()


def test_wrong_use_is_status_2(ttcpu_mlir, tmp_path):
    for arguments in ([], ["x"], ["--object", "a", "--stub"], [tmp_path / "no", "--object", "a", "--stub", "b"]):
        done = subprocess.run([ttcpu_mlir, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        assert done.returncode == 2 and done.stderr != b"" and done.stdout == b"", arguments
