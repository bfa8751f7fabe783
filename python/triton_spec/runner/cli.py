"""``triton-spec kernel``: the runner on the command line.

Exit status: 0 done, 1 a wrong result or a difference, 2 bad input, 3 the compiler refused.
"""

import argparse
import pathlib
import re
import runpy
import sys

from .._log import error_text
from .errors import CompileFailed, RunnerError
from .values import for_reference, make_values, same

USAGE = "triton-spec kernel [--python FILE] COMMAND FILE [options]"


def _target(text):
    from triton.backends.compiler import GPUTarget
    found = re.fullmatch(r"(\w+):(\w+)(?::(\d+))?", text)
    if not found:
        raise argparse.ArgumentTypeError(f"'{text}' is no target: write cuda:90, or backend:arch:threads of a warp")
    arch = int(found[2]) if found[2].isdigit() else found[2]
    return GPUTarget(found[1], arch, int(found[3] or (32 if found[1] == "cuda" else 1)))


def _option(text):
    key, equals, value = text.partition("=")
    if not equals:
        raise argparse.ArgumentTypeError(f"'{text}' is no option: write name=value")
    known = {"true": True, "false": False, "none": None}
    return key, known.get(value.lower(), int(value) if re.fullmatch(r"-?\d+", value) else value)


def _grid(text):
    try:
        return tuple(int(part) for part in text.split(","))
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"'{text}' is no grid: write 97 or 8,8,1") from error


def _function(text):
    """The function that FILE:FUNCTION names. Raises RunnerError."""
    path, _, name = text.rpartition(":")
    if not pathlib.Path(path).is_file():
        raise RunnerError(f"'{text}' names no file with a function", path, "write FILE:FUNCTION, such as ref.py:add")
    found = runpy.run_path(path).get(name)
    if found is None:
        raise RunnerError(f"the file defines no '{name}'", path)
    return found


# How argparse takes an option, and which options and files a command takes; "!": it must be given.
_OPTIONS = {
    "file": {}, "other": {},
    "--level": {"help": "the file's level, or of a folder the one to take"},
    "--target": {"type": _target, "metavar": "BACKEND:ARCH", "help": "such as cuda:90"},
    "--option": {"type": _option, "action": "append", "default": [], "metavar": "NAME=VALUE",
                 "help": "of the compiler, such as num_warps=8; may be given several times"},
    "--meta": {"metavar": "FILE", "help": "metadata in place of the file beside it"},
    "--loose": {"action": "store_true", "help": "take edited metadata, other binaries, unknown arguments"},
    "--to": {"metavar": "LEVEL", "help": "print this level"},
    "--out": {"metavar": "PATH", "help": "the folder to write to; of page, the file"},
    "--after": {"metavar": "PASS",
                "help": "the pass that the module stands behind, with --target; default: what a snapshot says"},
    "--stop": {"metavar": "PASS", "help": "print the module behind this pass"},
    "--skip": {"action": "append", "default": [], "metavar": "PASS", "help": "leave this pass out"},
    "--grid": {"type": _grid, "default": (1,), "metavar": "X[,Y[,Z]]"},
    "--arg": {"action": "append", "default": [], "metavar": "TYPE=VALUE",
              "help": "in order: i32=5, fp32=1.5, fp32[1024]=randn|zeros|ones|arange, each may end in :out"},
    "--check": {"metavar": "FILE:FUNCTION",
                "help": "function(*args) that returns what the :out argument must be, or a tuple of several"},
    "--mode": {"default": "wall", "choices": ("graph", "event", "wall", "host")},
    "--flush": {"action": "store_true", "help": "write over the L2 cache before each launch"},
    "--stage": {"action": "append", "default": [], "help": "try passes of this stage alone"},
    "--good": {"metavar": "FILE:FUNCTION", "help": "function(kernel) says whether it is good"},
    "--at": {"default": "ttgir", "metavar": "LEVEL", "help": "default ttgir; sass too"},
}
_OF_ALL = ("--level", "--target", "--option", "--meta", "--loose")
_COMMANDS = {
    "info": ("what the kernel is: arguments, options, resources", "file"),
    "compile": ("compile to a level, or with --stop to behind a pass", "file --to --out --stop --skip --after"),
    "resume": ("compile a module that stands between two passes", "file --to --out --stop --skip --after"),
    "run": ("launch the kernel", "file --grid --arg --check"),
    "bench": ("measure the kernel", "file --grid --arg --mode --flush"),
    "plan": ("the passes that run behind no file: give a target as FILE, such as cuda:90", "file"),
    "snapshot": ("write the module behind every pass", "file --out!"),
    "split": ("write what MLIR_ENABLE_DUMP printed as snapshots", "file --out!"),
    "ablate": ("compile once without each pass", "file --stage"),
    "bisect": ("find the first pass with which the kernel is bad", "file --good! --stage"),
    "diff": ("what differs between two kernels at a level", "file other --at"),
    "page": ("one HTML page of what each pass changed", "file --out!"),
}


def _parser():
    parser = argparse.ArgumentParser(prog="triton-spec kernel", usage=USAGE, allow_abbrev=False,
                                     description="Loads a kernel from a file of any level of its compilation.",
                                     epilog="exit status: 0 done, 1 wrong or different, 2 bad input, 3 not compiled")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name, (text, words) in _COMMANDS.items():
        command = commands.add_parser(name, help=text, description=text, allow_abbrev=False)
        for word in (*words.split(), *_OF_ALL):
            needed = {"required": True} if word.endswith("!") else {}
            command.add_argument(word.rstrip("!"), **_OPTIONS[word.rstrip("!")], **needed)
    return parser


def _how(given):
    return {"level": given.level, "target": given.target, "options": dict(given.option) or None, "meta": given.meta,
            "check": "loose" if given.loose else "strict"}


def _info(given, runner):
    kernel = runner.load(given.file, **_how(given))
    print(f"{kernel.name} for {kernel.target.backend}:{kernel.target.arch}, levels {', '.join(kernel.asm)}")
    for arg in kernel.meta.args:
        about = f" = {arg.constant!r}" if arg.is_constant else ", divisible by 16" if arg.div16 else ""
        print(f"  {arg.name}: {arg.type}{about}")
    from .compare import resources  # it needs triton
    for key, value in {**kernel.meta.launch, **resources(kernel)}.items():
        print(f"  {key} {value}")


def _compile(given, runner):
    if given.stop:
        print(runner.compile_to(given.file, given.stop, after=given.after, **_how(given)), end="")
        return
    kernel = runner.resume(given.file, given.after, skip=given.skip, **_how(given))
    if given.out:
        print(kernel.save(given.out))
    if given.to:
        if given.to not in kernel.asm and given.to != "sass":
            raise RunnerError(f"the kernel has no level '{given.to}'", given.file, f"it has {', '.join(kernel.asm)}")
        content = kernel.asm[given.to]
        if isinstance(content, bytes):
            sys.stdout.buffer.write(content)
        else:
            print(content, end="")


_resume = _compile


def _run(given, runner):
    kernel = runner.load(given.file, **_how(given))
    values, out = make_values(given.arg, kernel.target.backend)
    wanted = _function(given.check)(*map(for_reference, values)) if given.check else ()
    kernel[given.grid](*values)
    if not given.check:
        for index in out:
            print(f"argument {index}: {values[index]}")
        return 0
    wanted = wanted if isinstance(wanted, tuple) else (wanted,)
    wrong = [index for index, value in zip(out, wanted) if not same(values[index], value)]
    print("right" if not wrong else f"wrong: argument {', '.join(map(str, wrong))}")
    return 1 if wrong else 0


def _bench(given, runner):
    kernel = runner.load(given.file, **_how(given))
    values, _out = make_values(given.arg, kernel.target.backend)
    print(runner.bench(kernel, given.grid, values, mode=given.mode, flush=given.flush))


def _split(given, runner):
    if given.target is None:
        raise RunnerError("split needs the target of the dump", given.file, "give --target cuda:90")
    return runner.split(pathlib.Path(given.file), given.out, given.target, dict(given.option))


def _bisect(given, runner):
    found = runner.bisect(given.file, _function(given.good), stages=given.stage, **_how(given))
    print(f"bad from {found.stage}:{found.index} {found.name} on" if found else "good as it is")
    return 1 if found else 0


def _diff(given, runner):
    found = runner.diff(runner.load(given.file, **_how(given)), runner.load(given.other, **_how(given)), given.at)
    print(found)
    return 1 if found else 0


# Commands that print what one function gives.
_LISTS = {
    "plan": lambda given, runner: runner.plan(_target(given.file), dict(given.option)),
    "snapshot": lambda given, runner: runner.snapshot(given.file, given.out, **_how(given)),
    "split": _split,
    "ablate": lambda given, runner: runner.ablate(given.file, stages=given.stage, **_how(given)),
    "page": lambda given, runner: [runner.page(given.file, given.out, **_how(given))],
}


def main(argv):
    """Runs one command; the exit status."""
    given = _parser().parse_args(argv)
    try:
        from triton_spec import runner
        if given.command in _LISTS:
            print(*_LISTS[given.command](given, runner), sep="\n")
            return 0
        return globals()[f"_{given.command}"](given, runner) or 0
    except (RunnerError, argparse.ArgumentTypeError) as error:
        print(error_text(error) if isinstance(error, RunnerError) else f"error[invalid]: {error}", file=sys.stderr)
        return 3 if isinstance(error, CompileFailed) else 2
    except ImportError as error:
        print(f"error[not-found]: {error}\n  mend: pip install triton, for this Python", file=sys.stderr)
        return 2
