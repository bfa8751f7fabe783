"""Three ways to the same build: injection into an untouched trunk, `find_package` with `spec_*`, FlagTree's names.

The second and third are copies of the trunk whose CMake files these tests edit as a vendor would.
"""

import os
import re
import shlex
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor

import pytest
from support.toy import Run
from support_trunk import COMPILERS, OVERLAYS, TRUNK, TrunkBuild, injection_arguments

TD = r"set\(LLVM_TARGET_DEFINITIONS (\S+)\)"
INCLUDE = 'include_directories("${PROJECT_SOURCE_DIR}/include")'
PYTHON = re.compile(r"add_library\(triton SHARED (\$\{PYTHON_SRC_PATH\}/\S+)\s+(\S+)\s+(\S+)\)")

# What takes the place of the trunk's calls, by the names that are used.
SPEC = {
    TD: r"spec_td_set(LLVM_TARGET_DEFINITIONS \1)",
    INCLUDE: 'spec_include_directories("${PROJECT_SOURCE_DIR}/include")',
    PYTHON: r"spec_python_sources(python_sources \1 \2 \3)" "\n  add_library(triton SHARED ${python_sources})",
    "add_subdirectory(lib)\n": "add_subdirectory(lib)\nspec_source_overrides()\n",
}
FLAGTREE = {
    TD: r"flagtree_spec_td_set(LLVM_TARGET_DEFINITIONS \1)",
    INCLUDE: 'flagtree_include_directories("${PROJECT_SOURCE_DIR}/include")',
    PYTHON: r"flagtree_python_src_path_set()" "\n  flagtree_added_python_src(\\1 \\2 \\3)",
    "add_subdirectory(lib)\n": "add_subdirectory(lib)\n"
                               'flagtree_apply_backend_source_overrides("${FLAGTREE_BACKEND_DIR}")\n',
}


def edit(trunk, names):
    """Edits a copy of the trunk: the package, and calls by these names instead of CMake's own."""
    top = trunk / "CMakeLists.txt"
    text = top.read_text()
    for old, new in (("project(triton C CXX)\n", "project(triton C CXX)\nfind_package(TritonSpec REQUIRED)\n"),
                     (INCLUDE, names[INCLUDE]),
                     ("add_subdirectory(lib)\n", names["add_subdirectory(lib)\n"])):
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    text, found = PYTHON.subn(names[PYTHON], text)
    assert found == 1
    top.write_text(text)
    files = list(trunk.rglob("CMakeLists.txt"))
    edited = [re.subn(TD, names[TD], path.read_text()) for path in files]
    assert sum(found for _, found in edited) > 10
    for path, (text, _) in zip(files, edited, strict=True):
        path.write_text(text)


class Way:
    """One configured build folder, and its trunk."""

    def __init__(self, build, trunk):
        self.build, self.trunk = build, trunk

    def normal(self, text):
        """Text with the paths of this way's folders replaced by names."""
        return text.replace(str(self.build.path), "@BUILD").replace(str(self.trunk), "@TRUNK")

    def commands(self):
        """Every command that a build of everything runs, sorted."""
        done = Run(["ninja", "-C", self.build.path, "-t", "commands", "all", "mlir-doc"], env=self.build.env)
        lines = self.normal(done.expect(0).out).splitlines()
        return sorted(line for line in lines if "cmake --regenerate" not in line)

    def preprocessed(self, source):
        """The text that the compiler proper gets of the unit whose source path ends so."""
        command = shlex.split(self.build.command(source))
        command = command[1:] if os.path.basename(command[0]) == "ccache" else command
        for option in ("-o", "-MF", "-MT"):
            if option in command:
                at = command.index(option)
                del command[at:at + 2]
        words = [word for word in command if word not in ("-c", "-MD")]
        done = subprocess.run([*words, "-E", "-P"], cwd=self.build.path, env=self.build.env, check=True,
                              capture_output=True, text=True)
        return self.normal(done.stdout)


@pytest.fixture(scope="session")
def package(triton_spec, tmp_path_factory):
    """triton-spec, installed from the build folder that the program lies in."""
    prefix = tmp_path_factory.mktemp("prefix")
    Run(["cmake", "--install", triton_spec.parents[1], "--prefix", prefix]).expect(0)
    return prefix


@pytest.fixture(scope="session")
def ways(triton_spec, package, compilers, tmp_path_factory):
    """{"injected" | "spec" | "flagtree": Way}, configured, with all that TableGen makes."""
    folder = tmp_path_factory.mktemp("ways")
    calls = [f"-DCMAKE_PREFIX_PATH={package}", f"-DTRITON_SPEC_ROOTS={OVERLAYS}", "-DFLAGTREE_BACKEND=acme",
             f"-DTRITON_SPEC_EXECUTABLE={triton_spec}"]
    found = {}
    for name, names in (("injected", None), ("spec", SPEC), ("flagtree", FLAGTREE)):
        trunk = folder / name / "trunk" if names else TRUNK
        if names:
            shutil.copytree(TRUNK, trunk)
            edit(trunk, names)
        build = TrunkBuild(folder / name / "build")
        compilers.teach(build.path, "C CXX", build.env, COMPILERS)
        # Nothing is compiled here, so there would be no precompiled header.
        build.configure(*(calls if names else injection_arguments(triton_spec, "acme")),
                        "-DTRITON_PRECOMPILE_HEADERS=OFF", trunk=trunk)
        targets = Run(["ninja", "-C", build.path, "-t", "targets", "all"], env=build.env).expect(0).out
        build.ninja(*re.findall(r"^(\w+IncGen|\w+TableGen): phony$", targets, re.MULTILINE))
        found[name] = Way(build, trunk)
    return found


@pytest.mark.parametrize("way", ["spec", "flagtree"])
def test_commands_are_the_same(ways, way):
    injected, called = ways["injected"].commands(), ways[way].commands()
    assert len(injected) > 60 and any("TRITON_SPEC_DIGEST" in command for command in injected)
    assert called == injected


@pytest.mark.parametrize("way", ["spec", "flagtree"])
def test_log_is_the_same(ways, way):
    assert ways[way].build.log == ways["injected"].build.log


# One of each shape: includes by path, beside the includer, by `../`, through others, from the root;
# generated headers; a folder with an overridden CMakeLists.txt; added and overriding sources.
UNITS = [
    "AllocateSharedMemory.cpp", "DotOpToLLVM/FMA.cpp", "AcmeScan.cpp", "Transforms/Coalesce.cpp", "AcmeStamp.cpp",
    "Targets.cpp", "GenericSwizzling.cpp", "Version.cpp", "LinearLayout.cpp", "ToolsTest.cpp", "python/src/passes.cc",
]


def test_preprocessed_text_is_the_same(ways):
    jobs = [(way, unit) for unit in UNITS for way in ways.values()]
    with ThreadPoolExecutor(2) as pool:
        texts = list(pool.map(lambda job: job[0].preprocessed(job[1]), jobs))
    for number, unit in enumerate(UNITS):
        injected, spec, flagtree = texts[3 * number:3 * number + 3]
        assert injected.strip(), unit
        assert spec == injected, f"find_package: {unit}"
        assert flagtree == injected, f"FlagTree's names: {unit}"
