"""triton-spec export: the plain folder that it writes, and building that without triton-spec."""

import json
import os
import shutil

import jsonschema
import pytest

from support.engine import Engine, fingerprint
from support.toy import Run, prints, returns, write_tree

from conftest import ROOT

SCHEMA = json.loads((ROOT / "docs/reference/manifest.schema.json").read_text())

LIB = "add_library(A OBJECT a.c gone.c)\nadd_executable(app main.c)\ntarget_link_libraries(app A)\n"
TRUNK = {
    "CMakeLists.txt": "include_directories(include)\nadd_subdirectory(lib)\n",
    "lib/CMakeLists.txt": LIB,
    "lib/a.c": '#include "toy/v.h"\n' + returns("a", "V"),
    "lib/gone.c": returns("b", "trunk b"),
    "lib/main.c": prints("a", "b", "libraries"),
    "include/toy/v.h": '#define V "trunk v"\n',
}
OVERLAY = {
    "spec.cmake": "spec_target_sources(A lib/New.c)\nspec_target_definitions(A NAME=\"new\")\n"
                  "spec_target_include_directories(A ${CMAKE_CURRENT_LIST_DIR}/own)\n"
                  "spec_target_link_libraries(app Own)\nset(FROM_SPEC ON)\n",
    "spec.ini": "[remove]\npath = lib/gone.c\n",
    "spec_cpp/lib/New.c": '#include "own.h"\n' + returns("b", "NAME"),
    "spec_cpp/include/toy/v.h": '#define V "vendor v"\n',
    "own/own.h": '#include "toy/v.h"\n',
    "own/library.c": returns("libraries", "own library"),
}
LINES = ["vendor v", "new", "own library"]


def check(answer, part):
    """Validates against a definition of the schema."""
    schema = {"$schema": SCHEMA["$schema"], "$defs": SCHEMA["$defs"], "$ref": f"#/$defs/{part}"}
    jsonschema.Draft202012Validator(schema).validate(answer)
    return answer


def export(toy, *words, root=None, status=0):
    """Exports backend acme to <root>/tree; the Run."""
    roots = ["--root", root] if root else []
    return Run([toy.program, "export", "--trunk", toy.trunk, "--backend", "acme", *roots, *words],
               env=toy.env, cwd=toy.root).expect(status)


def build_tree(toy, tree="tree"):
    """Configures and builds an export with what it says that it needs; the lines of the program."""
    script = toy.root / tree / ".triton-spec/overlay.cmake"
    arguments = [f"-DCMAKE_PROJECT_TOP_LEVEL_INCLUDES={script}"] if script.exists() else []
    return toy.cmake(*arguments, trunk=tree, build=f"{tree}-build")[0].make()


@pytest.fixture
def full(toy):
    """A trunk and an overlay with everything that spec.cmake and spec.ini can ask for."""
    own = "if(FROM_SPEC)\n  add_library(Own STATIC third_party/acme/own/library.c)\nendif()\n"
    toy.write({**TRUNK, "CMakeLists.txt": TRUNK["CMakeLists.txt"] + own})
    toy.overlay(OVERLAY)
    return toy


def test_export_builds_without_triton_spec(full):
    assert full.make() == LINES
    said = export(full, "-o", "tree").out
    assert str(full.root / "tree/.triton-spec/overlay.cmake") in said
    shutil.rmtree(full.trunk)
    assert build_tree(full) == LINES


def test_export_can_be_moved(full):
    export(full, "-o", "tree")
    shutil.move(full.root / "tree", full.root / "else where")
    shutil.rmtree(full.trunk)
    assert build_tree(full, "else where") == LINES


def test_overlay_outside_the_trunk(toy):
    """spec.cmake finds what lies beside it in the export too."""
    toy.write(TRUNK)
    write_tree(toy.root / "vendors/acme", {**OVERLAY, "spec.cmake": OVERLAY["spec.cmake"].replace(
        "spec_target_link_libraries(app Own)\n",
        "add_library(Own STATIC ${CMAKE_CURRENT_LIST_DIR}/own/library.c)\n"
        "spec_target_link_libraries(app Own)\n")})
    export(toy, "-o", "tree", root="vendors")
    shutil.rmtree(toy.trunk)
    shutil.rmtree(toy.root / "vendors")
    assert build_tree(toy) == LINES


def test_without_requests_there_is_no_script(toy):
    toy.write({**TRUNK, "lib/main.c": prints("a", "b")})
    toy.overlay({"spec_cpp/include/toy/v.h": OVERLAY["spec_cpp/include/toy/v.h"]})
    assert "TOP_LEVEL" not in export(toy, "-o", "tree").out
    assert build_tree(toy) == ["vendor v", "trunk b"]


def test_cmake_override_and_links(toy):
    toy.write({**TRUNK, "lib/main.c": prints("a", "b")})
    toy.overlay({"spec_cpp/lib/CMakeLists.txt": LIB.replace("gone.c", "gone.c ../lib2/c.c"),
                 "spec_cpp/include/toy/v.h": OVERLAY["spec_cpp/include/toy/v.h"],
                 "spec_cpp/lib2/c.c": returns("c", "added")})
    export(toy, "--links", "-o", "tree")
    assert os.readlink(toy.root / "tree/lib/a.c") == str(toy.trunk / "lib/a.c")
    assert build_tree(toy) == ["vendor v", "trunk b"]


def test_answers_have_the_form_of_the_schema(full):
    answer = check(json.loads(export(full, "-o", "tree", "--json").out), "exported")
    origin = check(json.loads((full.root / "tree/.triton-spec/origin.json").read_text()), "origin")
    assert answer["has_script"] and answer["removed"] == 1 == len(origin["removed"])
    assert len(origin["files"]) == answer["trunk_files"] + answer["vendor_files"]
    with pytest.raises(jsonschema.ValidationError):
        check({**origin, "files": [{"path": "x", "from": "trunk"}]}, "origin")


def test_exporting_again_changes_nothing(full):
    export(full, "-o", "tree")
    before = fingerprint(full.root / "tree")
    export(full, "-o", "tree")
    after = fingerprint(full.root / "tree")
    own = os.fsencode(full.root / "tree/.triton-spec")  # a list came and went in that folder
    assert {**before, own: after[own]} == after


def test_an_overlay_with_findings_is_not_exported(toy):
    toy.write(TRUNK)
    toy.overlay({"spec_cpp/lib/a.c": TRUNK["lib/a.c"]})
    assert "error[redundant]" in export(toy, "-o", "tree", status=1).text
    answer = json.loads(export(toy, "-o", "tree", "--json", status=1).out)
    assert answer["error"]["code"] == "refused"
    assert not (toy.root / "tree").exists()
    export(toy, "-o", "tree", "--warn-redundant")


@pytest.mark.parametrize("words, says", [
    ([], "'export' needs --out DIR"),
    (["-o"], "'--out' needs a value"),
    (["-o", "x", "--links", "--reflink"], "exclude each other"),
    (["-o", "trunk/x"], "lies in"),
    (["-o", "vendors/acme/x"], "lies in"),
    (["-o", "."], "holds"),
    (["-o", "other"], "is not empty, and no export made it"),
])
def test_refused(tmp_path, triton_spec, words, says):
    engine = Engine(tmp_path, triton_spec)
    engine.write({"vendors/acme/spec_cpp/lib/a.c": "int vendor;\n", "other/x": ""})
    engine.run("export", *words, cwd=tmp_path).says(2, "error[invalid]", says)
    assert os.listdir(tmp_path / "other") == ["x"]
