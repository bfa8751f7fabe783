"""The part of torch's device modules that Triton's benchmarks and autotuner use, for the processor: work is
done when a call returns, so that a stream has nothing to wait for."""

import time


class Event:
    """A moment. elapsed_time gives milliseconds, never 0: Triton divides by it."""

    def __init__(self, enable_timing=False, blocking=False, interprocess=False):
        self.moment = None

    def record(self, stream=None):
        self.moment = time.perf_counter_ns()

    def elapsed_time(self, end):
        if self.moment is None or end.moment is None:
            raise RuntimeError("both events must be recorded before the time between them is asked for")
        return max(end.moment - self.moment, 1) * 1e-6

    def synchronize(self):
        pass

    def wait(self, stream=None):
        pass

    def query(self):
        return True


class Stream:
    """The order of calls, which is the program's own."""

    cuda_stream = 0

    def synchronize(self):
        pass

    def record_event(self, event=None):
        event = event or Event()
        event.record(self)
        return event

    def wait_stream(self, stream):
        pass

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return None


class DeviceInterface:
    """As torch.cuda, of what Triton uses of it."""

    Event = Event
    Stream = Stream

    @staticmethod
    def synchronize(device=None):
        pass

    @staticmethod
    def current_device():
        return 0

    @staticmethod
    def set_device(device):
        pass

    @staticmethod
    def device_count():
        return 1

    @staticmethod
    def is_available():
        return True

    @staticmethod
    def current_stream(device=None):
        return Stream()

    default_stream = current_stream

    @staticmethod
    def stream(stream):
        return stream


CACHE_BYTES = 64 << 20  # more than a core's share of the last level


def empty_cache():
    """Memory that clear_cache sweeps through, so that a measured kernel finds nothing of its data."""
    return bytearray(CACHE_BYTES)


def clear_cache(cache):
    import ctypes
    place = (ctypes.c_char * len(cache)).from_buffer(cache)
    ctypes.memset(ctypes.addressof(place), 0, len(cache))
