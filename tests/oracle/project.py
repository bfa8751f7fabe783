"""The CMake project of a case: targets of several types, and the many ways to name a source, an include
folder or an option."""

import dataclasses


@dataclasses.dataclass
class Source:
    """A source of the trunk, and the include folders that its target adds to those of all."""

    path: str
    dirs: list


@dataclasses.dataclass
class Target:
    """A library. lines: further CMake commands of its own."""

    name: str
    folder: str
    kind: str
    sources: list
    dirs: list = dataclasses.field(default_factory=list)
    lines: list = dataclasses.field(default_factory=list)
    spelling: str = "plain"
    own_header: str = ""

    def spell(self, path):
        """A source as the target's list has it."""
        if not path.startswith(self.folder + "/"):
            return f'"${{PROJECT_SOURCE_DIR}}/{path}"'
        name = path if self.folder == "python/src" else path[len(self.folder) + 1:]  # made by the top folder
        return {"plain": f'"{name}"', "absolute": f'"${{CMAKE_CURRENT_SOURCE_DIR}}/{name}"',
                "expression": f'"$<$<BOOL:1>:{name}>"', "dotted": f'"./{name}"'}[self.spelling]

    def text(self):
        """Its CMake commands."""
        if self.kind == "INTERFACE":
            head = f"add_library({self.name} INTERFACE)"
        elif self.spelling == "plain" and len(self.sources) > 1 and self.lines:
            first, *rest = (self.spell(s.path) for s in self.sources)
            head = (f"add_library({self.name} {self.kind} {first})\n"
                    f"target_sources({self.name} PRIVATE {' '.join(rest)})")
        else:
            head = f"add_library({self.name} {self.kind} {' '.join(self.spell(s.path) for s in self.sources)})"
        return "\n".join([head, *self.lines]) + "\n"

    def changed(self, random):
        """As a vendor may change it: another definition, and one source less or its list spelled
        in another way."""
        sources = self.sources
        if len(sources) > 1 and random.random() < 0.3:
            sources = sources[:-1]
        lines = list(self.lines)
        if self.kind != "INTERFACE":
            lines.append(f"target_compile_definitions({self.name} PRIVATE PICK_{random.randint(0, 2)})")
        spelling = random.choice(["plain", "absolute", "dotted"])
        return dataclasses.replace(self, sources=sources, lines=lines, spelling=spelling)


def targets(world):
    """Two to four libraries, later ones may link earlier ones and share their sources."""
    made = []
    places = ["lib/A", "lib/B", "lib/sp ace", "lib/A/sub"]
    world.random.shuffle(places)
    for index, folder in enumerate(sorted(places[:world.random.randint(2, 4)])):
        made.append(_target(world, f"T{index}", folder, made))
    if world.chance(0.2):
        made.append(_interface(world, made))
    if world.chance(0.2):
        paths = ["python/src/main.c", "python/src/ir.c"][:world.random.randint(1, 2)]
        made.append(Target("Py", "python/src", world.random.choice(["OBJECT", "STATIC"]),
                           [Source(p, []) for p in paths]))
    world.has_pch = False
    for target in made:
        if target.kind != "INTERFACE":
            _add_options(world, target)
    return made


def _target(world, name, folder, before):
    count = world.random.randint(1, 3)
    names = world.random.sample(["one.c", "two.c", "three.c", "fo ur.c"], count)
    dirs = [d for d in (folder, "shared", "lib/A") if world.chance(0.3)]
    target = Target(name, folder, world.random.choice(["OBJECT", "OBJECT", "STATIC", "SHARED"]), [],
                    dirs, spelling=world.random.choice(["plain", "plain", "absolute", "expression", "dotted"]))
    target.sources = [Source(f"{folder}/{n}", dirs) for n in names]
    if before and world.chance(0.3):  # compiled twice, with other folders before it
        shared = world.random.choice(before).sources
        if shared:
            source = world.random.choice(shared)
            source.dirs = []  # of neither target
            target.sources.append(source)
    for folder in dirs:
        way = world.random.choice(["PRIVATE", "PRIVATE", "PUBLIC", "BEFORE PRIVATE"])
        target.lines.append(f'target_include_directories({name} {way} "${{PROJECT_SOURCE_DIR}}/{folder}")')
    if before and world.chance(0.4):
        target.lines.append(f"target_link_libraries({name} PUBLIC {world.random.choice(before).name})")
    return target


def _interface(world, made):
    """An INTERFACE library whose users get folders, options and sources from it."""
    user = world.random.choice(made)
    target = Target("I", "lib/I", "INTERFACE", [])
    for folder in ("shared", "lib/B"):
        if world.chance(0.5):
            target.lines.append(f'target_include_directories(I INTERFACE "${{PROJECT_SOURCE_DIR}}/{folder}")')
    if world.chance(0.4):
        target.sources = [Source("lib/I/inter.c", [])]
        target.lines.append('target_sources(I INTERFACE "${CMAKE_CURRENT_SOURCE_DIR}/inter.c")')
    if world.chance(0.4):
        target.lines.append("target_compile_definitions(I INTERFACE PICK_0=1)")
    user.lines.append(f"target_link_libraries({user.name} {'PUBLIC' if user.kind != 'INTERFACE' else ''} I)")
    return target


def _add_options(world, target):
    """Definitions, forced headers, folders by options, properties of one source, a precompiled header."""
    name, random = target.name, world.random
    header = random.choice(world.headers)
    known = [header[len(d) + 1:] for d in world.dirs if header.startswith(d + "/")]
    if known and world.chance(0.15):
        target.lines.append(f'target_compile_options({name} PRIVATE "SHELL:-include \\"{known[0]}\\"")')
    if known and world.chance(0.1):
        target.lines.append(f'target_compile_definitions({name} PRIVATE "NAMED=<{known[0]}>")')
    if world.chance(0.1):
        target.lines.append(f'target_compile_options({name} PRIVATE -I${{PROJECT_SOURCE_DIR}}/shared)')
    if world.chance(0.15):
        target.lines.append(f"target_compile_definitions({name} PRIVATE PICK_{random.randint(0, 2)}=1)")
    if world.chance(0.1):
        target.lines.append(f'set_source_files_properties({target.spell(target.sources[0].path)} PROPERTIES '
                            'INCLUDE_DIRECTORIES "${PROJECT_SOURCE_DIR}/lib/B")')
    if known and " " not in known[0] and world.chance(0.05):
        world.has_pch = True
        target.lines.append(f"target_precompile_headers({name} PRIVATE <{known[0]}>)")


def sources(world):
    """All sources, each path once."""
    found = {}
    for target in world.targets:
        for source in target.sources:
            found.setdefault(source.path, source)
    return list(found.values())


def folder_text(world, folder, changed=None):
    """The CMakeLists.txt of a folder: its targets, of which one may be changed, and a folder below."""
    parts = []
    if folder == "lib/A" and any(t.folder == "lib/A/sub" for t in world.targets):
        parts.append("add_subdirectory(sub)\n")
    if folder == "lib/B" and world.has_module:
        parts.append("include(${PROJECT_SOURCE_DIR}/cmake/Toy.cmake)\n")
    for target in world.targets:
        if target.folder == folder:
            parts.append((changed if changed and changed.name == target.name else target).text())
    return "".join(parts) or "# nothing\n"


def module_text(pick, layer):
    """A module that the folder lib/B includes."""
    return f"# {layer}\nadd_compile_definitions(PICK_{pick})\n"


def cmake_files(world):
    """{path: text} of the trunk's CMake files."""
    folders = sorted({t.folder for t in world.targets if t.folder.startswith("lib/")})
    if "lib/A/sub" in folders and "lib/A" not in folders:
        folders.append("lib/A")
    world.has_module = "lib/B" in folders and world.chance(0.5)
    dirs = " ".join(f'"${{PROJECT_SOURCE_DIR}}/{d}"' for d in world.dirs)
    top = ["cmake_minimum_required(VERSION 3.20)", "project(toy C)"]
    if world.chance(0.15):  # a file of the build folder that includes the trunk's
        top.append('configure_file(made.h.in made.h)\ninclude_directories("${PROJECT_BINARY_DIR}")')
    top.append(f"include_directories({dirs})")
    # CMake 3.25 loses the depfiles of build folders with a blank, so those are named by hand.
    top += [f'add_subdirectory("{folder}" "{folder.replace(" ", "-")}")' if " " in folder else
            f"add_subdirectory({folder})" for folder in folders if folder != "lib/A/sub"]
    py = [t for t in world.targets if t.folder == "python/src"]
    top += [target.text() for target in py]
    files = {f"{folder}/CMakeLists.txt": folder_text(world, folder) for folder in folders}
    files["CMakeLists.txt"] = "\n".join(top) + "\n"
    if world.has_module:
        files["cmake/Toy.cmake"] = module_text(world.random.randint(0, 2), "trunk")
    if "made.h.in" in files["CMakeLists.txt"]:
        header = world.random.choice(world.headers)
        known = [header[len(d) + 1:] for d in world.dirs if header.startswith(d + "/")]
        files["made.h.in"] = f"#include <{known[0]}>\n" if known else "extern int made;\n"
        world.maybe.append("made.h")
    return files
