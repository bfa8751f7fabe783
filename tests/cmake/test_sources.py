"""A source that is compiled from another place keeps all that the trunk says about it."""

import pytest

from support.toy import prints, returns

A = '#include <stdio.h>\n#ifndef P\n#define P "lost"\n#endif\n' + returns("a", "trunk") + returns("p", "P")
TRUNK = {
    "CMakeLists.txt": "add_executable(app main.c lib/A.c)\n",
    "lib/A.c": A,
    "main.c": prints("a", "p"),
}
VENDOR = {"spec_cpp/lib/A.c": A.replace("trunk", "vendor")}


def with_property(toy, setting, more=None):
    """A trunk whose lib/A.c has a property, and an override of it."""
    toy.write({**TRUNK, "CMakeLists.txt": TRUNK["CMakeLists.txt"] + setting + "\n", **(more or {})})
    toy.overlay(VENDOR)
    return toy


PROPERTIES = {
    "definitions": 'set_source_files_properties(lib/A.c PROPERTIES COMPILE_DEFINITIONS "P=\\"kept\\"")',
    "definition_list": 'set_property(SOURCE lib/A.c PROPERTY COMPILE_DEFINITIONS "Q=1;P=\\"kept\\"" R)',
    "definition_appended": 'set_property(SOURCE lib/A.c APPEND PROPERTY COMPILE_DEFINITIONS Q=1)\n'
                           'set_property(SOURCE lib/A.c APPEND PROPERTY COMPILE_DEFINITIONS "P=\\"kept\\"")',
    "definition_expression": 'set_property(SOURCE lib/A.c PROPERTY COMPILE_DEFINITIONS '
                             '"$<$<COMPILE_LANGUAGE:C>:P=\\"kept\\">")',
    "definition_dollar": 'set_property(SOURCE lib/A.c PROPERTY COMPILE_DEFINITIONS "Q=$x" "P=\\"kept\\"")',
    "options": 'set_property(SOURCE lib/A.c PROPERTY COMPILE_OPTIONS -Wall "-DP=\\"kept\\"")',
    "flags": "set_property(SOURCE lib/A.c PROPERTY COMPILE_FLAGS \"-Wall -DP='\\\"kept\\\"'\")",
    "absolute_name": 'set_property(SOURCE ${CMAKE_CURRENT_SOURCE_DIR}/lib/A.c PROPERTY '
                     'COMPILE_DEFINITIONS "P=\\"kept\\"")',
    "from_a_subfolder": "add_subdirectory(lib)",
}


@pytest.mark.parametrize("name", PROPERTIES)
def test_property_is_kept(toy, name):
    with_property(toy, PROPERTIES[name], {
        "lib/CMakeLists.txt": "set_source_files_properties(A.c TARGET_DIRECTORY app PROPERTIES "
                              'COMPILE_DEFINITIONS "P=\\"kept\\"")\n'})
    assert toy.plain() == ["trunk", "kept"]
    assert toy.make() == ["vendor", "kept"]


def test_include_directories_of_the_source(toy):
    with_property(toy, "set_property(SOURCE lib/A.c PROPERTY INCLUDE_DIRECTORIES "
                       "${CMAKE_CURRENT_SOURCE_DIR}/private)", {"private/p.h": '#define P "kept"\n'})
    toy.overlay({"spec_cpp/lib/A.c": '#include "p.h"\n' + VENDOR["spec_cpp/lib/A.c"]})
    assert toy.make() == ["vendor", "kept"]


def test_header_in_the_include_directories_of_the_source(toy):
    with_property(toy, "set_property(SOURCE lib/A.c PROPERTY INCLUDE_DIRECTORIES "
                       "${CMAKE_CURRENT_SOURCE_DIR}/private)",
                  {"private/p.h": '#define P "trunk"\n', "lib/A.c": "#include <p.h>\n" + A})
    toy.overlay({"spec_cpp/lib/A.c": None})
    toy.overlay({"spec_cpp/private/p.h": '#define P "vendor"\n'})
    build = toy.configure()
    assert build.make() == ["trunk", "vendor"]
    assert build.swaps == ["private/p.h -> app"]


def test_object_depends(toy):
    """A file that the trunk names as a dependency still makes the override compile again."""
    with_property(toy, "set_property(SOURCE lib/A.c PROPERTY OBJECT_DEPENDS "
                       "${CMAKE_CURRENT_SOURCE_DIR}/list.txt)", {"list.txt": "1\n"})
    build = toy.configure()
    assert build.make() == ["vendor", "lost"]
    toy.write({"list.txt": "2\n"})
    assert "A.c.o" in build.ninja().text


def test_generated_dependency(toy):
    """OBJECT_DEPENDS on a generated header: it is made before the override is compiled."""
    with_property(toy, "add_custom_command(OUTPUT gen.h COMMAND ${CMAKE_COMMAND} -E copy "
                       "${CMAKE_CURRENT_SOURCE_DIR}/gen.in gen.h)\n"
                       "set_property(SOURCE lib/A.c PROPERTY OBJECT_DEPENDS "
                       "${CMAKE_CURRENT_BINARY_DIR}/gen.h)\n"
                       "target_include_directories(app PRIVATE ${CMAKE_CURRENT_BINARY_DIR})",
                  {"gen.in": '#define P "kept"\n'})
    toy.overlay({"spec_cpp/lib/A.c": '#include "gen.h"\n' + VENDOR["spec_cpp/lib/A.c"]})
    assert toy.make() == ["vendor", "kept"]


def test_language(toy):
    """A .c file that the trunk compiles as C++."""
    toy.write({**TRUNK, "CMakeLists.txt": TRUNK["CMakeLists.txt"] +
               "set_property(SOURCE lib/A.c PROPERTY LANGUAGE CXX)\n",
               "lib/A.c": "#ifdef __cplusplus\nextern \"C\" {\n#define P \"C++\"\n#endif\n" + A +
               "#ifdef __cplusplus\n}\n#endif\n"}, languages="C CXX")
    toy.overlay({"spec_cpp/lib/A.c": (toy.trunk / "lib/A.c").read_text().replace("trunk", "vendor")})
    assert toy.plain() == ["trunk", "C++"]
    assert toy.make() == ["vendor", "C++"]


def test_header_file_only(toy):
    """A source that the trunk lists but does not compile is not compiled as an override either."""
    toy.write({**TRUNK, "CMakeLists.txt": "add_executable(app main.c lib/A.c lib/A.inc.c)\n"
               "set_property(SOURCE lib/A.inc.c PROPERTY HEADER_FILE_ONLY ON)\n",
               "lib/A.inc.c": '#define P "trunk part"\n', "lib/A.c": '#include "A.inc.c"\n' + A})
    toy.overlay({"spec_cpp/lib/A.inc.c": '#define P "vendor part"\n'})
    build = toy.configure()
    assert build.make() == ["trunk", "vendor part"]
    assert [f for f in build.commands() if f.endswith("A.inc.c")] == []


def test_c_and_cpp_mixed(toy):
    cpp = 'extern "C" const char *b(void) { return "trunk"; }\n'
    toy.write({"CMakeLists.txt": "include_directories(include)\nadd_executable(app main.c A.c B.cpp)\n"
                                 "target_compile_definitions(app PRIVATE $<$<COMPILE_LANGUAGE:CXX>:X>)\n",
               "include/h.h": '#ifdef X\n#define H "trunk C++"\n#else\n#define H "trunk C"\n#endif\n',
               "A.c": '#include "h.h"\n' + returns("a", "H"), "main.c": prints("a", "b", "c"),
               "B.cpp": '#include "h.h"\n' + cpp + 'extern "C" ' + returns("c", "H")},
              languages="C CXX")
    toy.overlay({"spec_cpp/include/h.h": '#ifdef X\n#define H "vendor C++"\n#else\n#define H "vendor C"\n#endif\n',
                 "spec_cpp/B.cpp": '#include "h.h"\n' + cpp.replace("trunk", "vendor") +
                 'extern "C" ' + returns("c", "H")})
    assert toy.make() == toy.merged() == ["vendor C", "vendor", "vendor C++"]


@pytest.mark.parametrize("extension", ["cc", "cpp", "cxx", "c++", "C"])
def test_every_extension_of_cpp(toy, extension):
    text = '#include <cstdio>\nint main() { puts("trunk"); }\n'
    toy.write({"CMakeLists.txt": f"add_executable(app main.{extension})\n", f"main.{extension}": text},
              languages="CXX")
    toy.overlay({f"spec_cpp/main.{extension}": text.replace("trunk", "vendor")})
    assert toy.make() == ["vendor"]


def test_assembler(toy):
    text = ".globl number\n.data\nnumber: .long {}\n.section .note.GNU-stack\n"
    toy.write({"CMakeLists.txt": "add_executable(app main.c n.s)\n", "n.s": text.format(1),
               "main.c": '#include <stdio.h>\nextern int number;\nint main(void) { printf("%d\\n", number); }\n'},
              languages="C ASM")
    toy.overlay({"spec_cpp/n.s": text.format(2)})
    assert toy.make() == ["2"]
