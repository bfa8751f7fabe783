"""The C compiler that generated code goes through, and what identifies it and the processor."""

import functools
import os
import pathlib
import platform
import shutil
import subprocess
import sys
import tempfile

from . import _headers

RT = _headers.RT
MLIR = pathlib.Path(__file__).absolute().parent / "ttcpu-mlir"
CANDIDATES = ("clang-22", "clang-23", "clang-24", "clang")
LEAST = 22  # the oldest clang that the generated code is tried with


class ToolchainError(RuntimeError):
    """There is no C compiler, or it refused generated code."""


def _found():
    """The compiler's path, or None."""
    named = os.environ.get("TTCPU_CC")
    for name in (named,) if named else CANDIDATES:
        path = shutil.which(name)
        if path is not None:
            return path
    return None


def compiler():
    """The compiler's path. Raises ToolchainError, which names the package, where there is none."""
    path = _found()
    if path is None:
        named = os.environ.get("TTCPU_CC")
        raise ToolchainError(
            (f"TTCPU_CC names {named!r}, which is no program" if named else
             f"there is no clang (looked for {', '.join(CANDIDATES)})")
            + f"; the cpu backend compiles kernels with clang {LEAST} or newer: install it "
            f"(Debian and Ubuntu: apt install clang-{LEAST}, from LLVM's own packages where the distribution has an older "
            f"one; conda: conda install 'clang>={LEAST}'), or name one by TTCPU_CC")
    return path


def sanitized():
    """Whether generated code is built to find its own errors."""
    return os.environ.get("TTCPU_SANITIZE", "") not in ("", "0")


@functools.lru_cache(maxsize=None)
def _processor():
    """What -march=native depends on."""
    try:
        with open("/proc/cpuinfo", encoding="ascii", errors="replace") as file:
            wanted = ("model name", "flags", "Features", "cpu family", "model\t", "CPU part")
            lines = file.read().split("\n\n", 1)[0].splitlines()
            return "\n".join(line for line in lines if line.startswith(wanted))
    except OSError:
        return platform.processor() + platform.machine()


def identity():
    """A text that differs where the compilers or the processor do; no program is run for it."""
    path = _found()
    if path is None:
        return "no compiler\n" + _processor()
    real = os.path.realpath(path)
    statuses = [os.stat(file) for file in (real, MLIR) if os.path.exists(file)]
    programs = " ".join(f"{status.st_size} {status.st_mtime_ns}" for status in statuses)
    return f"{real} {programs}\nsanitize {sanitized()}\n{_processor()}"


def flags(fp_fusion):
    """Arguments of the compiler, without files.

    Without memcpy clang leaves a loop alone that copies while it does more: else it loads twice.
    """
    made = ["-std=gnu11", "-O2", "-march=native", "-mprefer-vector-width=512", "-fno-math-errno", "-fno-builtin-memcpy",
            "-ffp-contract=" + ("fast" if fp_fusion else "off"), "-fno-strict-aliasing", "-w", "-fPIC", f"-I{RT}"]
    if sanitized():
        made += ["-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-shared-libasan"]
    return made


def _run(arguments, given=None):
    """Its exit status, and what it said, with the text `given` on its standard input."""
    done = subprocess.run(arguments, input=given, text=True, errors="replace", stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT)
    return done.returncode, done.stdout


def _run_compiler(arguments, what):
    """Raises ToolchainError with what the compiler said."""
    program = compiler()
    status, said = _run([program, *arguments])
    if status != 0:
        raise ToolchainError(f"{program} refuses {what}, status {status} "
                             f"(this backend wants clang {LEAST} or newer):\n{said[:2000]}")


def _compile(source, c, o, fp_fusion, what):
    """An object file of the file c, whose text is source."""
    arguments = flags(fp_fusion)
    files = ["-c", c, "-o", o]
    headers = None
    if not sanitized():
        program = compiler()
        headers = _headers.precompiled(source, program, identity(), arguments)
    if headers is not None:
        if _run([program, *arguments, "-include-pch", str(headers), *files])[0] == 0:
            return
    _run_compiler([*arguments, *files], what)
    if headers is not None:
        _headers.forget(headers)


def _link(objects, so, fp_fusion, what):
    """A shared library of object files.

    The linker by itself takes a tenth of the time that it takes by way of clang, which loads itself twice; it
    succeeds only where the libraries of C have all that is needed, else clang knows what more there is.
    """
    ld = shutil.which("ld")
    if ld is not None and sys.platform == "linux" and not sanitized():
        if _run([ld, "-shared", "-z", "defs", "--eh-frame-hdr", *objects, "-o", so, "-lm", "-lc"])[0] == 0:
            return
    _run_compiler([*flags(fp_fusion), "-shared", *objects, "-o", so, "-lm"], what)


def build(source, fp_fusion=True):
    """The bytes of a shared library of a C text. Raises ToolchainError with what the compiler said."""
    what = "the C that the cpu backend made"
    with tempfile.TemporaryDirectory(prefix="triton-cpu-") as folder:
        c, o, so = (os.path.join(folder, "kernel" + end) for end in (".c", ".o", ".so"))
        with open(c, "w", encoding="utf-8") as file:
            file.write(source)
        _compile(source, c, o, fp_fusion, what)
        _link([o], so, fp_fusion, what)
        with open(so, "rb") as file:
            return file.read()


def build_linalg(linalg):
    """The same of a kernel's linalg, by the passes of MLIR and LLVM in the program ttcpu-mlir."""
    if linalg.startswith("//"):
        raise ToolchainError(f"the kernel has no form in linalg ({linalg[2:].strip()}): compile it by way of C, "
                             "without TTCPU_ROUTE=mlir")
    if not MLIR.is_file():
        raise ToolchainError("TTCPU_ROUTE=mlir wants the program ttcpu-mlir, which is built with the backend where "
                             "there is MLIR 22 (Debian: apt install libmlir-22-dev llvm-22-dev); here it is not")
    compiler()  # named first where it is missing
    with tempfile.TemporaryDirectory(prefix="triton-cpu-") as folder:
        o, c, stub, so = (os.path.join(folder, name) for name in ("kernel.o", "stub.c", "stub.o", "kernel.so"))
        status, said = _run([MLIR, "-", "--object", o, "--stub", c], linalg)
        if status != 0:
            raise ToolchainError(f"ttcpu-mlir refuses the linalg that the cpu backend made, status {status}:\n"
                                 f"{said[:2000]}")
        _compile(pathlib.Path(c).read_text(encoding="utf-8"), c, stub, True, "the C of ttcpu-mlir")
        _link([stub, o], so, True, "the C of ttcpu-mlir")
        with open(so, "rb") as file:
            return file.read()
