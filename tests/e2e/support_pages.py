"""The examples of a page: files are written, commands run, and output compared.

A page's example is made of two kinds of block:

- a block behind a line that is only a path in backquotes and a colon is the text of that file;
- a block marked `console` holds commands behind `$ ` (continued by `> `) and what they print.
  `...` stands for any text, and on a line of its own for any number of lines.

A command has to succeed, unless the output that the page shows has an error or a finding.
"""

import dataclasses
import re
import subprocess

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


def run_page(page, folder, environment, until=None, skip=None):
    """Writes and runs what a page shows, up to the first command that matches `until` and without those that
    match `skip`; returns the number of commands run."""
    session, count = Session(folder, environment), 0
    try:
        for line, language, path, text in blocks(page):
            if path:
                (folder / path).parent.mkdir(parents=True, exist_ok=True)
                (folder / path).write_text(text)
            for command in commands(line, text) if language == "console" else []:
                if until and re.search(until, command.text):
                    return count
                if skip and re.search(skip, command.text):
                    continue
                status, output = session.run(command.text)
                assert matches(command.output, output), (
                    f"line {command.line}: {command.text}\nthe page shows:\n{command.output}\n"
                    f"it prints:\n{output}")
                assert status == 0 or command.may_fail(), f"line {command.line}: status {status}"
                count += 1
        return count
    finally:
        session.close()
