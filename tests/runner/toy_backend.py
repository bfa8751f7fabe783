"""A backend of the tests' own, without a device: ttir, then c, then so, which the runner's host launcher runs.

The code of a kernel is not its own: program p writes into the 64-bit integers that its first argument points
to, from the element p * 16 on, its place in the grid and the bits of each parameter.
"""

import dataclasses
import hashlib
import pathlib
import subprocess
import tempfile

from triton._C.libtriton import ir, passes
from triton.backends import Backend
from triton.backends.compiler import BaseBackend, GPUTarget

from triton_spec.runner.entry import read_entry

TARGET = GPUTarget("toy", 1, 1)
RT = pathlib.Path(__file__).resolve().parents[2] / "third_party/cpu/rt"
LETTERS = {"i1": "b", "i8": "b", "i16": "h", "i32": "w", "i64": "q", "fp16": "H", "bf16": "B", "fp32": "f", "fp64": "d"}
SIZES = {"p": 8, "b": 1, "h": 2, "w": 4, "q": 8, "H": 2, "B": 2, "f": 4, "d": 8}
CODE = """\
#include "ttabi.h"
#include <string.h>
static void run(const void *const *params, const tt_env *env) {
  int64_t *out;
  memcpy(&out, params[0], sizeof out);
  int32_t at = env->id[0] + env->count[0] * (env->id[1] + env->count[1] * env->id[2]);
  if (out == NULL)
    env->runtime->fail(env, "the first argument is no address");
  out += at * 16;
  for (int i = 0; i < 3; i++) out[i] = env->id[i] * 1000 + env->count[i];
%s}
const tt_kernel ttcpu_kernel = {TT_ABI, %d, "%s", "%s", 0, run};
"""


@dataclasses.dataclass(frozen=True)
class Options:
    """What Triton's front end asks options for."""

    num_warps: int = 1
    num_ctas: int = 1
    num_stages: int = 1
    warp_size: int = 1
    debug: bool = False
    sanitize_overflow: bool = True
    arch: str = "toy"
    backend_name: str = "toy"
    supported_fp8_dtypes: tuple = ("fp8e5",)
    deprecated_fp8_dot_operand_dtypes: tuple = ()
    default_dot_input_precision: str = "ieee"
    allowed_dot_input_precisions: tuple = ("ieee",)
    max_num_imprecise_acc_default: int = 0
    extern_libs: tuple = ()
    ir_override: str | None = None
    instrumentation_mode: str = ""

    def hash(self):
        """Stands for the options in the cache's key."""
        return hashlib.sha256(repr(self).encode()).hexdigest()


class ToyBackend(BaseBackend):
    """See the module."""

    def __init__(self, target):
        super().__init__(target)
        self.binary_ext = "so"

    @staticmethod
    def supports_target(target):
        return target.backend == "toy"

    def hash(self):
        return "toy"

    def parse_options(self, opts):
        names = Options.__dataclass_fields__
        return Options(**{key: value for key, value in opts.items() if key in names and value is not None})

    def pack_metadata(self, metadata):
        return ()

    def get_codegen_implementation(self, options):
        return {"min_dot_size": lambda lhs, rhs: (1, 1, 1)}

    def get_module_map(self):
        return {}

    def load_dialects(self, context):
        pass

    def add_stages(self, stages, options, language=None):
        stages["ttir"] = self.make_ttir
        stages["c"] = self.make_c
        stages["so"] = self.make_so

    @staticmethod
    def make_ttir(module, metadata):
        manager = ir.pass_manager(module.context)
        passes.common.add_inliner(manager)
        passes.common.add_canonicalizer(manager)
        passes.common.add_cse(manager)
        passes.common.add_symbol_dce(manager)
        manager.run(module, "make_ttir")
        return module

    @staticmethod
    def make_c(module, metadata):
        entry = read_entry(str(module), "ttir")
        letters = ["p" if arg.type.startswith("*") else LETTERS[arg.type] for arg in entry.args]
        lines = "".join(f"  out[{3 + i}] = 0;\n  memcpy(&out[{3 + i}], params[{i}], {SIZES[letter]});\n"
                        for i, letter in enumerate(letters))
        metadata.update(name=entry.name, shared=0)
        return CODE % (lines, len(letters), entry.name, "".join(letters))

    @staticmethod
    def make_so(text, metadata):
        with tempfile.TemporaryDirectory() as folder:
            source, library = pathlib.Path(folder, "k.c"), pathlib.Path(folder, "k.so")
            source.write_text(text)
            subprocess.run(["cc", "-shared", "-fPIC", "-O1", f"-I{RT}", "-o", library, source], check=True)
            return library.read_bytes()


class ToyDriver:
    """Never the active one."""

    @staticmethod
    def is_active():
        return False


TOY = Backend(ToyBackend, ToyDriver)
