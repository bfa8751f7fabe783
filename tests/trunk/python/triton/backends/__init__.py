"""What a device's backend implements."""

from abc import ABCMeta, abstractmethod


class DriverBase(metaclass=ABCMeta):

    @classmethod
    @abstractmethod
    def is_active(cls):
        """Return whether the device can be used."""

    @abstractmethod
    def get_current_target(self):
        """Return the device's name."""
