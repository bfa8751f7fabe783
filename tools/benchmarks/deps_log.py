"""Writes Ninja's binary log of depfiles, .ninja_deps, as a build would have left it.

Version 4, as of Ninja 1.10: a signature, then records that begin with their size, 32 bits little-endian. A
path gets the next number the first time it is named; a dependency record, whose size has the highest bit
set, holds the number of the output, its time in nanoseconds, and the numbers of its inputs.
"""

import struct

SIGNATURE = b"# ninjadeps\n" + struct.pack("<I", 4)
_DEPS = 0x80000000


def _path(number, name):
    name = name.encode()
    name += b"\0" * (-len(name) % 4)
    return struct.pack("<I", len(name) + 4) + name + struct.pack("<I", ~number & 0xFFFFFFFF)


def _deps(output, inputs, time):
    return struct.pack(f"<IIQ{len(inputs)}I", _DEPS | (12 + 4 * len(inputs)), output, time, *inputs)


def write(file, units, time=1):
    """Writes the log to a path.

    units  {output: [its inputs]}, spelled as Ninja knows them
    time   of every output, nanoseconds
    """
    numbers = {}
    with open(file, "wb") as log:
        log.write(SIGNATURE)
        for output, inputs in units.items():
            for name in (output, *inputs):
                if name not in numbers:
                    log.write(_path(len(numbers), name))
                    numbers[name] = len(numbers)
            log.write(_deps(numbers[output], [numbers[name] for name in inputs], time))
