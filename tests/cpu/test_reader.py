"""The cpu backend's reader on what two versions of Triton make of kernels of our own.

Each text is the module in MLIR's generic form, with and without locations (see generic.py). `ttcpu cat`
must print every byte of it again, and so must mlir-opt where there is one.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys

import pytest

from support.toy import clean_environment
from support.trunks import NEWEST, OLDER, path_of

HERE = pathlib.Path(__file__).parent
ROOT = HERE.parents[1]
# Kernels that use what that version's front end lacks.
LACKING = {NEWEST: set(), OLDER: {"small_constants", "waiting"}}

# Operations that the kernels must bring before the reader, whichever the version.
WANTED = set("""
    arith.addf arith.addi arith.andi arith.cmpf arith.cmpi arith.constant arith.divf arith.divsi arith.divui
    arith.extf arith.extsi arith.extui arith.fptosi arith.fptoui arith.maximumf arith.maxnumf arith.maxsi
    arith.maxui arith.minimumf arith.minnumf arith.minsi arith.minui arith.mulf arith.muli
    arith.ori arith.remf arith.remsi arith.remui arith.select arith.shli arith.shrsi arith.shrui arith.sitofp
    arith.subf arith.subi arith.truncf arith.trunci arith.uitofp arith.xori builtin.module cf.cond_br
    llvm.intr.assume math.absf math.absi math.ceil math.cos math.erf math.exp math.exp2 math.floor math.fma
    math.log math.log2 math.rsqrt math.sin math.sqrt scf.condition scf.for scf.if scf.while scf.yield
    tt.addptr tt.assert tt.atomic_cas tt.atomic_rmw tt.bitcast tt.broadcast tt.call tt.cat tt.clampf
    tt.descriptor_gather tt.descriptor_load tt.descriptor_reduce tt.descriptor_scatter tt.descriptor_store
    tt.dot tt.dot_scaled tt.elementwise_inline_asm tt.expand_dims tt.extern_elementwise tt.fp_to_fp tt.func
    tt.gather tt.get_num_programs tt.get_program_id tt.histogram tt.int_to_ptr tt.join tt.load
    tt.make_range tt.make_tensor_descriptor tt.map_elementwise tt.map_elementwise.return tt.mulhiui
    tt.precise_divf tt.precise_sqrt tt.print tt.ptr_to_int tt.reduce tt.reduce.return tt.reshape tt.return
    tt.scan tt.scan.return tt.splat tt.split tt.store tt.trans tt.unsplat
""".split())


def environment(version):
    made = clean_environment()
    made.update(PYTHONPATH=os.pathsep.join(map(str, path_of(version))), PYTHONDONTWRITEBYTECODE="1")
    return made


@pytest.fixture(scope="module", params=LACKING)
def texts(request, tmp_path_factory):
    """(the version, {kernel: its text}, {kernel: why there is none}) of one version of Triton."""
    out = tmp_path_factory.mktemp("generic")
    done = subprocess.run([sys.executable, "-W", "ignore", HERE / "generic.py", out], text=True,
                          env=environment(request.param), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert done.returncode == 0, done.stderr
    refused = dict(line.split(" ", 1) for line in done.stdout.splitlines() if not line.endswith(" ok"))
    return request.param, {path.name: path.read_bytes() for path in sorted(out.iterdir())}, refused


@pytest.fixture(scope="session")
def ttcpu(triton_spec):
    """Path of the built program, beside triton-spec's folder."""
    path = triton_spec.parents[1] / "third_party/cpu/tool/ttcpu"
    assert path.is_file(), f"{path} does not exist: build it with `make build`"
    return path


def cat(ttcpu, text, *options):
    return subprocess.run([ttcpu, "cat", *options, "-"], input=text, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, env=clean_environment())


def test_every_kernel_is_read(texts):
    version, kernels, refused = texts
    assert set(refused) == LACKING[version], refused
    assert len(kernels) >= 2 * 25


def test_what_is_read_is_printed_again(texts, ttcpu):
    for name, text in texts[1].items():
        done = cat(ttcpu, text)
        assert (done.returncode, done.stderr) == (0, b""), name
        assert done.stdout == text, name


def test_the_kernels_bring_these_operations(texts, ttcpu):
    found = set()
    for text in texts[1].values():
        found |= {line.split()[1].decode() for line in cat(ttcpu, text, "--stats").stdout.splitlines()}
    assert WANTED - found == set()


def test_mlir_prints_the_same(texts, tmp_path):
    """All of a version in one run. The attribute that makes the modules invalid gets a prefix: mlir-opt
    would refuse them."""
    mlir_opt = shutil.which("mlir-opt-22") or shutil.which("mlir-opt")
    if mlir_opt is None:
        pytest.skip("no mlir-opt: tools/bootstrap mlir")
    plain = [text.decode().replace("}) {generic} :", "}) {a.generic} :") for name, text in texts[1].items()
             if not name.endswith(".debug.mlir")]
    (tmp_path / "all.mlir").write_text("// -----\n".join(plain))
    done = subprocess.run(
        [mlir_opt, "--allow-unregistered-dialect", "--mlir-print-op-generic", "--split-input-file",
         tmp_path / "all.mlir"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert done.returncode == 0, done.stderr
    printed = [part.strip() for part in done.stdout.split("// -----")]
    assert printed == [text.strip() for text in plain]


@pytest.mark.parametrize("change, message", [
    (lambda text: text.replace(b"arith.addf", b"arith.added"), b"op 'arith.added': the compiler does not"),
    (lambda text: text.replace(b"end = 128", b"end = 127"), b"op 'tt.make_range': from 0 to 127 there are"),
    (lambda text: re.sub(rb"\(%\d+, %\d+\)", b"(%0, %999)", text, count=1), b"'%999' is used and not"),
    (lambda text: text[:len(text) // 2], b""),
])
def test_what_is_wrong_is_refused_with_its_place(texts, ttcpu, change, message):
    done = cat(ttcpu, change(texts[1]["elementwise.mlir"]))
    assert done.returncode == 1 and done.stdout == b""
    assert re.match(rb"<stdin>:\d+:\d+: ", done.stderr) and message in done.stderr


def test_wrong_use_is_status_2(ttcpu, tmp_path):
    for arguments in ([], ["compile", "x"], ["cat"], ["cat", "--check", "--stats", "-"], ["cat", tmp_path / "no"]):
        done = subprocess.run([ttcpu, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        assert done.returncode == 2 and done.stderr != b"" and done.stdout == b"", arguments


def test_a_triton_without_the_generic_form_is_named(tmp_path):
    """What happens on a version whose printer no longer falls back, nor has the option: an error that says
    which."""
    script = ("import generic\n"
              "from triton_cpu import _generic\n"
              "_generic.by_option = lambda pretty: ''\n"
              "class Module:\n"
              "    context = generic.ir.context()\n"
              "    def set_attr(self, name, value): pass\n"
              "    def str_nodebug(self): return 'module {\\n}\\n'\n"
              "generic.ir.load_dialects(Module.context)\n"
              "try: generic.generic_text(Module(), generic.ir)\n"
              "except generic.NoGenericForm as error: print(error)\n")
    done = subprocess.run([sys.executable, "-c", script], cwd=HERE, env=environment(NEWEST), text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert "prints an invalid module in another form than MLIR's generic" in done.stdout, done.stderr
    assert "does not know this version of Triton" in done.stdout
