"""Running one process and saying what it cost."""

import dataclasses
import os
import statistics
import time


class Failed(Exception):
    """A measured command did not succeed; the text holds the end of its output."""


@dataclasses.dataclass(frozen=True)
class Cost:
    """What a process and all it waited for cost.

    cpu   user and system time, milliseconds
    wall  milliseconds from before the start until the end was seen
    peak  resident memory of the largest of the processes, MB; never below that of the process that
          measures, whose pages count until the new program is loaded
    """

    cpu: float
    wall: float
    peak: float


def run(command, log, env=None, statuses=(0,)):
    """Runs a command, its output into the file `log`, and returns its Cost. Raises Failed.

    env: its environment, instead of this process's
    statuses: exit statuses of success
    """
    output = [(os.POSIX_SPAWN_OPEN, 1, str(log), os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644),
              (os.POSIX_SPAWN_DUP2, 1, 2)]
    command = [str(word) for word in command]
    start = time.perf_counter()
    pid = os.posix_spawnp(command[0], command, os.environ if env is None else env, file_actions=output)
    _, status, usage = os.wait4(pid, 0)
    wall = time.perf_counter() - start
    if os.waitstatus_to_exitcode(status) not in statuses:
        with open(log, encoding="utf-8", errors="replace") as text:
            raise Failed(f"{' '.join(command)}\n{text.read()[-2000:]}")
    return Cost((usage.ru_utime + usage.ru_stime) * 1000, wall * 1000, usage.ru_maxrss / 1024)


def summary(values, digits=1):
    """Least, middle and greatest of some figures, rounded to that many digits behind the point."""
    return {"min": round(min(values), digits), "median": round(statistics.median(values), digits),
            "max": round(max(values), digits)}
