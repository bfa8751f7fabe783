"""How long a kernel takes, and what was measured: bench().

Each mode answers another question, so the result says which it was:
  graph  the kernel alone: replays of a CUDA graph between two events (needs torch)
  event  the kernel with what a launch costs the device: launches between two events (needs torch)
  wall   the whole, host included, from the first launch until the device has done the last
  host   what one launch costs the host, with nothing waited for
"""

import dataclasses
import statistics
import time

from .device import cuda_device, cuda_synchronize
from .errors import RunnerError

MODES = ("graph", "event", "wall", "host")


@dataclasses.dataclass
class Measurement:
    """Times of single launches in microseconds: median of all batches, and their spread.

    spread  (first quartile, third quartile, least, greatest)
    khz     the device's highest clock as its driver tells it; 0 on the host
    """

    mode: str
    flush: bool
    median: float
    spread: tuple
    batches: int
    launches: int
    device: str
    khz: int

    def __str__(self):
        first, third, least, most = self.spread
        clock = f", clock up to {self.khz / 1000:.0f} MHz" if self.khz else ""
        return (f"{self.median:.2f} us (quartiles {first:.2f} to {third:.2f}, all {least:.2f} to {most:.2f}; "
                f"{self.mode}, {'L2 flushed' if self.flush else 'L2 warm'}, {self.batches} batches of {self.launches}, "
                f"{self.device}{clock})")


def _on_device(mode, run, device, flush, batches):
    """Milliseconds of run() on the device in each batch; what flushes is outside the timed region."""
    try:
        import torch
    except ImportError as error:
        raise RunnerError(f"mode \"{mode}\" needs torch", "", "mode=\"wall\" does not") from error
    if mode == "graph":
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            run()
        run = graph.replay
    # What is written over is twice the second-level cache.
    before = torch.empty(2 * device["l2"] // 4, dtype=torch.int32, device="cuda").zero_ if flush else (lambda: None)
    pairs = [(torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)) for _ in range(batches)]
    for begin, end in pairs:
        before()
        begin.record()
        run()
        end.record()
    torch.cuda.synchronize()
    return [begin.elapsed_time(end) for begin, end in pairs]


def _by_clock(mode, run, wait, batches):
    times = []
    for _ in range(batches):
        wait()
        begin = time.perf_counter_ns()
        run()
        if mode == "wall":
            wait()
        times.append((time.perf_counter_ns() - begin) / 1e6)
        wait()
    return times


def bench(kernel, grid, args, *, flush=False, mode="graph", batches=40, launches=None):
    """The Measurement of kernel[grid](*args).

    flush     write over the device's L2 cache before each batch, which then is one launch
    mode      see the module
    launches  in each batch; default: 1 with flush, else 20
    Every launch is checked as always: an error is raised, not timed.
    """
    if mode not in MODES:
        raise RunnerError(f"no mode {mode!r}", "", f"the modes are {', '.join(MODES)}")
    if flush and mode not in ("graph", "event"):
        raise RunnerError(f"mode \"{mode}\" cannot leave out of its time what flushes the cache", "",
                          "mode=\"graph\" or \"event\"")
    on_gpu = kernel.target.backend == "cuda"
    launches = launches or (1 if flush else 20)
    bound = kernel[grid]
    device = cuda_device() if on_gpu else {"khz": 0}
    wait = cuda_synchronize if on_gpu else (lambda: None)

    def run():
        for _ in range(launches):
            bound(*args)
    for _ in range(3):
        bound(*args)
    wait()
    if mode in ("graph", "event"):
        if not on_gpu:
            raise RunnerError(f"mode \"{mode}\" needs a GPU", "", "mode=\"wall\"")
        times = _on_device(mode, run, device, flush, batches)
    else:
        times = _by_clock(mode, run, wait, batches)
    each = sorted(1000 * value / launches for value in times)
    quartiles = statistics.quantiles(each, n=4) if len(each) > 1 else (each[0],) * 3
    return Measurement(mode, flush, statistics.median(each), (quartiles[0], quartiles[2], each[0], each[-1]), batches,
                       launches, f"{kernel.target.backend}:{kernel.target.arch}", device["khz"])
