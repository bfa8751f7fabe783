"""Known faults of overrides of TableGen files, with MLIR's own rules and mlir-tblgen.

The generated file lists the records: what it says is what tblgen really read.
"""

import re

import pytest

PROJECT = """\
cmake_minimum_required(VERSION 3.20)
project(toy C CXX)
{policy}
set(HAVE_FFI_CALL ON)  # spares LLVM's package a compiler run
find_package(MLIR REQUIRED CONFIG HINTS $ENV{{MLIR_DIR}} /usr/lib/llvm-22/lib/cmake/mlir)
list(APPEND CMAKE_MODULE_PATH "${{MLIR_CMAKE_DIR}}" "${{LLVM_CMAKE_DIR}}")
include(TableGen)
include(AddLLVM)
include(AddMLIR)
include_directories(${{MLIR_INCLUDE_DIRS}} include)
{body}
"""
RULES = """\
set(LLVM_TARGET_DEFINITIONS Ops.td)
mlir_tablegen(Ops.inc -print-records)
add_public_tablegen_target(ToyTableGen)
"""
OPS = 'include "triton/Types.td"\ndef Op : Named<"trunk ops">;\n'
TYPES = 'include "Base.td"\ndef Type : Named<"trunk types">;\n'
BASE = 'class Named<string n> { string name = n; }\ndef Base : Named<"trunk base">;\n'
TREE = {
    "include/triton/CMakeLists.txt": RULES,
    "include/triton/Ops.td": OPS,
    "include/triton/Types.td": TYPES,
    "include/triton/Base.td": BASE,
}
POLICIES = pytest.mark.parametrize("policy", ["OLD", "NEW"])


def vendor(text):
    """The same file as a vendor has it."""
    return text.replace("trunk", "vendor")


def td_toy(toy, files, body="add_subdirectory(include/triton)", policy="OLD"):
    """Writes a trunk with MLIR's rules; policy: of CMP0116, which decides whether they have depfiles."""
    top = PROJECT.format(body=body, policy=f"cmake_policy(SET CMP0116 {policy})")
    return toy.write({"CMakeLists.txt": top, **files}, languages="C CXX")


def names(build, file="Ops.inc"):
    """The names of the records in a generated file."""
    return re.findall(r'string name = "(.*)";', build.find(file).read_text())


def generated(build, target="ToyTableGen"):
    """Builds the rules; the names of their records."""
    build.ninja(target)
    return names(build)


@POLICIES
def test_plain_trunk_for_comparison(toy, policy):
    build = td_toy(toy, TREE, policy=policy).cmake()[0]
    assert sorted(generated(build)) == ["trunk base", "trunk ops", "trunk types"]


@POLICIES
@pytest.mark.parametrize("path", ["Ops.td", "Types.td", "Base.td"])
def test_t5_untouched_rule_sees_the_override(toy, path, policy):
    """Top file, file included by path, and file included by bare name from an included file."""
    td_toy(toy, TREE, policy=policy)
    toy.overlay({f"spec_cpp/include/triton/{path}": vendor(TREE[f"include/triton/{path}"])})
    build = toy.configure()
    expected = {"Ops.td": "ops", "Types.td": "types", "Base.td": "base"}[path]
    assert sorted(generated(build)) == sorted(
        f"{'vendor' if part == expected else 'trunk'} {part}" for part in ("ops", "types", "base"))
    assert build.swaps == [f"include/triton/{path} -> ToyTableGen"]


@POLICIES
def test_t3_edit_of_a_nested_override_is_rebuilt(toy, policy):
    td_toy(toy, TREE, policy=policy)
    folder = toy.overlay({"spec_cpp/include/triton/Base.td": vendor(BASE)})
    build = toy.configure()
    assert "vendor base" in generated(build)
    (folder / "spec_cpp/include/triton/Base.td").write_text(BASE.replace("trunk", "edited"))
    assert "edited base" in generated(build)
    assert "no work to do" in build.ninja("ToyTableGen").text


@POLICIES
def test_t3_edit_of_a_trunk_file_below_an_override_is_rebuilt(toy, policy):
    td_toy(toy, TREE, policy=policy)
    toy.overlay({"spec_cpp/include/triton/Ops.td": vendor(OPS)})
    build = toy.configure()
    assert "trunk base" in generated(build)
    toy.write({"include/triton/Base.td": BASE.replace("trunk", "edited")}, toy.languages)
    assert "edited base" in generated(build)


def test_t4_bare_name_beside_the_vendors_own_file(toy):
    td_toy(toy, {**TREE, "include/triton/Ops.td": 'include "Base.td"\ndef Op : Named<"trunk ops">;\n'})
    toy.overlay({
        "spec_cpp/include/triton/Ops.td": 'include "Base.td"\ndef Op : Named<"vendor ops">;\n',
        "spec_cpp/include/triton/Base.td": vendor(BASE),
    })
    assert sorted(generated(toy.configure())) == ["vendor base", "vendor ops"]


def test_t4_vendor_file_includes_an_addition(toy):
    """A .td that only the vendor's own files include needs no owner in spec.cmake."""
    td_toy(toy, TREE)
    toy.overlay({
        "spec_cpp/include/triton/Ops.td": OPS + 'include "triton/Extra.td"\ninclude "Bare.td"\n',
        "spec_cpp/include/triton/Extra.td": 'def Extra : Named<"vendor extra">;\n',
        "spec_cpp/include/triton/Bare.td": 'def Bare : Named<"vendor bare">;\n',
    })
    build = toy.configure()
    assert {"vendor extra", "vendor bare", "trunk base"} <= set(generated(build))
    assert "include/triton/Extra.td -> ToyTableGen (added)" in build.swaps


def test_t5_definition_below_lib(toy):
    """As Combine.td of the Triton dialect's transforms."""
    td_toy(toy, {
        **TREE,
        "lib/Transforms/CMakeLists.txt": RULES.replace("Ops", "Combine").replace("Toy", "Combine"),
        "lib/Transforms/Combine.td": 'include "triton/Base.td"\ndef C : Named<"trunk combine">;\n',
    }, body="add_subdirectory(include/triton)\nadd_subdirectory(lib/Transforms)")
    toy.overlay({"spec_cpp/lib/Transforms/Combine.td":
                 'include "triton/Base.td"\ndef C : Named<"vendor combine">;\n'})
    build = toy.configure()
    build.ninja("CombineTableGen", "ToyTableGen")
    assert sorted(names(build, "Combine.inc")) == ["trunk base", "vendor combine"]
    assert "vendor combine" not in names(build)
    assert build.swaps == ["lib/Transforms/Combine.td -> CombineTableGen"]


DIALECT = """\
include "mlir/IR/OpBase.td"
include "triton/Doc.td"
def Toy_Dialect : Dialect {
  let name = "toy";
  let summary = "trunk dialect";
  let description = DocText<>.text;
  let cppNamespace = "::toy";
}
"""
DOC = 'class DocText<int n = 0> { string text = "trunk words"; }\n'


@pytest.mark.parametrize("path, text, expected", [
    ("Dialect.td", DIALECT.replace("trunk", "vendor"), "Vendor dialect"),
    ("Doc.td", DOC.replace("trunk", "vendor"), "vendor words"),
])
def test_doc_targets(toy, path, text, expected):
    td_toy(toy, {
        "include/triton/CMakeLists.txt":
            "set(MLIR_BINARY_DIR ${CMAKE_BINARY_DIR})\n"  # where documents go
            "set(LLVM_TARGET_DEFINITIONS Dialect.td)\n"
            "mlir_tablegen(Dialect.h.inc -gen-dialect-decls)\n"
            "add_public_tablegen_target(ToyTableGen)\n"
            "add_mlir_doc(Dialect ToyDialect dialects/ -gen-dialect-doc)\n",
        "include/triton/Dialect.td": DIALECT,
        "include/triton/Doc.td": DOC,
    })
    toy.overlay({f"spec_cpp/include/triton/{path}": text})
    build = toy.configure()
    build.ninja("mlir-doc")
    assert expected in (build.path / "docs/dialects/ToyDialect.md").read_text()
    assert f"include/triton/{path} -> ToyDialectDocGen" in build.swaps
    assert f"include/triton/{path} -> ToyTableGen" in build.swaps


def test_unaffected_rules_keep_their_command(toy):
    """Only rules that reach the override run the wrapper."""
    td_toy(toy, {
        **TREE,
        "include/triton/CMakeLists.txt": RULES + RULES.replace("Ops", "Other").replace("Toy", "Other"),
        "include/triton/Other.td": 'include "triton/Base.td"\ndef Other : Named<"trunk other">;\n',
    })
    toy.overlay({"spec_cpp/include/triton/Types.td": vendor(TYPES)})
    build, plain = toy.configure(), toy.cmake(build="plain")[0]
    assert build.swaps == ["include/triton/Types.td -> ToyTableGen"]

    def command(of, file):
        text = of.ninja("-t", "commands", f"include/triton/{file}").out
        return text.splitlines()[-1].replace(str(of.path), "<build>")

    assert command(build, "Other.inc") == command(plain, "Other.inc")
    assert command(build, "Ops.inc") != command(plain, "Ops.inc")


def test_real_tblgen_stays_a_dependency(toy):
    td_toy(toy, TREE)
    toy.overlay({"spec_cpp/include/triton/Types.td": vendor(TYPES)})
    build = toy.configure()
    inputs = build.ninja("-t", "query", "include/triton/Ops.inc").text
    assert "bin/mlir-tblgen" in inputs
    for name in ("Ops.td", "Types.td", "Base.td"):
        assert name in inputs


def test_t6_core_below_the_backends_folder(toy):
    """A vendor that carries its own core: overrides mirror the core's paths."""
    core = "third_party/acme/"
    td_toy(toy, {core + path: text for path, text in TREE.items()},
           body=f"include_directories({core}include)\nadd_subdirectory({core}include/triton)")
    toy.overlay({"spec_cpp/include/triton/Base.td": vendor(BASE)})
    build = toy.cmake("-DFLAGTREE_BACKEND=acme", *toy.injection,
                      f"-DTRITON_CORE_SOURCE_DIR={toy.trunk}/third_party/acme",
                      f"-DTRITON_SPEC_ROOTS={toy.trunk}/third_party")[0]
    assert sorted(generated(build)) == ["trunk ops", "trunk types", "vendor base"]


def test_t7_no_backend_uses_no_stray_folder(toy):
    td_toy(toy, {**TREE, "third_party/spec_cpp/include/triton/Base.td": vendor(BASE),
                 "third_party/spec_cpp/include/triton/Ops.td": vendor(OPS)})
    build = toy.cmake(toy.injection[-1])[0]
    assert sorted(generated(build)) == ["trunk base", "trunk ops", "trunk types"]
    assert not build.spec.exists()


def test_trunk_with_spaces_in_its_path(toy):
    toy.trunk = toy.root / "a trunk folder"
    td_toy(toy, TREE)
    toy.overlay({"spec_cpp/include/triton/Base.td": vendor(BASE)})
    assert "vendor base" in generated(toy.configure(build="a build folder"))


def test_two_overrides_of_nested_files(toy):
    td_toy(toy, TREE)
    toy.overlay({f"spec_cpp/include/triton/{name}": vendor(TREE[f"include/triton/{name}"])
                 for name in ("Ops.td", "Base.td")})
    assert sorted(generated(toy.configure())) == ["trunk types", "vendor base", "vendor ops"]


def test_rule_in_a_folder_below_the_definition(toy):
    """LLVM_TARGET_DEFINITIONS with a relative path that climbs, and an absolute one."""
    td_toy(toy, {
        **TREE,
        "include/triton/CMakeLists.txt": "add_subdirectory(gen)\n",
        "include/triton/gen/CMakeLists.txt":
            "set(LLVM_TARGET_DEFINITIONS ../Ops.td)\nmlir_tablegen(Ops.inc -print-records "
            "EXTRA_INCLUDES ${CMAKE_CURRENT_SOURCE_DIR}/..)\n"
            "set(LLVM_TARGET_DEFINITIONS ${PROJECT_SOURCE_DIR}/include/triton/Types.td)\n"
            "mlir_tablegen(Types.inc -print-records EXTRA_INCLUDES ${CMAKE_CURRENT_SOURCE_DIR}/..)\n"
            "add_public_tablegen_target(ToyTableGen)\n",
    })
    toy.overlay({"spec_cpp/include/triton/Ops.td": vendor(OPS),
                 "spec_cpp/include/triton/Types.td": vendor(TYPES)})
    build = toy.configure()
    assert sorted(generated(build)) == ["trunk base", "vendor ops", "vendor types"]
    assert sorted(names(build, "Types.inc")) == ["trunk base", "vendor types"]


def test_same_variable_set_for_the_next_rule_is_clean(toy):
    """A redirected rule leaves nothing behind for the rule that follows it."""
    td_toy(toy, {
        **TREE,
        "include/triton/CMakeLists.txt": RULES + "set(LLVM_TARGET_DEFINITIONS Free.td)\n"
        "mlir_tablegen(Free.inc -print-records)\nadd_public_tablegen_target(FreeTableGen)\n"
        "if(NOT MLIR_TABLEGEN_EXE MATCHES \"mlir-tblgen$\")\n  message(FATAL_ERROR left)\nendif()\n"
        "if(LLVM_TARGET_DEPENDS)\n  message(FATAL_ERROR left)\nendif()\n",
        "include/triton/Free.td": 'class Named<string n> { string name = n; }\ndef F : Named<"free">;\n',
    })
    toy.overlay({"spec_cpp/include/triton/Ops.td": vendor(OPS)})
    build = toy.configure()
    build.ninja("FreeTableGen")
    assert names(build, "Free.inc") == ["free"]
