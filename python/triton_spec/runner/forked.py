"""Work in a child process, for a compiler that may end its process instead of raising."""

import faulthandler
import os
import pickle
import signal
import sys
import tempfile
import traceback
import warnings

from .errors import CompileAborted, RunnerError

_LAST_WORDS = 2000  # bytes of the child's standard error that an error repeats


def _child(function, arguments, pipe, words):
    """The child's life: whether the function came to an end, and what it returned or raised, goes into the pipe."""
    try:
        faulthandler.disable()  # the compiler's own last words are what is told
        os.dup2(words, 2)
        try:
            answer = True, function(*arguments)
        except BaseException as error:
            kept = error if isinstance(error, RunnerError) else RunnerError(f"{type(error).__name__}: {error}")
            kept.__cause__, kept.__traceback__ = None, None
            answer = False, kept
        with os.fdopen(pipe, "wb") as out:
            pickle.dump(answer, out)
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stderr.flush()
        os._exit(0)


def forked(function, *arguments):
    """function(*arguments) in a forked child; its result, or what it raised.

    What is returned must be picklable. Raises CompileAborted with the end of the child's standard error
    when the child died, and RunnerError for exceptions that are not the runner's.
    """
    reader, writer = os.pipe()
    sys.stdout.flush()
    sys.stderr.flush()
    with tempfile.TemporaryFile() as words:
        with warnings.catch_warnings():  # of threads, which the child neither has nor needs
            warnings.simplefilter("ignore", DeprecationWarning)
            child = os.fork()
        if child == 0:
            _child(function, arguments, writer, words.fileno())
        os.close(writer)
        with os.fdopen(reader, "rb") as answers:
            data = answers.read()
        _pid, status = os.waitpid(child, 0)
        words.seek(0)
        text = words.read()[-_LAST_WORDS:].decode("utf-8", "replace").strip()
    if os.WIFSIGNALED(status) or not data:
        how = signal.Signals(os.WTERMSIG(status)).name if os.WIFSIGNALED(status) else "no answer"
        first = next((line for line in text.splitlines() if "LLVM ERROR" in line or "Assertion" in line), text[:300])
        raise CompileAborted(f"the compiler ended its process ({how}): {first}")
    done, value = pickle.loads(data)
    if not done:
        raise value
    return value
