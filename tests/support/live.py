"""A toy package named triton, a vendor's overlay for it, and Pythons that run with both.

Each Python is a process of its own, since triton can be imported once only.
"""

import json
import os
import subprocess
import sys
import textwrap

from support.packages import PACKAGES
from support.toy import clean_environment

# The trunk. Its shape is that of Triton's, so that the default policy fits it.
TRUNK = {
    "triton/__init__.py": """\
        from . import runtime, testing
        from .language import add
        __version__ = "1.0"
        """,
    "triton/testing.py": """\
        import functools


        def bench(fn, times=2):
            return ["trunk bench", *(fn() for _ in range(times))]


        def unchanged():
            return "trunk unchanged"


        def caller(*args):
            return bench(*args)
        """,
    "triton/runtime/__init__.py": "from .cache import key\n",
    "triton/runtime/cache.py": """\
        import os


        def key():
            return "trunk cache"


        def neighbour():
            with open(os.path.join(os.path.dirname(os.path.realpath(__file__)), "data.txt")) as f:
                return f.read()
        """,
    "triton/runtime/data.txt": "trunk data\n",
    "triton/language/__init__.py": """\
        from .core import add, Base


        class Derived(Base):
            pass
        """,
    "triton/language/core.py": """\
        class Base:
            def name(self):
                return "trunk base"


        def add(a, b):
            return a + b
        """,
}

# A merge of functions, one of a class, a whole module, a new module and a data file.
OVERLAY = {
    "triton/testing.py": """\
        import functools


        def decorate(fn):
            @functools.wraps(fn)
            def wrapper(*args, **kwargs):
                return fn(*args, **kwargs)
            return wrapper


        @decorate
        def bench(fn, times=2):
            if times == 0:
                raise ValueError("vendor")
            return ["vendor bench", *[fn() for _ in range(times)]]
        """,
    "triton/language/core.py": """\
        class Base:
            def name(self):
                return (lambda: "vendor base")()

            class Inner:
                def fail(self):
                    raise KeyError("inner")


        def add(a, b):
            return a + b
        """,
    "triton/runtime/cache.py": """\
        from . import data
        import os


        def key():
            return "vendor cache"


        def neighbour():
            with open(os.path.join(os.path.dirname(os.path.realpath(__file__)), "data.txt")) as f:
                return f.read()
        """,
    "triton/runtime/data.py": "WHERE = __name__\n",
    "triton/runtime/data.txt": "vendor data\n",
}


def write(folder, files):
    """Writes {path: text or bytes} below a folder, texts without their indentation."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else textwrap.dedent(text).encode())


class Site:
    """Below a folder: the trunk in site/, vendors in vendors/<name>/, the cache in cache/."""

    def __init__(self, folder, overlay=None, trunk=None):
        self.folder, self.interpreter, self.wrapper = folder, sys.executable, []
        self.site, self.vendors, self.cache = folder / "site", folder / "vendors", folder / "cache"
        write(self.site, TRUNK if trunk is None else trunk)
        self.add(OVERLAY if overlay is None else overlay)

    def add(self, files, backend="acme"):
        """Writes files of a backend's spec folder."""
        write(self.vendors / backend / "spec", files)

    def vendor(self, name, backend="acme"):
        """The path of a vendor's file."""
        return str(self.vendors / backend / "spec" / name)

    def environment(self, **more):
        """The variables of a Python that finds triton_spec and the trunk; None takes one away."""
        values = {"PYTHONPATH": f"{PACKAGES}:{self.site}", "TRITON_SPEC_CACHE": str(self.cache),
                  "SPEC_PATH": str(self.vendors), "TRITON_SPEC_LOG": "0",
                  "HOME": str(self.folder / "home"), **more}
        found = clean_environment(**{key: value for key, value in values.items()
                                     if value is not None})
        for name in ("PYTHONDONTWRITEBYTECODE", "PYTHONUNBUFFERED", "VIRTUAL_ENV"):
            if name not in values:
                found.pop(name, None)
        return found

    def run(self, *words, check=True, env=None, **how):
        """Runs Python with these words; the finished process, with its outputs as text."""
        how = {"capture_output": True, "text": True, "timeout": 120, "cwd": self.folder, **how}
        done = subprocess.run([*self.wrapper, self.interpreter, *map(str, words)], check=False,
                              env=self.environment(**env or {}), **how)
        assert not check or done.returncode == 0, f"{done.returncode}\n{done.stdout}\n{done.stderr}"
        return done

    def freeze(self):
        """Takes the right to write from trunk, overlay and cache, from root too."""
        for path in (self.folder, *self.folder.rglob("*")):
            if not path.is_symlink():
                path.chmod(path.stat().st_mode & ~0o222)
        if os.geteuid() == 0:  # without capabilities, root is stopped by a file's mode
            self.wrapper = ["setpriv", "--bounding-set=-all"]

    def python(self, code, *flags, **how):
        """Runs code; what it printed."""
        return self.run(*flags, "-c", textwrap.dedent(code), **how).stdout

    def active(self, code, *flags, **how):
        """Runs code with acme activated, `show` printing an object; that object."""
        head = ("import json, triton_spec\noverlay = triton_spec.activate('acme')\n"
                "def show(value): print('<<' + json.dumps(value))\n")
        out = self.run(*flags, "-c", head + textwrap.dedent(code), **how).stdout
        return json.loads(out.rpartition("<<")[2]) if "<<" in out else out

    def fails(self, code, *flags, **how):
        """Runs code that must end with an error; what it said."""
        done = self.run(*flags, "-c", textwrap.dedent(code), check=False, **how)
        assert done.returncode == 1, f"{done.returncode}\n{done.stdout}\n{done.stderr}"
        return done.stderr
