"""What Triton calls to run kernels on @name@: the launcher, the memory and the clock of the CPU (triton_cpu).

Triton takes the one concrete subclass of DriverBase that it finds in this module, so import modules, not classes.
"""

import os

from triton.backends.compiler import GPUTarget
from triton_cpu import driver as cpu


class @Name@Driver(cpu.CPUDriver):

    @classmethod
    def is_active(cls):
        """Only one driver may be: that of a real device asks here whether there is one."""
        return os.environ.get("TRITON_DEFAULT_BACKEND") == "@name@"

    def get_current_target(self):
        return GPUTarget("@name@", "@name@1", 1)  # backend, architecture, threads of a warp
