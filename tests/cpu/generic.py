"""Prints, for each kernel of kernels.py, the generic form of what the triton on the path makes of it.

    python generic.py FOLDER [--lowered]

Writes FOLDER/<kernel>.mlir, one for each kernel that this triton's front end accepts, and one line a
kernel to the standard output: its name, and "ok" or why there is none; with --lowered as the compiler
gets it, without descriptors. Needs neither a GPU nor torch.
"""

import hashlib
import os
import pathlib
import sys
import tempfile

import triton
from triton._C.libtriton import ir
from triton.backends import Backend, backends
from triton.backends.compiler import BaseBackend, GPUTarget

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "third_party/cpu/python"))
from triton_cpu._generic import NoGenericForm, generic_text  # noqa: E402
from triton_cpu._versions import run_passes  # noqa: E402


class Options:
    """What triton's front end asks a backend's options for."""

    num_warps, num_stages, num_ctas, warp_size = 1, 1, 1, 1
    debug, sanitize_overflow, arch, backend_name = True, False, "none", "reader"
    supported_fp8_dtypes = ("fp8e5", "fp8e4nv", "fp8e4b15", "fp8e5b16", "fp8e4b8")
    deprecated_fp8_dot_operand_dtypes = ()
    default_dot_input_precision = "ieee"
    allowed_dot_input_precisions = ("ieee", "tf32", "tf32x3", "bf16x3", "bf16x6")
    max_num_imprecise_acc_default = 0
    extern_libs, ir_override, maxnreg = None, None, None
    enable_fp_fusion, launch_cooperative_grid, launch_pdl = True, False, False
    instrumentation_mode, fpsan_homomorphic_casts, cluster_dims = "", False, (1, 1, 1)

    def __init__(self):
        self.__dict__.update({name: getattr(self, name) for name in dir(type(self))
                              if not name.startswith("_") and name != "hash"})

    def hash(self):
        return hashlib.sha256(repr(sorted(self.__dict__.items(), key=str)).encode()).hexdigest()


class Printed(Exception):
    """Carries the text out of triton.compile before it asks for a binary."""


class ReaderBackend(BaseBackend):
    """One stage, which gives the module's text."""

    binary_ext = "ttir"
    debug = False
    lowered = False

    @staticmethod
    def supports_target(target):
        return target.backend == "reader"

    def hash(self):
        return "reader"

    def parse_options(self, opts):
        return Options()

    def pack_metadata(self, metadata):
        return ()

    def get_codegen_implementation(self, options):
        return {"convert_custom_types": lambda src, dst, rounding=None, _semantic=None: src,
                "min_dot_size": lambda lhs, rhs: (1, 1, 1)}

    def get_module_map(self):
        import device_functions
        return {"triton.language.extra.libdevice": device_functions}

    def load_dialects(self, context):
        pass

    def add_stages(self, stages, options, language=None):
        stages["ttir"] = self.print_module

    def print_module(self, module, metadata):
        lowering = ["ttir.rewrite_tensor_descriptor_to_pointer"] if self.lowered else []
        run_passes(module, ["common.inliner", *lowering, "common.canonicalizer", "common.cse"])
        raise Printed(generic_text(module, ir, self.debug))


def print_kernel(kernel, signature, constants, debug=False):
    """The generic text of one kernel."""
    ReaderBackend.debug = debug
    backends["reader"] = Backend(ReaderBackend, None)
    source = triton.compiler.ASTSource(fn=kernel, signature=signature, constexprs=constants)
    try:
        triton.compile(source, target=GPUTarget("reader", 0, 1))
    except Printed as printed:
        return printed.args[0]
    raise NoGenericForm(f"triton {triton.__version__} compiled {kernel.__name__} without its stage ttir")


def main(folder, lowered):
    import kernels
    ReaderBackend.lowered = lowered
    for name, (kernel, signature, constants) in kernels.KERNELS.items():
        try:
            texts = {kind: print_kernel(kernel, signature, constants, kind == ".debug")
                     for kind in ("", ".debug")[:1 if lowered else 2]}
        except NoGenericForm:
            raise
        except Exception as error:  # this triton's front end lacks something that the kernel uses
            print(name, "refused:", " ".join(str(error).split())[-400:])
            continue
        for kind, text in texts.items():
            (folder / f"{name}{kind}.mlir").write_text(text)
        print(name, "ok")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as cache:
        os.environ["TRITON_CACHE_DIR"] = cache
        main(pathlib.Path(sys.argv[1]), "--lowered" in sys.argv)
