"""The benchmark of the git side: `status` and `bisect` on a planted history."""

import os
import pathlib
import shutil

from git.planted import History

from . import configure, measure

FILES, COMMITS, OVERRIDES = 5000, 1000, 20


def _history(program, folder):
    """The trunk, and the overlay locked at its first commit."""
    home = pathlib.Path(folder) / "drift"
    shutil.rmtree(home, ignore_errors=True)
    history = History(home, COMMITS, OVERRIDES, files=FILES)
    history.repository.git("repack", "-q", "-a", "-d")
    history.log = home / "log.txt"
    history.command = [program, "--trunk", history.repository.path, "--root", history.vendors,
                       "--backend", "acme"]
    _run(history, "lock", "--rev", history.ids[0])
    return history


def _run(history, command, *words):
    """Runs a command; its Cost. Overrides that are not clean are what is looked for."""
    program, *options = history.command
    return measure.run([program, command, *options, *words], history.log, statuses=(0, 1))


def _forget(root):
    """Asks the system to drop what it keeps of a tree's files in memory."""
    for folder, _, names in os.walk(root):
        for name in names:
            handle = os.open(os.path.join(folder, name), os.O_RDONLY)
            os.fsync(handle)
            os.posix_fadvise(handle, 0, 0, os.POSIX_FADV_DONTNEED)
            os.close(handle)


def _steps(history):
    """step -> (words, whether files are out of memory)."""
    return {
        "status of a revision": (["status", "--rev", "main"], False),
        "status of a revision, from disk": (["status", "--rev", "main"], True),
        "status of the work tree": (["status"], False),
        "status of the work tree, from disk": (["status"], True),
        "bisect": (["bisect", "--to", "main"], False),
        "plan, trunk as locked": (["plan"], False),
        "plan, drifted": (["plan"], False),
    }


def _measure(history, name, words, cold):
    newest = "main" if name != "plan, trunk as locked" else history.ids[0]
    history.repository.git("checkout", "-q", "--detach", newest)
    if not cold:
        _run(history, *words)  # into memory
    else:
        _forget(history.repository.path)
    return _run(history, *words)


def measure_all(program, folder, runs, say):
    """The figures, as docs/benchmarks.json has them."""
    where = configure.machine()  # before it is busy with this
    say(f"drift: {COMMITS} commits, {FILES} files, {OVERRIDES} overrides")
    history = _history(program, folder)
    found = {name: [] for name in _steps(history)}
    for number in range(runs):
        say(f"drift: round {number + 1} of {runs}")
        for name, (words, cold) in _steps(history).items():
            found[name].append(_measure(history, name, words, cold))
    return {
        "machine": where, "runs": runs, "files": FILES, "commits": COMMITS,
        "overrides": OVERRIDES,
        "steps": {name: {"cpu_ms": measure.summary([cost.cpu for cost in costs]),
                         "wall_ms": measure.summary([cost.wall for cost in costs])}
                  for name, costs in found.items()},
    }
