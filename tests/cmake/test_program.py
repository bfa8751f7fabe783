"""When the program itself, not the overlay, is the trouble."""

from support.toy import prints, returns


def trunk(toy):
    toy.write({"CMakeLists.txt": "add_executable(app app.c a.c)\n", "app.c": prints("a"), "a.c": returns("a", "trunk")})
    toy.overlay({"spec_cpp/a.c": returns("a", "vendor")})


def test_absent_program_is_named(toy):
    trunk(toy)
    said = toy.refused(f"-DTRITON_SPEC_EXECUTABLE={toy.root}/absent").words
    assert f"{toy.root}/absent: No such file or directory" in said


def test_killed_program_is_named(toy):
    """A crash says nothing on its own."""
    trunk(toy)
    program = toy.root / "crashing"
    program.write_text("#!/bin/sh\nkill -SEGV $$\n")
    program.chmod(0o755)
    said = toy.refused(f"-DTRITON_SPEC_EXECUTABLE={program}").words
    assert f"{program}: Segmentation fault" in said
