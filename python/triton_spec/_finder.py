"""Finds a stage's package where the order of ``sys.path`` does not."""

import importlib.util
from importlib.machinery import PathFinder, SourceFileLoader

from . import _lines


class _Loader(SourceFileLoader):
    """Compiles a made module at each start."""

    def __init__(self, name, path, spans):
        super().__init__(name, path)
        self._spans = spans

    def get_code(self, fullname):
        return self.source_to_code(self.get_data(self.path), self.path)

    def source_to_code(self, data, path, *, _optimization=-1):
        return _lines.compile_text(data, path, self._spans, _optimization)


class StageFinder:
    """Finds ``triton`` and what is below it in a stage.

    stage is the stage's folder; uncached are the modules whose bytecode can't be kept, as
    _lines.prepare() returns them.
    """

    is_triton_spec = True  # _trunk.find() passes it over

    def __init__(self, stage, uncached):
        self.stage = stage
        self._uncached = uncached

    def find_spec(self, name, path=None, target=None):
        """The module's spec, or None."""
        if name != "triton" and not name.startswith("triton."):
            return None
        if name in self._uncached:
            file, spans = self._uncached[name]
            loader = _Loader(name, file, spans)
            return importlib.util.spec_from_file_location(name, file, loader=loader)
        return PathFinder.find_spec(name, [self.stage] if path is None else path)
