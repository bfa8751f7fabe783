"""A case: a trunk, an overlay, and how they are reached. It is data, so that one that fails can be
shrunk, kept as a file and run again when the generator has changed."""

import dataclasses
import json
import os

BACKEND = "acme"


@dataclasses.dataclass
class Case:
    """files: {path: text}; those of the trunk below trunk/, the layers' below `root`."""

    files: dict
    root: str = "vendors"  # the overlay root: "vendors" or "trunk/third_party"
    compiler: str = "gcc"  # or "clang"
    folder: str = "case"  # name of the folder that holds all
    linked: bool = False  # the trunk is named through a symbolic link
    why: str = ""  # which fault it has shown
    limit: str = ""  # the kind of that fault, if it is a limit that the documents describe

    def write(self, parent):
        """Writes all below a fresh folder of `parent`; its path."""
        home = parent / self.folder
        for name, text in self.files.items():
            path = home / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        (home / self.root / BACKEND).mkdir(parents=True, exist_ok=True)
        if self.linked:
            os.symlink("trunk", home / "linked-trunk")
        return home

    @property
    def trunk(self):
        """The trunk's name below the folder, as the build is given it."""
        return "linked-trunk" if self.linked else "trunk"

    def overrides(self):
        """Paths of the overlay's own files."""
        return [name for name in self.files if name.startswith(self.root + "/")]

    def save(self, path):
        """Writes it as JSON, a text as its lines: they are read by people."""
        data = dataclasses.asdict(self)
        data["files"] = {name: text.split("\n") for name, text in self.files.items()}
        path.write_text(json.dumps(data, indent=1, sort_keys=True) + "\n")


def load(path):
    """The case that save() has written."""
    data = json.loads(path.read_text())
    data["files"] = {name: "\n".join(lines) for name, lines in data["files"].items()}
    return Case(**data)
