"""A compiler cache of a test's own, and what it did for each unit."""

import collections
import os
import pathlib

from support.toy import clean_environment

# How ccache may look a unit up.  Direct: by the sources and headers that it read the last time.
# Preprocessor: by the text that the preprocessor makes now.  Depend: as direct, without ever
# running the preprocessor.
MODES = {"direct": {}, "preprocessor": {"CCACHE_NODIRECT": "1"}, "depend": {"CCACHE_DEPEND": "1"}}

LAUNCHER = "-DCMAKE_C_COMPILER_LAUNCHER=ccache"


class Cache:
    """A cache in a folder, for builds below a base folder.

    base      below it ccache makes paths relative (its base_dir)
    settings  more of ccache's environment variables
    """

    def __init__(self, folder, base, **settings):
        self.folder = pathlib.Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self._log = self.folder / "stats.log"
        self.env = clean_environment(**{
            "CCACHE_DIR": str(self.folder / "cache"), "CCACHE_BASEDIR": str(base),
            "CCACHE_CONFIGPATH": str(self.folder / "none.conf"), "CCACHE_STATSLOG": str(self._log), **settings})

    def outcomes(self, build, trunk):
        """What ccache counted since the last call: {trunk path of a source: [set of counters]}.

        A staged source counts under the trunk path that it has; one of the build folder's own
        under "build/...".
        """
        text = self._log.read_text() if self._log.exists() else ""
        self._log.unlink(missing_ok=True)
        found = collections.defaultdict(list)
        for block in text.split("# ")[1:]:
            source, *counters = block.split()
            found[trunk_path(build, trunk, source)].append(set(counters))
        return dict(found)


def trunk_path(build, trunk, source):
    """The trunk path of a source that a command of this build names, relative or absolute."""
    path = os.path.normpath(os.path.join(build.path, source))
    for root, name in ((build.spec / "stage", ""), (build.path, "build/"), (trunk, "")):
        if path.startswith(f"{root}{os.sep}"):
            return name + os.path.relpath(path, root)
    return path


def hits(outcomes, kind="_cache_hit"):
    """The sources of which every compilation has a counter that ends so."""
    return {source for source, counted in outcomes.items()
            if all(any(name.endswith(kind) for name in counters) for counters in counted)}


def commands(build, trunk):
    """{trunk path of a source: its compile command}, with <build> and <trunk> for the two folders."""
    return {trunk_path(build, trunk, source):
            command.replace(str(build.path), "<build>").replace(str(trunk), "<trunk>")
            for source, command in build.commands().items()}
