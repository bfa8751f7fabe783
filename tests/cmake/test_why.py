"""`triton-spec why` in a build: the rule, the units with their chains of includes, and the proof."""

import json

import pytest

from support.toy import Run, prints, returns
from test_faults_td import BASE, TREE, td_toy, vendor

TRUNK = {
    "CMakeLists.txt": "include_directories(include)\nadd_library(L OBJECT lib/A.c lib/B.c lib/C.c)\n"
                      "add_executable(app main.c)\ntarget_link_libraries(app L)\n",
    "main.c": prints("a", "b", "c"),
    "include/t/X.h": '\n#include "Y.h"\n#define X Y\n',
    "include/t/Y.h": '#define Y "trunk"\n',
    "lib/A.c": '#include "Local.h"\n' + returns("a", "trunk"),
    "lib/B.c": '/* first */\n#include "Local.h"\n#include <t/X.h>\n' + returns("b", "X"),
    "lib/C.c": returns("c", "trunk"),
    "lib/Local.h": '#include "Deep.h"\n#define LOCAL "trunk"\n',
    "lib/Deep.h": "#define DEEP 1\n",
}
VENDOR = {
    "spec_cpp/lib/A.c": '#include "Local.h"\n' + returns("a", "vendor"),
    "spec_cpp/lib/Local.h": '\n\n#include "Deep.h"\n#define LOCAL "vendor"\n',
    "spec_cpp/include/t/Y.h": '#define Y "vendor"\n',
}


@pytest.fixture
def usual(toy):
    """A source and headers by both ways of being found, overridden."""
    toy.write(TRUNK)
    toy.overlay(VENDOR)
    return toy


def text(toy, build, path, *options):
    """What `why` prints, as lines without indent."""
    done = Run([toy.program, "why", "--build", build.path, *options, path], env=toy.env).expect(0)
    return [line.strip() for line in done.text.splitlines()]


def ask(toy, build, path):
    """The answer about a path in a build."""
    done = Run([toy.program, "why", "--json", "--build", build.path, path], env=toy.env).expect(0)
    answer = json.loads(done.out)
    return {**answer, **answer["build"]}


def chains(answer):
    """{unit: "file:line found next, ..."} of all that reach a path."""
    return {unit["source"]: ", ".join(
        f"{s['file']}:{s.get('line', '-')} {s['found']}{'=' + s['dir'] if 'dir' in s else ''} {s['includes']}"
        for s in unit["chain"]) for unit in answer["reached_by"]}


def test_chains_of_a_header_that_is_found_on_the_path_and_beside(usual):
    answer = ask(usual, usual.configure(), "include/t/Y.h")
    assert answer["rule"] == "include-priority" and answer["owners"] == ["L"]
    assert chains(answer) == {
        "lib/B.c": "lib/B.c:3 search=include include/t/X.h, include/t/X.h:2 beside include/t/Y.h"}
    (unit,) = answer["reached_by"]
    assert unit["target"] == "L" and unit["include_dirs"] == ["include"] and len(unit["digest"]) == 16
    assert unit["overrides"] == ["include/t/Y.h", "lib/Local.h"]
    assert answer["shadows"] == [{"file": str(usual.trunk / "include/t/Y.h")}]


def check_ways(toy, build):
    """For every overridden header: the units that reach it are those of the manifest, and each way is one."""
    count = 0
    for override in build.manifest["overrides"]:
        if override["kind"] != "header":
            continue
        answer = ask(toy, build, override["trunk"])
        assert {(u["target"], u["source"]) for u in answer["reached_by"]} == {
            (u["target"], u["source"]) for u in build.manifest["units"] if override["trunk"] in u["overrides"]}
        for unit in answer["reached_by"]:
            at = unit["source"]
            for step in unit["chain"]:
                assert step["file"] == at
                staged = build.spec / "stage" / at
                text = (staged if staged.exists() else toy.trunk / at).read_text()
                assert "include" in text.splitlines()[step["line"] - 1]
                at = step["includes"]
            assert at == override["trunk"]
            count += 1
    assert count > 0


def test_ways_are_those_of_the_manifest(usual):
    check_ways(usual, usual.configure())


def test_lines_are_those_of_the_vendors_text(usual):
    """An include in an overridden file is told by the line in the file that is compiled."""
    answer = ask(usual, usual.configure(), "lib/Deep.h")
    assert not answer["overridden"]
    assert chains(answer)["lib/A.c"] == "lib/A.c:1 beside lib/Local.h, lib/Local.h:3 beside lib/Deep.h"
    assert answer["staged"]["because"] == "beside-staged"
    assert answer["staged"]["chain"][0] == {"file": "lib/Local.h", "line": 3, "found": "beside",
                                            "includes": "lib/Deep.h"}


def test_what_the_digest_and_place_of_a_unit_are(usual):
    build = usual.configure()
    for path, staged, reached in (("lib/A.c", True, ["lib/A.c", "lib/Local.h"]),
                                  ("lib/B.c", True, ["include/t/Y.h", "lib/Local.h"]), ("lib/C.c", False, [])):
        (unit,) = ask(usual, build, path)["units"]
        assert unit["staged"] is staged and unit["overrides"] == reached
        command = build.command(path.replace("lib", "stage/lib" if staged else "trunk/lib"))
        assert unit["file"] in command
        assert (f"TRITON_SPEC_DIGEST=0x{unit['digest']}" in command) if reached else unit["digest"] == ""


def test_why_a_trunk_file_is_staged(usual):
    answer = ask(usual, usual.configure(), "lib/B.c")
    assert answer["staged"]["because"] == "includes-staged"
    assert [(s["file"], s["line"], s["includes"]) for s in answer["staged"]["chain"]] == [
        ("lib/B.c", 2, "lib/Local.h")]


def test_every_reason_to_be_staged(toy):
    toy.write({
        "CMakeLists.txt": "add_subdirectory(lib)\nadd_subdirectory(sub)\n",
        "lib/CMakeLists.txt": "include_directories(first ../second)\nadd_library(L OBJECT far.c macro.c names.c)\n"
                              "set_source_files_properties(macro.c PROPERTIES COMPILE_DEFINITIONS [[N=\"o.h\"]])\n",
        "lib/far.c": '#include "near.h"\n', "lib/near.h": '#include "o.h"\n', "lib/o.h": "",
        "lib/macro.c": "\n#include N\n", "lib/other.h": "",
        "lib/names.c": '#include <same.h>\n', "lib/first/same.h": "", "second/same.h": "",
        "sub/CMakeLists.txt": "add_executable(app main.c)\n", "sub/main.c": "int main(void) { return 0; }\n",
    })
    toy.overlay({"spec_cpp/lib/o.h": "/* vendor */\n", "spec_cpp/second/same.h": "/* vendor */\n",
                 "spec_cpp/sub/CMakeLists.txt": "add_executable(app main.c) # vendor\n"})
    build = toy.configure("-DTRITON_SPEC_UNUSED=warn")
    reasons = {path: ask(toy, build, path).get("staged", {}).get("because") for path in (
        "lib/o.h", "lib/far.c", "lib/macro.c", "lib/other.h", "lib/first/same.h", "sub/main.c", "lib/names.c")}
    assert reasons == {"lib/o.h": "overridden", "lib/far.c": "includes-staged", "lib/macro.c": "macro-include",
                       "lib/other.h": "beside-macro", "lib/first/same.h": "same-name", "sub/main.c": "cmake-twin",
                       "lib/names.c": None}
    assert [s["includes"] for s in ask(toy, build, "lib/far.c")["staged"]["chain"]] == ["lib/near.h", "lib/o.h"]
    assert chains(ask(toy, build, "lib/o.h"))["lib/macro.c"] == "lib/macro.c:2 macro lib/o.h"
    check_ways(toy, build)
    lines = text(toy, build, "lib/macro.c")
    assert "since it includes by a macro, beside an overridden header" in lines


def test_chains_are_shortest(toy):
    toy.write({"CMakeLists.txt": "include_directories(.)\nadd_executable(app main.c)\n",
               "main.c": '#include "1.h"\n#include "long.h"\n#include "short.h"\nint main(void) { return 0; }\n',
               "1.h": '#include "2.h"\n', "2.h": '#include "3.h"\n', "3.h": '#include "o.h"\n',
               "long.h": '#include "3.h"\n', "short.h": '#include "o.h"\n', "o.h": ""})
    toy.overlay({"spec_cpp/o.h": "/* vendor */\n"})
    assert chains(ask(toy, toy.configure(), "o.h")) == {"main.c": "main.c:3 beside short.h, short.h:1 beside o.h"}


def test_what_the_command_line_brings_in(toy):
    toy.write({"CMakeLists.txt": "add_executable(app main.c)\n"
                                 "target_compile_options(app PRIVATE -include ${CMAKE_SOURCE_DIR}/forced.h)\n",
               "main.c": "int main(void) { return F; }\n", "forced.h": "#define F 0\n"})
    toy.overlay({"spec_cpp/forced.h": "#define F 1\n"})
    build = toy.configure()
    assert chains(ask(toy, build, "forced.h")) == {"main.c": "main.c:- forced forced.h"}
    assert "main.c -> forced.h (forced)" in text(toy, build, "forced.h")


def test_rules_and_nested_includes_of_a_td(toy):
    td_toy(toy, TREE)
    toy.overlay({"spec_cpp/include/triton/Base.td": vendor(BASE)})
    build = toy.configure()
    answer = ask(toy, build, "include/triton/Base.td")
    assert answer["rule"] == "tblgen-wrapper" and answer["rules"]
    for rule in answer["rules"]:
        at = rule["source"]
        for step in rule["chain"]:
            assert step["file"] == at
            at = step["includes"]
            path = toy.trunk / step["file"]
            line = path.read_text().splitlines()[step["line"] - 1]
            assert line.startswith("include") and at.split("/")[-1] in line
        assert at == "include/triton/Base.td"
    assert {rule["target"] for rule in answer["rules"]} == set(answer["owners"])
    assert max(len(rule["chain"]) for rule in answer["rules"]) > 1
    build.ninja("ToyTableGen")
    Run([toy.program, "verify", build.path], env=toy.env).expect(0)
    assert ask(toy, build, "include/triton/Base.td")["used_by"]


def test_what_verify_proved(usual):
    build = usual.configure()
    assert "used_by" not in ask(usual, build, "lib/Local.h")
    build.make()
    Run([usual.program, "verify", build.path], env=usual.env).expect(0)
    used = ask(usual, build, "lib/Local.h")["used_by"]
    assert sorted(name.split("/")[-1] for name in used) == ["A.c.o", "B.c.o"]
    assert any(line.startswith("proved by the last verify: 2 outputs") for line in text(usual, build, "lib/Local.h"))


def test_layers_below(usual):
    usual.overlay({"spec_cpp/include/t/Y.h": '#define Y "base"\n'}, backend="base")
    usual.overlay({"spec.ini": "[backend]\nbase = base\n"})
    build = usual.configure()
    base = usual.trunk / "third_party/base/spec_cpp/include/t/Y.h"
    assert ask(usual, build, "include/t/Y.h")["shadows"] == [
        {"layer": "base", "file": str(base)}, {"file": str(usual.trunk / "include/t/Y.h")}]
    assert f"instead of: backend 'base': {base}" in text(usual, build, "include/t/Y.h")


def test_a_path_may_be_spelled_in_every_way(usual):
    build = usual.configure()
    for path in ("lib/A.c", "spec_cpp/lib/A.c", usual.trunk / "lib/A.c", build.spec / "stage/lib/A.c",
                 usual.trunk / "third_party/acme/spec_cpp/lib/A.c"):
        assert ask(usual, build, path)["trunk"] == "lib/A.c"


def test_the_current_folder_is_the_build(usual):
    build = usual.configure()
    done = Run([usual.program, "why", "lib/A.c"], env=usual.env, cwd=build.path).expect(0)
    assert "compiled in L from spec/stage/lib/A.c" in done.text
    done = Run([usual.program, "why", "lib/A.c", "--trunk", usual.trunk, "--backend", "acme"], env=usual.env,
               cwd=build.path).expect(0)
    assert "in build" not in done.text


def test_a_build_has_its_own_trunk(usual):
    build = usual.configure()
    said = Run([usual.program, "why", "--build", build.path, "--backend", "acme", "x"], env=usual.env).expect(2).text
    assert "a build has its own trunk and backend" in said
    said = Run([usual.program, "why", "--build", usual.root, "lib/A.c"], env=usual.env).expect(2).text
    assert "is not a build with an overlay" in said
    said = Run([usual.program, "why", "--build", build.path, "lib/Z.c"], env=usual.env).expect(2).text
    assert "neither the trunk nor the overlay has 'lib/Z.c'" in said


def test_what_changed_since_it_was_configured_is_told(usual):
    build = usual.configure()
    before = {p: p.lstat().st_mtime_ns for p in build.path.rglob("*")}
    usual.overlay({"spec_cpp/lib/C.c": returns("c", "vendor")})
    answer = ask(usual, build, "lib/C.c")
    assert answer["changed"] and answer["units"][0]["staged"]
    assert any("have changed since it was configured" in line for line in text(usual, build, "lib/C.c"))
    assert {p: p.lstat().st_mtime_ns for p in build.path.rglob("*")} == before, "why writes nothing"


def test_an_overlay_that_became_wrong_is_told(usual):
    build = usual.configure()
    usual.overlay({"spec_cpp/lib/A.bin": "?"})
    said = Run([usual.program, "why", "--build", build.path, "lib/A.c"], env=usual.env).expect(1).text
    assert "error[unknown-kind]" in said and "rule: source-swap" in said and "in build" not in said


def test_a_screen_is_enough(toy):
    """Many targets and units are counted, and --all names them."""
    targets, units = 9, 5
    names = [f"s{t}_{u}.c" for t in range(targets) for u in range(units)]
    toy.write({"CMakeLists.txt": "include_directories(include)\n" + "".join(
        f"add_library(T{t} OBJECT {' '.join(n for n in names if n.startswith(f's{t}_'))})\n" for t in range(targets))
        + "add_executable(app main.c)\n", "main.c": "int main(void) { return 0; }\n", "include/o.h": "",
        **{name: '#include "o.h"\n' for name in names}})
    toy.overlay({"spec_cpp/include/o.h": "/* vendor */\n"})
    build = toy.configure()
    short, whole = text(toy, build, "include/o.h"), text(toy, build, "include/o.h", "--all")
    assert len(short) < 40 and "and 3 more (--all)" in short and "and 5 more targets (--all)" in short
    for name in names:
        assert f"{name}:1 -> include/o.h (in include)" in whole
    assert not any("--all" in line for line in whole)
