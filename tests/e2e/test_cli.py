"""The command line: help, mistakes, JSON, colours, exit statuses, the log of a build."""

import json
import os
import pty
import subprocess

import pytest

from support.engine import Engine
from support.toy import clean_environment

COMMANDS = ["plan", "lint", "why", "log", "cmake-args", "export", "stage", "place"]


@pytest.fixture
def engine(tmp_path, triton_spec):
    """A trunk with a sound backend acme."""
    engine = Engine(tmp_path, triton_spec)
    engine.write({"vendors/acme/spec_cpp/lib/a.c": "int vendor;\n"})
    return engine


@pytest.fixture
def refused(engine):
    """The same with one finding."""
    engine.write({"vendors/acme/spec_cpp/lib/x.bin": ""})
    return engine


def plain(engine, *words, **how):
    """The program with just these words."""
    return engine.run_command([engine.program, *words], **how)


# --- help and mistakes ---------------------------------------------------------------------------

@pytest.mark.parametrize("words", [["--help"], ["-h"]])
def test_help_lists_every_command(engine, words):
    outcome = plain(engine, *words).says(0, "usage: triton-spec", "exit status", *COMMANDS)
    assert outcome.err == b""


def test_nothing_to_do_shows_help(engine):
    plain(engine).says(2, "usage: triton-spec")


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("flag", ["--help", "-h"])
def test_help_of_a_command(engine, command, flag):
    outcome = plain(engine, command, flag).says(0, f"usage: triton-spec {command}", "options:", "--help")
    assert outcome.err == b""
    assert outcome.out == plain(engine, command, "too", "many", "words", flag).out


def test_version(engine):
    assert plain(engine, "--version").says(0).out == b"triton-spec 0.1.0\n"


@pytest.mark.parametrize("word, near", [("plann", "plan"), ("lgo", "log"), ("cmake-arg", "cmake-args"),
                                        ("PLAN", None), ("entirely-else", None), ("", None),
                                        ("x" * 10_000, None), ("\x1b[31m", None), ("--hlep", None)])
def test_unknown_command(engine, word, near):
    outcome = plain(engine, word).says(2, "error[invalid]: there is no command", "mend:")
    assert f"did you mean '{near}'?" in outcome.text if near else "triton-spec --help" in outcome.text
    assert outcome.out == b"" and b"\x1b" not in outcome.err


@pytest.mark.parametrize("words, says", [
    (["plan", "--trnk", "x"], "did you mean '--trunk'?"),
    (["plan", "--backnd=x"], "did you mean '--backend'?"),
    (["plan", "--entirely-else"], "see 'triton-spec plan --help'"),
    (["plan", "-x"], "has no option '-x'"),
    (["plan", "--json=1"], "'--json' takes no value"),
    (["plan", "--trunk"], "'--trunk' needs a value: DIR"),
    (["plan", "word"], "'plan' does not take 'word'"),
    (["plan", "--", "--json"], "'plan' does not take '--json'"),
    (["plan", "-"], "'plan' does not take '-'"),
    (["why"], "'why' needs more words"),
    (["why", "a", "b"], "'why' does not take 'b'"),
    (["log", "a", "b"], "'log' does not take 'b'"),
    (["stage"], "needs --out DIR"),
    (["place", "--out", "x"], "needs --out DIR and --targets FILE"),
])
def test_mistake(engine, words, says):
    outcome = plain(engine, *words).says(2, "error[invalid]", says)
    assert outcome.out == b""


# --- JSON ----------------------------------------------------------------------------------------

def test_plan(engine):
    outcome = engine.run("plan", "--json").says(0)
    assert outcome.err == b""
    assert [o["trunk"] for o in outcome.json["overrides"]] == ["lib/a.c"]
    assert outcome.json["findings"] == []


def test_plan_with_findings(refused):
    outcome = refused.run("plan", "--json").says(1)
    assert outcome.err == b""
    assert [f["code"] for f in outcome.json["findings"]] == ["unknown-kind"]
    assert [o["trunk"] for o in outcome.json["overrides"]] == ["lib/a.c"]


@pytest.mark.parametrize("path", ["lib/a.c", "spec_cpp/lib/a.c", "./lib//a.c", "absolute", "vendor"])
def test_why(engine, path):
    path = {"absolute": engine.trunk / "lib/a.c", "vendor": engine.acme / "spec_cpp/lib/a.c"}.get(path, path)
    answer = engine.run("why", "--json", path).says(0).json
    assert (answer["trunk"], answer["overridden"], answer["action"]) == ("lib/a.c", True, "replace")
    assert answer["vendor"] == str(engine.acme / "spec_cpp/lib/a.c")


def test_why_of_the_trunks_own(engine):
    answer = engine.run("why", "lib/b.c", "--json").says(0).json
    assert (answer["overridden"], answer["exists_in_trunk"]) == (False, True)


def test_why_with_findings(refused):
    answer = refused.run("why", "--json", "lib/a.c").says(1).json
    assert answer["overridden"] and [f["code"] for f in answer["findings"]] == ["unknown-kind"]
    refused.run("why", "lib/a.c").says(1, "source replace", "error[unknown-kind]")


@pytest.mark.parametrize("path", ["lib/aa.c", "../trunk2/x.c", "/", "/etc/passwd", "lib", "", "x" * 5000,
                                  "lib/a.c/b", "\x1b"])
def test_why_of_nothing(engine, path):
    outcome = engine.run("why", "--json", path)
    assert outcome.status == 2 and outcome.json["error"]["code"] in ("not-found", "io")
    text = engine.run("why", path).says(2, "error[")
    assert b"\x1b" not in text.err
    if path == "lib/aa.c":
        assert "did you mean 'lib/a.c'" in outcome.json["error"]["message"]


@pytest.mark.parametrize("words", [
    ["plan", "--backend", "absent"], ["plan", "--backend", "B"], ["plan", "--trunk", "absent"],
    ["why", "x"], ["log", "absent"], ["cmake-args", "--backend", "absent"], ["stage", "--backend", "absent"],
])
def test_failure_is_one_document(engine, words):
    words = [words[0], "--json", *words[1:]] if words[0] != "stage" else ["stage", "--out", "o", "--json",
                                                                          *words[1:]]
    outcome = plain(engine, *words, cwd=engine.trunk).says(2)
    assert outcome.err == b""
    error = outcome.json["error"]
    assert error["severity"] == "error" and error["message"] and error["code"]


def test_names_that_are_not_utf_8_still_give_json(engine):
    with open(os.fsencode(engine.acme) + b"/spec_cpp/lib/caf\xe9.c", "wb"):
        pass
    outcome = engine.run("plan", "--json").says(1)
    assert outcome.json["findings"][0]["code"] == "bad-name"
    assert "caf\ufffd.c" in outcome.json["findings"][0]["message"]


# --- the log -------------------------------------------------------------------------------------

def test_log_of_a_build(engine):
    engine.out = engine.root / "build/spec"
    engine.stage().says(0)
    engine.place().says(0)
    text = plain(engine, "log", engine.root / "build").says(0).out.decode()
    assert "-- SPEC: lib/a.c -> app\n" in text
    assert all(line.startswith("-- ") for line in text.splitlines())
    assert plain(engine, "log", cwd=engine.root / "build").out.decode() == text
    manifest = plain(engine, "log", "--json", engine.root / "build").says(0).json
    assert manifest["overrides"][0]["owners"] == ["app"]


def test_log_of_no_build(engine):
    plain(engine, "log", engine.trunk).says(2, "is not a build with an overlay", "mend: configure it")


# --- colours -------------------------------------------------------------------------------------

def on_a_terminal(engine, **env):
    """What a plan says when standard error is a terminal."""
    master, slave = pty.openpty()
    try:
        done = subprocess.run(engine.command("plan"), stdout=subprocess.DEVNULL, stderr=slave, check=False,
                              env=clean_environment(**env))
        assert done.returncode == 1
        return os.read(master, 10_000)
    finally:
        os.close(slave)
        os.close(master)


def test_colours_on_a_terminal_only(refused):
    assert b"\x1b[" in on_a_terminal(refused)
    assert b"\x1b[" not in on_a_terminal(refused, NO_COLOR="1")
    assert b"\x1b" not in refused.run("plan").err


# --- one plan, two forms -------------------------------------------------------------------------

def test_text_and_json_agree(refused):
    text, answer = refused.run("plan"), refused.run("plan", "--json").json
    for finding in answer["findings"]:
        assert f"{finding['severity']}[{finding['code']}]: {finding['message']}\n" in text.text
        assert f"  at: {finding['where']}\n  mend: {finding['mend']}\n" in text.text
    for override in answer["overrides"]:
        assert override["trunk"] in text.out.decode()
    assert json.loads(refused.run("plan", "--json").out) == answer
