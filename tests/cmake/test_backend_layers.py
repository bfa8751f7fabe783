"""Backends in layers: `base = <name>` in spec.ini; the later layer wins and the log says so."""

from support.toy import prints, returns

TRUNK = {
    "CMakeLists.txt": "include_directories(include)\nadd_executable(app main.c lib/A.c lib/B.c lib/C.c)\n",
    "include/t/X.h": '#define X "trunk"\n',
    "lib/A.c": returns("a", "trunk"), "lib/B.c": returns("b", "trunk"),
    "lib/C.c": '#include "t/X.h"\n' + returns("c", "X"),
    "main.c": prints("a", "b", "c"),
}


def layered(toy, top, base):
    """A backend acme upon a backend common."""
    toy.write(TRUNK)
    toy.overlay(base, backend="common")
    toy.overlay({"spec.ini": "[backend]\nbase = common\n", **top})
    return toy


def test_both_layers_apply(toy):
    layered(toy, {"spec_cpp/lib/A.c": returns("a", "acme")},
            {"spec_cpp/lib/B.c": returns("b", "common"), "spec_cpp/include/t/X.h": '#define X "common"\n'})
    build = toy.configure()
    assert build.make() == ["acme", "common", "common"]
    assert build.swaps == ["include/t/X.h -> app", "lib/A.c -> app", "lib/B.c -> app"]
    assert [layer["name"] for layer in build.manifest["layers"]] == ["common", "acme"]


def test_later_layer_wins_and_it_is_said(toy):
    layered(toy, {"spec_cpp/lib/A.c": returns("a", "acme")}, {"spec_cpp/lib/A.c": returns("a", "common")})
    build, done = toy.cmake(*toy.arguments())
    assert build.make() == ["acme", "trunk", "trunk"]
    assert "'lib/A.c': layer 'acme' wins over 'common'" in done.words
    assert [o["layer"] for o in build.manifest["overrides"]] == ["acme"]


def test_base_alone(toy):
    layered(toy, {"spec_cpp/lib/A.c": returns("a", "acme")}, {"spec_cpp/lib/A.c": returns("a", "common")})
    assert toy.make(backend="common") == ["common", "trunk", "trunk"]


def test_header_of_the_base_beside_a_source_of_the_top(toy):
    layered(toy, {"spec_cpp/lib/A.c": '#include "L.h"\n' + returns("a", "L")},
            {"spec_cpp/lib/L.h": '#define L "common"\n'})
    build = toy.configure()
    assert build.make() == ["common", "trunk", "trunk"]


def test_three_layers(toy):
    layered(toy, {"spec_cpp/lib/A.c": returns("a", "acme")},
            {"spec.ini": "[backend]\nbase = root\n", "spec_cpp/lib/B.c": returns("b", "common")})
    toy.overlay({"spec_cpp/lib/C.c": returns("c", "root"), "spec_cpp/lib/A.c": returns("a", "root")},
                backend="root")
    assert toy.make() == ["acme", "common", "root"]


def test_top_removes_what_the_base_overrides(toy):
    layered(toy, {"spec.ini": "[backend]\nbase = common\n[remove]\npath = lib/A.c\n",
                  "spec_cpp/lib/B.c": returns("b", "acme") + returns("a", "acme too")},
            {"spec_cpp/lib/A.c": returns("a", "common")})
    build = toy.configure()
    assert build.make() == ["acme too", "acme", "trunk"]
    assert "lib/A.c -> app (removed)" in build.swaps


def test_scripts_of_all_layers_run_base_first(toy):
    say = 'spec_target_definitions(app "{}")\nmessage(STATUS "{} speaks")\n'
    layered(toy, {"spec_cpp/lib/A.c": returns("a", "TOP"), "spec.cmake": say.format('TOP=\\"top\\"', "top")},
            {"spec_cpp/lib/B.c": returns("b", "LOW"), "spec.cmake": say.format('LOW=\\"low\\"', "low")})
    build, done = toy.cmake(*toy.arguments())
    assert build.make() == ["top", "low", "trunk"]
    assert done.text.index("low speaks") < done.text.index("top speaks")


def test_addition_of_the_base_given_to_a_target_by_the_top(toy):
    layered(toy, {"spec.cmake": "spec_target_sources(app lib/New.c)\n",
                  "spec_cpp/lib/A.c": "const char *fresh(void);\n"
                  "const char *a(void) { return fresh(); }\n"},
            {"spec_cpp/lib/New.c": returns("fresh", "new")})
    build = toy.configure()
    assert build.make() == ["new", "trunk", "trunk"]
    assert "lib/New.c -> app (added)" in build.swaps


def test_base_that_is_missing_lists_those_found(toy):
    toy.write(TRUNK)
    toy.overlay({"spec.ini": "[backend]\nbase = comon\n", "spec_cpp/lib/A.c": "1\n"})
    toy.overlay({"spec_cpp/lib/A.c": "1\n"}, backend="common")
    said = toy.refused().words
    assert "backend 'comon' does not exist" in said and "backends found: acme, common" in said


def test_circle_of_bases(toy):
    layered(toy, {}, {"spec.ini": "[backend]\nbase = acme\n", "spec_cpp/lib/A.c": "1\n"})
    assert "is its own base" in toy.refused().words


def test_unknown_key_of_spec_ini(toy):
    toy.write(TRUNK)
    toy.overlay({"spec.ini": "[backend]\nbaes = common\n", "spec_cpp/lib/A.c": "1\n"})
    said = toy.refused().words
    assert "[backend] knows only 'base'" in said and "spec.ini:2" in said
