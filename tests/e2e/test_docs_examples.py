"""The examples of the documents: files are written, commands run, and output compared.

A page's example is made of two kinds of block:

- a block behind a line that is only a path in backquotes and a colon is the text of that file;
- a block marked `console` holds commands behind `$ ` (continued by `> `) and what they print.
  `...` stands for any text, and on a line of its own for any number of lines.

A command has to succeed, unless the output that the page shows has an error or a finding.
"""

import dataclasses
import pathlib
import re
import subprocess
import sys

import pytest

from support.toy import clean_environment
from support.wheels import toy_wheel

from conftest import ROOT

MARK = "@@status "


@dataclasses.dataclass
class Command:
    """One command of a console block, and what the page says that it prints."""

    line: int
    text: str
    output: str

    def may_fail(self):
        return "error[" in self.output or "CMake Error" in self.output


def blocks(page):
    """Yields (line, language, path or "", text) for each fenced block of Markdown text."""
    pattern = re.compile(r"(?:^`(?P<path>[^`\n]+)`:\n)?^```(?P<language>\w*)\n(?P<text>.*?)^```$",
                         re.MULTILINE | re.DOTALL)
    for match in pattern.finditer(page):
        yield (page.count("\n", 0, match.start("text")) + 1, match["language"], match["path"] or "",
               match["text"])


def commands(line, text):
    """The commands of a console block that begins at a line."""
    found = []
    for number, row in enumerate(text.split("\n")[:-1], line):
        if row.startswith("$ "):
            found.append(Command(number, row[2:], ""))
        elif row.startswith("> ") and found and not found[-1].output:
            found[-1].text += "\n" + row[2:]
        else:
            assert found, f"line {number}: output before the first command"
            found[-1].output += row + "\n"
    return found


def matches(expected, output):
    """Whether output is what the page shows."""
    pattern = ""
    for row in expected.split("\n")[:-1]:
        pattern += r"(?:.*\n)*" if row == "..." else re.escape(row).replace(r"\.\.\.", ".*") + r"\n"
    if output and not output.endswith("\n"):
        output += "\n"
    return re.fullmatch(pattern, output) is not None


class Session:
    """The shell of one page: folder, variables and functions last from command to command."""

    def __init__(self, folder, environment):
        self.shell = subprocess.Popen(
            ["bash", "--norc"], cwd=folder, env=environment, text=True, stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT)

    def run(self, text):
        """Runs a command; returns its status and what it printed on both streams."""
        self.shell.stdin.write(f"{{ {text}\n}} </dev/null\necho \"{MARK}$?\"\n")
        self.shell.stdin.flush()
        output = ""
        while MARK not in output:
            row = self.shell.stdout.readline()
            assert row, f"the shell ended in '{text}':\n{output}"
            output += row
        output, status = output.split(MARK)
        return int(status), output

    def close(self):
        self.shell.stdin.close()
        self.shell.wait()
        self.shell.stdout.close()


def run_page(page, folder, environment, until=None):
    """Writes and runs what a page shows, up to the first command that matches `until`; returns the
    number of commands run."""
    session, count = Session(folder, environment), 0
    try:
        for line, language, path, text in blocks(page):
            if path:
                (folder / path).parent.mkdir(parents=True, exist_ok=True)
                (folder / path).write_text(text)
            for command in commands(line, text) if language == "console" else []:
                if until and re.search(until, command.text):
                    return count
                status, output = session.run(command.text)
                assert matches(command.output, output), (
                    f"line {command.line}: {command.text}\nthe page shows:\n{command.output}\n"
                    f"it prints:\n{output}")
                assert status == 0 or command.may_fail(), f"line {command.line}: status {status}"
                count += 1
        return count
    finally:
        session.close()


@pytest.fixture(scope="session")
def prefix(triton_spec, tmp_path_factory):
    """triton-spec, installed from the build folder that the program lies in."""
    folder = tmp_path_factory.mktemp("prefix")
    subprocess.run(["cmake", "--install", triton_spec.parents[1], "--prefix", folder], check=True,
                   stdout=subprocess.PIPE)
    return folder


@pytest.fixture
def environment(triton_spec, prefix, tmp_path):
    """What the pages take for granted: the program, the checkout and the prefix."""
    clean = clean_environment(repo=str(ROOT), prefix=str(prefix), TMPDIR=str(tmp_path), LC_ALL="C.UTF-8")
    return {**clean, "PATH": f"{triton_spec.parent}:{clean['PATH']}"}


@pytest.mark.parametrize("page", ["docs/reference/cmake.md", "docs/guide/build-engineer.md",
                                  "docs/guide/from-flagtree.md", "docs/guide/from-a-fork.md",
                                  "docs/guide/upgrading.md"])
def test_page(page, environment, tmp_path):
    assert run_page((ROOT / page).read_text(), tmp_path, environment) > 0


def test_ship_a_wheel(environment, tmp_path):
    toy_wheel(tmp_path / "dist", {
        "triton/__init__.py": "", "triton/testing.py": "def nvsmi(attrs):\n    return attrs\n",
        "triton/language/__init__.py": "",
        "triton/language/extra/__init__.py": "", "triton/runtime/__init__.py": "",
        "triton/runtime/cache.py": "def triton_key():\n    return ''\n"}, tail="py3-none-any")
    environment["PATH"] = f"{pathlib.Path(sys.executable).parent}:{environment['PATH']}"
    page = (ROOT / "docs/guide/ship-a-wheel.md").read_text()
    assert run_page(page, tmp_path, environment) == 4


def test_first_overlay_up_to_the_build(environment, tmp_path):
    page = (ROOT / "docs/guide/first-overlay.md").read_text()
    assert run_page(page, tmp_path, environment, until="^ninja ") > 0


@pytest.mark.slow
def test_first_overlay(environment, tmp_path):
    assert run_page((ROOT / "docs/guide/first-overlay.md").read_text(), tmp_path, environment) > 0


# --- the runner itself: it must notice what is wrong with a page -----------------------------------

@pytest.mark.parametrize("expected, output, same", [
    ("a\n", "a\n", True),
    ("a\n", "b\n", False),
    ("", "", True),
    ("", "a\n", False),
    ("a\n", "a\nb\n", False),
    ("...\nb\n", "a\na\nb\n", True),
    ("...\nb\n", "b\n", True),
    ("...\nb\n", "a\nbb\n", False),
    ("a\n...\n", "a\nb\nc\n", True),
    ("a\n...\n", "a\n", True),
    ("...\n", "", True),
    ("a ... c\n", "a b c\n", True),
    ("a ... c\n", "a b\nc\n", False),
    ("a.c (1)\n", "abc (1)\n", False),
])
def test_output_is_compared(expected, output, same):
    assert matches(expected, output) is same


def test_sound_page_runs(environment, tmp_path):
    page = ("`a/b.txt`:\n```text\nhello\n```\n\n```console\n$ cd a\n$ cat b.txt\nhello\n$ x=1\n```\n"
            "```sh\nfalse\n```\n```console\n$ echo $x \\\n> y\n1 y\n$ false # error[x]\nerror[...\n```\n")
    with pytest.raises(AssertionError, match="line 19"):
        run_page(page, tmp_path, environment)
    assert run_page(page, tmp_path, environment, until="^false") == 4


@pytest.mark.parametrize("page", ["```console\n$ echo a\nb\n```\n", "```console\n$ false\n```\n",
                                  "```console\n$ exit 0\n```\n", "```console\na\n```\n"])
def test_wrong_page_is_found(environment, tmp_path, page):
    with pytest.raises(AssertionError):
        run_page(page, tmp_path, environment)
