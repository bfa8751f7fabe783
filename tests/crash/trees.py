"""Trees of files, compared and put back."""

import os
import shutil
import stat
import subprocess


# What `triton-spec check` goes by: dates and places on the disk, and a file that matters by its date.
DATES = {"looks", "looks.stage", "changed"}


def snapshot(root):
    """{path below root: (kind, permissions, content or link text)}, of everything that is there; of DATES
    only that they are there."""
    found = {}
    for folder, folders, names in os.walk(root):
        for name in folders + names:
            path = os.path.join(folder, name)
            mode = os.lstat(path).st_mode
            if stat.S_ISLNK(mode):
                content = os.readlink(path)
            elif stat.S_ISREG(mode) and name not in DATES:
                with open(path, "rb") as file:
                    content = file.read()
            else:
                content = None
            rights = None if stat.S_ISLNK(mode) else stat.S_IMODE(mode)
            found[os.path.relpath(path, root)] = (stat.S_IFMT(mode), rights, content)
    return found


def temporaries(root):
    """The paths of files that were written and not yet published."""
    return [os.path.join(folder, name) for folder, _, names in os.walk(root) for name in names
            if name.startswith(".") and name.endswith(".tmp")]


def same(left, right):
    """Fails unless two snapshots are equal; says which paths are not."""
    paths = {path for path in left.keys() | right.keys() if left.get(path) != right.get(path)}
    assert not paths, {path: (left.get(path), right.get(path)) for path in sorted(paths)[:3]}


class Saved:
    """A folder's state, which may be that it is absent; dates are kept."""

    def __init__(self, folder, place):
        self.folder, self.place = folder, place
        if folder.exists():
            subprocess.run(["cp", "-a", folder, place], check=True)

    def restore(self):
        """Makes the folder what it was."""
        shutil.rmtree(self.folder, ignore_errors=True)
        if self.place.exists():
            subprocess.run(["cp", "-a", self.place, self.folder], check=True)
