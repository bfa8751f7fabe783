"""Which backend a triton package was made for: marker, module, environment. Both implementations."""

import pytest

HOOK = "def hook():\n    return 'acme'\n"


def invalid(answer, name, source):
    error = answer.error
    assert error is not None, answer.result
    assert error["bases"][:2] == ["SpecInvalid", "SpecError"] and error["code"] == "invalid"
    assert repr(name) in error["what"] and error["where"].endswith(source) and error["mend"]
    return True


# --- FlagTree's marker -------------------------------------------------------------------------

@pytest.mark.parametrize("text", ["acme", "acme\n", "  acme \r\n"])
def test_marker_file_names_the_backend(package, text):
    package.flagtree(text, hooks=HOOK)
    assert package.ask("spec_call('hook')")[0].result == "acme"


def test_module_of_flagtree_names_the_backend(package):
    package.flagtree("", hooks=None)
    package.write({"triton/_flagtree_backend.py": "FLAGTREE_BACKEND = 'acme'\n",
                   "triton/spec/acme/triton/__init__.py": HOOK})
    assert package.ask("spec_call('hook')")[0].result == "acme"


def test_marker_is_read_once(package):
    package.flagtree("acme", hooks=HOOK)
    answer, = package.ask("""
import pathlib, triton
spec_call("hook")
pathlib.Path(triton.__file__).with_name("FLAGTREE_BACKEND").write_text("other")
result = spec_call("hook")
""")
    assert answer.result == "acme"


@pytest.mark.parametrize("empty", ["", " \n"])
def test_no_backend(package, empty):
    package.flagtree(empty, {"language/__init__.py": ""})
    answer, path = package.ask(
        "spec_call('hook'), spec_func('hook'), spec_has('hook'), spec_call_or(1, 'hook')",
        "import triton.language as tl\nbefore = list(tl.__path__)\nspec_path(tl.__path__)\n"
        "result = tl.__path__ == before")
    assert answer.result == (None, None, False, 1) and path.result is True


def test_absence_of_a_backend_is_found_out_once(package):
    package.flagtree("")
    answer, = package.ask("""
import os
spec_call("hook")
os.environ["FLAGTREE_BACKEND"] = "acme"
result = spec_call("hook")
""")
    assert answer.result is None


def test_marker_that_cannot_be_read_is_an_error(package):
    package.flagtree("")
    (package.root / "triton/FLAGTREE_BACKEND").unlink()
    (package.root / "triton/FLAGTREE_BACKEND").mkdir()
    answer, = package.ask("spec_call('hook')")
    assert answer.error is not None and "FLAGTREE_BACKEND" in answer.error["text"]


# --- P4: names that are none -------------------------------------------------------------------

NAMES = ["../../../evil", "/absolute/evil", "a/b", "a.b", "Acme", "ac me", "acme-2", "acmé", "a\0b", "..", "a\nb"]


@pytest.mark.parametrize("name", NAMES)
def test_marker_file_with_another_text_is_refused(package, name):
    package.flagtree("", {"language/__init__.py": ""})
    package.write({"triton/FLAGTREE_BACKEND": name})
    call, path = package.ask("spec_call('hook')", "spec_path(__import__('triton.language').language.__path__)")
    assert invalid(call, name, "triton") and invalid(path, name, "triton")


@pytest.mark.parametrize("value", ["'../evil'", "5", "('a', 'b')", "b'acme'"])
def test_module_with_another_value_is_refused(package, value):
    package.flagtree("")
    package.write({"triton/_flagtree_backend.py": f"FLAGTREE_BACKEND = {value}\n"})
    assert invalid(package.ask("spec_call('hook')")[0], eval(value), "triton/_flagtree_backend.py")


@pytest.mark.parametrize("layers", ["('acme', '../evil')", "('acme', '')", "('acme', 3)"])
def test_every_layer_is_looked_at(package, layers):
    package.staged({})
    package.write({"triton/_flagtree_backend.py": f"FLAGTREE_BACKEND = 'acme'\nLAYERS = {layers}\n"})
    assert invalid(package.ask("spec_has('hook')")[0], eval(layers)[1], "triton/_flagtree_backend.py")


# --- P8: asked for, and not there --------------------------------------------------------------

def unserved(answer):
    error = answer.error
    assert error is not None, answer.result
    assert error["bases"][:2] == ["SpecNotFound", "SpecError"] and error["code"] == "not-found"
    assert "'acme'" in error["what"] and error["where"].endswith("triton/__init__.py") and error["mend"]
    return True


@pytest.mark.parametrize("marker", [None, ""])
def test_environment_that_asks_for_a_backend_is_not_left_in_silence(package, marker):
    package.flagtree("", {"language/__init__.py": ""})
    package.write({"triton/FLAGTREE_BACKEND": marker})
    answers = package.ask("spec_call('hook')", "spec_func('hook')", "spec_has('hook')", "spec_call_or(1, 'hook')",
                          "spec_path(__import__('triton.language').language.__path__)", FLAGTREE_BACKEND="acme")
    assert all(map(unserved, answers))


def test_stage_without_layers_is_not_left_in_silence(package):
    package.staged({})
    assert unserved(package.ask("spec_call('hook')", FLAGTREE_BACKEND="acme")[0])


def test_environment_may_be_mended(package):
    package.flagtree("")
    first, second = package.ask("spec_call('hook')", "import os\ndel os.environ['FLAGTREE_BACKEND']\n"
                                "result = spec_call('hook')", FLAGTREE_BACKEND="acme")
    assert unserved(first) and second.error is None and second.result is None


def test_empty_environment_asks_for_nothing(package):
    package.flagtree("")
    assert package.ask("spec_call('hook')", FLAGTREE_BACKEND="")[0].error is None


def test_environment_does_not_choose_among_what_is_there(package):
    package.flagtree("acme", hooks=HOOK)
    assert package.ask("spec_call('hook')", FLAGTREE_BACKEND="other")[0].result == "acme"
