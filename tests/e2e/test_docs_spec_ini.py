"""The example of docs/reference/spec-ini.md does what the page says."""

import json
import re
import subprocess

import pytest

from support.toy import clean_environment, prints, returns, write_tree

from conftest import ROOT

PAGE = (ROOT / "docs/reference/spec-ini.md").read_text()
EXAMPLE = re.search(r"^```ini\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL).group(1)


@pytest.fixture
def plan(triton_spec, tmp_path):
    """A function: the plan of a backend with the example's spec.ini and some files."""
    def run(files):
        write_tree(tmp_path, {
            "lib/Dialect/TritonGPU/Transforms/Coalesce.cpp": "1\n", "python/triton/tools/disasm.py": "1\n",
            "python/triton/testing.py": "1\n", "python/triton/language/extra/libdevice.py": "1\n",
            "third_party/acme_common/spec_cpp/lib/Dialect/TritonGPU/Transforms/Coalesce.cpp": "2\n",
            "third_party/acme/spec.ini": EXAMPLE,
            **{f"third_party/acme/{name}": text for name, text in files.items()}})
        done = subprocess.run([triton_spec, "plan", "--backend", "acme", "--json"], cwd=tmp_path,
                              env=clean_environment(), capture_output=True, text=True, check=False)
        return json.loads(done.stdout)
    return run


def actions(answer):
    return {o["trunk"]: o["action"] for o in answer["overrides"]}


def codes(answer):
    return sorted(finding["code"] for finding in answer["findings"])


def test_base_removals_and_a_loosened_policy(plan):
    answer = plan({"spec/triton/testing.py": "2\n"})
    assert actions(answer) == {
        "lib/Dialect/TritonGPU/Transforms/Coalesce.cpp": "remove",
        "python/triton/testing.py": "replace", "python/triton/tools/disasm.py": "remove"}
    assert codes(answer) == ["layer-wins", "policy-changed"]


@pytest.mark.parametrize("name", ["libdevice.py", "new.py"])
def test_a_closed_folder(plan, name):
    assert "closed" in codes(plan({f"spec/triton/language/extra/{name}": "2\n"}))


def test_a_removed_file_is_not_overridden_in_the_same_layer(plan):
    answer = plan({"spec/triton/tools/disasm.py": "2\n"})
    assert "remove-overridden" in codes(answer)


@pytest.mark.parametrize("text, accepted", [
    ("[policy]\nlanguage = whole ; why", True),
    ("[policy]\nlanguage: whole", True),
    ("# a remark\n; another", True),
    ("[drift]\nmode = warn", True),
    ("[device]\nanything = at all", True),
    ("key = 1", False),
    ("[policy]\nlanguage = whole\nlanguage = merge", False),
    ("[policy]\nlanguage = whole # no remark", False),
    ("[policy]\nlanguage = " + "x" * 200, False),
])
def test_what_a_line_may_be(triton_spec, tmp_path, text, accepted):
    write_tree(tmp_path, {"third_party/acme/spec.ini": text + "\n"})
    done = subprocess.run([triton_spec, "plan", "--backend", "acme"], cwd=tmp_path,
                          env=clean_environment(), capture_output=True, text=True, check=False)
    assert done.returncode == (0 if accepted else 2), done.stderr
    assert accepted or re.search(r"spec\.ini:[1-3]\n", done.stderr)


@pytest.mark.parametrize("sources", ["a.c gone.c b.c", '"$<$<BOOL:1>:a.c;gone.c;b.c>"',
                                     '"$<$<BOOL:1>:gone.c>" a.c b.c', '"$<IF:1,gone.c,x.c>" a.c b.c'])
def test_a_removed_source_leaves_its_neighbours(toy, sources):
    toy.write({"CMakeLists.txt": f"add_executable(app main.c {sources})\n", "main.c": prints("a", "b"),
               "a.c": returns("a", "trunk a"), "b.c": returns("b", "trunk b"), "gone.c": "#error gone\n"})
    toy.overlay({"spec.ini": "[remove]\npath = gone.c\n"})
    build = toy.configure()
    assert build.swaps == ["gone.c -> app (removed)"]
    assert build.make() == ["trunk a", "trunk b"]
