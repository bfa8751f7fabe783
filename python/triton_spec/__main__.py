"""``python -m triton_spec``: see ``--help``."""

import argparse
import sys

from . import __version__
from ._log import error_text
from .errors import SpecError, SpecRefused

USAGE = """\
python -m triton_spec run [options] (script.py | -m module | -c code | -) [arguments]
       python -m triton_spec enable | disable [--user]
       python -m triton_spec kernel COMMAND FILE [options]
       python -m triton_spec --version"""

_WITH_VALUE = ("--backend", "--root")


def _parsers():
    parser = argparse.ArgumentParser(
        prog="python -m triton_spec", usage=USAGE, allow_abbrev=False,
        description="Puts a vendor's overlay over the installed triton of this Python.",
        epilog="exit status: that of the program, or 1 findings, 2 could not do it")
    parser.add_argument("--version", action="version", version=f"triton-spec {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    run = commands.add_parser("run", allow_abbrev=False, help="run a Python program with an overlay",
                              usage=USAGE.partition("\n")[0])
    run.add_argument("--backend", metavar="NAME", help="the backend (default: $FLAGTREE_BACKEND)")
    run.add_argument("--root", metavar="DIR", action="append", dest="roots", help=(
        "an overlay root; may be given several times (also: $SPEC_PATH, $TRITON_PLUGIN_DIRS)"))
    run.add_argument("--strict", action="store_true",
                     help="refuse replaced functions that no longer take the trunk's calls")
    run.add_argument("--quiet", action="store_true", help="nothing of ours on standard error")
    for name, text in (("enable", "put the overlay of $FLAGTREE_BACKEND over triton from now on"),
                       ("disable", "take back what enable has done")):
        command = commands.add_parser(name, help=text, description=text, allow_abbrev=False)
        command.add_argument("--user", action="store_true",
                             help="in the user's site-packages, not the environment's")
    commands.add_parser("kernel", help="load a kernel from a file of any level of its compilation", add_help=False)
    return parser


# What the name of a kernel's file ends with: `run` launches such a program.
_KERNELS = (".ttir", ".ttgir", ".glir", ".llir", ".ptx", ".cubin")


def _kernel_words(arguments):
    """What the runner's own command line reads of these arguments, or None when they are not for it."""
    words = arguments[2:] if arguments[1:2] == ["--"] else arguments[1:]
    if arguments[:1] == ["kernel"]:
        return words
    return ["run", *words] if arguments[:1] == ["run"] and words and words[0].endswith(_KERNELS) else None


def _split(arguments):
    """(what this program reads, the words of the program to run)."""
    if arguments[:1] != ["run"]:
        return arguments, []
    end = 1
    while end < len(arguments) and arguments[end].startswith("--") and arguments[end] != "--":
        end += 2 if arguments[end] in _WITH_VALUE else 1
    rest = arguments[end:]
    if arguments[end:end + 1] == ["-h"]:
        return ["run", "-h"], []
    return arguments[:end], rest[1:] if rest[:1] == ["--"] else rest


def _site_file(command, user):
    from . import _startup
    path, changed = getattr(_startup, command)(user)
    done = {"enable": ("enabled", "enabled already"), "disable": ("disabled", "not enabled")}[command]
    print(f"{done[0] if changed else done[1]}: {path}")


def main(argv=None):
    """Run one command; return the exit status (0 clean, 1 findings, 2 could not do it)."""
    given = sys.argv[1:] if argv is None else argv
    for_kernel = _kernel_words(given)
    if for_kernel is not None:
        from .runner import cli
        return cli.main(for_kernel)
    own, words = _split(given)
    arguments = _parsers().parse_args(own)
    try:
        if arguments.command == "run":
            from . import _run
            _run.run(words, backend=arguments.backend, roots=arguments.roots,
                     strict=arguments.strict, quiet=arguments.quiet)
        else:
            _site_file(arguments.command, arguments.user)
    except SpecError as error:
        print(error_text(error), file=sys.stderr)
        return 1 if isinstance(error, SpecRefused) else 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
