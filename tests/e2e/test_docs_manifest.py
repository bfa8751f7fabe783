"""Every JSON answer has the form that docs/reference/manifest.schema.json describes."""

import json
import subprocess

import jsonschema
import pytest

from support.toy import clean_environment, prints, returns, write_tree

from conftest import ROOT

SCHEMA = json.loads((ROOT / "docs/reference/manifest.schema.json").read_text())

TRUNK = {
    "CMakeLists.txt": "cmake_minimum_required(VERSION 3.20)\nproject(toy C)\ninclude_directories(include)\n"
                      "add_subdirectory(lib)\n",
    "lib/CMakeLists.txt": "add_library(A OBJECT a.c b.c)\nadd_executable(app main.c)\n"
                          "target_link_libraries(app A)\n",
    "lib/a.c": returns("a", "trunk a"),
    "lib/b.c": '#include "toy/b.h"\n' + returns("b", "B"),
    "lib/c.c": returns("c", "trunk c"),
    "lib/main.c": prints("a", "b"),
    "include/toy/b.h": '#define B "trunk b"\n',
    "python/triton/__init__.py": "",
    "python/triton/runtime/cache.py": "x = 1\n",
}
# Two layers, each kind that needs no MLIR, and each action.
OVERLAY = {
    "common/spec_cpp/lib/a.c": returns("a", "common a"),
    "acme/spec.ini": "[backend]\nbase = common\n",
    "acme/spec_cpp/lib/a.c": '#include "toy/new.h"\n' + returns("a", "NEW"),
    "acme/spec_cpp/include/toy/b.h": '#define B "acme b"\n',
    "acme/spec_cpp/include/toy/new.h": '#define NEW "acme a"\n',
    "acme/spec_cpp/lib/CMakeLists.txt": "add_library(A OBJECT a.c b.c)\nadd_executable(app main.c)\n"
                                        "target_link_libraries(app A) # acme\n",
    "acme/spec/triton/__init__.py": "hook = 1\n",
    "acme/spec/triton/runtime/cache.py": "x = 2\n",
}
REMOVAL = "[remove]\npath = lib/c.c\n"


def check(answer, part=None):
    """Validates an answer against the schema, or against one of its definitions."""
    schema = {**SCHEMA, "$ref": f"#/$defs/{part}"} if part else SCHEMA
    if part:
        for key in ("required", "properties", "additionalProperties", "dependentRequired", "if", "else"):
            schema.pop(key)
    jsonschema.Draft202012Validator(schema).validate(answer)
    return answer


@pytest.fixture
def tree(tmp_path):
    """A trunk with a backend of two layers in third_party."""
    write_tree(tmp_path / "trunk", {**TRUNK, **{f"third_party/{k}": v for k, v in OVERLAY.items()}})
    return tmp_path


@pytest.fixture
def ask(triton_spec, tree):
    """A function: the status and the JSON of a command about the tree."""
    def run(*command, backend="acme"):
        options = ["--trunk", "trunk", "--backend", backend] if command[0] != "log" else []
        done = subprocess.run([triton_spec, *command, *options, "--json"], cwd=tree,
                              env=clean_environment(), capture_output=True, text=True, check=False)
        assert done.stderr == ""
        return done.returncode, json.loads(done.stdout)
    return run


@pytest.fixture
def built(ask, tree):
    """The tree, configured in its build/."""
    _, answer = ask("cmake-args")
    arguments = check(answer, "arguments")["arguments"]
    subprocess.run(["cmake", "-S", "trunk", "-B", "build", "-G", "Ninja", *arguments], cwd=tree,
                   env=clean_environment(), check=True, capture_output=True)
    return tree


def test_manifest_of_a_build(ask, built):
    tree = built
    status, manifest = ask("log", "build")
    assert status == 0
    check(manifest)
    assert manifest == json.loads((tree / "build/spec/manifest.json").read_text())
    assert {o["action"] for o in manifest["overrides"]} == {"replace", "add", "hooks"}
    assert {o["kind"] for o in manifest["overrides"]} == {"source", "header", "cmake", "python"}
    assert all(o["owners"] for o in manifest["overrides"])
    assert [layer["name"] for layer in manifest["layers"]] == ["common", "acme"]
    assert {unit["source"]: unit["overrides"] for unit in manifest["units"]} == {
        "lib/a.c": ["include/toy/new.h", "lib/a.c"], "lib/b.c": ["include/toy/b.h"]}
    assert manifest["unit_count"] == 3


def test_plan(ask, tree):
    status, plan = ask("plan")
    assert status == 0
    check(plan)
    assert [finding["code"] for finding in plan["findings"]] == ["layer-wins"]
    assert "units" not in plan and not any(o["owners"] for o in plan["overrides"])


def test_plan_with_a_removal_and_errors(ask, tree):
    write_tree(tree / "trunk/third_party/acme", {
        "spec.ini": OVERLAY["acme/spec.ini"] + REMOVAL, "spec_cpp/lib/b.c": TRUNK["lib/b.c"]})
    status, plan = ask("plan")
    assert status == 1
    check(plan)
    assert {"redundant", "layer-wins"} == {finding["code"] for finding in plan["findings"]}
    assert [o["overlay"] for o in plan["overrides"] if o["action"] == "remove"] == ["spec.ini"]
    status, answer = ask("cmake-args")
    assert status == 1 and check(answer, "failure")["error"]["code"] == "refused"


@pytest.mark.parametrize("path", ["lib/a.c", "lib/b.c", "include/toy/b.h", "include/toy/new.h", "lib/main.c",
                                  "lib/CMakeLists.txt", "python/triton/runtime/cache.py", "python/triton/__init__.py"])
def test_why_in_a_build(built, triton_spec, path):
    done = subprocess.run([triton_spec, "why", "--build", "build", "--json", path], cwd=built, check=True,
                          env=clean_environment(), capture_output=True, text=True)
    answer = check(json.loads(done.stdout), "why")
    assert answer["build"]["changed"] is False
    if path.startswith("lib/") or path.endswith(".h"):
        assert answer["build"]["staged"]["because"] == ("overridden" if answer["overridden"] else "cmake-twin")


@pytest.mark.parametrize("path, overridden", [("lib/a.c", True), ("lib/b.c", False)])
def test_why(ask, tree, path, overridden):
    status, answer = ask("why", path)
    assert status == 0
    assert check(answer, "why")["overridden"] is overridden
    assert ("kind" in answer) is overridden


def test_why_of_a_refused_overlay_is_one_document(ask, tree):
    write_tree(tree / "trunk/third_party/acme", {"spec_cpp/lib/b.c": TRUNK["lib/b.c"]})
    status, answer = ask("why", "lib/a.c")
    assert status == 1
    assert "redundant" in {finding["code"] for finding in check(answer, "why")["findings"]}


@pytest.mark.parametrize("command, backend, code", [
    (("plan",), "nope", "not-found"), (("plan",), "A", "invalid"), (("why", "lib/zz.c"), "acme", "not-found"),
    (("log", "trunk"), "", "not-found"), (("stage",), "acme", "invalid"),
    (("plan", "--json", "--nope"), "acme", "invalid"),
])
def test_failure(ask, tree, command, backend, code):
    status, answer = ask(*command, backend=backend)
    assert status == 2
    assert check(answer, "failure")["error"]["code"] == code


@pytest.mark.parametrize("spoil", [
    lambda m: m.pop("trunk"),
    lambda m: m.update(more=1),
    lambda m: m.update(schema=2),
    lambda m: m["overrides"][0].update(kind="sauce"),
    lambda m: m["overrides"][0].update(vendor="relative"),
    lambda m: m.update(unit_count=1),
    lambda m: m.update(units=[], unit_count=-1),
])
def test_schema_refuses_what_is_wrong(ask, tree, spoil):
    _, plan = ask("plan")
    spoil(plan)
    with pytest.raises(jsonschema.ValidationError):
        check(plan)
