"""The manifest: what was planned and placed, for machines."""

import json
import pathlib

import jsonschema
import pytest

from support.toy import prints, returns

SCHEMA = pathlib.Path(__file__).resolve().parents[2] / "docs/reference/manifest.schema.json"
TRUNK = {
    "CMakeLists.txt": "include_directories(include)\nadd_subdirectory(lib)\nadd_executable(app main.c)\n"
                      "target_link_libraries(app L)\n",
    "include/t/X.h": '#define X "trunk"\n', "lib/CMakeLists.txt": "add_library(L OBJECT A.c B.c Old.c)\n",
    "lib/A.c": returns("a", "trunk"), "lib/B.c": '#include "t/X.h"\n' + returns("b", "X"),
    "lib/Old.c": "#error old\n", "python/triton/runtime/jit.py": "J = 1\n", "main.c": prints("a", "b"),
}
VENDOR = {
    "spec_cpp/lib/CMakeLists.txt": "add_library(L OBJECT A.c B.c Old.c)\n# vendor\n",
    "spec_cpp/lib/A.c": "const char *n(void);\nconst char *a(void) { return n(); }\n",
    "spec_cpp/lib/New.c": returns("n", "new"), "spec_cpp/include/t/X.h": '#define X "vendor"\n',
    "spec/triton/runtime/jit.py": "J = 2\n", "spec/triton/__init__.py": "\n",
    "spec.ini": "[backend]\nbase = common\n[remove]\npath = lib/Old.c\n",
    "spec.cmake": "spec_target_sources(L lib/New.c)\n",
}


@pytest.fixture
def build(toy):
    """A build with every kind and action, in two layers."""
    toy.write(TRUNK)
    toy.overlay({"spec_cpp/lib/B.c": '#include "t/X.h"\n' + returns("b", "X") + "/* common */\n"},
                backend="common")
    toy.overlay(VENDOR)
    made = toy.configure()
    assert made.make() == ["new", "vendor"]
    return made


def test_manifest_keeps_to_its_schema(build):
    jsonschema.Draft202012Validator(json.loads(SCHEMA.read_text())).validate(build.manifest)


def test_every_override_with_its_owners(build):
    found = {o["trunk"]: (o["kind"], o["action"], o["layer"], o["owners"]) for o in build.manifest["overrides"]}
    assert found == {
        "include/t/X.h": ("header", "replace", "acme", ["L"]),
        "lib/A.c": ("source", "replace", "acme", ["L"]),
        "lib/B.c": ("source", "replace", "common", ["L"]),
        "lib/CMakeLists.txt": ("cmake", "replace", "acme", ["CMake"]),
        "lib/New.c": ("source", "add", "acme", ["L"]),
        "lib/Old.c": ("source", "remove", "acme", ["L"]),
        "python/triton/spec/acme/triton/__init__.py": ("python", "hooks", "acme", ["python package"]),
        "python/triton/runtime/jit.py": ("python", "replace", "acme", ["python package"]),
    }


def test_every_affected_unit_with_its_digest(build):
    units = {u["source"]: u for u in build.manifest["units"]}
    assert sorted(units) == ["lib/A.c", "lib/B.c", "lib/New.c"]
    assert build.manifest["unit_count"] == 4
    for source, unit in units.items():
        assert unit["target"] == "L" and unit["staged"]
        assert f"TRITON_SPEC_DIGEST=0x{unit['digest']}" in build.command(source)
    assert units["lib/B.c"]["overrides"] == ["include/t/X.h", "lib/B.c"]


def test_digest_is_the_same_elsewhere(toy, tmp_path):
    """Trunk, overlay and build folder may lie anywhere: equal command lines hit a shared cache."""
    digests = []
    for place in ("here", "there/and deeper"):
        toy.trunk = tmp_path / place
        toy.write({**TRUNK, "lib/Old.c": "int o;\n"})
        toy.overlay({"spec_cpp/include/t/X.h": '#define X "vendor"\n'})
        units = toy.configure(build=f"{place}-build").manifest["units"]
        digests.append([(u["source"], u["digest"]) for u in units])
    assert digests[0] == digests[1] and len(digests[0]) == 1


def test_digest_tells_where_an_override_comes_from_not_what_it_says(toy):
    toy.write({**TRUNK, "lib/Old.c": "int o;\n"})
    toy.overlay({"spec_cpp/include/t/X.h": '#define X "vendor"\n'})
    toy.overlay({"spec_cpp/include/t/X.h": '#define X "other"\n'}, backend="other")

    def digest(**how):
        return toy.configure(**how).manifest["units"][0]["digest"]
    first = digest()
    toy.overlay({"spec_cpp/include/t/X.h": '#define X "edited"\n'})
    assert digest() == first
    assert digest(backend="other", build="other") != first
