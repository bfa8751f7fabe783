"""<build>/spec/compile_commands.json: an editor finds the vendor's files by their real paths."""

import json
import pathlib
import re
import shlex
import shutil
import subprocess

import pytest

from support.toy import Run, prints, returns

TRUNK = {
    "CMakeLists.txt": "include_directories(include)\nadd_library(L OBJECT lib/A.c lib/B.c lib/C.c)\n"
                      "add_executable(app main.c)\ntarget_link_libraries(app L)\n",
    "main.c": prints("a", "b", "c"),
    "include/t/X.h": '#include "Y.h"\n#define X Y\n',
    "include/t/Y.h": '#define Y "trunk"\n',
    "lib/A.c": '#include "Local.h"\n#include "t/X.h"\n' + returns("a", "X"),
    "lib/B.c": '#include "Local.h"\n#include "t/X.h"\n' + returns("b", "LOCAL"),
    "lib/C.c": returns("c", "trunk"),
    "lib/Local.h": '#include "Deep.h"\n#define LOCAL "trunk"\n',
    "lib/Deep.h": "#define DEEP 1\n",
}
VENDOR = {
    "spec_cpp/lib/A.c": '#include "Local.h"\n#include "t/X.h"\n#if DEEP\n' + returns("a", "X") + "#endif\n",
    "spec_cpp/lib/Local.h": '#include "Deep.h"\n#define LOCAL "vendor"\n',
    "spec_cpp/include/t/Y.h": '#define Y "vendor"\n',
}


@pytest.fixture
def usual(toy):
    """A source, a header beside it and one on the search path, overridden."""
    toy.write(TRUNK)
    toy.overlay(VENDOR)
    return toy


def verify(toy, build):
    """Runs verify, which makes the database."""
    return Run([toy.program, "verify", build.path], env=toy.env).expect(0)


def database(build):
    """The entries by file; a file has one here, unless it is compiled twice."""
    entries = json.loads((build.spec / "compile_commands.json").read_text())
    found = {}
    for entry in entries:
        found.setdefault(entry["file"], []).append(entry)
    return found


def real(folder, names):
    """Real paths, without the system's headers: compilers have different ones."""
    paths = {str((pathlib.Path(folder) / name).resolve()) for name in names}
    return {path for path in paths if not path.startswith("/usr/")}


def included(entry, compiler=None):
    """Real paths of all that the entry's file includes, itself too, as a compiler finds them."""
    words = shlex.split(entry["command"])
    if compiler:
        words[0] = compiler
    if "-o" in words:
        at = words.index("-o")
        del words[at:at + 2]
    done = subprocess.run([*words, "-fsyntax-only", "-M", "-MT", "x"], cwd=entry["directory"], check=True,
                          capture_output=True, text=True)
    names = shlex.split(done.stdout.replace("\\\n", " "))[1:]
    return real(entry["directory"], names)


def recorded(build, ending):
    """Real paths of all that the build's own object read, from Ninja's records."""
    text = Run(["ninja", "-C", build.path, "-t", "deps"], env=build.env).expect(0).out
    for block in text.split("\n\n"):
        lines = block.splitlines()
        if lines and lines[0].split(":")[0].endswith(ending):
            return real(build.path, [line.strip() for line in lines[1:]])
    raise AssertionError(f"no record of {ending}")


@pytest.mark.parametrize("compiler", ["gcc", "clang-22"])
def test_entries_read_what_the_build_read(usual, compiler):
    """The entry of every compiled file includes exactly the files that its object read."""
    usual.overlay({"spec_cpp/lib/New.c": '#include "Deep.h"\nint added(void) { return DEEP; }\n',
                   "spec.cmake": "spec_target_sources(L lib/New.c)\n"})
    build = usual.configure(f"-DCMAKE_C_COMPILER={compiler}")
    assert build.make() == ["vendor", "vendor", "trunk"]
    verify(usual, build)
    found = database(build)
    vendor, stage = usual.trunk / "third_party/acme/spec_cpp", build.spec / "stage"
    for path, ending in ((vendor / "lib/A.c", "A.c.o"), (vendor / "lib/New.c", "New.c.o"),
                         (stage / "lib/B.c", "B.c.o"), (usual.trunk / "lib/C.c", "C.c.o"),
                         (usual.trunk / "main.c", "main.c.o")):
        (entry,) = found[str(path)]
        for other in ("gcc", "clang-22"):
            assert included(entry, other) == recorded(build, ending), path
    assert str(vendor / "lib/Local.h") in included(found[str(vendor / "lib/A.c")][0])
    assert str(stage / "lib/A.c") not in found


def test_vendor_entry(usual):
    build = usual.configure()
    verify(usual, build)
    vendor = str(usual.trunk / "third_party/acme/spec_cpp/lib/A.c")
    (entry,) = database(build)[vendor]
    words = shlex.split(entry["command"])
    first = next(i for i, word in enumerate(words) if word.startswith("-"))
    assert words[first:first + 2] == ["-iquote", str(build.spec / "stage/lib")]
    assert words.count(vendor) == 1 and words[-1] == vendor
    own = json.loads((build.path / "compile_commands.json").read_text())
    for name in ("main.c", "lib/C.c"):
        (entry,) = [e for e in own if e["file"] == str(usual.trunk / name)]
        assert database(build)[entry["file"]] == [entry], "what the overlay does not touch stays as it is"


def test_header_entry(usual):
    """A header gets the command of a unit that reaches it, and the headers that the unit sees."""
    build = usual.configure()
    build.make()
    verify(usual, build)
    found = database(build)
    vendor = usual.trunk / "third_party/acme/spec_cpp"
    for header, needs in (("lib/Local.h", usual.trunk / "lib/Deep.h"), ("include/t/Y.h", None)):
        (entry,) = found[str(vendor / header)]
        words = shlex.split(entry["command"])
        assert "-c" not in words and "-o" not in words and "-fsyntax-only" in words
        assert words[words.index("-x") + 1] == "c-header"
        assert any(re.match("-DTRITON_SPEC_DIGEST=0x[0-9a-f]{16}$", word) for word in words)
        assert included(entry) == {str(vendor / header), *([str(needs)] if needs else [])}


def test_headers_of_cxx(toy):
    toy.write({"CMakeLists.txt": "include_directories(include)\nadd_executable(app main.cpp)\n",
               "include/t/X.h": "struct x {};\n", "main.cpp": '#include "t/X.h"\nint main() {}\n'}, "CXX")
    toy.overlay({"spec_cpp/include/t/X.h": "struct x { x() = default; };\n"})
    build = toy.configure()
    verify(toy, build)
    (entry,) = database(build)[str(toy.trunk / "third_party/acme/spec_cpp/include/t/X.h")]
    assert "-x c++-header" in entry["command"]
    assert len(included(entry)) == 1


@pytest.mark.skipif(not shutil.which("clangd-22"), reason="needs clangd-22: tools/bootstrap clang")
def test_clangd_opens_the_vendors_files(usual):
    """A file of an error if anything else than what the build sees is beside it or on the path."""
    check = '#if !defined(DEEP) || !defined(LOCAL)\n#error "not as in the build"\n#endif\n'
    usual.overlay({"spec_cpp/lib/A.c": VENDOR["spec_cpp/lib/A.c"] + check,
                   "spec_cpp/lib/Local.h": VENDOR["spec_cpp/lib/Local.h"] + check})
    build = usual.configure()
    verify(usual, build)
    vendor = usual.trunk / "third_party/acme/spec_cpp"
    for path in (vendor / "lib/A.c", vendor / "lib/Local.h", vendor / "include/t/Y.h", build.spec / "stage/lib/B.c"):
        done = Run(["clangd-22", f"--check={path}", f"--compile-commands-dir={build.spec}"], env=usual.env)
        assert "Compile command from CDB is" in done.text and "Compile command inferred" not in done.text, done.text
        done.expect(0)
    # Without the folder of the stage it finds nothing beside the file: the check can fail.
    path = build.spec / "compile_commands.json"
    path.write_text(path.read_text().replace("-iquote ", "-DNOT="))
    said = Run(["clangd-22", f"--check={vendor / 'lib/Local.h'}", f"--compile-commands-dir={build.spec}"],
               env=usual.env)
    assert said.status != 0 and "'Deep.h' file not found" in said.text, said.text


def test_ninja_multi_config(usual):
    build = usual.configure(generator="Ninja Multi-Config")
    verify(usual, build)
    entries = database(build)[str(usual.trunk / "third_party/acme/spec_cpp/lib/A.c")]
    assert sorted(re.findall(r'CMAKE_INTDIR="?\\*"?(\w+)', " ".join(e["command"] for e in entries))) == [
        "Debug", "RelWithDebInfo", "Release"]
    for entry in entries:
        assert str(build.spec / "stage/include/t/Y.h") not in included(entry)
        assert str(usual.trunk / "third_party/acme/spec_cpp/include/t/Y.h") in included(entry)


@pytest.mark.parametrize("prefix", ["unity_", "batch"])
def test_unity_batches(usual, prefix):
    usual.write({"CMakeLists.txt": TRUNK["CMakeLists.txt"]
                 + f"set_target_properties(L PROPERTIES UNITY_BUILD_UNIQUE_ID U UNITY_BUILD_FILENAME_PREFIX {prefix})\n"})
    build = usual.configure("-DCMAKE_UNITY_BUILD=ON")
    verify(usual, build)
    found = database(build)
    vendor = usual.trunk / "third_party/acme/spec_cpp"
    for path in (vendor / "lib/A.c", usual.trunk / "lib/C.c", vendor / "lib/Local.h"):
        assert str(path) in found
    assert str(vendor / "lib/Local.h") in included(found[str(vendor / "lib/A.c")][0])
    assert any("/Unity/" in path for path in found)


def test_vendor_behind_a_link(usual):
    """A vendor's checkout that is linked into the trunk is edited by either path."""
    checkout = usual.root / "checkout"
    (usual.trunk / "third_party/acme").rename(checkout)
    (usual.trunk / "third_party/acme").symlink_to(checkout)
    build = usual.configure()
    verify(usual, build)
    found = database(build)
    for root in (checkout, usual.trunk / "third_party/acme"):
        for name in ("lib/A.c", "lib/Local.h"):
            assert str(root / "spec_cpp" / name) in found


def test_paths_with_blanks_and_quotes(toy):
    toy.trunk = toy.root / "a trunk, x"
    toy.write({**TRUNK, "CMakeLists.txt": TRUNK["CMakeLists.txt"] + "add_definitions(-DTEXT=\"a \\\"b\\\" $c\")\n"})
    toy.overlay(VENDOR)
    build = toy.configure(build="b u(il)d")
    build.make()
    verify(toy, build)
    (entry,) = database(build)[str(toy.trunk / "third_party/acme/spec_cpp/lib/A.c")]
    assert included(entry) == recorded(build, "A.c.o")


def test_made_again_only_when_the_build_changed(usual):
    build = usual.configure()
    verify(usual, build)
    path = build.spec / "compile_commands.json"
    path.write_text("[]\n")  # a mark: what is current is left alone
    verify(usual, build)
    assert path.read_text() == "[]\n"
    usual.overlay({"spec_cpp/lib/C.c": returns("c", "vendor")})
    usual.cmake()
    verify(usual, build)
    assert str(usual.trunk / "third_party/acme/spec_cpp/lib/C.c") in database(build)
    path.unlink()
    verify(usual, build)
    assert str(usual.trunk / "third_party/acme/spec_cpp/lib/C.c") in database(build)


def test_made_before_each_build_even_when_that_fails(usual):
    build = usual.configure()
    build.ninja()
    assert str(usual.trunk / "third_party/acme/spec_cpp/lib/C.c") not in database(build)
    usual.overlay({"spec_cpp/lib/C.c": "this does not compile\n"})
    build.ninja(status=1)
    assert str(usual.trunk / "third_party/acme/spec_cpp/lib/C.c") in database(build)


def test_made_by_build_even_when_it_fails(usual):
    usual.overlay({"spec_cpp/lib/A.c": "this does not compile\n"})
    build = usual.configure()
    assert "failed with status" in Run([usual.program, "build", build.path], env=usual.env).expect(2).text
    assert str(usual.trunk / "third_party/acme/spec_cpp/lib/A.c") in database(build)


def test_user_decides_whether_there_is_a_database(usual):
    build = usual.configure("-DCMAKE_EXPORT_COMPILE_COMMANDS=OFF")
    verify(usual, build)
    assert not (build.path / "compile_commands.json").exists()
    assert not (build.spec / "compile_commands.json").exists()


def test_nothing_stale_is_left_without_a_backend(usual):
    build = usual.configure()
    verify(usual, build)
    usual.cmake("-DFLAGTREE_BACKEND=")
    assert not (build.path / "compile_commands.json").exists()
    assert not (build.spec / "compile_commands.json").exists()


def test_a_database_that_is_no_json_is_an_error(usual):
    build = usual.configure()
    (build.path / "compile_commands.json").write_text("[{]\n")
    said = Run([usual.program, "verify", build.path], env=usual.env).expect(2).text
    assert f"{build.path}/compile_commands.json:1" in said
