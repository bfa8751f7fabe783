"""Run with the toy overlay active: each function asks Python's own tools about it; main prints
{name: answer} as JSON. What they must say is in test_behaviour.py."""

import bdb
import doctest
import importlib
import importlib.metadata
import importlib.resources
import importlib.util
import inspect
import io
import json
import linecache
import logging
import multiprocessing
import os
import pickle
import pkgutil
import sys
import threading
import trace
import traceback
import unittest.mock
import warnings

import triton
from triton import language, runtime, testing
from triton.runtime import cache

import triton_spec

STAGE = triton_spec.active().path
VENDORS = os.path.dirname(triton_spec.active().overrides[0]["vendor"].partition("/spec/")[0])


def shown(path):
    """A path without what differs from run to run."""
    return path.replace(STAGE, "<stage>").replace(VENDORS, "<vendors>")


def frames(function, *arguments):
    """[file:line function] of the traceback of what a call raises."""
    try:
        function(*arguments)
    except Exception as error:
        return [f"{shown(frame.filename)}:{frame.lineno} {frame.name}"
                for frame in traceback.extract_tb(error.__traceback__)[1:]]
    return None


def probe_tracebacks():
    return [frames(testing.caller, int, 0), frames(language.core.Base.Inner().fail), frames(testing.trunk_fails),
            frames(cache.fails)]


def probe_traceback_text():
    try:
        testing.caller(int, 0)
    except ValueError:
        return shown(traceback.format_exc()).split("\n")[-4:-1]


def probe_source():
    functions = [testing.bench, testing.unchanged, language.core.Base, language.core.Base.Inner.fail, cache.key]
    return {f.__qualname__: [inspect.getsource(f).split("\n")[0].strip(), inspect.getsourcelines(f)[1],
                             shown(inspect.getsourcefile(f))] for f in functions}


def probe_module_source():
    return [inspect.getsource(m) == open(m.__file__, encoding="utf-8").read() for m in (testing, cache, language)]


def probe_files():
    return [shown(m.__file__) for m in (triton, testing, cache, language.core)]


def probe_spawn():
    context = multiprocessing.get_context("spawn")
    with context.Pool(1) as pool:
        return [pool.apply(testing.caller, (int, 1)), pool.apply(cache.key),
                pool.apply(pickle.loads, (pickle.dumps(language.Derived()),)).name()]


def probe_pickle():
    things = [testing.bench, testing.unchanged, language.core.Base, language.core.Base.Inner, cache.key]
    return [pickle.loads(pickle.dumps(thing)) is thing for thing in things]


def probe_walk_packages():
    return sorted(module.name for module in pkgutil.walk_packages(triton.__path__, "triton."))


def probe_resources():
    folder = importlib.resources.files("triton.runtime")
    return [folder.joinpath("data.txt").read_text(encoding="utf-8"),
            sorted(item.name for item in folder.iterdir() if not item.name.startswith("__"))]


def probe_pkgutil_data():
    return pkgutil.get_data("triton.runtime", "data.txt").decode()


def probe_reload():
    before = testing.bench
    again = [importlib.reload(m) is m for m in (testing, cache, triton)]
    return [again, testing.bench is not before, testing.bench(int, 1), frames(testing.bench, int, 0)[-1]]


def probe_metadata():
    found = importlib.metadata.distribution("triton")
    return [importlib.metadata.version("triton"), found.metadata["Name"],
            sorted(set(importlib.metadata.packages_distributions()["triton"]))]


def probe_doctest():
    tests = [test for test in doctest.DocTestFinder(exclude_empty=True).find(testing) if test.examples]
    runner = doctest.DocTestRunner(verbose=False)
    results = [runner.run(test) for test in tests]
    return [[test.name for test in tests], [result.failed for result in results]]


def probe_coverage():
    tracer = trace.Trace(count=True, trace=False)
    tracer.runfunc(testing.caller, int, 1)
    return sorted(f"{shown(file)}:{line}" for file, line in tracer.results().counts
                  if file.startswith((STAGE, VENDORS)))


def probe_breakpoint():
    class Debugger(bdb.Bdb):
        hit = None

        def user_line(self, frame):
            if self.break_here(frame):
                self.hit = f"{shown(frame.f_code.co_filename)}:{frame.f_lineno}"

    debugger = Debugger()
    vendor = inspect.unwrap(testing.bench).__code__.co_filename
    line = next(n for n, text in enumerate(linecache.getlines(vendor), 1) if 'return ["vendor' in text)
    assert debugger.set_break(vendor, line) is None
    debugger.runcall(testing.caller, int, 1)
    return [debugger.hit == f"{shown(vendor)}:{line}", shown(vendor)]


def probe_warning():
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        testing.warn()
    return f"{shown(caught[0].filename)}:{caught[0].lineno}"


def probe_logging():
    records = []
    handler = logging.Handler()
    handler.emit = records.append
    logging.getLogger("toy").addHandler(handler)
    testing.log()
    return f"{shown(records[0].pathname)}:{records[0].lineno} {records[0].funcName}"


def probe_patching():
    with unittest.mock.patch("triton.testing.bench", lambda *_: "patched"):
        return [testing.caller(int), testing.bench(int)]


def probe_one_file_one_module():
    registry = importlib.import_module("triton.spec.acme.triton")
    alias = importlib.import_module("triton.spec.acme.triton.runtime.cache")
    return [alias is cache, registry.hook(), shown(registry.__file__), frames(registry.fails)]


def probe_relative_imports():
    return [cache.data is runtime.data, cache.data.WHERE, cache.data.__package__]


def probe_find_spec():
    names = "triton", "triton.testing", "triton.runtime.data", "triton.no_such"
    return [spec and shown(spec.origin) for spec in map(importlib.util.find_spec, names)]


def probe_threads():
    names, found = ["triton.runtime.late%d" % n for n in range(8)], []
    threads = [threading.Thread(target=lambda n=n: found.append(importlib.import_module(n).x)) for n in names]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sorted(found)


def probe_help():
    out = io.StringIO()
    import pydoc
    pydoc.Helper(output=out).help(testing.bench)
    return "The vendor's." in out.getvalue()


if __name__ == "__main__":
    print(json.dumps({name.removeprefix("probe_"): probe()
                      for name, probe in list(globals().items()) if name.startswith("probe_")}))
