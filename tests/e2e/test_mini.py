"""The smallest backend, and one that lies over another. Only `triton-info` is built: it takes seconds."""

import zlib

import pytest
from support.toy import Run, clean_environment, write_tree
from support_trunk import COMPILERS, OVERLAYS, ROOT, TrunkBuild, injection_arguments, locked


def configured(name, compilers, arguments):
    """A build folder that lasts from run to run, configured."""
    build = TrunkBuild(ROOT / "build/e2e" / name)
    if not build.path.exists():
        compilers.teach(build.path, "C CXX", build.env, COMPILERS)
    return build, build.configure(*arguments)


@pytest.fixture(scope="session")
def mini(triton_spec, compilers):
    """The trunk with mini's overlay, triton-info built."""
    with locked(ROOT / "build/e2e/mini"):
        build, _ = configured("mini", compilers, injection_arguments(triton_spec, "mini"))
        build.ninja("triton-info")
    return build


def test_one_file_is_the_whole_backend(mini):
    assert [p.name for p in (OVERLAYS / "mini").rglob("*") if p.is_file()] == ["README.md", "Checksum.c"]
    assert mini.log[2:-1] == [
        "SPEC: lib/Tools/Checksum.c -> TritonChecksum",
        f"mini: 1 override (1 source), 1 of {mini.manifest['unit_count']} units affected"]
    assert mini.info()["checksum"] == str(zlib.crc32(b"triton"))


def test_only_what_it_names_is_different(mini, plain):
    without = plain.info()
    assert without["checksum"] == str(zlib.adler32(b"triton"))
    assert mini.info() == {**without, "checksum": str(zlib.crc32(b"triton"))}
    affected = [name for name, command in mini.commands().items() if "TRITON_SPEC_DIGEST" in command]
    assert len(affected) == 1 and affected[0].endswith("spec/stage/lib/Tools/Checksum.c")


def test_all_other_commands_are_those_of_the_plain_build(mini, plain):
    """Byte for byte, but for the build folder: a cache has their objects from any other build."""
    def given(build):
        return [command.replace(str(build.path), "<build>") for command in build.commands().values()]
    assert len(set(given(mini)) - set(given(plain))) == 1


# --- layers ---------------------------------------------------------------------------------------

NEXT = {
    "spec.ini": "[backend]\nbase = acme\n",
    "spec_cpp/lib/Tools/Stages.inc": '"ttir", "nextir",\n',
    "spec_cpp/lib/Tools/Checksum.c": '#include "triton/Tools/Checksum.h"\n\n'
                                     "uint32_t triton_checksum(const void *data, size_t size) { return 42; }\n",
}


@pytest.fixture(scope="session")
def layered(triton_spec, compilers, tmp_path_factory):
    """(build, what CMake said) of a backend over acme, which lies in another overlay root."""
    root = tmp_path_factory.mktemp("overlays")
    write_tree(root / "acme_next", NEXT)
    arguments = [word.replace("FLAGTREE_BACKEND=acme", "FLAGTREE_BACKEND=acme_next")
                 for word in injection_arguments(triton_spec, "acme")]
    build = TrunkBuild(tmp_path_factory.mktemp("layers") / "build")
    compilers.teach(build.path, "C CXX", build.env, COMPILERS)
    arguments = [f"{word};{root}" if word.startswith("-DTRITON_SPEC_ROOTS=") else word for word in arguments]
    done = build.configure(*arguments)
    build.ninja("triton-info")
    return build, done


def test_upper_layer_wins_and_says_so(layered):
    build, done = layered
    assert "'lib/Tools/Stages.inc': layer 'acme_next' wins over 'acme'" in done.words
    assert done.words.count("wins over") == 1
    layers = {o["trunk"]: o["layer"] for o in build.manifest["overrides"]}
    assert (layers["lib/Tools/Stages.inc"], layers["lib/Tools/Checksum.c"]) == ("acme_next", "acme_next")
    assert layers["include/triton/Tools/Targets.def"] == "acme"


def test_both_layers_are_in_the_program(layered, acme):
    said = layered[0].info()
    assert said == {**acme.info(), "stages": "ttir,nextir", "checksum": "42"}


def test_base_must_exist(triton_spec, tmp_path):
    write_tree(tmp_path / "lonely", {**NEXT, "spec.ini": "[backend]\nbase = nobody\n"})
    done = Run([triton_spec, "plan", "--trunk", ROOT / "tests/trunk", "--root", tmp_path, "--root", OVERLAYS,
                "--backend", "lonely"], env=clean_environment()).expect(2)
    assert "'nobody'" in done.text and "acme" in done.text
