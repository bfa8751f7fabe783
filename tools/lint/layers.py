"""Who may include what, and who may print, exit, allocate or call the system.

    cli -> build side (spec_cpp), git side -> core -> diff -> base -> public header
    cli, build side, git side, Python extension -> Python side (spec/package) -> core
    the runner's extension -> what the cpu device's kernels are run by (third_party/cpu/rt)
    of the cpu device: C and linalg -> loop nests (tile) <- lowering -> reader

Downwards only. Each table below is the rule; the functions only apply it.
"""

import collections
import os
import re

from .source import Finding, c_code, c_includes

_CPU = "third_party/cpu/compiler/"
_BELOW_CORE = ("spec/include/", "spec/base/", "spec/diff/")

# folder -> the folders whose headers it may include, its own aside
MAY_INCLUDE = {
    "spec/include/": (),
    "spec/base/": ("spec/include/",),
    "spec/diff/": ("spec/include/", "spec/base/"),
    "spec/core/": _BELOW_CORE,
    "spec/package/": (*_BELOW_CORE, "spec/core/"),
    "spec/git/": (*_BELOW_CORE, "spec/core/", "spec/package/"),
    "spec_cpp/": (*_BELOW_CORE, "spec/core/", "spec/package/"),
    "spec/cli/": (*_BELOW_CORE, "spec/core/", "spec/package/", "spec/git/", "spec_cpp/"),
    "python/src/compat.h": (),
    "python/src/": (*_BELOW_CORE, "spec/core/", "spec/package/", "python/src/compat.h"),
    "python/runner/": ("third_party/cpu/rt/", "python/src/compat.h"),
    "third_party/cpu/rt/": (),
    _CPU + "base": (),
    _CPU + "read/": (_CPU + "base",),
    _CPU + "tile/": (_CPU + "base", _CPU + "read/"),
    _CPU + "lower/": (_CPU + "base", _CPU + "read/", _CPU + "tile/"),
    _CPU + "emit.h": (_CPU + "tile/",),
    _CPU + "emit_c/": (_CPU + "base", _CPU + "read/", _CPU + "tile/", _CPU + "emit.h"),
    _CPU + "emit_linalg/": (_CPU + "base", _CPU + "read/", _CPU + "tile/", _CPU + "emit.h"),
}

# Files behind one interface, spec/base/fs.h, and running another program.
_SYSTEM = ("spec/base/fs.c", "spec/base/fs_", "spec/base/process.c")

# pattern of a header -> where alone it may be included (a folder or how a path begins), and why
ONLY_IN = (
    (r"git2(\.h|/.*)", ("spec/git/",), "libgit2 belongs to the git side"),
    (r"zlib\.h", ("spec/package/archive",), "wheels go through spec/package/archive.h"),
    (r"nettle/.*", ("spec/base/sha1.c", "spec/base/sha256.c"),
     "digests go through spec/base/sha1.h and sha256.h"),
    (r"Python\.h|structmember\.h", ("python/src/", "python/runner/"), "CPython belongs to the extensions"),
    (r"unistd\.h", (*_SYSTEM, "spec/cli/entry.c"), "system calls go through spec/base/fs.h"),
    (r"(fcntl|dirent|fnmatch|ftw|glob|poll|pwd|signal|spawn)\.h|sys/.*", _SYSTEM,
     "system calls go through spec/base/fs.h"),
)

# What is linked into other programs, CPython among them.
_LIBRARY = ("spec/base/", "spec/core/", "spec/diff/", "spec/git/", "spec/package/", "spec_cpp/")

# pattern of a call or name -> the folders it is forbidden in, the files excepted, and the mend
FORBIDDEN = (
    (r"(v?printf|puts|putchar|perror)\s*\(|(stdout|stderr)\b",
     _LIBRARY, (),
     "the library never prints: emit a spec_event or fill the spec_err"),
    (r"(_?exit|_Exit|quick_exit|abort)\s*\(",
     _LIBRARY, (),
     "the library never exits: return spec_fail(err, ...)"),
    (r"(_?exit|_Exit|quick_exit|abort|Py_Exit|Py_FatalError)\s*\(",
     ("python/src/", "python/runner/"), (),
     "an extension never ends its process: raise an exception"),
    (r"(malloc|calloc|realloc|reallocarray|free|strdup|strndup|v?asprintf|aligned_alloc)\s*\(",
     ("spec/", "spec_cpp/"), ("spec/base/arena.c",),
     "memory comes from the plan's arena: see spec/base/arena.h"),
)


def layer_of(path):
    """The folder of MAY_INCLUDE that holds the path, or None."""
    return next((layer for layer in MAY_INCLUDE if path.startswith(layer)), None)


def _by_name(tree):
    """{a file's last name: the layers' files with it}."""
    found = collections.defaultdict(list)
    for path in tree.matching(("",), below=tuple(MAY_INCLUDE)):
        found[path.rpartition("/")[2]].append(path)
    return found


def _targets(known, includer, name):
    """The headers that `#include "name"` may mean: the one beside the includer, or else all whose path ends so.

    known: of _by_name()
    """
    name = os.path.normpath(name)
    alike = known.get(name.rpartition("/")[2], [])
    beside = os.path.normpath(os.path.join(os.path.dirname(includer), name))
    return [beside] if beside in alike else [path for path in alike if ("/" + path).endswith("/" + name)]


def _sources(tree):
    return tree.matching((".c", ".h"), below=tuple(MAY_INCLUDE))


def check_includes(tree):
    """Includes that go upwards or sideways, and library or system headers out of their place."""
    findings, known = [], _by_name(tree)
    for path in _sources(tree):
        layer = layer_of(path)
        allowed = (layer, *MAY_INCLUDE[layer])
        for line, name in c_includes(tree.text(path) or ""):
            for target in _targets(known, path, name):
                if layer_of(target) and layer_of(target) not in allowed:
                    findings.append(Finding(path, line, "layers", (
                        f'"{name}" is {target}, and {layer} may include '
                        f"{', '.join(MAY_INCLUDE[layer]) or 'nothing else'} only")))
            for pattern, homes, why in ONLY_IN:
                if re.fullmatch(pattern, name) and not path.startswith(homes):
                    findings.append(Finding(path, line, "layers",
                                            f"<{name}> in {', '.join(homes)} only: {why}"))
    return findings


def check_calls(tree):
    """Printing, exiting and allocating where the library must not."""
    findings = []
    for path in _sources(tree):
        lines = c_code(tree.text(path) or "").split("\n")
        for pattern, folders, exempt, mend in FORBIDDEN:
            if not path.startswith(folders) or path in exempt:
                continue
            # Not a member (`events->free(x)`), not a longer name (`spec_plan_free(x)`).
            call = re.compile(r"(?<![\w.])(?<!->)(?:" + pattern + ")")
            for number, line in enumerate(lines, 1):
                match = call.search(line)
                if match and not line.lstrip().startswith("#"):
                    findings.append(Finding(path, number, "layers",
                                            f"{match.group().rstrip('( ')}: {mend}"))
    return findings


def check(tree):
    """All findings of this module."""
    return check_includes(tree) + check_calls(tree)
