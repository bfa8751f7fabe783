"""The headers of rt/, read once for all kernels: a precompiled header in the folder of Triton's cache.

It only saves time. Where it cannot be made or is refused, kernels include the headers as they are.
"""

import contextlib
import functools
import hashlib
import os
import pathlib
import re
import subprocess
import tempfile

from triton import knobs

RT = pathlib.Path(__file__).absolute().parent / "rt"
ALL = RT / "ttrt_all.h"
# Without these there is nothing to save: ttrt.h alone is read as fast as what was precompiled.
WORTH = re.compile(r'^#include "(?!ttrt\.h"|ttabi\.h")', re.MULTILINE)

_failed = set()  # paths that this process could not make


def digest(paths):
    """Of the names and the content of files, in their order."""
    made = hashlib.sha256()
    for path in paths:
        made.update(path.name.encode() + b"\0" + path.read_bytes())
    return made.hexdigest()


@functools.lru_cache(maxsize=None)
def _digest_of_all():
    return digest(sorted(RT.glob("*.h")))


def _path(identity, flags):
    """Where the headers lie that were precompiled by this compiler with these flags."""
    key = hashlib.sha256("\0".join([identity, *flags, _digest_of_all()]).encode()).hexdigest()
    return pathlib.Path(knobs.cache.dir) / "cpu-headers" / f"{key}.pch"


def _make(program, flags, path):
    """Precompiles into a file of another name first: other processes may be at the same. Raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(prefix=path.stem[:16], suffix=".part", dir=path.parent)
    os.close(handle)
    try:
        # The name has the digest of the headers: when they were written says nothing.
        done = subprocess.run([program, *flags, "-Xclang", "-fno-pch-timestamp", "-x", "c-header", str(ALL), "-o", name],
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        if done.returncode != 0:
            raise OSError(f"{program} precompiles no headers, status {done.returncode}")
        os.replace(name, path)
    finally:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(name)


def precompiled(source, program, identity, flags):
    """The path of the precompiled header for a C text, made where it is missing; None: do without.

    identity is a text that differs where the compiler or the processor does.
    """
    if not WORTH.search(source):
        return None
    path = _path(identity, flags)
    if path in _failed:
        return None
    try:
        if not path.is_file():
            _make(program, flags, path)
    except OSError:
        _failed.add(path)
        return None
    return path


def forget(path):
    """The compiler refused it, though not the text: whoever comes next makes it anew, but this process does not."""
    _failed.add(path)
    with contextlib.suppress(OSError):
        path.unlink()
