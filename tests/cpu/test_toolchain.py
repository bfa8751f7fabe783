"""The C compiler's part: precompiled headers that save time and never fail a kernel, and the linker by itself."""

import subprocess
import sys

import pytest

from processes import environment

TEXT = '#include "ttrt.h"\n#include "ttrt_math.h"\nfloat half(float x) { return tt_exp_f32(x) / 2; }\n'


@pytest.fixture
def cache(extension, tmp_path, monkeypatch):
    """The folder of precompiled headers, in a cache of this test's own."""
    from triton import knobs
    from triton_cpu import _headers
    monkeypatch.setattr(knobs.cache, "dir", str(tmp_path / "cache"))
    monkeypatch.setattr(_headers, "_failed", set())
    return tmp_path / "cache/cpu-headers"


def build(text=TEXT, **options):
    from triton_cpu import _toolchain
    library = _toolchain.build(text, **options)
    assert library.startswith(b"\x7fELF")
    return library


def test_headers_are_precompiled_once_for_each_set_of_flags(cache):
    with_them = build()
    made = {path: path.stat().st_ino for path in cache.iterdir()}
    assert [path.suffix for path in made] == [".pch"]
    build(TEXT + "int more;\n")
    assert {path: path.stat().st_ino for path in cache.iterdir()} == made
    build(fp_fusion=False)
    assert len(list(cache.iterdir())) == 2
    assert b"tt_exp" not in with_them


def test_headers_are_used(cache, monkeypatch):
    from triton_cpu import _toolchain
    ran, run = [], _toolchain._run
    monkeypatch.setattr(_toolchain, "_run", lambda arguments: ran.append(run(arguments) + (arguments,)) or ran[-1][:2])
    build()
    assert [status for status, _, arguments in ran if "-include-pch" in arguments] == [0]
    assert sum("-c" in arguments for _, _, arguments in ran) == 1


def test_a_kernel_without_functions_makes_no_precompiled_header(cache):
    build('#include "ttrt.h"\nint one(void) { return 1; }\n')
    assert not cache.exists()


def test_a_precompiled_header_that_is_refused_is_made_anew_by_the_next_process(cache, monkeypatch):
    from triton_cpu import _headers
    build()
    path, = cache.iterdir()
    path.write_bytes(path.read_bytes()[:1000])
    build()
    assert not path.exists()
    monkeypatch.setattr(_headers, "_failed", set())
    build()
    assert path.stat().st_size > 1000


def test_without_a_place_for_them_headers_are_included(cache, tmp_path):
    (tmp_path / "cache").write_text("a file where the folder would be")
    build()


def test_what_the_compiler_refuses_is_told_and_costs_no_precompiled_header(cache):
    from triton_cpu import _toolchain
    with pytest.raises(_toolchain.ToolchainError, match="undeclared identifier 'nowhere'"):
        build(TEXT + "int bad(void) { return nowhere; }\n")
    assert [path.suffix for path in cache.iterdir()] == [".pch"]


def test_sanitized_kernels_include_the_headers(cache, monkeypatch):
    monkeypatch.setenv("TTCPU_SANITIZE", "1")
    build()
    assert not cache.exists()


def test_processes_at_once_share_a_precompiled_header(cache, tmp_path):
    script = f"from triton_cpu import _toolchain\n_toolchain.build({TEXT!r})"
    running = [subprocess.Popen([sys.executable, "-c", script], env=environment(tmp_path / "cache")) for _ in range(4)]
    assert [process.wait() for process in running] == [0] * 4
    assert [path.suffix for path in cache.iterdir()] == [".pch"]


def test_a_kernel_that_needs_the_compilers_library_is_linked_by_the_compiler(cache):
    import ctypes
    library = build('#include "ttrt.h"\nint64_t third(int64_t x) { return (int64_t)((__int128)x * x / (x - x / 2)); }\n')
    path = cache.parent.parent / "third.so"
    path.write_bytes(library)
    function = ctypes.CDLL(str(path)).third
    function.argtypes, function.restype = [ctypes.c_int64], ctypes.c_int64
    assert function(1 << 40) == 1 << 41


def test_without_a_linker_in_sight_the_compiler_links(cache, monkeypatch):
    from triton_cpu import _toolchain
    which = _toolchain.shutil.which
    monkeypatch.setattr(_toolchain.shutil, "which", lambda name: None if name == "ld" else which(name))
    build()
