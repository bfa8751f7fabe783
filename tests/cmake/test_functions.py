"""The public CMake functions, in a trunk that calls them itself: find_package(TritonSpec)."""

import shutil
import subprocess

import pytest

from support.toy import prints, returns

TRUNK = {
    "CMakeLists.txt": "find_package(TritonSpec REQUIRED)\nspec_include_directories(include)\n"
                      "add_subdirectory(lib)\nadd_executable(app main.c)\ntarget_link_libraries(app L)\n"
                      "spec_source_overrides()\n",
    "include/t/X.h": '#define X "trunk X"\n',
    "lib/CMakeLists.txt": "add_library(L OBJECT A.c B.c)\n",
    "lib/A.c": returns("a", "trunk A"), "lib/B.c": '#include "t/X.h"\n' + returns("b", "X"),
    "main.c": prints("a", "b"),
}
VENDOR = {"spec_cpp/lib/A.c": returns("a", "vendor A"), "spec_cpp/include/t/X.h": '#define X "vendor X"\n'}


@pytest.fixture(scope="session")
def prefix(triton_spec, tmp_path_factory):
    """A prefix that the project is installed in."""
    folder = tmp_path_factory.mktemp("prefix")
    subprocess.run(["cmake", "--install", triton_spec.parents[1], "--prefix", folder], check=True,
                   capture_output=True)
    return folder


@pytest.fixture
def calling(toy, prefix):
    """Configures the toy's trunk, which finds the package, with no injection; takes more arguments."""
    def configure(*args, backend="acme", status=0, **how):
        given = [f"-DCMAKE_PREFIX_PATH={prefix}", *args]
        if backend:
            given.append(f"-DFLAGTREE_BACKEND={backend}")
        build, done = toy.cmake(*given, status=status, **how)
        return build if status == 0 else done
    return configure


def test_without_injection(toy, calling, prefix):
    toy.write(TRUNK)
    toy.overlay(VENDOR)
    build = calling()
    assert build.make() == ["vendor A", "vendor X"]
    assert build.swaps == ["include/t/X.h -> L", "lib/A.c -> L"]
    assert f"TRITON_SPEC_EXECUTABLE:FILEPATH={prefix}/bin/triton-spec" in \
        (build.path / "CMakeCache.txt").read_text()


def test_same_commands_as_with_injection(toy, calling, prefix):
    toy.write(TRUNK)
    toy.overlay(VENDOR)
    own = calling().commands()
    shutil.rmtree(toy.root / "build")
    toy.write({"CMakeLists.txt": "add_library(L OBJECT lib/A.c lib/B.c)\n"})
    toy.write({"CMakeLists.txt": "include_directories(include)\nadd_subdirectory(lib)\n"
                                 "add_executable(app main.c)\ntarget_link_libraries(app L)\n"})
    assert toy.configure().commands() == own


def test_both_at_once(toy, calling, injection):
    """A trunk that calls the functions and is injected too is overlaid once."""
    toy.write(TRUNK)
    toy.overlay(VENDOR)
    build = calling(*injection)
    assert build.make() == ["vendor A", "vendor X"]
    assert build.swaps == ["include/t/X.h -> L", "lib/A.c -> L"]


def test_no_backend(toy, calling):
    toy.write(TRUNK)
    toy.overlay(VENDOR)
    build = calling(backend=None)
    assert build.make() == ["trunk A", "trunk X"] and not build.spec.exists()


def test_backend_from_the_environment(toy, calling):
    toy.write(TRUNK)
    toy.overlay(VENDOR)
    build = calling(backend=None, env={**toy.env, "FLAGTREE_BACKEND": "acme"})
    assert build.make() == ["vendor A", "vendor X"]


def test_version_is_checked(toy, calling):
    toy.write({"CMakeLists.txt": "find_package(TritonSpec 99 REQUIRED)\n"})
    toy.overlay(VENDOR)
    assert "99" in calling(status=1).text


def test_package_found_after_the_targets(toy, calling):
    """Found and called at the end, or called many times: the same."""
    toy.write({**TRUNK, "CMakeLists.txt": "include_directories(include)\nadd_subdirectory(lib)\n"
               "add_executable(app main.c)\ntarget_link_libraries(app L)\nfind_package(TritonSpec REQUIRED)\n"
               "spec_source_overrides()\nspec_source_overrides()\n"})
    toy.overlay(VENDOR)
    build = calling()
    assert build.make() == ["vendor A", "vendor X"]
    assert build.swaps == ["include/t/X.h -> L", "lib/A.c -> L"]


# --- spec_td_set --------------------------------------------------------------------------------

TD = {
    "CMakeLists.txt": "find_package(TritonSpec REQUIRED)\nadd_subdirectory(include/t)\n",
    "include/t/CMakeLists.txt":
        '{function}(file Ops.td)\nmessage(STATUS "ops: ${{file}}")\n{function}(file Types.td)\n'
        'message(STATUS "types: ${{file}}")\n{function}(file ${{CMAKE_CURRENT_SOURCE_DIR}}/Ops.td)\n'
        'message(STATUS "absolute: ${{file}}")\n{function}(file None.td)\nmessage(STATUS "none: ${{file}}")\n'
        "add_custom_target(tds)\nset(LLVM_TARGET_DEFINITIONS Ops.td)\n",
    "include/t/Ops.td": "// trunk\n", "include/t/Types.td": "// trunk\n",
}
TD_FUNCTIONS = pytest.mark.parametrize("function", ["spec_td_set", "flagtree_spec_td_set",
                                                    "set_flagtree_backend_td"])


def td_trunk(toy, function):
    """A trunk that asks for some .td files."""
    toy.write({**TD, "include/t/CMakeLists.txt": TD["include/t/CMakeLists.txt"].format(function=function)})
    return toy.overlay({"spec_cpp/include/t/Ops.td": "// vendor\n"})


@TD_FUNCTIONS
def test_td_set(toy, calling, prefix, function):
    td_trunk(toy, function)
    build, done = toy.cmake(f"-DCMAKE_PREFIX_PATH={prefix}", "-DFLAGTREE_BACKEND=acme")
    said = dict(line[3:].split(": ", 1) for line in done.text.splitlines() if ".td" in line)
    staged = build.spec / "stage/include/t/Ops.td"
    assert said["ops"] == str(staged) and staged.read_text() == "// vendor\n"
    assert said["absolute"] == str(staged)
    assert said["types"] == "Types.td" and said["none"] == "None.td"


@TD_FUNCTIONS
def test_td_set_without_a_backend(toy, prefix, function):
    td_trunk(toy, function)
    done = toy.cmake(f"-DCMAKE_PREFIX_PATH={prefix}")[1]
    assert "-- ops: Ops.td\n" in done.text
    assert f"-- absolute: {toy.trunk}/include/t/Ops.td\n" in done.text


@pytest.mark.parametrize("call, message", [
    ("spec_td_set(file)", "spec_td_set"),
    ("spec_td_set(file Ops.td Types.td)", "spec_td_set(<var> <file.td>) takes two words"),
    ('spec_td_set(file "")', "spec_td_set(<var> <file.td>) takes two words"),
    ('spec_td_set("" Ops.td)', "spec_td_set(<var> <file.td>) takes two words"),
    ("spec_include_directories()", "spec_include_directories(<dir>...) needs a folder"),
    ("spec_python_sources(files)", "spec_python_sources(<var> <file>...) needs a variable and files"),
    ('spec_python_sources("" main.c)', "spec_python_sources(<var> <file>...) needs a variable and files"),
    ("flagtree_python_src_path_set(one)", "flagtree_python_src_path_set takes nothing, or"),
    ("flagtree_added_python_src()", "needs a variable and files"),
    ("flagtree_spec_td_set(file)", "flagtree_spec_td_set"),
    ("flagtree_apply_backend_source_overrides()", "flagtree_apply_backend_source_overrides"),
    ("flagtree_include_directories()", "flagtree_include_directories"),
    ("get_flagtree_backend_lib(x)", "get_flagtree_backend_lib"),
])
@pytest.mark.parametrize("backend", ["acme", None])
def test_wrong_call(toy, calling, call, message, backend):
    """Told alike with and without a backend, so that a trunk's mistake shows at once."""
    toy.write({**TRUNK, "CMakeLists.txt": f"find_package(TritonSpec REQUIRED)\n{call}\n" +
               TRUNK["CMakeLists.txt"].split("\n", 1)[1]})
    toy.overlay(VENDOR)
    assert message in calling(backend=backend, status=1).words


# --- spec_python_sources and FlagTree's names ----------------------------------------------------

PYTHON = {
    "python/src/main.c": prints("ir", "passes"), "python/src/ir.c": '#include "ir.h"\n' + returns("ir", "IR"),
    "python/src/passes.c": '#include "ir.h"\n' + returns("passes", "IR"), "python/src/ir.h": '#define IR "trunk"\n',
}
PYTHON_VENDOR = {"python/src/ir.h": '#define IR "vendor"\n',
                 "python/src/passes.c": '#include "ir.h"\n' + returns("passes", "vendor passes")}


@pytest.mark.parametrize("prefix_of", ["", "${CMAKE_CURRENT_SOURCE_DIR}/"])
def test_python_sources(toy, calling, prefix_of):
    files = " ".join(f"{prefix_of}python/src/{name}.c" for name in ("main", "ir", "passes"))
    toy.write({**PYTHON, "CMakeLists.txt": "find_package(TritonSpec REQUIRED)\n"
               f"spec_python_sources(files {files})\nadd_executable(app ${{files}})\n"})
    toy.overlay(PYTHON_VENDOR)
    build = calling()
    assert build.make() == ["vendor", "vendor passes"]
    assert build.swaps == ["python/src/ir.h -> app", "python/src/passes.c -> app"]
    shutil.rmtree(build.path)
    assert calling(backend=None).make() == ["trunk", "trunk"]


FLAGTREE = """\
find_package(TritonSpec REQUIRED)
flagtree_include_directories(${PROJECT_SOURCE_DIR}/include)
flagtree_python_src_path_set()
add_subdirectory(lib)
flagtree_added_python_src(python/src/ir.c python/src/passes.c)
add_executable(app python/src/main.c more.c)
target_link_libraries(app L triton)
flagtree_apply_backend_source_overrides(${FLAGTREE_BACKEND_DIR})
"""


def test_flagtree_names(toy, calling):
    """A trunk written for FlagTree's own functions."""
    toy.write({**TRUNK, **PYTHON, "CMakeLists.txt": FLAGTREE + "foreach(name IN ITEMS FLAGTREE_BACKEND "
               "FLAGTREE_BACKEND_DIR BACKEND_SPEC_INCLUDE_DIR BACKEND_INCLUDE_DIR BACKEND_PYTHON_SRC_PATH)\n"
               '  file(APPEND ${CMAKE_BINARY_DIR}/seen "${name}=${${name}}\\n")\nendforeach()\n',
               "more.c": "int more;\n", "python/src/main.c": prints("ir", "passes", "a", "b")})
    folder = toy.overlay({**VENDOR, **PYTHON_VENDOR})
    build = calling()
    assert build.make() == ["vendor", "vendor passes", "vendor A", "vendor X"]
    assert build.swaps == ["include/t/X.h -> L", "lib/A.c -> L", "python/src/ir.h -> triton",
                           "python/src/passes.c -> triton"]
    assert (build.path / "seen").read_text().splitlines() == [
        "FLAGTREE_BACKEND=acme", f"FLAGTREE_BACKEND_DIR={folder}",
        f"BACKEND_SPEC_INCLUDE_DIR={folder}/spec_cpp/include", f"BACKEND_INCLUDE_DIR={folder}/include",
        f"BACKEND_PYTHON_SRC_PATH={folder}/python/src"]


def test_flagtree_include_folder_of_the_vendor(toy, calling):
    """A backend with an include folder of its own has it instead of the trunk's; xpu has both."""
    files = {**TRUNK, "CMakeLists.txt": "find_package(TritonSpec REQUIRED)\n"
             "flagtree_include_directories(${PROJECT_SOURCE_DIR}/include)\nadd_executable(app main.c)\n",
             "main.c": "#include <own.h>\n#include <stdio.h>\nint main(void) { return puts(OWN) < 0; }\n",
             "lib/A.c": "\n"}
    for backend in ("acme", "xpu"):
        toy.trunk = toy.root / f"trunk of {backend}"
        toy.write(files)
        toy.overlay({"include/own.h": '#define OWN "vendor"\n', "spec_cpp/main.c": files["main.c"] + "\n"}, backend)
        build = calling(backend=backend, build=f"build {backend}")
        assert build.make() == ["vendor"]
        assert ("trunk of xpu/include" in build.command("main.c")) == (backend == "xpu")


def test_get_flagtree_backend_lib(toy, calling):
    toy.write({**TRUNK, "CMakeLists.txt": TRUNK["CMakeLists.txt"] +
               "add_library(FlagTree_acme_Ops INTERFACE)\nget_flagtree_backend_lib(Ops one)\n"
               'get_flagtree_backend_lib(None two)\nmessage(STATUS "libs: [${one}] [${two}]")\n'})
    toy.overlay(VENDOR)
    calling()
    assert "libs: [FlagTree_acme_Ops] []" in toy.cmake()[1].text


def test_old_form_of_the_python_path(toy, calling):
    toy.write({**TRUNK, "CMakeLists.txt": TRUNK["CMakeLists.txt"] +
               'flagtree_python_src_path_set(path python/src)\nmessage(STATUS "path: ${path}")\n'})
    toy.overlay(VENDOR)
    calling()
    assert "path: python/src\n" in toy.cmake()[1].text
