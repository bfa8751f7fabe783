"""Servers that a test starts for itself on the loopback address, and stops again."""

import contextlib
import os
import pathlib
import shutil
import socket
import subprocess
import tempfile
import time

PATIENCE = 30  # seconds that a server may take to answer


def _free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def _answers(port, question, answer):
    """Whether a server at the port gives this answer; without a question, whether one is there."""
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as line:
            line.sendall(question)
            return line.recv(len(answer)) == answer
    except OSError:
        return False


@contextlib.contextmanager
def _server(folder, command_of, question=b"", answer=b""):
    """Runs a server, its output in <folder>/log; yields its port.

    command_of: what gives the command for a port.  Another program may take the port that was
    free a moment ago, so a server that ends at once is tried again.
    """
    folder.mkdir(parents=True)
    for _ in range(5):
        port = _free_port()
        with open(folder / "log", "wb") as log:
            server = subprocess.Popen(command_of(port), cwd=folder, stdout=log, stderr=log)
        try:
            end = time.monotonic() + PATIENCE
            while server.poll() is None and not _answers(port, question, answer):
                assert time.monotonic() < end, (folder / "log").read_text()
                time.sleep(0.02)
            if server.poll() is None:
                yield port
                return
        finally:
            server.terminate()
            server.wait()
    raise AssertionError((folder / "log").read_text())


def _program(name):
    """The path of a server's program, which `tools/bootstrap` installs."""
    path = shutil.which(name, path=os.environ.get("PATH", "") + ":/usr/sbin:/usr/bin")
    assert path, f"no program {name}: `tools/bootstrap shared` installs it"
    return path


@contextlib.contextmanager
def redis(folder):
    """A key-value store that nothing keeps on disk; yields its URL."""
    program = _program("redis-server")

    def command(port):
        return [program, "--bind", "127.0.0.1", "--port", str(port), "--save", "", "--appendonly", "no",
                "--dir", str(folder)]

    with _server(folder, command, b"PING\r\n", b"+PONG\r\n") as port:
        yield f"redis://127.0.0.1:{port}"


class Distcc:
    """A compile server."""

    def __init__(self, folder, port):
        self.folder = folder
        # What a client sets.  It never compiles by itself when the server fails.
        self.env = {"DISTCC_HOSTS": f"127.0.0.1:{port}", "DISTCC_FALLBACK": "0", "DISTCC_DIR": str(folder / "client")}

    def compiled(self):
        """How many units the server was given since it started; it says so before it compiles."""
        return (self.folder / "log").read_text().count("] compile from ")


@contextlib.contextmanager
def distcc(folder, *compilers):
    """Yields a Distcc that runs these compilers, given by their paths.

    Started by root, the server turns into a user of its own, who must reach its folder of temporary
    files; a test's folders are closed to others.
    """
    program = _program("distccd")
    with tempfile.TemporaryDirectory(prefix="distcc-") as scratch:
        os.chmod(scratch, 0o1777)
        allowed = pathlib.Path(scratch) / "compilers"
        allowed.write_text("".join(f"{path}\n" for path in compilers))

        def command(port):
            return ["env", f"DISTCC_CMDLIST={allowed}", f"TMPDIR={scratch}", program, "--no-detach", "--daemon",
                    "--port", str(port), "--listen", "127.0.0.1", "--allow", "127.0.0.1", "--jobs", "2",
                    "--log-stderr", "--log-level", "info"]

        with _server(folder, command) as port:
            (folder / "client").mkdir()
            yield Distcc(folder, port)
