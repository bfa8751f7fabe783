"""How acme's overlay was built: what was logged, what compilers and TableGen really read, what stayed untouched."""

import json
import os
import re
from concurrent.futures import ThreadPoolExecutor

import pytest
from support.toy import Run
from support_trunk import COMPILERS, OVERLAYS, TRUNK, TrunkBuild, folder_digest, injection_arguments

ACME = OVERLAYS / "acme"
REMOVED = {"lib/Conversion/TritonGPUToLLVM/ScanOpToLLVM.cpp", "python/triton/runtime/driver.py"}
COMPILED = (".cpp", ".cc", ".c")
INCLUDED = (".h", ".hpp", ".def", ".inc")


def overlay_files():
    """{trunk path: vendor's file}, found by looking into the overlay, not by asking triton-spec."""
    places = {"spec_cpp": "", "python/src": "python/src/", "spec/triton": "python/triton/"}
    found = {prefix + path.relative_to(ACME / folder).as_posix().removesuffix(".patch"): path
             for folder, prefix in places.items() for path in (ACME / folder).rglob("*")
             if path.is_file() and "__pycache__" not in path.parts}
    # The hooks stand for no file of the trunk: the package gets them as a module of their own.
    found["python/triton/spec/acme/triton/__init__.py"] = found.pop("python/triton/__init__.py")
    return found


OVERLAY = overlay_files()


def used(build, path):
    """The real path of the file that a build reads for an override: of a patch, what it makes."""
    patched = OVERLAY[path].suffix == ".patch"
    return os.path.realpath(build.spec / "stage" / path if patched else OVERLAY[path])


def of_kind(*endings):
    return sorted(path for path in OVERLAY if path.endswith(endings) and not path.startswith("python/triton"))


# --- log and manifest -----------------------------------------------------------------------------


def test_log_has_a_line_for_each_override(acme):
    logged = [re.fullmatch(r"(\S+) -> (.*?)(?: \((?:added|removed|hooks|patched)\))?", line).groups()
              for line in acme.swaps]
    assert {path for path, _ in logged} == OVERLAY.keys() | REMOVED
    assert len(set(logged)) == len(logged), "a line is there twice"
    assert set(logged) == {(o["trunk"], owner) for o in acme.manifest["overrides"] for owner in o["owners"]}


@pytest.mark.parametrize("path, owners", [
    ("lib/Tools/StrUtil.cpp", {"TritonTools", "TritonVersion", "TestTritonTools"}),
    ("lib/Tools/BuildInfo.cpp", {"TritonBuildInfo", "triton-info", "triton"}),
    ("bin/RegisterTritonDialects.h", {"triton-opt", "triton"}),
    ("bin/triton-libs.cpp", {"triton-libs"}),
    ("include/triton/Analysis/Allocation.h", {f"{target} (patched)" for target in
                                              ("TritonAnalysis", "TritonGPUToLLVM", "TestTritonTools")}),
    ("include/triton/Dialect/Triton/IR/TritonAttrEnums.td", {
        "TritonTableGen (patched)", "TritonOpsDocGen (patched)", "TritonCombineIncGen (patched)"}),
    ("lib/Dialect/Triton/Transforms/Combine.td", {"TritonCombineIncGen (patched)"}),
    ("unittest/Dialect/AcmeStampTest.cpp", {"TestAcmeStamp (added)"}),
    ("python/triton/spec/acme/triton/__init__.py", {"python package (hooks)"}),
    ("cmake/TritonVersion.cmake", {"CMake"}),
])
def test_log_names_every_owner(acme, path, owners):
    assert {line.split(" -> ")[1] for line in acme.swaps if line.startswith(path + " ")} == owners


def test_summary_counts(acme):
    summary = re.fullmatch(r"acme: (\d+) overrides \((.*)\), (\d+) of (\d+) units affected", acme.log[-2])
    assert int(summary[1]) == len(OVERLAY) + len(REMOVED)
    assert sum(int(n) for n in re.findall(r"\d+", summary[2])) == int(summary[1])
    objects = {name for name in acme.dependencies() if name.endswith(".o")}
    assert int(summary[4]) == len(objects), "the build compiled other units than were counted"


def test_notes_are_told_once(acme, triton_spec):
    assert acme.configure(*injection_arguments(triton_spec, "acme")).text.count("policy-changed") == 1


# --- what was really read: the compilers' and TableGen's own records ------------------------------


@pytest.fixture(scope="session")
def compiled(acme):
    """Real paths that each object was compiled from, by ninja's record."""
    return {name: {os.path.realpath(path) for path in paths} for name, paths in acme.dependencies().items()
            if name.endswith(".o")}


def run_tblgen(command, folder, number):
    """Runs a TableGen command once more, its output and depfile put elsewhere; returns what it read."""
    output = folder / f"{number}.inc"
    elsewhere, found = re.subn(r" --write-if-changed -o (\S+)", f" -o {output} -d {output}.d", command)
    assert found == 1, command
    Run(["sh", "-c", elsewhere]).expect(0)
    made = re.search(r" -o (\S+)", command)[1]
    with open(made, encoding="utf-8") as kept:
        assert output.read_text() == kept.read(), f"{made} is not what its command makes"
    included = (folder / f"{number}.inc.d").read_text().replace("\\\n", " ").split()[1:]
    inputs = re.findall(r" (/\S+\.td)\b", command)
    assert len(inputs) == 1, command
    return {os.path.realpath(path) for path in inputs + included}


@pytest.fixture(scope="session")
def generated(acme, tmp_path_factory):
    """Real paths that each TableGen rule reads, as tblgen itself says."""
    listed = Run(["ninja", "-C", acme.path, "-t", "commands", "all", "mlir-doc"], env=acme.env).expect(0).out
    commands = sorted({line for line in listed.splitlines() if "mlir-tblgen" in line})
    folder = tmp_path_factory.mktemp("tblgen")
    with ThreadPoolExecutor(2) as pool:
        return list(pool.map(run_tblgen, commands, [folder] * len(commands), range(len(commands))))


def test_no_object_read_what_is_shadowed(compiled):
    shadowed = {str(TRUNK / path) for path in OVERLAY.keys() | REMOVED}
    assert len(compiled) > 30
    assert {name: paths & shadowed for name, paths in compiled.items() if paths & shadowed} == {}


def test_no_rule_read_what_is_shadowed(generated):
    shadowed = {str(TRUNK / path) for path in OVERLAY}
    assert len(generated) > 20
    assert [paths & shadowed for paths in generated if paths & shadowed] == []


@pytest.mark.parametrize("path", of_kind(*COMPILED, *INCLUDED))
def test_every_source_and_header_was_read(acme, compiled, path):
    assert any(used(acme, path) in paths for paths in compiled.values())


@pytest.mark.parametrize("path", of_kind(".td"))
def test_every_td_was_read(acme, generated, path):
    assert any(used(acme, path) in paths for paths in generated)


def test_plain_build_read_nothing_of_acme(plain):
    read = {os.path.realpath(path) for paths in plain.dependencies().values() for path in paths}
    assert not [path for path in read if path.startswith(str(OVERLAYS))]
    assert str(TRUNK / "include/triton/Analysis/Allocation.h") in read


def compile_commands(build):
    """{object: command}, with the build folder replaced by a name."""
    done = Run(["ninja", "-C", build.path, "-t", "compdb"], env=build.env).expect(0)
    return {entry["output"]: entry["command"].replace(str(build.path), "@B") for entry in json.loads(done.out)
            if entry["output"].endswith(".o")}


def test_units_that_reach_nothing_have_the_plain_command(plain, acme):
    """They differ in the build folder only, so that ccache shares their objects. Left out are folders whose
    CMakeLists.txt is acme's, as each source has its path in the stage there, and the target that spec.cmake gives a
    definition."""
    commands = set(compile_commands(plain).values())
    assert not [command for command in commands if "TRITON_SPEC_DIGEST" in command]
    moved = tuple(f"@B/spec/stage/{os.path.dirname(path)}/" for path in of_kind("CMakeLists.txt"))
    others = {name: command for name, command in compile_commands(acme).items()
              if "TRITON_SPEC_DIGEST" not in command and "ACME_REVISION" not in command
              and not any(folder in command for folder in moved)}
    assert len(others) >= 8
    assert [name for name, command in others.items() if command not in commands] == []


# --- what stays as it is --------------------------------------------------------------------------


def test_nothing_is_written_into_trunk_or_overlay(inputs_before, plain, acme):
    for folder, before in inputs_before.items():
        assert folder_digest(folder) == before


def statements(build):
    """build.ninja without the list of CMake's own input files, which names what injection includes."""
    text = (build.path / "build.ninja").read_text().replace(str(build.path), "@B")
    text, found = re.subn(r"^build build\.ninja: RERUN_CMAKE .*$", "", text, flags=re.MULTILINE)
    assert found == 1
    return re.sub(r"^build .*: phony$", "", text, flags=re.MULTILINE)


def test_injection_without_a_backend_changes_nothing(triton_spec, compilers, tmp_path):
    arguments = [word for word in injection_arguments(triton_spec, "acme") if "FLAGTREE_BACKEND" not in word]
    bare, injected = TrunkBuild(tmp_path / "bare"), TrunkBuild(tmp_path / "injected")
    for build, more in ((bare, []), (injected, arguments)):
        compilers.teach(build.path, "C CXX", build.env, COMPILERS)
        build.configure(*more)
    assert statements(injected) == statements(bare)
    assert not (injected.path / "spec").exists()
