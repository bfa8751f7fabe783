"""What Triton calls to compile a kernel: ttir -> tile -> linalg -> c -> so.

`tile` is the kernel as loop nests over buffers, for people; `linalg` is the same as a module of MLIR's; `c` is
compiled by clang; all are texts in kernel.asm. By TTCPU_ROUTE=mlir there is no `c`, and MLIR's own passes compile
`linalg`: slower code, independent of the C. A text that no stage reads, `tile` and by way of C `linalg`, is refused when
another is put in its place.
"""

import functools
import hashlib
import os
import pathlib
from dataclasses import dataclass, field
from typing import Any

from triton._C.libtriton import ir
from triton.backends.compiler import BaseBackend

from . import _generic, _headers, _toolchain, _versions

PASSES = ("common.inliner", "ttir.rewrite_tensor_descriptor_to_pointer", "?ttir.rewrite_tensor_pointer",
          "common.canonicalizer", "ttir.combine", "ttir.reorder_broadcast", "common.cse",
          "?ttir.triton_licm", "common.symbol_dce")


def _extension():
    try:
        from . import _ttcpu
    except ImportError as error:
        raise ImportError(f"the extension of triton-cpu-backend cannot be loaded ({error}): it is not built for this "
                          "Python; `pip install --force-reinstall --no-cache-dir triton-cpu-backend` builds it") from error
    return _ttcpu


def _strict():
    return os.environ.get("TTCPU_STRICT", "") not in ("", "0")


def _route():
    return os.environ.get("TTCPU_ROUTE", "") or "c"


@dataclass(frozen=True)
class CPUOptions:
    """Options of a launch, `kernel[grid](..., num_cpu_threads=2)`, and of the language.

    num_cpu_threads: threads at most; 0 are as many as TTCPU_THREADS says, or as there are processors; -1
        is one for each program, all at once, as launch_cooperative_grid=True: for kernels whose programs
        wait for each other.
    strict: every load is complete before any store of the program, also where tiles overlap in memory.
    enable_fp_fusion: a * b + c may be rounded once.
    route: "c", or "mlir", which compiles the stage linalg by MLIR's own passes.
    num_warps: a power of two, as on every device; it means nothing here.
    The rest means nothing on a CPU, or is what Triton's front end asks for.
    """

    num_cpu_threads: int = 0
    strict: bool = field(default_factory=_strict)
    enable_fp_fusion: bool = True
    route: str = field(default_factory=_route)
    launch_cooperative_grid: bool = False
    debug: bool = False
    sanitize_overflow: bool = False
    num_warps: int = 4
    num_ctas: int = 1
    num_stages: int = 1
    warp_size: int = 1
    arch: str = "host"
    backend_name: str = "cpu"
    supported_fp8_dtypes: tuple = ("fp8e4b15", "fp8e4b8", "fp8e4nv", "fp8e5", "fp8e5b16")
    deprecated_fp8_dot_operand_dtypes: tuple = ()
    default_dot_input_precision: str = "ieee"
    allowed_dot_input_precisions: tuple = ("ieee", "tf32", "tf32x3", "bf16x3", "bf16x6")
    max_num_imprecise_acc_default: int = 0
    extern_libs: Any = None

    def __post_init__(self):
        # An AssertionError, as the wheel's own backends raise.
        if self.num_warps < 1 or self.num_warps & (self.num_warps - 1):
            raise AssertionError(f"num_warps={self.num_warps}: it must be a power of 2")

    def hash(self):
        return hashlib.sha256(repr(sorted(self.__dict__.items(), key=lambda item: item[0])).encode()).hexdigest()


@functools.lru_cache(maxsize=None)
def _own_hash():
    """Of every file of this package that what it compiles depends on."""
    here = pathlib.Path(__file__).parent
    there = pathlib.Path(_extension().__file__).resolve()
    return _headers.digest(sorted([*here.glob("*.py"), *_headers.RT.glob("*.h"), there]))


class CPUBackend(BaseBackend):
    """Compiles for the processor that it runs on."""

    binary_ext = "so"

    @staticmethod
    def supports_target(target):
        return target.backend == "cpu"

    def hash(self):
        return f"cpu-{_own_hash()}-{hashlib.sha256(_toolchain.identity().encode()).hexdigest()}"

    def parse_options(self, options):
        known = {name: value for name, value in options.items()
                 if name in CPUOptions.__dataclass_fields__ and value is not None}
        made = CPUOptions(**known)
        if made.num_cpu_threads < -1:
            raise ValueError(f"num_cpu_threads={made.num_cpu_threads}: it is a number of threads, 0 for the default, "
                             "or -1 for a thread for each program")
        if made.route not in ("c", "mlir"):
            raise ValueError(f"route={made.route!r}, or TTCPU_ROUTE: kernels are compiled by way of \"c\" or \"mlir\"")
        # What is meant for other devices is taken, so that a kernel's launch need not tell them apart.
        for name, value in _versions.IGNORED_OPTIONS.items():
            object.__setattr__(made, name, options.get(name) if options.get(name) is not None else value)
        return made

    def pack_metadata(self, metadata):
        return (metadata.name, metadata.num_warps)

    def get_codegen_implementation(self, options):
        from ._fp8 import convert_custom_types
        return {"convert_custom_types": convert_custom_types, "min_dot_size": lambda lhs, rhs: (1, 1, 1)}

    def get_module_map(self):
        from . import libdevice
        return {"triton.language.extra.libdevice": libdevice}

    def load_dialects(self, context):
        pass

    def add_stages(self, stages, options, language=None):
        if language is not None and getattr(language, "name", "TRITON") != "TRITON":
            raise NotImplementedError(f"the cpu backend compiles Triton's language, not {language.name.title()}, "
                                      "whose layouts and instructions are those of GPUs")
        texts = {}  # of the stages from tile on, which one call makes
        stages["ttir"] = lambda module, metadata: self.make_ttir(module)
        stages["tile"] = lambda module, metadata: self.make_tile(module, metadata, options, texts)
        stages["linalg"] = lambda tile, metadata: _behind(texts, "tile", tile, "linalg", options.route)
        if options.route == "mlir":
            stages["so"] = lambda linalg, metadata: _toolchain.build_linalg(linalg)
            return
        stages["c"] = lambda linalg, metadata: _behind(texts, "linalg", linalg, "c", options.route)
        stages["so"] = lambda c, metadata: _toolchain.build(c, options.enable_fp_fusion)

    @staticmethod
    def make_ttir(module):
        _versions.run_passes(module, PASSES)
        return module

    @staticmethod
    def make_tile(module, metadata, options, texts):
        """The kernel as loop nests; texts takes these, and what is made of them."""
        metadata["name"] = module.get_entry_func_name()
        metadata["shared"] = 0
        generic = _generic.generic_text(module, ir)
        metadata["prints"] = '"tt.print"' in generic
        texts["tile"], texts["c"], texts["linalg"] = _extension().compile(generic, strict=options.strict)
        return texts["tile"]


def _behind(texts, level, text, following, route):
    """The text of the stage behind a level that is a printout, for people: another than was made is refused."""
    if text != texts.get(level):
        raise ValueError(f"the text of {level} is a printout, which nothing reads; the next level that can be compiled is "
                         f"{'linalg' if route == 'mlir' else 'c'}")
    return texts[following]


_versions.complete(CPUBackend)
