"""Overlays that nobody should have: links, names, special files, depth, number."""

import os
import resource
import socket
import subprocess

import pytest

from support.engine import Engine


@pytest.fixture
def engine(tmp_path, triton_spec):
    """A sound trunk with an empty backend acme."""
    return Engine(tmp_path, triton_spec)


def codes(outcome):
    """The codes of a plan's findings."""
    return sorted({finding["code"] for finding in outcome.json["findings"]})


# --- links ---------------------------------------------------------------------------------------

def link(engine, name, target):
    """A link in acme's spec_cpp."""
    path = engine.acme / "spec_cpp" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.symlink_to(target)


@pytest.mark.parametrize("target, code", [
    (".", "link-loop"), ("..", "link-loop"), ("../..", "link-loop"), ("loop", "dangling-link"),
    ("gone.c", "dangling-link"), ("../../../..", "escape"), ("/", "escape"), ("/dev/null", "escape"),
    ("/proc/self/fd/0", "escape"), ("../../../../trunk/lib/a.c", "escape"), ("x" * 300, None),
])
def test_link(engine, target, code):
    link(engine, "lib/loop", target)
    outcome = engine.run("plan", "--json", stdin=subprocess.DEVNULL)
    if code is None:
        assert outcome.status in (1, 2)
    else:
        outcome.says(1)
        assert codes(outcome) == [code]


def test_links_that_lead_to_each_other(engine):
    link(engine, "one", "two")
    link(engine, "two", "one")
    assert codes(engine.run("plan", "--json").says(1)) == ["dangling-link"]


def test_links_through_folders_that_lead_to_each_other(engine):
    engine.write({"vendors/acme/spec_cpp/a/x.h": "", "vendors/acme/spec_cpp/b/y.h": ""})
    link(engine, "a/b", "../b")
    link(engine, "b/a", "../a")
    assert codes(engine.run("plan", "--json").says(1)) == ["link-loop"]


def test_whole_overlay_is_a_link_out(engine, tmp_path):
    engine.write({"elsewhere/lib/a.c": "int vendor;\n"})
    (engine.acme / "spec_cpp").symlink_to(tmp_path / "elsewhere")
    assert codes(engine.run("plan", "--json").says(1)) == ["escape"]


def test_links_that_double_at_each_level(engine):
    """Two links to the next folder in each of 40: a million million paths."""
    for level in range(40):
        engine.write({f"vendors/acme/spec_cpp/d{level}/x.h": ""})
        link(engine, f"d{level}/l", f"../d{level + 1}")
        link(engine, f"d{level}/r", f"../d{level + 1}")
    engine.write({"vendors/acme/spec_cpp/d40/x.h": ""})
    assert engine.run("plan").status in (1, 2)


def test_file_that_becomes_a_link_to_the_trunk(engine):
    """The trunk's file itself, named by a link inside the trunk, is no way to write into it."""
    engine.write({"vendors/acme/spec_cpp/lib/a.c": "int vendor;\n"})
    engine.stage().says(0)
    (engine.out / "stage/lib/a.c").unlink()
    (engine.out / "stage/lib").rmdir()
    (engine.out / "stage/lib").symlink_to(engine.trunk / "lib")
    engine.stage().says(0)
    engine.place().says(0)
    assert not (engine.out / "stage/lib").is_symlink()


# --- names ---------------------------------------------------------------------------------------

@pytest.mark.parametrize("name", [
    b"a;b.h", b'a"b.h', b"a\\b.h", b"a$b.h", b"a[b.h", b"a]b.h", b"a\nb.h", b"a\tb.h", b"\x01.h",
    b"a'b.h", b"<a.h", b"a>.h", b"a&b.h", b"a|b.h", b"`a`.h", b"*.h", b"?.h", b"^.h",
    b"\x7f.h", b"\xff\xfe.h", b"caf\xe9.h", b"a\x1b[31mb.h", b"\xed\xa0\x80.h", b"\xc0\xaf.h",
])
def test_name_that_a_build_cannot_carry(engine, name):
    folder = os.fsencode(engine.acme) + b"/spec_cpp/include"
    os.makedirs(folder)
    with open(folder + b"/" + name, "wb"):
        pass
    assert codes(engine.run("plan", "--json").says(1)) == ["bad-name"]
    text = engine.run("plan").says(1, "error[bad-name]", "mend:")
    assert b"\x1b" not in text.err and b"\x01" not in text.err


@pytest.mark.parametrize("name", [
    "a b.h", "#a.h", "(a).h", "a,b.h", "a%b.h", "@a@.h", "!a.h", "~a.h", "{a}.h", "-a.h", "a=b.h", "caf\u00e9.h", "\u65e5\u672c.h", "\U0001f600.h",
    "x" * 250 + ".h", " a.h", "a .h", "..a.h",
])
def test_odd_name_that_a_build_can_carry(engine, name):
    engine.write({f"trunk/include/{name}": "trunk", f"vendors/acme/spec_cpp/include/{name}": "vendor",
                  "trunk/lib/a.c": f'#include "{name}"\n'})
    engine.stage().says(0)
    engine.place().says(0)
    assert (engine.out / "stage/include" / name).read_text() == "vendor"
    assert f"SPEC: include/{name} -> app\n" in (engine.out / "log.txt").read_text()


def test_longest_path(engine):
    """As deep as the system lets one go: the plan says what is too long, or works."""
    here = os.getcwd()
    base = engine.acme / "spec_cpp"
    base.mkdir()
    try:
        os.chdir(base)
        for _ in range(18):
            os.mkdir("d" * 240)
            os.chdir("d" * 240)
        with open("x.h", "w", encoding="utf-8"):
            pass
    finally:
        os.chdir(here)
    engine.run("plan").says(2, "error[io]", "File name too long", "shorten the path")


def test_path_of_almost_4000_bytes(engine):
    room = 3950 - len(str(engine.acme)) - len("/spec_cpp//x.h")
    deep = "/".join(["d" * 200] * (room // 201))
    engine.write({f"vendors/acme/spec_cpp/{deep}/x.h": ""})
    outcome = engine.run("plan", "--json").says(0)
    assert outcome.json["overrides"][0]["trunk"] == f"{deep}/x.h"


# --- what is no file -----------------------------------------------------------------------------

@pytest.mark.parametrize("where", ["spec_cpp/lib/a.c", "spec/triton/x.py", "python/src/ir.cc",
                                   "spec_cpp", "spec"])
def test_fifo_does_not_block(engine, where):
    path = engine.acme / where
    path.parent.mkdir(parents=True, exist_ok=True)
    os.mkfifo(path)
    assert codes(engine.run("plan", "--json").says(1)) == ["not-a-file"]


def test_socket(engine, tmp_path, monkeypatch):
    (engine.acme / "spec_cpp").mkdir()
    monkeypatch.chdir(engine.acme / "spec_cpp")  # a socket's own path may be short only
    with socket.socket(socket.AF_UNIX) as sock:
        sock.bind("a.c")
        assert codes(engine.run("plan", "--json").says(1)) == ["not-a-file"]


@pytest.mark.parametrize("name", ["spec.ini", "spec.cmake", "backend/name.conf"])
@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir])
def test_settings_that_are_no_files(engine, name, make):
    engine.write({"vendors/acme/spec_cpp/lib/a.c": "vendor"})
    path = engine.acme / name
    path.parent.mkdir(exist_ok=True)
    make(path)
    outcome = engine.stage()
    if name == "spec.ini":
        outcome.says(2, "error[io]", "spec.ini")
    else:
        outcome.says(0)


def test_trunk_with_a_fifo_in_place_of_the_file(engine):
    os.mkfifo(engine.trunk / "lib/f.c")
    engine.write({"vendors/acme/spec_cpp/lib/f.c": "vendor"})
    assert codes(engine.run("plan", "--json").says(1)) == ["trunk-not-a-file"]


# --- texts ---------------------------------------------------------------------------------------

HEADERS = {
    "empty": b"", "nul": b"\0" * 10000, "random": bytes(range(256)) * 100, "no end": b'#include "a.h',
    "one line": b"x" * 1_000_000, "comments": b"/**/" * 250_000, "continued": b"\\\n" * 500_000,
    "open": b"#/*\n" * 250_000, "includes": b'#include "b.h"\n' * 60_000,
    "macros": b"#include X*/" * 80_000, "self": b'#include "a.h"\n',
}


@pytest.mark.parametrize("text", HEADERS.values(), ids=HEADERS.keys())
def test_text_of_a_header(engine, text):
    engine.write({"trunk/lib/a.c": '#include "a.h"\n', "vendors/acme/spec_cpp/include/a.h": text or b" "})
    engine.place().says(0)


@pytest.mark.parametrize("text", [b"include \"" * 100_000, b"include /*" * 100_000, b"\0" * 1000,
                                  b"include // " * 90_000, b'include "a.td"\n' * 60_000])
def test_text_of_a_td(engine, text):
    engine.write({"trunk/include/a.td": "x", "vendors/acme/spec_cpp/include/a.td": text})
    engine.stage().says(0)


def small_stack():
    """For a child: 256 KiB, where 8 MiB are usual."""
    resource.setrlimit(resource.RLIMIT_STACK, (256 * 1024, resource.RLIM_INFINITY))


def test_deep_chain_of_headers(engine):
    """Deeper than a call for each would allow with so small a stack."""
    count = 10_000
    engine.write({f"trunk/include/c{i}.h": f'#include "c{i + 1}.h"\n' for i in range(count)})
    engine.write({f"trunk/include/c{count}.h": "", "trunk/lib/a.c": '#include "c0.h"\n',
                  f"vendors/acme/spec_cpp/include/c{count}.h": "vendor"})
    engine.place(preexec_fn=small_stack).says(0)
    assert f"include/c{count}.h -> app" in (engine.out / "log.txt").read_text()


def test_deep_chain_of_tds(engine):
    count = 1500
    engine.write({f"trunk/include/c{i}.td": f'include "c{i + 1}.td"\n' for i in range(count)})
    engine.write({f"trunk/include/c{count}.td": "", f"vendors/acme/spec_cpp/include/c{count}.td": "x"})
    engine.stage(preexec_fn=small_stack).says(0)
    assert f'"_SPEC_TD/{engine.trunk}/include/c{count}.td"' in (engine.out / "plan.cmake").read_text()


# --- number --------------------------------------------------------------------------------------

@pytest.mark.parametrize("count", [1000, pytest.param(50_000, marks=pytest.mark.slow)])
def test_many_files(engine, count):
    """As many overrides, and as many files that nobody owns: it ends, and says so for each."""
    (engine.acme / "spec_cpp/lib").mkdir(parents=True)
    for i in range(count):
        (engine.trunk / f"lib/o{i}.c").write_bytes(b"trunk")
        (engine.acme / f"spec_cpp/lib/o{i}.c").write_bytes(b"vendor")
        (engine.acme / f"spec_cpp/lib/n{i}.c").write_bytes(b"vendor")
    outcome = engine.run("plan", "--json", sources_change=True).says(0)
    assert len(outcome.json["overrides"]) == 2 * count
    placed = engine.place("o0.c", sources_change=True).says(1)
    assert placed.err.count(b"error[unowned]") == count
    assert placed.err.count(b"error[unused]") == count - 1
