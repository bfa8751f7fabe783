"""Faults of path-based overrides of compiled files, one test a fault; what the program prints decides."""

from support.toy import prints, returns


def test_c0_log_covers_every_kind(toy):
    toy.write({
        "CMakeLists.txt": "include_directories(include)\nadd_library(L OBJECT lib/A.c)\n"
                          "add_executable(app main.c)\ntarget_link_libraries(app L)\n",
        "include/triton/X.h": '#define X "trunk X"\n',
        "lib/A.c": '#include "triton/X.h"\n' + returns("a", "trunk A") + returns("x", "X"),
        "main.c": prints("a", "x"),
    })
    toy.overlay({
        "spec_cpp/include/triton/X.h": '#define X "vendor X"\n',
        "spec_cpp/lib/A.c": '#include "triton/X.h"\n' + returns("a", "vendor A") + returns("x", "X"),
    })
    build = toy.configure()
    assert build.make() == ["vendor A", "vendor X"]
    assert build.swaps == ["include/triton/X.h -> L", "lib/A.c -> L"]
    assert toy.plain() == ["trunk A", "trunk X"]
    assert toy.merged() == build.run()
