"""Include folders that a source has of its own, in a folder below the top one."""

from support.toy import prints


def test_header_that_only_the_source_s_own_folder_leads_to(toy):
    toy.write({
        "CMakeLists.txt": "add_subdirectory(lib)\n",
        "lib/CMakeLists.txt": "add_executable(app app.c a.c)\n"
                              "set_source_files_properties(a.c PROPERTIES INCLUDE_DIRECTORIES\n"
                              '  "${CMAKE_CURRENT_SOURCE_DIR}/detail")\n',
        "lib/app.c": prints("a"),
        "lib/a.c": '#include "flavour.h"\nconst char *a(void) { return FLAVOUR; }\n',
        "lib/detail/flavour.h": '#define FLAVOUR "trunk"\n',
    })
    toy.overlay({"spec_cpp/lib/detail/flavour.h": '#define FLAVOUR "vendor"\n'})
    assert toy.plain() == ["trunk"]
    assert toy.make() == ["vendor"]
