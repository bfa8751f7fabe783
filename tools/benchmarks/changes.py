"""The small trunks on which rebuilds are counted, and the changes that are made to them."""

import dataclasses

BACKEND = "acme"
LIBRARIES = ("front", "middle", "back")
UNITS = 4  # a library
ALIKE = {"spec/triton/__init__.py": "x = 1\n"}  # an overlay that touches no edge


@dataclasses.dataclass(frozen=True)
class Change:
    """One change: what it is called, and files as {path: text}, None to remove one.

    trunk: the paths are the trunk's own, not the backend's
    """

    name: str
    files: dict
    trunk: bool = False


def _function(name, word, *macros):
    return f'const char *{name}(void) {{ return {" ".join([*macros, chr(34) + word + chr(34)])}; }}\n'


def unit(library, n, word="trunk"):
    """A source's text: all include Common.h, half of them Local.h, one of each library Few.h."""
    headers = ["t/Common.h"] + (["Local.h"] if n % 2 else []) + (["t/Few.h"] if n == 0 else [])
    macros = [header.split("/")[-1][:-2].upper() for header in headers]
    return "".join(f'#include "{header}"\n' for header in headers) + _function(f"{library}{n}", word, *macros)


def header(name, word="trunk", more=""):
    """A header's text: it defines the macro of its name."""
    return f'#ifndef GUARD_{name}\n#define GUARD_{name}\n#define {name} "{word} "\n{more}#endif\n'


def library_cmake(library, more=""):
    """A library's CMakeLists.txt."""
    return f"add_library({library} STATIC {' '.join(f'U{n}.c' for n in range(UNITS))})\n{more}"


def _program():
    names = [f"{library}{n}" for library in LIBRARIES for n in range(UNITS)] + ["ir"]
    return ("#include <stdio.h>\n" + "".join(f"const char *{name}(void);\n" for name in names)
            + "int main(void) {\n" + "".join(f"  puts({name}());\n" for name in names) + "  return 0;\n}\n")


def c_trunk():
    """{path: text} of the C trunk: three archives of four units, and a program of two."""
    files = {"CMakeLists.txt": "include_directories(include)\n"
             + "".join(f"add_subdirectory(lib/{library})\n" for library in LIBRARIES)
             + f"add_executable(app main.c python/src/ir.c)\ntarget_link_libraries(app {' '.join(LIBRARIES)})\n",
             "include/t/Common.h": header("COMMON"), "include/t/Few.h": header("FEW"), "main.c": _program(),
             "python/src/ir.h": header("IR"), "python/src/ir.c": '#include "ir.h"\n' + _function("ir", "trunk", "IR"),
             "python/triton/__init__.py": "", "python/triton/tools/helper.py": "trunk = 1\n"}
    for library in LIBRARIES:
        files[f"lib/{library}/CMakeLists.txt"] = library_cmake(library)
        files[f"lib/{library}/Local.h"] = header("LOCAL")
        files.update({f"lib/{library}/U{n}.c": unit(library, n) for n in range(UNITS)})
    return files


def life(name, path, first, second):
    """An override that comes, changes and goes."""
    return [Change(f"{name}: added", {path: first}), Change(f"{name}: edited", {path: second}),
            Change(f"{name}: removed", {path: None})]


def c_changes():
    """The changes of the C trunk, each on top of those before it."""
    ir = '#include "ir.h"\n'
    few = "spec_cpp/include/t/Few.h"
    definition = "target_compile_definitions(front PRIVATE {})\n"
    addition = {"spec_cpp/lib/front/New.c": _function("unused", "new"),
                "spec.cmake": "spec_target_sources(front lib/front/New.c)\n"}
    return [
        *life("source", "spec_cpp/lib/front/U1.c", unit("front", 1, "vendor"), unit("front", 1, "edited")),
        *life("header that three units include", few, header("FEW", "vendor"), header("FEW", "edited")),
        *life("header beside its sources", "spec_cpp/lib/back/Local.h", header("LOCAL", "vendor"),
              header("LOCAL", "edited")),
        *life("header that all of the libraries include", "spec_cpp/include/t/Common.h", header("COMMON", "vendor"),
              header("COMMON", "edited")),
        *life("python/src source", "python/src/ir.c", ir + _function("ir", "vendor", "IR"),
              ir + _function("ir", "edited", "IR")),
        *life("python/src header", "python/src/ir.h", header("IR", "vendor"), header("IR", "edited")),
        *life("Python file", "spec/triton/tools/helper.py", "vendor = 1\n", "vendor = 2\n"),
        *life("CMakeLists.txt with a definition", "spec_cpp/lib/front/CMakeLists.txt",
              library_cmake("front", definition.format("ONE")), library_cmake("front", definition.format("TWO"))),
        *life("spec.cmake with a definition", "spec.cmake", 'spec_target_definitions(back "N=1")\n',
              'spec_target_definitions(back "N=2")\n'),
        Change("addition of a source, by spec.cmake: added", addition),
        Change("addition of a source, by spec.cmake: edited",
               {"spec_cpp/lib/front/New.c": _function("unused", "newer")}),
        Change("addition of a source, by spec.cmake: removed", dict.fromkeys(addition)),
        Change("header renamed: before", {few: header("FEW", "vendor")}),
        Change("header renamed: now another's override", {few: None, "spec_cpp/lib/front/Local.h":
                                                          header("LOCAL", "vendor", '#define FEW "vendor"\n')}),
        Change("trunk's copy of an overridden header: edited",
               {"lib/front/Local.h": header("LOCAL", "upstream")}, trunk=True),
        Change("trunk source that reaches no override: edited",
               {"lib/middle/U2.c": unit("middle", 2, "upstream")}, trunk=True),
    ]


# --- TableGen ---

MLIR = "/usr/lib/llvm-22/lib/cmake/mlir"  # where Debian has it; MLIR_DIR says otherwise
_TD_TOP = """\
cmake_policy(SET CMP0116 NEW)
set(HAVE_FFI_CALL ON)  # spares LLVM's package a compiler run
find_package(MLIR REQUIRED CONFIG HINTS $ENV{MLIR_DIR} %s)
list(APPEND CMAKE_MODULE_PATH "${MLIR_CMAKE_DIR}" "${LLVM_CMAKE_DIR}")
include(TableGen)
include(AddLLVM)
include(AddMLIR)
include_directories(${MLIR_INCLUDE_DIRS} include)
add_subdirectory(include/a)
add_subdirectory(include/b)
add_custom_target(everything ALL DEPENDS ATableGen BTableGen)
""" % MLIR


def _rules(name, *files):
    rules = "".join(f"set(LLVM_TARGET_DEFINITIONS {file}.td)\nmlir_tablegen({file}.inc -print-records)\n"
                    for file in files)
    return f"{rules}add_public_tablegen_target({name}TableGen)\n"


def _record(name, word="trunk", base="Base.td"):
    return f'include "{base}"\ndef {name} : Named<"{word}">;\n'


def _base(word="trunk"):
    return f'class Named<string n> {{ string name = n; }}\ndef Base : Named<"{word}">;\n'


def td_trunk():
    """{path: text} of a trunk with three rules in two folders; two of them include a/Base.td."""
    return {"CMakeLists.txt": _TD_TOP,
            "include/a/CMakeLists.txt": _rules("A", "Ops", "Types"), "include/b/CMakeLists.txt": _rules("B", "Own"),
            "include/a/Ops.td": _record("Op"), "include/a/Types.td": _record("Type"), "include/a/Base.td": _base(),
            "include/b/Own.td": _record("Own", base="b/Own0.td"), "include/b/Own0.td": _base()}


def td_changes():
    """The changes of the TableGen trunk."""
    return [
        *life("top-level .td", "spec_cpp/include/a/Ops.td", _record("Op", "vendor"), _record("Op", "edited")),
        *life("nested .td that two rules include", "spec_cpp/include/a/Base.td", _base("vendor"), _base("edited")),
    ]
