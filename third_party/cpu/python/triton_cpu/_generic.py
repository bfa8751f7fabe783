"""A module of Triton's as text in MLIR's generic form, which the compiler reads."""

import ctypes
import os
import re
import subprocess
import sys

BEGINNING = '"builtin.module"() ({'


class NoGenericForm(RuntimeError):
    """This triton prints no generic form by any means that this file knows."""


def generic_text(module, ir, debug=False):
    """The module in MLIR's generic form; the module is unfit for use afterwards.

    An attribute of the module without a dialect's prefix fails the verifier, and what does not
    verify is printed in generic form. Where a Triton prints otherwise, MLIR's own option for it is set
    in a process of its own (see by_option). ir is triton._C.libtriton.ir; with debug, locations are
    printed too. Raises NoGenericForm where neither works.
    """
    module.set_attr("generic", ir.builder(module.context).get_unit_attr())
    pretty = _printed(module, debug)
    if is_generic(pretty):
        return pretty
    # The attribute stands among the module's, before its body; the verifier would refuse the text.
    pretty = re.sub(r"\bgeneric(, )?", "", pretty, count=1)
    text = by_option(pretty)
    if is_generic(text):
        return text
    raise NoGenericForm(
        f"triton {_version()} prints an invalid module in another form than MLIR's generic one "
        f"(it begins {pretty[:40]!r}), and its library does not take --mlir-print-op-generic: the cpu "
        "backend does not know this version of Triton; it knows 3.6 to 3.9")


def is_generic(text):
    """Whether the text is a module in generic form, behind aliases perhaps."""
    return BEGINNING in text.split("({", 1)[0] + "({"


def _printed(module, debug):
    return str(module) if debug or not hasattr(module, "str_nodebug") else module.str_nodebug()


def _version():
    import triton
    return triton.__version__


def by_option(pretty):
    """The generic form of a module in pretty form, printed by a Triton of another process, where MLIR's
    option --mlir-print-op-generic is set: it holds for a whole process. "" where that fails."""
    done = subprocess.run([sys.executable, "-c", "from triton_cpu._generic import print_by_option; print_by_option()"],
                          input=pretty, text=True, capture_output=True,
                          env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))})
    return done.stdout if done.returncode == 0 else ""


def print_by_option():
    """Reads a module from the standard input and prints it, as by_option says."""
    import tempfile
    from triton._C import libtriton
    library = ctypes.CDLL(libtriton.__file__)
    library["_ZN4mlir27registerAsmPrinterCLOptionsEv"]()
    arguments = (ctypes.c_char_p * 2)(b"triton", b"--mlir-print-op-generic")
    library.LLVMParseCommandLineOptions(2, arguments, None)
    context = libtriton.ir.context()
    libtriton.ir.load_dialects(context)
    with tempfile.NamedTemporaryFile("w", suffix=".ttir") as file:
        file.write(sys.stdin.read())
        file.flush()
        module = libtriton.ir.parse_mlir_module(os.fspath(file.name), context)
    print(_printed(module, False))
