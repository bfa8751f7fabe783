"""``run``: a Python program, and all Pythons that it starts, with an overlay.

The overlay is planned here, so that what is wrong with it is told before the program starts. Then the
interpreter is replaced by one that runs the program, which therefore is as Python itself has it:
``sys.argv``, ``sys.path[0]``, ``__main__``, exit status and signals. PYTHONPATH hands the stage on.
"""

import os
import subprocess
import sys

from . import _activate
from .errors import SpecInvalid

_SITE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "_site")


def _program_folder(words):
    """What Python puts first on ``sys.path`` for such a command line."""
    if words[0] in ("-m", "-c", "-"):
        return os.getcwd()
    program = os.path.realpath(words[0])
    return program if os.path.isdir(program) else os.path.dirname(program)


def _check(words):
    if not words:
        raise SpecInvalid("no program is named", "", "give a script, -m MODULE or -c CODE")
    if words[0].startswith("-") and words[0] not in ("-m", "-c", "-"):
        raise SpecInvalid(f"'{words[0]}' is no option of run", "", "options of the interpreter stand "
                          f"before the module: python {words[0]} -m triton_spec run ...")
    if words[0] in ("-m", "-c") and len(words) < 2:
        raise SpecInvalid(f"'{words[0]}' needs a value", "", "give a module's name or code")
    if sys.flags.ignore_environment:
        raise SpecInvalid("this Python ignores the environment, and with it what run hands on", "",
                          "leave -I and -E out, or use 'triton-spec enable', which works with them")


def _python_path(stage):
    """PYTHONPATH for the program: the stage, and this package should only this process find it."""
    inherited = [entry for entry in os.environ.get("PYTHONPATH", "").split(os.pathsep) if entry]
    home = os.path.dirname(os.path.dirname(_SITE))
    entries = [_SITE, stage, *(entry for entry in inherited if entry not in (_SITE, stage))]
    if home not in sys.path[1:]:
        entries.append(home)
    for entry in entries[:2]:
        if os.pathsep in entry:
            raise SpecInvalid(f"PYTHONPATH cannot name a folder with '{os.pathsep}' in it", entry,
                              "set TRITON_SPEC_CACHE to another folder")
    return os.pathsep.join(entries)


def prepare(words, backend=None, roots=None, strict=False, quiet=False):
    """What runs the program `words`: (arguments, environment) for ``os.execve``.

    The other parameters and the errors are those of triton_spec.activate().
    """
    _check(words)
    if not getattr(sys.flags, "safe_path", False):
        sys.path[0] = _program_folder(words)  # so far the current folder, since -m runs this
    if roots:
        roots = [os.path.abspath(root) for root in (*roots, *_activate.environment_roots())]
    overlay = _activate.plan(backend, roots, strict=strict, quiet=quiet)
    environment = {**os.environ, "FLAGTREE_BACKEND": overlay.backend}
    if overlay.mode == "live":
        environment["PYTHONPATH"] = _python_path(overlay.path)
    if roots:
        environment["SPEC_PATH"] = os.pathsep.join(roots)
    return [sys.executable, *subprocess._args_from_interpreter_flags(), *words], environment


def run(words, **how):
    """Replaces this process by the program; see prepare()."""
    arguments, environment = prepare(words, **how)
    sys.stdout.flush()
    sys.stderr.flush()
    os.execve(arguments[0], arguments, environment)


