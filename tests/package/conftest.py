"""Fixtures of the tests that ask package_tool."""

import importlib.util
import json
import pathlib
import subprocess

import pytest


class Tool:
    """The program package_tool: one question, one answer."""

    def __init__(self, program):
        self.process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        text=True, encoding="utf-8")

    def ask(self, **request):
        """The answer to a request; package_tool.c says what there are."""
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        assert answer, "package_tool ended"
        return json.loads(answer)

    def close(self):
        self.process.stdin.close()
        assert self.process.wait() == 0
        self.process.stdout.close()


@pytest.fixture(scope="session")
def tool(triton_spec):
    """A running package_tool of the same build as triton-spec."""
    program = triton_spec.parents[1] / "tests/package/package_tool"
    assert program.is_file(), f"{program} does not exist: build it with `make build`"
    running = Tool(program)
    yield running
    running.close()


@pytest.fixture(scope="session")
def triton_folder():
    """The folder of the stock wheel's package."""
    spec = importlib.util.find_spec("triton")
    assert spec is not None, "the stock wheel is not installed: run `tools/bootstrap`"
    return pathlib.Path(spec.origin).parent
