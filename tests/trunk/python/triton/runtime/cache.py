"""The key under which compiled kernels may be kept."""

import functools
import hashlib
import pkgutil
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


@functools.lru_cache
def triton_key():
    """Return what a compilation's result depends on besides the kernel: the version and digests of the sources."""
    from .. import __version__

    digests = [hashlib.sha256(Path(__file__).read_bytes()).hexdigest()]
    for package in ("compiler", "language", "backends"):
        for module in pkgutil.iter_modules([str(ROOT / package)]):
            source = Path(module.module_finder.find_spec(module.name).origin)
            digests.append(hashlib.sha256(source.read_bytes()).hexdigest())
    digests.append(hashlib.sha256((ROOT / "_C" / "libtriton.so").read_bytes()).hexdigest())
    return f"{__version__}-" + "-".join(digests)
