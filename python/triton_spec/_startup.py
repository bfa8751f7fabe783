"""``enable`` and ``disable``: a .pth file that puts the overlay of ``FLAGTREE_BACKEND`` over
``import triton`` in every Python of an environment.

At its start Python executes the file's one line. Unless ``FLAGTREE_BACKEND`` is set, that looks at a
variable and no more; else it puts a small finder in front, which plans when ``triton`` is first asked
for. So nothing of an overlay can break the start of an interpreter, and what is wrong with one is an
exception of ``import triton``.
"""

import glob
import os
import site
import subprocess
import sys
import sysconfig

from .errors import SpecInvalid, SpecSystemError

FILE = "triton-spec.pth"
_FINDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "_site", "triton_spec_finder.py")


def line():
    """The .pth file's line."""
    with open(_FINDER, encoding="utf-8") as file:
        program = f"try:\n exec({file.read()!a}, {{}})\nexcept BaseException: pass"
    return f"import os; os.environ.get('FLAGTREE_BACKEND') and exec({program!a})\n"


def find():
    """The spec of ``triton`` with the overlay of ``FLAGTREE_BACKEND``, for the finder of the file.

    SpecError: the overlay cannot be activated; the next import tries again.
    """
    from . import _activate
    return _activate.find_spec()


# --- the file -------------------------------------------------------------------------------------

def _folder(user):
    """Where the file belongs: the environment's site-packages, or the user's."""
    if not user:
        return sysconfig.get_path("purelib")
    if not site.ENABLE_USER_SITE:
        raise SpecInvalid("this Python does not look into the user's site-packages", sys.prefix,
                          "leave --user out: the environment has a site-packages of its own")
    return site.getusersitepackages()


def _check_import(user):
    """Raises unless a fresh interpreter finds triton_spec; PYTHONPATH, say, is not always there."""
    flags = ["-E"] if user else ["-I"]
    done = subprocess.run([sys.executable, *flags, "-c", "import triton_spec"], cwd="/", check=False,
                          env={**os.environ, "FLAGTREE_BACKEND": ""}, stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, errors="replace")
    if done.returncode != 0:
        last = done.stderr.strip().rpartition("\n")[2]
        raise SpecInvalid(f"{sys.executable} {flags[0]} cannot import triton_spec: {last}",
                          os.path.dirname(__file__), "install it there: pip install triton-spec")


def _read(path):
    """The text of a file, None if there is none."""
    try:
        with open(path, encoding="utf-8", newline="") as file:
            return file.read()
    except FileNotFoundError:
        return None


def _write(path, text):
    """Writes a file by one rename."""
    temporary = f"{path}.{os.getpid()}.tmp"
    try:
        with open(temporary, "w", encoding="utf-8", newline="") as file:
            file.write(text)
        os.replace(temporary, path)
    except OSError:
        if os.path.exists(temporary):
            os.unlink(temporary)
        raise


def _record(folder, listed):
    """Puts the file on the list by which pip uninstalls triton-spec from this folder, or takes it off.
    """
    for record in glob.glob(os.path.join(glob.escape(folder), "triton_spec-*.dist-info", "RECORD")):
        before = _read(record)
        lines = [line for line in before.splitlines(True) if not line.startswith(FILE + ",")]
        after = "".join([*lines, f"{FILE},,\n"] if listed else lines)
        if after != before:
            _write(record, after)


def _system_error(error, folder):
    return SpecSystemError(f"cannot change '{folder}': {error.strerror}", error.filename or folder,
                           "run it as the owner of the environment, or with --user")


def enable(user=False):
    """Writes the .pth file into site-packages, or the user's; returns (its path, whether it is new).

    SpecInvalid: triton_spec itself would not be found from there. SpecSystemError.
    """
    folder = _folder(user)
    path = os.path.join(folder, FILE)
    _check_import(user)
    try:
        os.makedirs(folder, exist_ok=True)
        new = _read(path) != line()
        if new:
            _write(path, line())
        _record(folder, True)
    except OSError as error:
        raise _system_error(error, folder) from error
    return path, new


def disable(user=False):
    """Removes what enable() has written; returns (the .pth file's path, whether it was there)."""
    folder = _folder(user)
    path = os.path.join(folder, FILE)
    try:
        _record(folder, False)
        was_there = os.path.lexists(path)
        if was_there:
            os.unlink(path)
    except OSError as error:
        raise _system_error(error, folder) from error
    return path, was_there
