"""The small trunk, built without any override, does what the tests of overrides compare against.

Nothing is built here: every test takes the finished build folder.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import ttir_inputs
from support_ir import attributes_of, count, function

TRUNK = Path(__file__).resolve().parents[1] / "trunk"
KERNELS = sorted(ttir_inputs.KERNELS)


@pytest.fixture(scope="session")
def plain_trunk(plain):
    """Build folder of the small trunk without overrides."""
    return plain.path


@pytest.fixture
def triton_opt(plain_trunk):
    """Run triton-opt on text: returns what it prints in the generic form, or its errors if it is to fail."""

    def run(text, *passes, fails=False):
        command = [plain_trunk / "bin" / "triton-opt", "--mlir-print-op-generic", *passes, "-"]
        done = subprocess.run(command, input=text, capture_output=True, text=True)
        assert (done.returncode != 0) == fails, done.stderr
        return done.stderr if fails else done.stdout

    return run


@pytest.fixture(scope="session")
def installed(plain_trunk, tmp_path_factory):
    """Run Python code with the installed package on the path; returns what it prints."""
    prefix = tmp_path_factory.mktemp("installed")
    subprocess.run(["cmake", "--install", plain_trunk, "--prefix", prefix], check=True, capture_output=True)

    def run(code, *arguments):
        # pytest itself may run under a path that holds another triton.
        environment = {**os.environ, "PYTHONPATH": str(prefix)}
        done = subprocess.run([sys.executable, "-c", code, *arguments], env=environment, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout

    run.prefix = prefix
    return run


# Reading and writing


@pytest.mark.parametrize("kernel", KERNELS)
def test_generic_form_survives(triton_opt, kernel):
    text = ttir_inputs.generic_ttir(kernel)
    assert triton_opt(text).rstrip("\n") == text.rstrip("\n")


@pytest.mark.parametrize("kernel", KERNELS)
def test_pretty_form_is_read_back(plain_trunk, triton_opt, kernel):
    text = ttir_inputs.generic_ttir(kernel)
    pretty = subprocess.run([plain_trunk / "bin" / "triton-opt", "-"], input=text, capture_output=True, text=True,
                            check=True).stdout
    assert pretty != text
    assert triton_opt(pretty).rstrip("\n") == text.rstrip("\n")


def test_inputs_use_the_whole_dialect():
    definitions = (TRUNK / "include/triton/Dialect/Triton/IR/TritonOps.td").read_text()
    defined = {f"tt.{name}" for name in re.findall(r'\bTT_\w+<"([a-z_.]+)"', definitions)}
    seen = {name for kernel in KERNELS for name in count(ttir_inputs.generic_ttir(kernel)) if name.startswith("tt.")}
    assert defined - seen == {"tt.cat", "tt.unsplat"}, "no kernel makes these two"


def test_unregistered_operation_is_refused(triton_opt):
    assert "tt.unknown" in triton_opt(function(['"tt.unknown"() : () -> ()']), fails=True)


def test_size_of_tensor_is_checked(triton_opt):
    body = ['%0 = "tt.splat"(%a0) : (i32) -> tensor<3xi32>']
    assert "must be a power of two, but the type of a result has 3" in triton_opt(function(body, "i32"), fails=True)


def test_callee_is_checked(triton_opt):
    body = ['"tt.call"() <{callee = @absent}> : () -> ()']
    assert "there is no function 'absent'" in triton_opt(function(body), fails=True)


# Passes


@pytest.mark.parametrize("kernel", KERNELS)
def test_operations_are_counted(triton_opt, kernel):
    text = ttir_inputs.generic_ttir(kernel)
    counts = re.search(r'"ttg\.op-counts" = \{([^}]*)\}', triton_opt(text, "--tritongpu-count-ops"))[1]
    found = {name: int(number) for name, number in re.findall(r"([a-z_.]+) = (\d+) : i32", counts)}
    assert found == {name: number for name, number in count(text).items() if name.startswith("tt.")}


def test_pointer_offsets_are_merged(triton_opt):
    body = ['%0 = "tt.addptr"(%a0, %a1) : (!tt.ptr<f32>, i32) -> !tt.ptr<f32>',
            '%1 = "tt.addptr"(%0, %a1) : (!tt.ptr<f32>, i32) -> !tt.ptr<f32>',
            '"tt.store"(%1, %a2) : (!tt.ptr<f32>, f32) -> ()']
    text = function(body, "!tt.ptr<f32>", "i32", "f32")
    after = count(triton_opt(text, "--triton-combine"))
    assert (after["tt.addptr"], after["arith.addi"]) == (1, 1)
    mixed = text.replace("(%0, %a1) : (!tt.ptr<f32>, i32)", "(%0, %a3) : (!tt.ptr<f32>, i64)")
    mixed = mixed.replace("f32) -> (), sym", "f32, i64) -> (), sym").replace("%a2: f32", "%a2: f32, %a3: i64")
    assert count(triton_opt(mixed, "--triton-combine"))["tt.addptr"] == 2


@pytest.mark.parametrize("start, dots", [("0.0", 0), ("1.0", 1)])
def test_sum_joins_product_of_zero_start(triton_opt, start, dots):
    tile = "tensor<16x16xf32>"
    body = [f'%0 = "arith.constant"() <{{value = dense<{start}> : {tile}}}> : () -> {tile}',
            f'%1 = "tt.dot"(%a0, %a0, %0) : ({tile}, {tile}, {tile}) -> {tile}',
            f'%2 = "arith.addf"(%1, %a1) : ({tile}, {tile}) -> {tile}',
            f'"tt.store"(%a2, %2) : (tensor<16x16x!tt.ptr<f32>>, {tile}) -> ()']
    after = count(triton_opt(function(body, tile, tile, "tensor<16x16x!tt.ptr<f32>>"), "--triton-combine"))
    assert (after["tt.dot"], after["arith.addf"]) == (1, dots)


def test_broadcast_moves_behind_elementwise(triton_opt):
    narrow, wide = "tensor<1x32xf32>", "tensor<8x32xf32>"
    body = [f'%0 = "tt.broadcast"(%a0) : ({narrow}) -> {wide}',
            f'%1 = "tt.splat"(%a1) : (f32) -> {wide}',
            f'%2 = "arith.mulf"(%0, %1) : ({wide}, {wide}) -> {wide}',
            f'"tt.store"(%a2, %2) : (tensor<8x32x!tt.ptr<f32>>, {wide}) -> ()']
    after = triton_opt(function(body, narrow, "f32", "tensor<8x32x!tt.ptr<f32>>"), "--triton-reorder-broadcast")
    assert f": ({narrow}, {narrow}) -> {narrow}" in after
    assert count(after)["tt.broadcast"] == 1


@pytest.mark.parametrize("kernel, loads, stores", [
    ("vector_add", [4, 4], [4]),  # neighbours of 32 bits in accesses of 128
    ("gather", [4, 4], [4]),
    ("matmul", [1, 1], [4]),  # nothing is known of pointers that a loop carries
])
def test_accesses_get_their_width(triton_opt, kernel, loads, stores):
    after = triton_opt(ttir_inputs.generic_ttir(kernel), "--tritongpu-coalesce")
    assert attributes_of(after, "tt.load", "ttg.vector-width") == loads
    assert attributes_of(after, "tt.store", "ttg.vector-width") == stores


def test_tiles_get_a_layout(triton_opt):
    after = triton_opt(ttir_inputs.generic_ttir("matmul"), "--convert-triton-to-tritongpu=num-warps=8")
    assert '"ttg.num-warps" = 8 : i32' in after and '"ttg.threads-per-warp" = 32 : i32' in after
    dot = next(line for line in after.splitlines() if '"tt.dot"(' in line)
    assert "threadsPerWarp = [1, 32], warpsPerCTA = [4, 2], order = [1, 0]" in dot


def test_odd_number_of_warps_is_refused(triton_opt):
    text = ttir_inputs.generic_ttir("matmul")
    assert "must be powers of two" in triton_opt(text, "--convert-triton-to-tritongpu=num-warps=3", fails=True)


def test_scratch_memory_is_placed(triton_opt):
    after = triton_opt(ttir_inputs.generic_ttir("softmax"), "--convert-triton-to-tritongpu=num-warps=8",
                       "--allocate-shared-memory")
    places = re.findall(r'"ttg\.scratch-bytes" = (\d+) : i64, "ttg\.scratch-offset" = (\d+)', after)
    assert places == [("32", "0"), ("32", "32")]  # 8 warps, 4 bytes each
    assert "ttg.shared = 64 : i64" in after


def test_barrier_comes_before_memory_is_used_again(triton_opt):
    body = [f'%{i} = "tt.dot"(%a0, %a0, %a0) : (tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>) -> '
            "tensor<16x16xf32>" for i in range(3)]
    after = triton_opt(function(body, "tensor<16x16xf32>"), "--allocate-shared-memory")
    size = 2 * 16 * (16 + 4) * 4  # two operands, rows padded by four floats
    assert attributes_of(after, "tt.dot", "ttg.scratch-bytes") == [size] * 3
    assert attributes_of(after, "tt.dot", "ttg.scratch-offset") == [0, size, 0]
    assert attributes_of(after, "ttg.barrier", "addrSpace") == [1]


def test_scan_needs_memory_along_the_last_axis_only(triton_opt):
    after = triton_opt(ttir_inputs.generic_ttir("scan"), "--allocate-shared-memory")
    assert after.count("ttg.scratch-bytes") == 1
    assert "ttg.shared = 128 : i64" in after  # 8 lines, 4 warps, 4 bytes


def test_noinline_function_stays(triton_opt):
    text = ttir_inputs.generic_ttir("noinline_call")
    assert count(triton_opt(text, "--inline"))["tt.call"] == 1
    assert count(triton_opt(text.replace("noinline = true", "noinline = false"), "--inline"))["tt.call"] == 0


# Everything around


def test_unit_tests_pass(plain_trunk):
    done = subprocess.run(["ctest", "--test-dir", plain_trunk, "--no-tests=error"], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
    assert "2 tests" in done.stdout or "out of 2" in done.stdout


def test_info_tells_of_every_small_library(plain_trunk):
    plugin = plain_trunk / "lib" / "Tools" / "libTritonPlugin.so"
    done = subprocess.run([plain_trunk / "bin" / "triton-info", plugin], env={"TRITON_DEBUG": "On"}, check=True,
                          capture_output=True, text=True)
    assert dict(line.split(" = ") for line in done.stdout.splitlines()) == {
        "version": "3.9+mini", "flavour": "stock", "build": "3.9+mini with assertions",
        "targets": "cuda:32,hip:64", "default-target": "cuda", "stages": "ttir,ttgir,llir",
        "checksum": "155452065", "layout-max-bits": "20", "layout-rank": "2", "swizzle-banks": "32",
        "swizzled-element": "33", "debug": "on", "plugin": "TritonPlugin",
    }


def test_every_library_is_listed(plain_trunk):
    names = subprocess.run([plain_trunk / "bin" / "triton-libs"], check=True, capture_output=True, text=True).stdout
    assert set(names.split()) == {
        "TritonAnalysis", "TritonGPUIR", "TritonGPUToLLVM", "TritonGPUTransforms", "TritonIR", "TritonToTritonGPU",
        "TritonTools", "TritonTransforms"}


def test_python_module_agrees_with_itself(installed):
    code = ("from triton._C import libtriton as l\n"
            "print(l.__version__, l.bindings_version, l.ir.bindings_version, l.passes.bindings_version,"
            " l.ir.dialect_versions(), l.backends)")
    assert installed(code) == "3.9+mini 1 1 1 {'tt': '3.9', 'ttg': '3.9'} []\n"


def test_python_module_prints_what_it_parsed(installed):
    text = ttir_inputs.generic_ttir("flash_attention")
    code = ("import sys\n"
            "from triton._C.libtriton import ir\n"
            "module = ir.parse_mlir_module(sys.argv[1], ir.context())\n"
            "again = ir.parse_mlir_module(str(module), module.context)\n"
            "assert again.verify()\n"
            "print(again.str_generic().rstrip())")
    assert installed(code, text) == text


KERNEL = '''
import triton, triton.language as tl

@triton.jit
def add(x, y, out, n, BLOCK):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + at, tl.load(x + at, at < n) + tl.load(y + at, at < n), at < n)

kernel = add.warmup(x="*fp32", y="*fp32", out="*fp32", n="i32", BLOCK=256, num_warps=2)
'''


def test_package_compiles_a_kernel(installed, tmp_path):
    script = tmp_path / "kernel.py"
    script.write_text(KERNEL + 'print(kernel.asm["ttgir"])\nassert len(add.cache_key) == 64\n')
    output = installed("import runpy, sys; runpy.run_path(sys.argv[1])", str(script))
    assert attributes_of(output, "tt.load", "ttg.vector-width") == [4, 4]
    assert '"ttg.num-warps" = 2 : i32' in output


def test_package_reads_its_data_file(installed, tmp_path):
    source = tmp_path / "kernel.mlir"
    source.write_text(ttir_inputs.generic_ttir("softmax"))
    code = "import sys; from triton.tools.compile import main; sys.exit(main(sys.argv[1:]))"
    assert "const int softmax_shared = 32;" in installed(code, str(source), "softmax")
