"""Finds and loads what a stage has of a vendor's modules; the path finds the others."""

import importlib.util
import marshal
import os
import sys
from importlib.machinery import PathFinder, SourceFileLoader

from . import _lines

# PEP 552: bytecode that is never compared with its source. A stage's files never change: another
# content is another stage.
_HEADER = importlib.util.MAGIC_NUMBER + (1).to_bytes(4, "little")


def cached(path):
    """Where the bytecode of a vendor's module is kept for this interpreter and its options.

    Beside Python's own for the same file, which a process may have made that knows of no vendor.
    """
    return importlib.util.cache_from_source(path, optimization=f"spec{sys.flags.optimize}")


def _read(path):
    """The code object of a file of bytecode, or None: there is none that this interpreter takes."""
    try:
        with open(path, "rb") as file:
            data = file.read()
        return marshal.loads(data[16:]) if data.startswith(_HEADER) else None
    except (OSError, EOFError, ValueError, TypeError):
        return None


def _write(path, text, code):
    """Writes bytecode by one rename, so that another process never reads half of it. OSError."""
    folder = os.path.dirname(path)
    os.makedirs(folder, exist_ok=True)
    if os.path.islink(folder):
        return
    temporary = f"{path}.{os.getpid()}"
    try:
        with open(temporary, "xb") as file:
            file.write(_HEADER + importlib.util.source_hash(text) + marshal.dumps(code))
        os.replace(temporary, path)
    except OSError:
        if os.path.lexists(temporary):
            os.unlink(temporary)
        raise


class _Loader(SourceFileLoader):
    """Loads a vendor's module, with code objects that name his file."""

    def __init__(self, name, path, spans):
        super().__init__(name, path)
        self.spans = spans

    def get_code(self, fullname):
        """The module's code object. SyntaxError, OSError."""
        _lines.keep_texts(self.path, self.spans)
        code = _read(cached(self.path))
        return self._compile() if code is None else code

    def source_to_code(self, data, path, *, _optimization=-1):
        """A text's code object, for who has another text of the module. SyntaxError."""
        return _lines.compile_text(data, path, self.spans, _optimization)

    def _compile(self):
        text = self.get_data(self.path)
        code = self.source_to_code(text, self.path)
        if not sys.dont_write_bytecode:
            try:
                _write(cached(self.path), text, code)
            except OSError:  # as Python itself: it is compiled at each start then
                pass
        return code


class _MergedLoader(_Loader):
    """The same of a merged module: its own code is of the stage's text, which has pieces of both."""

    def exec_module(self, module):
        """Runs the module; an error says whose line it comes from (in Python 3.11 and later)."""
        try:
            super().exec_module(module)
        except BaseException as error:
            place = self._place(error)
            if place is not None and hasattr(error, "add_note"):
                error.add_note("{}:{} is line {} of {}".format(*place))
            raise

    def _place(self, error):
        """(file of the stage, line, line of the vendor's file, that file), or None."""
        trace = error.__traceback__
        while trace is not None and trace.tb_frame.f_code.co_filename != self.path:
            trace = trace.tb_next
        found = self.spans.place(trace.tb_lineno, trace.tb_lineno) if trace is not None else None
        return None if found is None else (self.path, trace.tb_lineno, found[1], found[0])


class StageFinder:
    """Finds modules of ``triton`` in a stage.

    members     {module name: (path, Spans)} of what is a vendor's
    everything  whether it finds the others too, because of a finder that comes before the path's
    """

    is_triton_spec = True  # _trunk.find() passes it over

    def __init__(self, stage, members, everything):
        self.stage = stage
        self.everything = everything
        self._members = members

    def find_spec(self, name, path=None, target=None):
        """The module's spec, or None."""
        if name in self._members:
            file, spans = self._members[name]
            loader = (_Loader if spans.whole else _MergedLoader)(name, file, spans)
            return importlib.util.spec_from_file_location(name, file, loader=loader)
        if name == "triton" or self.everything and name.startswith("triton."):
            return PathFinder.find_spec(name, [self.stage] if path is None else path)
        return None
