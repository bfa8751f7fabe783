"""The devices that the compiler knows."""

from ..backends import DriverBase


class NullDriver(DriverBase):
    """Stands for the absence of a device: kernels can be compiled, not run."""

    @classmethod
    def is_active(cls):
        return True

    def get_current_target(self):
        return "none"


def find_active(drivers=(NullDriver, )):
    """Return an instance of the first driver that is active; RuntimeError if none is."""
    for driver in drivers:
        if driver.is_active():
            return driver()
    raise RuntimeError(f"none of the {len(drivers)} drivers is active")
