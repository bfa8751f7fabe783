"""A synthetic C++ trunk with several backends, for measuring what their builds share.

Ten libraries of eight units in two groups. A unit includes two headers of its library and one of four
that the whole trunk shares; a library's header includes one of the library before it in the group. A
backend is drawn by a seed. Who reaches an override is said here, not asked of triton-spec.
"""

import dataclasses
import random

LIBRARIES = 10
GROUP = 5
UNITS = 8  # a library
HEADERS = 4  # a library
SHARED = 4

STANDARD = "".join(f"#include <{name}>\n" for name in ("algorithm", "map", "string", "vector"))
WORK = """int {name}(const std::string &key) {{
  std::map<std::string, std::vector<int>> found;
  found[key].push_back({sum});
  std::vector<std::string> keys{{key}};
  std::sort(keys.begin(), keys.end());
  return static_cast<int>(found.size() + keys.size());
}}
"""


@dataclasses.dataclass(frozen=True)
class Backend:
    """A backend's name and the trunk paths that it overrides."""

    name: str
    overrides: tuple


def header(library, n):
    """The path of a library's header, counted round."""
    return f"include/lib{library}/h{n % HEADERS}.h"


def shared(n):
    """The path of a header of the whole trunk, counted round."""
    return f"include/shared/s{n % SHARED}.h"


def unit(library, n):
    """The path of a library's source."""
    return f"lib/lib{library}/u{n}.cpp"


SOURCES = [unit(library, n) for library in range(LIBRARIES) for n in range(UNITS)]


def includes():
    """{path of each file: paths of the headers that it names}."""
    named = {shared(n): [] for n in range(SHARED)}
    for library in range(LIBRARIES):
        for n in range(HEADERS):
            named[header(library, n)] = [header(library - 1, n)] if library % GROUP else []
        for n in range(UNITS):
            named[unit(library, n)] = [header(library, n), header(library, n + 1), shared(n)]
    return named


def affected(backend):
    """The sources that are, or include by any way, a file that the backend overrides."""
    named, found = includes(), set(backend.overrides)
    grown = True
    while grown:
        more = {path for path, names in named.items() if found.intersection(names)} - found
        grown, found = bool(more), found | more
    return found.intersection(SOURCES)


def backend_of(seed):
    """The backend of a seed: three sources and two headers."""
    draw = random.Random(seed)
    headers = sorted(set(includes()) - set(SOURCES))
    return Backend(f"vendor{seed}", (*draw.sample(SOURCES, 3), *draw.sample(headers, 2)))


def _macro(path):
    return path.removeprefix("include/").replace("/", "_").replace(".", "_").upper()


def text_of(path, value, standard):
    """A file's text. value: a number by which a vendor's file differs from the trunk's."""
    names = includes()[path]
    lines = "".join(f'#include "{name.removeprefix("include/")}"\n' for name in names)
    if path.startswith("include/"):
        macro = _macro(path)
        return f"#ifndef {macro}\n#define {macro} {value}\n{lines}#endif\n"
    name = _macro(path).lower().removesuffix("_cpp")
    body = " + ".join([str(value), *map(_macro, names)])
    if not standard:
        return f"{lines}int {name}() {{ return {body}; }}\n"
    return STANDARD + lines + WORK.format(name=name, sum=body)


def cmake_text():
    """The trunk's CMakeLists.txt."""
    lines = ["cmake_minimum_required(VERSION 3.24)\nproject(synthetic CXX)\n",
             "include_directories(include)\n"]
    for library in range(LIBRARIES):
        names = " ".join(unit(library, n) for n in range(UNITS))
        lines.append(f"add_library(lib{library} STATIC {names})\n")
    return "".join(lines)


def write(root, backends, standard=True):
    """Writes the trunk below the folder `root`, and the backends below its third_party.

    standard: whether units include the standard library, which takes most of their time
    """
    texts = {path: text_of(path, 1, standard) for path in includes()}
    texts["CMakeLists.txt"] = cmake_text()
    for number, backend in enumerate(backends, 2):
        for path in backend.overrides:
            texts[f"third_party/{backend.name}/spec_cpp/{path}"] = text_of(path, number, standard)
    for path, text in texts.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
