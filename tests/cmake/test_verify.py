"""`triton-spec verify`: what Ninja recorded, against what the overlay promised."""

import json
import subprocess

from support.toy import Run, prints, returns

ONE = "include_directories(include)\nadd_executable(app main.c lib/A.c)\n"
TRUNK = {
    "CMakeLists.txt": ONE,
    "main.c": prints("a"),
    "lib/A.c": '#include "t/X.h"\n' + returns("a", "X"),
    "include/t/X.h": '#define X "trunk"\n',
}
VENDOR = {"spec_cpp/include/t/X.h": '#define X "vendor"\n'}


def verify(toy, build, status=0, *options):
    """Runs verify on a build folder."""
    return Run([toy.program, "verify", *options, build.path], env=toy.env).expect(status)


def test_every_override_is_proved_by_the_outputs_that_read_it(toy):
    toy.write(TRUNK)
    toy.overlay({**VENDOR, "spec_cpp/main.c": prints("a") + "/* vendor */\n"})
    build = toy.configure()
    assert "2 whose owners are not built yet" in verify(toy, build).out
    assert build.make() == ["vendor"]
    assert "2 overrides: 2 proved" in verify(toy, build).out
    used = {o["trunk"]: o["used_by"] for o in build.manifest["overrides"]}
    assert [name.split("/")[-1] for name in used["include/t/X.h"]] == ["A.c.o"]
    assert [name.split("/")[-1] for name in used["main.c"]] == ["main.c.o"]


def test_a_partial_build_is_not_judged_before_its_time(toy):
    toy.write({**TRUNK, "CMakeLists.txt": ONE + "add_library(other STATIC lib/B.c)\n",
               "lib/B.c": returns("b", "trunk")})
    toy.overlay({**VENDOR, "spec_cpp/lib/B.c": returns("b", "vendor")})
    build = toy.configure()
    build.ninja("app")
    done = json.loads(verify(toy, build, 0, "--json").out)
    assert (done["proved"], done["pending"]) == (1, 1)
    build.ninja()
    assert json.loads(verify(toy, build, 0, "--json").out)["pending"] == 0


def test_an_include_that_no_scan_can_see_is_caught(toy):
    # A header written during the build names the trunk's file by its absolute path.
    toy.write({**TRUNK, "lib/B.c": '#include "gen.h"\n' + returns("b", "X"), "main.c": prints("a", "b"),
               "CMakeLists.txt": ONE + "target_sources(app PRIVATE lib/B.c ${CMAKE_BINARY_DIR}/gen.h)\n"
               "include_directories(${CMAKE_BINARY_DIR})\n"
               "set_property(TARGET app APPEND PROPERTY INCLUDE_DIRECTORIES ${CMAKE_BINARY_DIR})\n"
               "file(WRITE ${CMAKE_BINARY_DIR}/in.txt \"\\n#include \\\"${CMAKE_SOURCE_DIR}/include/t/X.h\\\"\\n\")\n"
               "add_custom_command(OUTPUT ${CMAKE_BINARY_DIR}/gen.h COMMAND ${CMAKE_COMMAND} -E copy in.txt gen.h)\n"})
    toy.overlay(VENDOR)
    build = toy.configure()
    assert build.make() == ["vendor", "trunk"]
    said = verify(toy, build, 1)
    assert "error[shadowed]" in said.text and "B.c.o" in said.text and "'include/t/X.h'" in said.text
    assert f"{build.path}/gen.h:2" in said.text


def test_an_override_that_only_dead_code_includes_is_not_used(toy):
    toy.write({**TRUNK, "lib/A.c": '#if 0\n#include "t/X.h"\n#endif\n' + returns("a", "none")})
    toy.overlay(VENDOR)
    build = toy.configure()
    assert build.make() == ["none"]
    assert "error[not-read]" in verify(toy, build, 1).text


def test_an_override_may_include_what_it_stands_for(toy):
    toy.write(TRUNK)
    toy.overlay({"spec_cpp/include/t/X.h": '#include_next "t/X.h"\n#undef X\n#define X "both"\n'})
    build = toy.configure()
    assert build.make() == ["both"]
    assert "1 proved" in verify(toy, build).out


def test_records_of_outputs_that_are_gone_do_not_count(toy):
    toy.write(TRUNK)
    toy.overlay({})
    toy.overlay({"spec_cpp/main.c": prints("a") + "/* vendor */\n"})
    build = toy.configure()
    build.make()
    toy.overlay({"spec_cpp/lib/A.c": '#include "t/X.h"\n' + returns("a", "X") + "/* vendor */\n"})
    build = toy.configure()
    build.make()
    assert "2 proved" in verify(toy, build).out


def test_a_build_without_an_overlay_is_refused(toy):
    toy.write(TRUNK)
    build = toy.cmake(build="plain")[0]
    build.make()
    said = verify(toy, build, 2)
    assert "without an overlay" in said.text and "CMAKE_PROJECT_TOP_LEVEL_INCLUDES" in said.text
    assert "not a build folder of Ninja" in Run([toy.program, "verify", toy.root], env=toy.env).expect(2).text


def test_a_rule_that_lost_its_wrapper_is_caught(toy):
    from test_faults_td import BASE, TREE, td_toy, vendor

    td_toy(toy, TREE)
    toy.overlay({"spec_cpp/include/triton/Base.td": vendor(BASE)})
    build = toy.configure()
    build.ninja("ToyTableGen")
    assert "1 proved" in verify(toy, build).out
    rules = build.path / "build.ninja"
    lines = rules.read_text().splitlines(keepends=True)
    rules.write_text("".join(
        " ".join(w for w in line.split(" ") if not w.endswith("/tblgen")) if "COMMAND" in line else line
        for line in lines))
    said = verify(toy, build, 1)
    assert "error[shadowed]" in said.text and "include/triton/Types.td:1" in said.text


def test_build_builds_and_verifies(toy):
    toy.write(TRUNK)
    toy.overlay(VENDOR)
    build = toy.configure()
    done = Run([toy.program, "build", build.path, "--", "-j2"], env=toy.env).expect(0)
    assert "Linking C executable" in done.text and "1 proved" in done.out
    assert build.run() == ["vendor"]
    answer = subprocess.run([toy.program, "build", "--json", build.path], env=toy.env, check=True, text=True,
                            capture_output=True)
    assert json.loads(answer.stdout)["proved"] == 1
    toy.write({"main.c": "this does not compile\n"})
    assert "failed with status" in Run([toy.program, "build", build.path], env=toy.env).expect(2).text
