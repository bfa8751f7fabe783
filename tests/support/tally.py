"""Counts the launches on the cpu device and the kernels that they launched, over all of pytest-xdist's workers."""

import pytest


class Tally:
    """A plugin of pytest. A kernel is one that was compiled: a function for types and constants."""

    def __init__(self):
        self.launches, self.kernels = 0, set()

    def listen(self, knobs):
        """Hears of each launch and of each kernel that is made or found in the cache."""
        knobs.runtime.launch_enter_hook.add(lambda _metadata: self.add(1, ()))
        knobs.compilation.listener = self.compiled

    def compiled(self, *, metadata, **_more):
        """Called with a kernel of any device."""
        if metadata["target"].backend == "cpu":
            self.add(0, [metadata["hash"]])

    def add(self, launches, kernels):
        self.launches += launches
        self.kernels.update(kernels)

    def pytest_sessionfinish(self, session):
        if hasattr(session.config, "workeroutput"):
            session.config.workeroutput["tally"] = self.launches, sorted(self.kernels)

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node):
        self.add(*getattr(node, "workeroutput", {}).get("tally", (0, ())))

    def pytest_terminal_summary(self, terminalreporter):
        if self.launches:
            terminalreporter.write_line(f"cpu device: {self.launches} launches of {len(self.kernels)} kernels")
