"""Synthetic trunks and overlays, in Triton's proportions.

A trunk has 100 OBJECT libraries in 100 folders, in groups of five that link in a chain. Near the
means of upstream Triton: a source has 15 kB and ten includes, five of them of the trunk; a header
has 10 kB and includes two of the trunk's. There is a header to every two sources (at least one a
library), one beside each library's sources, and ten shared.
"""

import dataclasses
import math
import pathlib

LIBRARIES = 100
GROUP = 5  # libraries that link, and whose headers include, the one before them
SHARED = 10  # headers that the whole trunk uses
SOURCE_BYTES = 15_000
HEADER_BYTES = 10_000
BACKEND = "acme"

SYSTEM_INCLUDES = "".join(f"#include <{name}>\n" for name in (
    "llvm/ADT/SmallVector.h", "llvm/Support/Debug.h", "mlir/IR/BuiltinTypes.h",
    "mlir/Pass/Pass.h", "stddef.h"))
FILLER = "static inline int operand_{0:04x}(int value) {{ return value ^ 0x{0:04x}; }}\n"


@dataclasses.dataclass(frozen=True)
class Shape:
    """The size of a tree.

    sources    compiled sources of the trunk
    overrides  vendor files; every fifth is a header, the others are sources
    shared     whether the first of the headers is one that every source reaches
    """

    sources: int
    overrides: int
    shared: bool = False

    @property
    def name(self):
        """A folder's name and the key of the results, as in 350x14."""
        return f"{self.sources}x{self.overrides}" + ("-shared" if self.shared else "")

    @property
    def header_overrides(self):
        """How many of the overrides are headers."""
        return max(1, self.overrides // 5)


class Layout:
    """The paths of a trunk's files, below its root, and what they include."""

    def __init__(self, sources):
        self.sources = [[] for _ in range(LIBRARIES)]
        self.headers = [[] for _ in range(LIBRARIES)]
        for n in range(sources):
            library = n % LIBRARIES
            self.sources[library].append(f"{self.folder(library)}/ConvertOperation{n:05}.c")
        for n in range(max(sources // 2, LIBRARIES)):
            library = n % LIBRARIES
            self.headers[library].append(
                f"include/triton/Conversion/Group{library // GROUP:02}/Library{library:03}/"
                f"OperationInterface{n:05}.h")

    @staticmethod
    def folder(library):
        """The folder of a library's sources."""
        return f"lib/Conversion/Group{library // GROUP:02}ToHardware/Library{library:03}"

    @staticmethod
    def local(library):
        """The header beside a library's sources."""
        return f"{Layout.folder(library)}/LocalDefinitions.h"

    @staticmethod
    def shared(n):
        """A header of the whole trunk."""
        return f"include/triton/Support/SharedDefinitions{n % SHARED}.h"

    def header(self, library, n):
        """A header of a library, counted round."""
        return self.headers[library][n % len(self.headers[library])]

    def source_includes(self, library, n):
        """The headers that the n-th source of a library names."""
        before = library - 1 if library % GROUP else library
        return [self.local(library), self.header(library, n), self.header(library, n + 1),
                self.header(before, n), self.shared(n)]

    def header_includes(self, library, n):
        """The headers that the n-th header of a library names: one of the trunk's, and one of the
        library before, so that what a header reaches ends with its group."""
        return [self.shared(n)] + ([self.header(library - 1, n)] if library % GROUP else [])


def text_of(size, includes):
    """C text of about `size` bytes that includes headers by the spelling a trunk would use."""
    lines = [SYSTEM_INCLUDES]
    for path in includes:
        name = path.removeprefix("include/") if path.startswith("include/") else path.split("/")[-1]
        lines.append(f'#include "{name}"\n')
    room = size - sum(map(len, lines))
    lines += [FILLER.format(n) for n in range(math.ceil(room / len(FILLER.format(0))))]
    return "".join(lines)


def trunk_files(layout):
    """The C files of a trunk: path, bytes, and the headers that it includes."""
    for n in range(SHARED):
        # Each includes the first, which so is reached by every source.
        yield Layout.shared(n), HEADER_BYTES, [Layout.shared(0)] if n else []
    for library in range(LIBRARIES):
        yield Layout.local(library), HEADER_BYTES, []
        for n, path in enumerate(layout.headers[library]):
            yield path, HEADER_BYTES, layout.header_includes(library, n)
        for n, path in enumerate(layout.sources[library]):
            yield path, SOURCE_BYTES, layout.source_includes(library, n)


def cmake_texts(layout):
    """Pairs of path and text: every CMakeLists.txt of a trunk."""
    yield "CMakeLists.txt", (
        "cmake_minimum_required(VERSION 3.24)\nproject(synthetic C)\n"
        "include_directories(${PROJECT_SOURCE_DIR}/include)\n"
        + "".join(f"add_subdirectory({Layout.folder(n)})\n" for n in range(LIBRARIES)))
    for library in range(LIBRARIES):
        names = "\n  ".join(path.split("/")[-1] for path in layout.sources[library])
        text = f"add_library(Library{library:03} OBJECT\n  {names})\n"
        if library % GROUP:
            text += f"target_link_libraries(Library{library:03} PUBLIC Library{library - 1:03})\n"
        yield f"{Layout.folder(library)}/CMakeLists.txt", text


def spread(items, count):
    """`count` of the items, evenly spaced. Raises ValueError when there are too few."""
    if count > len(items):
        raise ValueError(f"{count} overrides of {len(items)} files: take a larger trunk")
    return [items[n * len(items) // count] for n in range(count)]


def overridden(shape, layout):
    """The trunk paths that the vendor overrides, headers first."""
    headers = spread(sorted(sum(layout.headers, [])), shape.header_overrides)
    if shape.shared:
        headers[0] = Layout.shared(0)
    return headers + spread(sorted(sum(layout.sources, [])), shape.overrides - len(headers))


def _put(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def write(root, shape):
    """Writes the trunk, with the overlay in third_party/acme, below the folder `root`. The texts
    are never all in memory: that would count as the memory of the processes that are measured."""
    layout = Layout(shape.sources)
    root = pathlib.Path(root)
    vendor = root / "third_party" / BACKEND / "spec_cpp"
    chosen = set(overridden(shape, layout))
    for path, text in cmake_texts(layout):
        _put(root / path, text)
    for path, size, includes in trunk_files(layout):
        text = text_of(size, includes)
        _put(root / path, text)
        if path in chosen:
            _put(vendor / path, f"/* {BACKEND}'s */\n" + text)
