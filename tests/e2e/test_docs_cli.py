"""The command line's page, manual page and completion say what the program's --help says."""

import html
import re
import subprocess

import pytest

from support.toy import clean_environment

from conftest import ROOT


def words(text):
    """Text with one space between words."""
    return " ".join(text.split())


@pytest.fixture(scope="session")
def program_help(triton_spec):
    """A function: the text of --help, of the program or of a command."""
    def show(*command):
        return subprocess.run([triton_spec, *command, "--help"], check=True, capture_output=True,
                              text=True).stdout
    return show


@pytest.fixture(scope="session")
def commands(program_help):
    """{name: (usage, summary, {option: help})} of every command."""
    listed = re.search(r"^commands:\n(.*?)\n\n", program_help(), re.MULTILINE | re.DOTALL).group(1)
    found = {}
    for name in re.findall(r"^  (\S+)", listed, re.MULTILINE):
        text = program_help(name)
        usage, summary, options = re.fullmatch(
            r"usage: (triton-spec .*)\n\n(.*)\n\noptions:\n(.*)", text, re.DOTALL).groups()
        found[name] = usage, summary, dict(re.findall(
            r"^  (--[a-z-]+(?: [A-Z]+)?)\s+(.*)$", options, re.MULTILINE))
    assert len(found) > 5
    return found


def section(page, heading):
    """The text of a page's section of level two."""
    return re.search(rf"^## {re.escape(heading)}\n(.*?)(?=^## |\Z)", page,
                     re.MULTILINE | re.DOTALL).group(1)


def option_rows(text):
    """{option: meaning} of the option tables of a text."""
    return {option: html.unescape(meaning)
            for option, meaning in re.findall(r"^\| `(--[^`]+)` \| (.*) \|$", text, re.MULTILINE)}


def test_page_has_every_command_and_option(commands):
    page = (ROOT / "docs/reference/cli.md").read_text()
    shared = option_rows(section(page, "Options of every command that plans"))
    headings = re.findall(r"^## (\S+)$", page, re.MULTILINE)
    assert [name for name in headings if name in commands] == list(commands)
    for name, (usage, summary, options) in commands.items():
        text = section(page, name)
        plans = "--warn-redundant" in options and "--trunk DIR" in options
        assert f"`{usage}`" in text
        assert summary in words(text)
        assert {**(shared if plans else {}), **option_rows(text)} == options, name


def test_page_names_the_commands_that_plan(commands):
    page = (ROOT / "docs/reference/cli.md").read_text()
    first = section(page, "Options of every command that plans").strip().split("\n")[0]
    plan = {name for name, (_, _, options) in commands.items()
            if {"--trunk DIR", "--warn-redundant"} <= set(options)}
    assert set(re.findall(r"`([^`]+)`", first)) == plan


# --- the manual page -----------------------------------------------------------------------------

def manual_items(text, heading):
    """{head: body} of the list in a section of an mdoc page."""
    part = re.search(rf"^\.Sh {heading}\n(.*?)(?=^\.Sh |\Z)", text, re.MULTILINE | re.DOTALL).group(1)
    return dict(re.findall(r"^\.It ([^\n]*)\n(.*?)(?=^\.It |^\.El)", part, re.MULTILINE | re.DOTALL))


def test_manual_has_every_command(commands):
    items = manual_items((ROOT / "spec/cli/triton-spec.1").read_text(), "COMMANDS")
    assert [head.removeprefix("Cm ") for head in items] == list(commands)
    for name, (_, summary, _) in commands.items():
        assert words(items[f"Cm {name}"]).startswith(summary)


def test_manual_has_every_option(commands):
    items = manual_items((ROOT / "spec/cli/triton-spec.1").read_text(), "OPTIONS")
    wanted = {}
    for _, _, options in commands.values():
        for option, meaning in options.items():
            name, _, value = option.partition(" ")
            head = f"Fl {name[1:]} Ar {value}" if value else f"Fl {name[1:]}"
            wanted.setdefault(head, set()).add(meaning)
    assert set(items) == set(wanted)
    for head, meanings in wanted.items():
        assert [text for text in meanings if text not in words(items[head])] == [], head


def test_manual_names_the_commands_of_an_option(commands):
    items = manual_items((ROOT / "spec/cli/triton-spec.1").read_text(), "OPTIONS")
    for head, body in items.items():
        named = re.search(r"^\.Pq Cm (.*)$", body, re.MULTILINE)
        option = head.split()[1]
        having = {name for name, (_, _, options) in commands.items()
                  if any(known.split()[0] == "-" + option for known in options)}
        if named:
            assert set(re.findall(r"[a-z-]+", named.group(1))) == having, head
        else:
            assert having == set(commands), head


# --- completion ----------------------------------------------------------------------------------

def complete(triton_spec, folder, *line):
    """What bash offers for the last word of a line."""
    script = ('. "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); '
              '_triton_spec "$1" "${@: -1}" "${@: -2:1}"; printf "%s\\n" "${COMPREPLY[@]}"')
    shown = subprocess.run(
        ["bash", "--norc", "-c", script, "-", ROOT / "spec/cli/completion/triton-spec.bash",
         triton_spec, *line], cwd=folder, env=clean_environment(), check=True, capture_output=True,
        text=True)
    assert shown.stderr == ""
    return set(shown.stdout.split("\n")) - {""}


def test_completion_of_commands(triton_spec, commands, tmp_path):
    assert complete(triton_spec, tmp_path, "") == {*commands, "--help", "--version"}
    assert complete(triton_spec, tmp_path, "pl") == {"plan", "place"}


def test_completion_of_options(triton_spec, commands, tmp_path):
    for name, (_, _, options) in commands.items():
        assert complete(triton_spec, tmp_path, name, "--") == {o.split()[0] for o in options}


def test_completion_of_values(triton_spec, tmp_path):
    for folder in ("third_party/acme/spec_cpp", "third_party/mini/spec", "third_party/other", "trunk"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "targets.txt").write_text("")
    assert complete(triton_spec, tmp_path, "plan", "--backend", "") == {"acme", "mini"}
    assert complete(triton_spec, tmp_path, "plan", "--backend", "a") == {"acme"}
    assert complete(triton_spec, tmp_path, "plan", "--trunk", "t") == {"third_party", "trunk"}
    assert complete(triton_spec, tmp_path, "place", "--targets", "t") == {
        "third_party", "trunk", "targets.txt"}


def test_zsh_completion_reads_the_same_help(commands, program_help):
    """zsh may not be installed; its function cuts --help by two sed commands, tried here."""
    text = (ROOT / "spec/cli/completion/_triton-spec").read_text()
    first, second = re.findall(r"sed -nE '([^']+)'", text)

    def cut(script, shown):
        return subprocess.run(["sed", "-nE", script], input=shown, check=True, capture_output=True,
                              text=True).stdout.split("\n")[:-1]
    assert cut(first, program_help()) == [f"{name}:{summary}"
                                          for name, (_, summary, _) in commands.items()]
    for name, (_, _, options) in commands.items():
        split = [row.split("|") for row in cut(second, program_help(name))]
        assert {option + value: meaning for option, value, meaning in split} == options
