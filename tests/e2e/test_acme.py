"""What acme's overrides do in the built programs, each beside what the plain trunk does without it."""

import pytest
import ttir_inputs
from support.toy import Run
from support_ir import attributes_of, function

# --- TableGen -------------------------------------------------------------------------------------


@pytest.mark.parametrize("name, warps, threads", [("plain", 4, 32), ("acme", 8, 64)])
def test_td_at_the_top(request, name, warps, threads):
    after = request.getfixturevalue(name).opt(ttir_inputs.generic_ttir("vector_add"),
                                              "--convert-triton-to-tritongpu")
    assert f'"ttg.num-warps" = {warps} : i32' in after
    assert f'"ttg.threads-per-warp" = {threads} : i32' in after


def test_td_nested_by_bare_name(plain, acme):
    body = ['%0 = "tt.load"(%a0) <{cachePolicy = #tt.cache_policy<cache_modifier = nc, eviction_policy = '
            "evict_normal>, isVolatile = false, operandSegmentSizes = array<i32: 1, 0, 0>}> : "
            "(!tt.ptr<f32>) -> f32"]
    text = function(body, "!tt.ptr<f32>")
    assert "cache_modifier = nc" in acme.opt(text)
    assert "cache_modifier" in plain.opt_error(text)
    assert plain.opt(text.replace("= nc", "= cv"))


@pytest.mark.parametrize("name, flags", [("plain", "none"), ("acme", "nsw")])
def test_td_below_lib(request, name, flags):
    body = ['%0 = "tt.addptr"(%a0, %a1) : (!tt.ptr<f32>, i32) -> !tt.ptr<f32>',
            '%1 = "tt.addptr"(%0, %a1) : (!tt.ptr<f32>, i32) -> !tt.ptr<f32>',
            '"tt.store"(%1, %a2) : (!tt.ptr<f32>, f32) -> ()']
    after = request.getfixturevalue(name).opt(function(body, "!tt.ptr<f32>", "i32", "f32"), "--triton-combine")
    assert f"overflowFlags = #arith.overflow<{flags}>" in after


# --- headers --------------------------------------------------------------------------------------


def sum_of(shape):
    """A module that sums a tensor of floats along its only dimension, and one warp for it."""
    tile = f"tensor<{shape}xf32>"
    return [f'%0 = "tt.reduce"(%a0) <{{axis = 0 : i32}}> ({{', "^bb0(%l: f32, %r: f32):",
            '  %s = "arith.addf"(%l, %r) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32',
            '  "tt.reduce.return"(%s) : (f32) -> ()', f"}}) : ({tile}) -> f32"], tile


def scratch_bytes(build, body, *types, warps=None):
    """The shared memory of each operation that got some."""
    attributes = f'"ttg.num-warps" = {warps} : i32' if warps else ""
    after = build.opt(function(body, *types, attributes=attributes), "--allocate-shared-memory")
    return [n for op in ("tt.reduce", "tt.scan", "tt.dot") for n in attributes_of(after, op, "ttg.scratch-bytes")]


def region_scratch(build, kernel, *passes):
    """(bytes, offset) of each piece of shared memory of a kernel, in the order of the text."""
    after = build.opt(ttir_inputs.generic_ttir(kernel), *passes, "--allocate-shared-memory")
    lines = [line for line in after.splitlines() if "ttg.scratch-bytes" in line]
    return [(attributes_of(f'"x"({line}', "x", "ttg.scratch-bytes")[0],
             attributes_of(f'"x"({line}', "x", "ttg.scratch-offset")[0]) for line in lines]


def test_header_reached_through_another(plain, acme):
    """TargetInfoBase.h: eight warps where the module tells no number, so as many bytes as with eight."""
    for build, warps in ((plain, 4), (acme, 8)):
        told = region_scratch(build, "softmax", f"--convert-triton-to-tritongpu=num-warps={warps}")
        assert region_scratch(build, "softmax") == told
        assert region_scratch(build, "softmax", "--convert-triton-to-tritongpu=num-warps=16") != told


def test_header_below_lib(plain, acme):
    """ReduceScanCommon.h: two partial results of 4 bytes for each of 16 warps instead of one."""
    passes = "--convert-triton-to-tritongpu=num-warps=16"
    assert [size for size, _ in region_scratch(plain, "softmax", passes)] == [64, 64]
    assert [size for size, _ in region_scratch(acme, "softmax", passes)] == [128, 128]


def test_header_beside_its_includer(plain, acme):
    """Allocation.h, which the trunk's Membar.h includes from beside itself: alignment of 128 bytes, not 16."""
    passes = "--convert-triton-to-tritongpu=num-warps=1"
    assert [offset for _, offset in region_scratch(plain, "softmax", passes)] == [0, 16]
    assert [offset for _, offset in region_scratch(acme, "softmax", passes)] == [0, 128]


def test_header_through_dots(plain, acme):
    """PatternTritonGPUOpToLLVM.h, which the trunk's DotOpToLLVM/FMA.cpp includes by `../`: pieces of 32 bytes."""
    tile = "tensor<2x2xf16>"
    body = [f'%0 = "tt.dot"(%a0, %a0, %a0) : ({tile}, {tile}, {tile}) -> {tile}']
    size = 2 * 2 * (2 + 4) * 2  # two operands, rows padded by four elements
    for build, expected in ((plain, size), (acme, 64)):
        after = build.opt(function(body, tile), "--allocate-shared-memory")
        assert attributes_of(after, "tt.dot", "ttg.scratch-bytes") == [expected]


def test_header_from_the_root(plain, acme):
    """bin/RegisterTritonDialects.h: a pipeline of acme's."""
    text = ttir_inputs.generic_ttir("matmul")
    after = acme.opt(text, "--acme-pipeline")
    assert '"ttg.num-warps" = 8 : i32' in after and "ttg.shared" in after
    assert "acme-pipeline" in plain.opt_error(text, "--acme-pipeline")


# --- sources and what they need -------------------------------------------------------------------


def test_source_with_additions(plain, acme):
    """Coalesce.cpp calls an added source, which needs a definition, an include folder and a library."""
    text = ttir_inputs.generic_ttir("vector_add")
    after = acme.opt(text, "--tritongpu-coalesce")
    assert 'acme.chip = "roadrunner"' in after and "acme.revision = 7 : i32" in after
    checksum = 1, 0
    for byte in b"vector_add":
        checksum = (checksum[0] + byte) % 65521, (checksum[1] + checksum[0] + byte) % 65521
    assert f"acme.checksum = {checksum[1] << 16 | checksum[0]} : i64" in after
    without = plain.opt(text, "--tritongpu-coalesce")
    assert "acme" not in without
    assert [attributes_of(out, "tt.load", "ttg.vector-width") for out in (after, without)] == [[4, 4]] * 2


def test_removed_source_and_its_replacement(plain, acme):
    """ScanOpToLLVM.cpp is not compiled; the added AcmeScan.cpp has its function."""
    assert [size for size, _ in region_scratch(plain, "scan")] == [128]
    assert region_scratch(acme, "scan") == []


INFO = [  # what triton-info prints, without and with acme, and the override that makes it so
    ("version", "3.9+mini", "3.9+acme"),                 # cmake/TritonVersion.cmake
    ("build", "3.9+mini with assertions", "3.9+acme for the roadrunner"),  # lib/Tools/BuildInfo.cpp
    ("flavour", "stock", "acme"),                        # lib/Tools/detail/Flavour.h
    ("targets", "cuda:32,hip:64", "cuda:32,hip:64,acme:64,acme_sim:1"),  # Targets.def and ExtraTargets.def
    ("stages", "ttir,ttgir,llir", "ttir,ttgir,llir,acmebin"),  # lib/Tools/Stages.inc
    ("layout-max-bits", "20", "24"),                     # lib/Tools/CMakeLists.txt
    ("default-target", "cuda", "acme"),                  # lib/Tools/CMakeLists.txt
    ("swizzle-banks", "32", "64"),                       # GenericSwizzling.cpp with LayoutTypes.h
]


@pytest.mark.parametrize("name, without, with_acme", INFO)
def test_small_libraries(plain, acme, name, without, with_acme):
    assert (plain.info()[name], acme.info()[name]) == (without, with_acme)


def test_small_libraries_differ_in_nothing_else(plain, acme):
    before, after = plain.info(), acme.info()
    assert {name for name in before.keys() | after.keys() if before.get(name) != after.get(name)} == {
        name for name, _, _ in INFO}


@pytest.mark.parametrize("value, without, with_acme", [
    ("On", "on", "on"),
    (" on ", "off", "on"),     # lib/Tools/StrUtil.cpp
    ("enabled", "off", "on"),  # include/triton/Tools/Sys/GetEnv.hpp
    ("no", "off", "off"),
])
def test_source_and_header_of_one_answer(plain, acme, value, without, with_acme):
    assert plain.info(TRITON_DEBUG=value)["debug"] == without
    assert acme.info(TRITON_DEBUG=value)["debug"] == with_acme


def test_source_of_another_third_party(plain, acme):
    said = {build: Run([build.path / "bin/triton-info"], env={**build.env, "ACME_TRACE": "1"}).expect(0).text
            for build in (plain, acme)}
    assert "acme: rank of 3 rows" in said[acme] and "rank of" not in said[plain]


def test_source_of_a_program_made_last(plain, acme):
    names = {build: Run([build.path / "bin/triton-libs"]).expect(0).out for build in (plain, acme)}
    assert len(names[plain].splitlines()) == 1 and len(names[acme].splitlines()) == 8
    assert set(names[plain].split()) == set(names[acme].split())


def test_program_that_is_built_by_name_only(plain, acme):
    """triton-tensor-layout, outside of `all`, takes LinearLayout.cpp's definition from acme's CMakeLists.txt."""
    limits = {build: Run([build.path / "bin/triton-tensor-layout", "30", "30"]).expect(2).text
              for build in (plain, acme)}
    assert "from 0 to 20 together" in limits[plain] and "from 0 to 24 together" in limits[acme]


# --- unit tests -----------------------------------------------------------------------------------


def ctest(build, *arguments):
    return Run(["ctest", "--test-dir", build.path, "--no-tests=error", *arguments], env=build.env).expect(0).out


def test_unit_tests(plain, acme):
    """ToolsTest.cpp is acme's, and its CMakeLists.txt adds a test of its own."""
    assert "100% tests passed, 0 tests failed out of 2" in ctest(plain)
    assert "100% tests passed, 0 tests failed out of 3" in ctest(acme)
    assert "acme's checks ran" in ctest(acme, "--verbose", "-R", "TestTritonTools")
    assert "acme's checks ran" not in ctest(plain, "--verbose", "-R", "TestTritonTools")


def test_cmake_module(plain, acme):
    """cmake/AddTritonUnitTest.cmake labels every test."""
    assert "acme" in ctest(acme, "--print-labels")
    assert "No Labels Exist" in ctest(plain, "--print-labels")
