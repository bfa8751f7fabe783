"""Settings and folders that nobody should give: spec.ini, backend names, roots, output folders."""

import os

import pytest

from support.engine import Engine, fingerprint


@pytest.fixture
def engine(tmp_path, triton_spec):
    """A trunk with a sound backend acme."""
    engine = Engine(tmp_path, triton_spec)
    engine.write({"vendors/acme/spec_cpp/lib/a.c": "int vendor;\n"})
    return engine


# --- spec.ini ------------------------------------------------------------------------------------

@pytest.mark.parametrize("text, line, words", [
    (b"[backend]\nbase = " + b"x" * 300, 2, "longer than 199 bytes"),
    (b"x" * 10_000_000, 1, "longer than 199 bytes"),
    (b"[device]\na = b\0c\n", 2, "NUL"),
    (b"\0", 1, "NUL"),
    (b"[backend]\nbasse = mini\n", 2, "knows only 'base'"),
    (b"[backends]\nbase = mini\n", 2, "the sections are"),
    (b"nonsense\n", 1, "neither '[section]' nor"),
    (b"\xff\xfe[\0b\0", 1, "NUL"),
    (b"[remove]\npath = ../../etc/passwd\n", 2, "without '..'"),
    (b"[remove]\npath = /etc/passwd\n", 2, "relative to the trunk"),
    (b"[policy]\ntriton = anything\n", 2, "'whole', 'merge' or 'closed'"),
    (b"[backend]\nbase = a\nbase = b\n", 3, "set twice"),
    (b"[drift]\nmode = loud\n", 2, "a drift mode is"),
], ids=lambda value: value[:20].hex() if isinstance(value, bytes) else None)
def test_line_of_spec_ini(engine, text, line, words):
    engine.write({"vendors/acme/spec.ini": text})
    engine.run("plan").says(2, "error[parse]", words, f"acme/spec.ini:{line}\n")


def test_many_lines_of_spec_ini(engine):
    """Each removes what the trunk does not have, and each is told."""
    text = "[remove]\n" + "".join(f"path = lib/gone{i}.c\n" for i in range(5000))
    engine.write({"vendors/acme/spec.ini": text})
    outcome = engine.run("plan").says(1, "drop the line")
    assert outcome.err.count(b"error[remove-missing]") == 5000


def test_base_that_is_its_own(engine):
    engine.write({"vendors/acme/spec.ini": "[backend]\nbase = acme\n"})
    engine.run("plan").says(2, "error[parse]", "is its own base", "acme/spec.ini")


def test_bases_in_a_circle(engine):
    for i in range(5):
        engine.write({f"vendors/l{i}/spec.ini": f"[backend]\nbase = l{(i + 1) % 5}\n"})
    engine.run("plan", backend="l0").says(2, "'l0' is its own base", "l0/spec.ini")


@pytest.mark.parametrize("count, status", [(16, 0), (17, 2)])
def test_layers(engine, count, status):
    for i in range(count):
        base = f"[backend]\nbase = l{i + 1}\n" if i + 1 < count else ""
        engine.write({f"vendors/l{i}/spec.ini": base, f"vendors/l{i}/spec_cpp/lib/a.c": f"int l{i};\n"})
    engine.run("plan", backend="l0").says(status, *(["more than 16 layers"] if status else []))


@pytest.mark.parametrize("base", ["../acme", "/tmp", "Acme", "", "a b", "x" * 150, "acme/", "."])
def test_base_that_is_no_name(engine, base):
    engine.write({"vendors/top/spec.ini": f"[backend]\nbase = {base}\n"})
    outcome = engine.run("plan", backend="top").says(2, "mend: backends found: acme")
    assert "[a-z0-9_]+" in outcome.text or "does not exist" in outcome.text


# --- backend names -------------------------------------------------------------------------------

@pytest.mark.parametrize("name", ["a-cme", "Acme", "..", ".", "../vendors/acme", "/etc", "acme/",
                                  "acme\n", "a" * 250, "\u00e4cme", "ac;me", "$HOME", "*", "--", " "])
def test_backend_name(engine, name):
    outcome = engine.run("plan", backend=name).says(2, "mend: backends found: acme")
    assert "is not a valid name" in outcome.text or "does not exist" in outcome.text


def test_backend_of_a_name_too_long(engine):
    engine.run("plan", backend="a" * 5000).says(2, "File name too long", "mend: shorten")


def test_no_backend(engine):
    command = [engine.program, "plan", "--trunk", engine.trunk]
    engine.run_command(command).says(2, "no backend is named", "--backend NAME or set FLAGTREE_BACKEND")
    engine.run_command(command, env={"FLAGTREE_BACKEND": ""}).says(2, "no backend is named")
    engine.run_command([*command, "--root", engine.vendors],
                       env={"FLAGTREE_BACKEND": "acme"}).says(0, "lib/a.c")


def test_backend_that_is_not_utf_8(engine):
    engine.run_command([os.fsencode(word) for word in engine.command("plan", "--json")][:-2]
                       + [b"\xff\xfe", b"--json"]).says(2, "is not a valid name")


# --- trunk and roots -----------------------------------------------------------------------------

@pytest.mark.parametrize("trunk", ["absent", "trunk/lib/a.c", "", "x" * 5000, "loop", "dangling"])
def test_trunk_that_is_none(engine, trunk):
    (engine.root / "loop").symlink_to("loop")
    (engine.root / "dangling").symlink_to("gone")
    command = [engine.program, "plan", "--trunk", trunk, "--root", engine.vendors, "--backend", "acme"]
    outcome = engine.run_command(command, cwd=engine.root)
    if trunk == "":
        return  # the current folder; what it finds there is its own affair
    outcome.says(2, "error[")
    assert "at:" in outcome.text or "mend:" in outcome.text


def test_roots_that_are_none(engine):
    outcome = engine.run("plan", "--root", engine.root / "absent", "--root", engine.trunk / "lib/a.c",
                         "--root", "", "--root", "/dev/null")
    outcome.says(0)


def test_trunk_is_the_overlay(engine):
    """The trunk's own folder as the backend's: nothing to find, nothing to harm."""
    engine.run_command([engine.program, "plan", "--trunk", engine.trunk, "--root", engine.root,
                        "--backend", "trunk"]).says(0, "warning[empty-overlay]")


def test_overlay_is_the_trunk_of_another(engine):
    """A trunk below the overlay: its files are no overrides."""
    engine.write({"vendors/acme/spec_cpp/lib/b.c": "int vendor;\n"})
    engine.run_command([engine.program, "plan", "--trunk", engine.acme / "spec_cpp",
                        "--root", engine.vendors, "--backend", "acme"]).says(1, "error[redundant]")


def test_two_roots_hold_it(engine):
    engine.write({"more/acme/spec_cpp/lib/b.c": "int vendor;\n"})
    engine.run("plan", "--root", engine.root / "more").says(
        2, "error[ambiguous]", "two overlay roots hold backend 'acme'", "remove one of the two")


@pytest.mark.parametrize("name", ["tr;unk", "tr$unk", "tr[unk", 'tr"unk', "tr\\unk", "tr unk", "tr'unk",
                                  "tr\nunk", "(tr)#unk"])
def test_folder_of_odd_name(engine, name, tmp_path):
    """A trunk that CMake cannot name is refused before anything is written for it."""
    odd = Engine(tmp_path / name, engine.program)
    odd.write({"vendors/acme/spec_cpp/lib/a.c": "int vendor;\n"})
    outcome = odd.stage()
    if any(c in name for c in ';$[]"\\\n\''):
        outcome.says(2, "cannot be passed through CMake and Ninja", "mend:")
        assert not odd.out.exists()
    else:
        outcome.says(0)


# --- the output folder ---------------------------------------------------------------------------

@pytest.mark.parametrize("out, words", [
    ("trunk", "holds the trunk"), (".", "holds the trunk"), ("vendors", "holds the overlay"),
    ("vendors/acme", "holds the overlay"), ("vendors/acme/spec_cpp", "lies among the overrides"),
    ("vendors/acme/spec_cpp/lib/new", "lies among the overrides"),
    ("vendors/acme/spec/new/new", "lies among the overrides"), ("link", "holds the trunk"),
    ("link/../trunk", "holds the trunk"), ("into/new", "lies among the overrides"),
    ("mine", "holds what triton-spec did not write"), ("trunk/lib", "did not write"),
])
@pytest.mark.parametrize("step", ["stage", "place"])
def test_output_folder_that_is_somebodys(engine, step, out, words):
    (engine.root / "link").symlink_to(engine.trunk)
    (engine.root / "into").symlink_to(engine.acme / "spec_cpp")
    engine.write({"mine/python/precious.py": "", "mine/notes": "", "targets.txt": "build /b\n"})
    more = ["--targets", engine.root / "targets.txt"] if step == "place" else []
    before = fingerprint(engine.root)
    engine.run(step, "--out", engine.root / out, *more).says(2, "error[invalid]", words, "mend:")
    assert fingerprint(engine.root) == before


@pytest.mark.parametrize("name", ["stage", "python", "tblgen"])
def test_folder_of_results_is_a_link(engine, name):
    """What it leads to is not touched."""
    engine.write({"vendors/acme/spec/triton/language/x.py": "vendor", "precious/lib/a.c": "mine",
                  "precious/triton/y": "mine", "trunk/python/triton/language/y.py": "trunk",
                  "vendors/acme/spec_cpp/include/a.td": "vendor"})
    engine.out.mkdir()
    (engine.out / name).symlink_to(engine.root / "precious")
    before = fingerprint(engine.root / "precious")
    engine.stage()
    assert fingerprint(engine.root / "precious") == before


def test_build_inside_the_trunk_and_inside_the_overlay(engine):
    for out in (engine.trunk / "build/spec", engine.acme / "build/spec"):
        command = engine.command("stage", "--out", out)
        engine.run_command(command, sources_change=True).says(0)
        engine.run_command(command, sources_change=True).says(0)
        assert (out / "stage/lib/a.c").is_symlink()


def test_output_where_a_file_is(engine):
    engine.write({"out": "precious"})
    engine.stage().says(2, "error[io]", str(engine.out))
    assert engine.out.read_text() == "precious"


def test_results_that_are_folders(engine):
    (engine.out / "plan.cmake/x").mkdir(parents=True)
    engine.stage().says(2, "error[io]", "plan.cmake", "move the folder out of the way")


def test_old_files_where_folders_must_be_and_the_reverse(engine):
    """A path of the stage that was a file becomes a folder, and one that was a folder a file."""
    engine.write({"vendors/acme/spec_cpp/x.inc": "a", "vendors/acme/spec_cpp/y.inc/z.h": "b"})
    engine.stage().says(0)
    (engine.acme / "spec_cpp/x.inc").unlink()
    (engine.acme / "spec_cpp/y.inc/z.h").unlink()
    (engine.acme / "spec_cpp/y.inc").rmdir()
    engine.write({"vendors/acme/spec_cpp/x.inc/z.h": "c", "vendors/acme/spec_cpp/y.inc": "d"})
    engine.stage().says(0)
    assert (engine.out / "stage/x.inc/z.h").read_text() == "c"
    assert (engine.out / "stage/y.inc").read_text() == "d"


# --- the target list -----------------------------------------------------------------------------

@pytest.mark.parametrize("text, words", [
    (b"nonsense\n", "targets.txt:1"), (b"build /b\nx" + b"y" * 100 + b" z\n", "targets.txt:2"),
    (b"td only-one\n", "a tab between"), (b"build /b\n\0\n", "NUL"), (b"sources a.c\n", "unknown keyword"),
    (b"\xff\xfe\n", "targets.txt:1"),
])
def test_target_list(engine, text, words):
    engine.write({"targets.txt": text})
    engine.run("place", "--out", engine.out, "--targets", engine.root / "targets.txt").says(
        2, "error[parse]", words)
    assert not (engine.out / "place.cmake").exists()


@pytest.mark.parametrize("targets", ["absent", ".", "/dev/zero", "fifo"])
def test_target_list_that_is_no_file(engine, targets):
    os.mkfifo(engine.root / "fifo")
    engine.run("place", "--out", engine.out, "--targets", engine.root / targets).says(
        2, "error[io]", "cannot read")


def test_target_list_of_nothing(engine):
    engine.write({"targets.txt": ""})
    engine.run("place", "--out", engine.out, "--targets", engine.root / "targets.txt").says(
        1, "error[unused]")


def test_targets_that_link_in_a_circle(engine):
    more = "links x\nilinks x\ntarget x\ntype STATIC_LIBRARY\nlinks y\nilinks y\ntarget y\n" \
           "type INTERFACE_LIBRARY\nilinks x;app;y\nisources a.c\n"
    engine.place(more=more).says(0)
