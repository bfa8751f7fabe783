"""Exact rebuilds of TableGen outputs with ninja alone."""

import os
import re

import pytest

from support.toy import Run, write_tree
from test_faults_td import BASE, OPS, POLICIES, TREE, TYPES, names, td_toy, vendor

OTHER = {
    "include/other/CMakeLists.txt": "set(LLVM_TARGET_DEFINITIONS Own.td)\nmlir_tablegen(Own.inc -print-records)\n"
                                    "add_public_tablegen_target(OtherTableGen)\n",
    # It includes something: with CMP0116 NEW, CMake loses the depfile of a rule that does not.
    "include/other/Own.td": 'include "other/N.td"\ndef Own : N<"other">;\n',
    "include/other/N.td": "class N<string n> { string name = n; }\n",
}
BODY = "add_subdirectory(include/triton)\nadd_subdirectory(include/other)\n" \
       "add_custom_target(everything ALL DEPENDS ToyTableGen OtherTableGen)"
ALIKE = {"spec/triton/__init__.py": "x = 1\n"}


class Rules:
    """Two rules of two folders, built once without an override of a .td; then changes."""

    def __init__(self, toy, policy, overlay):
        td_toy(toy, {**TREE, **OTHER}, body=BODY, policy=policy)
        self.toy = toy
        toy.overlay(overlay)
        self.build = toy.configure()
        self.build.ninja()

    def overlay(self, files):
        """Writes overlay files; None removes one, and folders that it leaves empty."""
        folder = self.toy.overlay({f"spec_cpp/include/triton/{name}": text for name, text in files.items()})
        for path, _, _ in sorted(os.walk(folder), reverse=True):
            if path != str(folder) and not os.listdir(path):
                os.rmdir(path)

    def gives(self, records, rules=("Ops.inc",)):
        """ninja runs exactly these rules; the records are those; then all is done."""
        done = Run(["ninja", "-C", self.build.path, "-v"], env=self.toy.env).expect(0)
        ran = {os.path.basename(out) for line in done.text.splitlines() if "tblgen" in line
               for out in re.findall(r" -o (\S+\.inc)", line)}
        assert ran == set(rules), done.text
        assert sorted(names(self.build)) == sorted(records)
        assert "no work to do" in self.build.ninja().text
        Run([self.toy.program, "verify", self.build.path], env=self.toy.env).expect(0)


TRUNK_RECORDS = ["trunk ops", "trunk types", "trunk base"]


@POLICIES
@pytest.mark.parametrize("path, record, text", [("Ops.td", "ops", OPS), ("Types.td", "types", TYPES),
                                                ("Base.td", "base", BASE)])
def test_first_td_comes_changes_and_goes(toy, policy, path, record, text):
    """T2 and T3: the top file of a rule, one that it includes, one that an include includes."""
    rules = Rules(toy, policy, ALIKE)
    assert sorted(names(rules.build)) == sorted(TRUNK_RECORDS)
    others = [name for name in TRUNK_RECORDS if record not in name]
    rules.overlay({path: vendor(text)})
    rules.gives([f"vendor {record}", *others])
    rules.overlay({path: text.replace("trunk", "edited")})
    rules.gives([f"edited {record}", *others])
    rules.overlay({path: None})
    rules.gives(TRUNK_RECORDS)


@POLICIES
def test_further_td(toy, policy):
    rules = Rules(toy, policy, {"spec_cpp/include/triton/Ops.td": vendor(OPS)})
    rules.overlay({"Base.td": vendor(BASE)})
    rules.gives(["vendor ops", "trunk types", "vendor base"])
    rules.overlay({"Ops.td": None})
    rules.gives(["trunk ops", "trunk types", "vendor base"])


def test_td_that_the_vendors_own_file_begins_to_include(toy):
    rules = Rules(toy, "OLD", {"spec_cpp/include/triton/Ops.td": vendor(OPS)})
    rules.overlay({"New.td": 'def New : Named<"new">;\n', "Ops.td": vendor(OPS) + 'include "New.td"\n'})
    rules.gives(["vendor ops", "trunk types", "trunk base", "new"])
    rules.overlay({"New.td": 'def New : Named<"newer">;\n'})
    rules.gives(["vendor ops", "trunk types", "trunk base", "newer"])


def test_trunk_td_begins_to_include_an_override(toy):
    """The rule of another folder reaches the vendor's file only after an edit of the trunk."""
    rules = Rules(toy, "OLD", {"spec_cpp/include/triton/Base.td": vendor(BASE)})
    write_tree(toy.trunk, {"include/other/Own.td": 'include "triton/Base.td"\ndef Own : Named<"other">;\n'})
    rules.gives(["trunk ops", "trunk types", "vendor base"], ["Own.inc"])
    assert sorted(names(rules.build, "Own.inc")) == ["other", "vendor base"]


@POLICIES
def test_td_replaced_by_an_older_file(toy, policy):
    rules = Rules(toy, policy, {"spec_cpp/include/triton/Base.td": vendor(BASE)})
    other = toy.root / "other.td"
    other.write_text(BASE.replace("trunk", "VENDOR"))
    os.utime(other, (1, 1))
    os.rename(other, toy.trunk / "third_party/acme/spec_cpp/include/triton/Base.td")
    rules.gives(["trunk ops", "trunk types", "VENDOR base"])


def test_switch_of_the_backend(toy):
    rules = Rules(toy, "OLD", {"spec_cpp/include/triton/Base.td": vendor(BASE)})
    toy.overlay({"spec_cpp/include/triton/Types.td": TYPES.replace("trunk", "mini")}, backend="mini")
    for path in (toy.trunk / "third_party/mini").rglob("*"):
        os.utime(path, (1, 1))
    Run(["cmake", "-DFLAGTREE_BACKEND=mini", rules.build.path], env=toy.env).expect(0)
    rules.gives(["trunk ops", "mini types", "trunk base"])
    Run(["cmake", "-DFLAGTREE_BACKEND=", rules.build.path], env=toy.env).expect(0)
    rules.build.ninja()
    assert sorted(names(rules.build)) == sorted(TRUNK_RECORDS)
