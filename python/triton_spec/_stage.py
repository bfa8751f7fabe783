"""A stage: a folder of the user's cache that holds a merged ``triton`` package."""

import fcntl
import json
import os

from ._lines import Spans


def is_stage(folder):
    """Whether an entry of ``sys.path`` is a stage."""
    return (isinstance(folder, str) and os.path.basename(os.path.dirname(folder)) == "stages"
            and os.path.isfile(os.path.join(folder, "manifest.json"))
            and os.path.isdir(os.path.join(folder, "triton")))


def read_json(folder, name):
    """A document that lies in a folder. OSError, ValueError: it does not, or is broken."""
    with open(os.path.join(folder, name), encoding="utf-8", errors="surrogateescape") as file:
        return json.load(file)


def module_name(member):
    """"triton/runtime/__init__.py" -> "triton.runtime"."""
    return member.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def read_members(stage, trunk):
    """{module name: (path, Spans)} of a stage's modules that hold lines of a vendor's Python files.

    trunk is the folder that holds the trunk's ``triton/``: lines from there are the stage's own, as
    those of all its modules that no override touches.
    """
    found = {}
    below = os.path.join(trunk, "triton", "")
    for member, rows in read_json(stage, "lines.json").items():
        # A patch's lines begin with a sign: they cannot stand for the text that runs.
        ours = [row for row in rows if row[2].endswith(".py") and not row[2].startswith(below)]
        if ours and member.endswith(".py"):
            whole = len(rows) == 1 and rows[0][0] == rows[0][3] == 1
            found[module_name(member)] = os.path.join(stage, member), Spans(ours, whole)
    return found


def hold(stage):
    """Keeps a stage from being removed: the descriptor of its lock, or None if it has gone.

    A fork holds it too; it ends with the process, or when the descriptor is closed.
    """
    try:
        lock = os.open(os.path.join(stage, ".lock"), os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        fcntl.flock(lock, fcntl.LOCK_SH)
    except OSError:  # a file system without locks: then nothing removes stages that are in use
        pass
    return lock
