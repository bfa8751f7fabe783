"""``triton-spec kernel``: the runner on the command line.

Exit status: 0 done, 1 a wrong result or a difference, 2 bad input, 3 the compiler refused.
"""

import argparse
import importlib.util
import pathlib
import re
import sys

from .._log import error_text
from .errors import CompileFailed, RunnerError

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
    spec = importlib.util.spec_from_file_location("given", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    if not hasattr(module, name):
        raise RunnerError(f"the file defines no '{name}'", path)
    return getattr(module, name)


def _parser():
    parser = argparse.ArgumentParser(prog="triton-spec kernel", usage=USAGE, allow_abbrev=False,
                                     description="Loads a kernel from a file of any level of its compilation.",
                                     epilog="exit status: 0 done, 1 wrong result or difference, 2 bad input, 3 not compiled")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)

    def add(name, text, *files):
        command = commands.add_parser(name, help=text, description=text, allow_abbrev=False)
        for file in files or ("file",):
            command.add_argument(file)
        command.add_argument("--level", help="the file's level, or of a folder the one to take")
        command.add_argument("--target", type=_target, metavar="BACKEND:ARCH", help="such as cuda:90")
        command.add_argument("--option", type=_option, action="append", default=[], metavar="NAME=VALUE",
                             help="of the compiler, such as num_warps=8; may be given several times")
        command.add_argument("--meta", metavar="FILE", help="metadata in place of the file beside it")
        command.add_argument("--loose", action="store_true", help="take edited metadata, other binaries, unknown arguments")
        return command
    add("info", "what the kernel is: arguments, options, resources")
    compile_ = add("compile", "compile to a level, or with --stop to behind a pass")
    resume = add("resume", "compile a module that stands between two passes")
    for command in (compile_, resume):
        command.add_argument("--to", metavar="LEVEL", help="print this level; default: write all into --out")
        command.add_argument("--out", metavar="DIR", help="write every level and the sidecar here")
    resume.add_argument("--after", metavar="PASS",
                        help="the pass that the module stands behind, with --target; default: what a snapshot says")
    compile_.add_argument("--stop", metavar="PASS", help="print the module behind this pass")
    compile_.add_argument("--skip", action="append", default=[], metavar="PASS", help="leave this pass out")
    run = add("run", "launch the kernel")
    bench = add("bench", "measure the kernel")
    for command in (run, bench):
        command.add_argument("--grid", type=_grid, default=(1,), metavar="X[,Y[,Z]]")
        command.add_argument("--arg", action="append", default=[], metavar="TYPE=VALUE",
                             help="in order: i32=5, fp32=1.5, fp32[1024]=randn|zeros|ones|arange, each may end in :out")
    run.add_argument("--check", metavar="FILE:FUNCTION", help="function(*args) that returns what the :out argument must be, or a tuple of several")
    bench.add_argument("--mode", default="wall", choices=("graph", "event", "wall", "host"))
    bench.add_argument("--flush", action="store_true", help="write over the L2 cache before each launch")
    add("plan", "the passes that run behind no file: give a target as FILE, such as cuda:90")
    snapshot = add("snapshot", "write the module behind every pass")
    snapshot.add_argument("--out", metavar="DIR", required=True)
    split = add("split", "write what MLIR_ENABLE_DUMP printed as snapshots")
    split.add_argument("--out", metavar="DIR", required=True)
    ablate = add("ablate", "compile once without each pass")
    bisect = add("bisect", "find the first pass with which the kernel is bad")
    bisect.add_argument("--good", metavar="FILE:FUNCTION", required=True, help="function(kernel) says whether it is good")
    for command in (ablate, bisect):
        command.add_argument("--stage", action="append", default=[], help="try passes of this stage alone")
    diff = add("diff", "what differs between two kernels at a level", "file", "other")
    diff.add_argument("--at", default="ttgir", metavar="LEVEL", help="default ttgir; sass too")
    page = add("page", "one HTML page of what each pass changed")
    page.add_argument("--out", metavar="FILE", required=True)
    return parser


def _how(given):
    options = dict(given.option)
    return {"level": given.level, "target": given.target, "options": options or None, "meta": given.meta,
            "check": "loose" if given.loose else "strict"}


def _info(given, runner):
    kernel = runner.load(given.file, **_how(given))
    print(f"{kernel.name} for {kernel.target.backend}:{kernel.target.arch}, levels {', '.join(kernel.asm)}")
    for arg in kernel.meta.args:
        about = f" = {arg.constant!r}" if arg.is_constant else ", divisible by 16" if arg.div16 else ""
        print(f"  {arg.name}: {arg.type}{about}")
    from .compare import resources
    for key, value in {**kernel.meta.launch, **resources(kernel)}.items():
        print(f"  {key} {value}")


def _compile(given, runner):
    if given.stop:
        print(runner.compile_to(given.file, given.stop, **_how(given)), end="")
        return
    _write(given, runner.load(given.file, skip=given.skip, **_how(given)))


def _resume(given, runner):
    _write(given, runner.resume(given.file, given.after, **_how(given)))


def _write(given, kernel):
    """What --out and --to ask for."""
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


def _run(given, runner):
    from .values import make_values, same
    kernel = runner.load(given.file, **_how(given))
    values, out = make_values(given.arg, kernel.target.backend)
    if given.check:
        wanted = _function(given.check)(*[value.copy() if hasattr(value, "copy") else value for value in values])
        wanted = wanted if isinstance(wanted, tuple) else (wanted,)
    kernel[given.grid](*[getattr(value, "passed", value) for value in values])
    if not given.check:
        for index in out:
            print(f"argument {index}: {values[index]}")
        return None
    wrong = [index for index, value in zip(out, wanted) if not same(values[index], value)]
    print("right" if not wrong else f"wrong: argument {', '.join(map(str, wrong))}")
    return 1 if wrong else 0


def _bench(given, runner):
    from .values import make_values
    kernel = runner.load(given.file, **_how(given))
    values, _out = make_values(given.arg, kernel.target.backend)
    print(runner.bench(kernel, given.grid, [getattr(value, "passed", value) for value in values], mode=given.mode,
                       flush=given.flush))


def _plan(given, runner):
    for item in runner.plan(_target(given.file), dict(given.option)):
        print(item)


def _snapshot(given, runner):
    for path in runner.snapshot(given.file, given.out, **_how(given)):
        print(path)


def _split(given, runner):
    if given.target is None:
        raise RunnerError("split needs the target of the dump", given.file, "give --target cuda:90")
    for path in runner.split(pathlib.Path(given.file), given.out, given.target, dict(given.option)):
        print(path)


def _ablate(given, runner):
    for result in runner.ablate(given.file, stages=given.stage, **_how(given)):
        print(f"{result.outcome:8} {result.item.stage}:{result.item.index} {result.item.name}")


def _bisect(given, runner):
    found = runner.bisect(given.file, _function(given.good), stages=given.stage, **_how(given))
    print(f"bad from {found.stage}:{found.index} {found.name} on" if found else "good as it is")
    return 1 if found else 0


def _diff(given, runner):
    found = runner.diff(runner.load(given.file, **_how(given)), runner.load(given.other, **_how(given)), given.at)
    print(found)
    return 1 if found else 0


def _page(given, runner):
    print(runner.page(given.file, given.out, **_how(given)))


def main(argv):
    """Runs one command; the exit status."""
    given = _parser().parse_args(argv)
    try:
        from triton_spec import runner
        return globals()[f"_{given.command}"](given, runner) or 0
    except CompileFailed as error:
        print(error_text(error), file=sys.stderr)
        return 3
    except (RunnerError, argparse.ArgumentTypeError) as error:
        print(error_text(error) if isinstance(error, RunnerError) else f"error[invalid]: {error}", file=sys.stderr)
        return 2
    except ImportError as error:
        print(f"error[not-found]: {error}\n  mend: pip install triton, for this Python", file=sys.stderr)
        return 2
