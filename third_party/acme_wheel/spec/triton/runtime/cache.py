"""acme's cache of compiled kernels, in place of the trunk's module: folders two deep, files written whole or not at all."""

import functools
import hashlib
import json
import os
import pathlib
import tempfile
from abc import ABC, abstractmethod

from triton import __version__, knobs

PACKAGE = pathlib.Path(__file__).resolve().parent.parent


class CacheManager(ABC):
    """The files of one key."""

    def __init__(self, key, override=False, dump=False):
        pass

    @abstractmethod
    def get_file(self, filename):
        """Return the file's path, or None."""

    @abstractmethod
    def put(self, data, filename, binary=True):
        """Store a file; return its path."""

    @abstractmethod
    def get_group(self, filename):
        """Return the files stored together under a name, as {name: path}, or None."""

    @abstractmethod
    def put_group(self, filename, group):
        """Store which files belong together; return the path of the list."""


class FileCacheManager(CacheManager):
    """Keeps them in a folder."""

    def __init__(self, key, override=False, dump=False):
        root = knobs.cache.dump_dir if dump else knobs.cache.override_dir if override else knobs.cache.dir
        if not root:
            raise RuntimeError("no folder is set for the cache")
        self.key = key
        self.cache_dir = os.path.join(root, key[:2], key)
        if not override:
            os.makedirs(self.cache_dir, exist_ok=True)

    def get_file(self, filename):
        path = os.path.join(self.cache_dir, filename)
        return path if os.path.exists(path) else None

    def has_file(self, filename):
        """Return whether the file is there."""
        return self.get_file(filename) is not None

    def put(self, data, filename, binary=True):
        path = os.path.join(self.cache_dir, filename)
        whole = data if isinstance(data, bytes) else str(data).encode()
        handle, part = tempfile.mkstemp(dir=self.cache_dir)
        with os.fdopen(handle, "wb") as file:
            file.write(whole)
        os.replace(part, path)
        return path

    def get_group(self, filename):
        path = self.get_file(f"group.{filename}")
        if path is None:
            return None
        names = json.loads(pathlib.Path(path).read_text())
        return {name: os.path.join(self.cache_dir, name) for name in names if self.has_file(name)}

    def put_group(self, filename, group):
        return self.put(json.dumps(sorted(group)), f"group.{filename}")


class RemoteCacheBackend(ABC):
    """A place for files beyond this machine. acme has none."""

    def __init__(self, key):
        self.key = key

    @abstractmethod
    def get(self, filenames):
        """Return {name: bytes} of those that are there."""

    @abstractmethod
    def put(self, filename, data):
        """Store a file."""


class RedisRemoteCacheBackend(RemoteCacheBackend):
    """Refused: acme's machines reach no server."""

    def __init__(self, key):
        raise NotImplementedError("acme keeps kernels on the machine alone")

    def get(self, filenames):
        raise NotImplementedError

    def put(self, filename, data):
        raise NotImplementedError


def _manager(key, **kind):
    return (knobs.cache.manager_class or FileCacheManager)(key.lower(), **kind)


def get_cache_manager(key):
    """Return the files of what was compiled under a key."""
    return _manager(key)


def get_override_manager(key):
    """Return the files that stand for what a key would give."""
    return _manager(key, override=True)


def get_dump_manager(key):
    """Return where what a key gives is shown."""
    return _manager(key, dump=True)


def make_so_cache_key(version_hash, signature, constants, ids, **kwargs):
    """Return the key of a launcher."""
    return hashlib.sha256(repr((version_hash, signature, constants, ids, sorted(kwargs.items()))).encode()).hexdigest()


@functools.lru_cache(maxsize=None)
def triton_key():
    """Return a text that differs for every other compiler: its version and all its files."""
    digest = hashlib.sha256()
    for path in sorted(PACKAGE.rglob("*")):
        if path.suffix in (".py", ".so") and path.is_file():
            digest.update(str(path.relative_to(PACKAGE)).encode())
            digest.update(path.read_bytes())
    return f"acme-{__version__}-{digest.hexdigest()}"


def get_cache_key(src, backend, backend_options, env_vars):
    """Return the key of one compilation."""
    return "-".join((triton_key(), src.hash(), backend.hash(), backend_options.hash(), str(sorted(env_vars.items()))))
