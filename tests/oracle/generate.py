"""Random cases from a seed: small C trunks in Triton's shape, and overlays that change them in
every way that an overlay can."""

import os
import random

from . import patches, project, tablegen
from .case import BACKEND, Case
from .text import Writer

_PLACES = ["include/toy", "include", "shared", "lib/A", "lib/A/sub", "lib/B", "lib/sp ace", "include/deep/er"]
_NAMES = ["a.h", "b.h", "c.h", "dup.h", "dup.h", "conf.inc", "o ne.h", "list.def"]
_GUARDS = ["once", "once", "ifndef", "none"]


class World:
    """What a case consists of while it is made."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.numbers = {}
        self.maybe = ["toy/maybe.h", "maybe.h"]
        self.shows_files = self.chance(0.15)
        self.writer = Writer(self.random, self)
        self.headers = self.pick_headers()
        self.dirs = self.pick_dirs()
        self.guards = {header: self.random.choice(_GUARDS) for header in self.headers}
        self.targets = project.targets(self)
        self.layers = ["common", BACKEND] if self.chance(0.3) else [BACKEND]

    def chance(self, share):
        """True in this share of all calls."""
        return self.random.random() < share

    def number(self, path):
        """A number of its own for each path."""
        return self.numbers.setdefault(path, len(self.numbers))

    def pick_headers(self):
        """Paths of the trunk's headers, a few with the same name in several folders."""
        found = {f"{self.random.choice(_PLACES)}/{self.random.choice(_NAMES)}"
                 for _ in range(self.random.randint(5, 9))}
        found = sorted(found)
        for header in found:
            self.number(header)
        return found

    def pick_dirs(self):
        """The include folders of all targets, in the order of the search."""
        dirs = ["include"] + [d for d in ("shared", "lib", "include/deep") if self.chance(0.4)]
        self.random.shuffle(dirs)
        return dirs

    def header_text(self, path, layer, headers, guard=None):
        """The text of a header: it can count on the folders of all targets only."""
        return self.writer.text(path, layer, headers, self.dirs, guard or self.guards.get(path, "once"))

    def source_text(self, source, layer, headers):
        """The text of a source, which can count on its target's folders too."""
        return self.writer.text(source.path, layer, headers, source.dirs + self.dirs)


def generate(seed):
    """The case of a seed."""
    world = World(seed)
    files = {f"trunk/{path}": text for path, text in project.cmake_files(world).items()}
    for path in world.headers:
        files[f"trunk/{path}"] = world.header_text(path, "trunk", world.headers)
    for source in project.sources(world):
        files[f"trunk/{source.path}"] = world.source_text(source, "trunk", world.headers)
    overlay = Overlay(world, files).make()
    td = {}
    if world.chance(0.06):
        td = tablegen.add(world, files)
    root = world.random.choice(["vendors", "trunk/third_party"])
    trunk = {path.removeprefix("trunk/"): text for path, text in files.items()}
    for (layer, path), text in patches.put(seed, {**overlay, **td}, trunk, world.layers).items():
        files[f"{root}/{layer}/{path}"] = text
    return Case(files, root=root, compiler="clang" if world.chance(0.2) and not world.has_pch else "gcc",
                folder="ca se" if world.chance(0.1) else "case", linked=world.chance(0.1))


class Overlay:
    """The files of the layers: {(layer, path): text}."""

    def __init__(self, world, trunk):
        self.world, self.random, self.trunk = world, world.random, trunk
        self.files = {}
        self.requests = {}  # layer -> lines of its spec.cmake
        self.taken = set()  # trunk paths that are overridden or removed

    def make(self):
        """All of it, at least one override."""
        additions = self.add_headers()
        paths = [(h, None) for h in self.world.headers]
        paths += [(s.path, s) for s in project.sources(self.world)]
        share = self.random.choice([0.1, 0.25, 0.5])
        chosen = [p for p in paths if self.world.chance(share)] or [self.random.choice(paths)]
        for path, source in chosen:
            self.override(path, source, additions)
        if self.world.chance(0.25):
            self.add_source(additions)
        if self.world.chance(0.15):
            self.remove_source()
        if self.world.chance(0.2):
            self.override_cmake()
        if self.world.chance(0.1):
            self.override_module()
        if self.world.chance(0.08):
            self.add_python()
        self.finish()
        return self.files

    def layer(self):
        """One of the layers, the backend mostly."""
        return self.random.choice([BACKEND, *self.world.layers])

    def put(self, layer, path, text):
        """Puts the file of a trunk path where an overlay has it."""
        is_python = path.startswith("python/src/") and self.world.chance(0.5)
        self.files[layer, path if is_python else f"spec_cpp/{path}"] = text
        self.taken.add(path)

    def add_headers(self):
        """Headers that the trunk lacks: some hide one that is found later on the search path, some are
        what the trunk only asks for."""
        wanted = [p for p in ("include/toy/maybe.h", "shared/maybe.h", "lib/A/maybe.h") if self.world.chance(0.15)]
        names = sorted({os.path.basename(h) for h in self.world.headers})
        for _ in range(self.random.randint(0, 2)):
            wanted.append(f"{self.random.choice(_PLACES)}/{self.random.choice([*names, 'new.h'])}")
        wanted = sorted(set(wanted) - set(self.world.headers))
        for path in wanted:
            self.world.number(path)
            self.put(self.layer(), path, self.world.header_text(path, "added", self.world.headers, "once"))
        return wanted

    def override(self, path, source, additions):
        """A text of the vendor's, in one layer or in two."""
        headers = self.world.headers + additions
        layers = self.world.layers if self.world.chance(0.2) else [self.layer()]
        for layer in layers:
            if source is None:
                guard = self.world.guards[path] if self.world.chance(0.8) else "once"
                text = self.world.header_text(path, layer, headers, guard)
            else:
                text = self.world.source_text(source, layer, headers)
            self.put(layer, path, text)

    def request(self, layer, line):
        """A line of the layer's spec.cmake."""
        self.requests.setdefault(layer, []).append(line)

    def add_source(self, additions):
        """A source that the trunk lacks, with its owner, and what else may be asked for."""
        target = self.random.choice([t for t in self.world.targets if t.kind != "INTERFACE"])
        layer = self.layer()
        path = f"{target.folder}/New{self.random.randint(0, 1)}.c"
        if any(name == f"spec_cpp/{path}" for _, name in self.files):
            return
        source = project.Source(path, target.dirs)
        self.put(layer, path, self.world.source_text(source, "added", self.world.headers + additions))
        self.request(layer, f'spec_target_sources({target.name} "{path}")')
        if self.world.chance(0.5):
            self.request(layer, f"spec_target_definitions({target.name} PICK_{self.random.randint(0, 2)})")
        if self.world.chance(0.3):
            self.request(layer, f"spec_target_include_directories({target.name} ${{PROJECT_SOURCE_DIR}}/shared)")

    def remove_source(self):
        """Takes a source out that has another one beside it."""
        for target in self.world.targets:
            paths = [s.path for s in target.sources if s.path not in self.taken]
            if len(target.sources) > 1 and paths and target.kind != "INTERFACE":
                self.taken.add(paths[0])
                self.files[BACKEND, "spec.ini"] = f"[remove]\npath = {paths[0]}\n"
                return

    def override_cmake(self):
        """A vendor's CMakeLists.txt of one folder."""
        target = self.random.choice(self.world.targets)
        if not target.folder.startswith("lib/"):
            return
        changed = target.changed(self.random)
        self.put(BACKEND, f"{target.folder}/CMakeLists.txt", project.folder_text(self.world, target.folder, changed))

    def override_module(self):
        """A vendor's module, of those that the trunk includes."""
        if "trunk/cmake/Toy.cmake" in self.trunk:
            self.put(BACKEND, "cmake/Toy.cmake", project.module_text(self.random.randint(0, 2), "vendor"))

    def add_python(self):
        """A module of the package, replaced whole, and one that is new."""
        self.trunk["trunk/python/triton/__init__.py"] = ""
        self.trunk["trunk/python/triton/language/core.py"] = "x = 'trunk'\n"
        self.files[BACKEND, "spec/triton/language/core.py"] = "x = 'vendor'\n"
        self.files[BACKEND, "spec/triton/runtime/new.py"] = "x = 'added'\n"

    def finish(self):
        """spec.cmake and spec.ini of each layer."""
        for layer, lines in self.requests.items():
            self.files[layer, "spec.cmake"] = "\n".join(lines) + "\n"
        if len(self.world.layers) > 1:
            ini = self.files.get((BACKEND, "spec.ini"), "")
            self.files[BACKEND, "spec.ini"] = "[backend]\nbase = common\n" + ini
            if not any(layer == "common" for layer, _ in self.files):
                self.files["common", "own.txt"] = "nothing\n"
