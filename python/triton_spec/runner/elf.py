"""What a cubin says of itself: its architecture, its kernels and their parameters.

A cubin is a 64-bit ELF file for machine 190; what a kernel's launch needs stands in its section
.nv.info.<kernel>, a list of attributes.
"""

import dataclasses
import struct

from .errors import CorruptBinary

_MACHINE, _NO_BITS = 190, 8
_PARAMETER = 0x17


@dataclasses.dataclass
class Cubin:
    """arch is the compute capability times ten: 90 for 9.0. kernels: {name: bytes of each parameter in order}."""

    arch: int
    kernels: dict


def _corrupt(what, where):
    return CorruptBinary(f"the cubin is damaged: {what}", where, "compile it again, or load another level")


def _sections(data, where):
    """({name: bytes}, flags, ABI version) of an ELF file whose every section lies within it."""
    if data[:4] != b"\x7fELF" or len(data) < 64:
        raise _corrupt("it does not begin as an ELF file", where)
    machine, = struct.unpack_from("<H", data, 18)
    if data[4] != 2 or machine != _MACHINE:
        raise _corrupt(f"it is an ELF file for machine {machine}, not a 64-bit one for {_MACHINE}", where)
    segments, start, flags = struct.unpack_from("<QQI", data, 32)
    segment_size, segment_count, size, count, names_at = struct.unpack_from("<HHHHH", data, 54)
    if segments + segment_size * segment_count > len(data):
        raise _corrupt(f"its table of segments ends at byte {segments + segment_size * segment_count}, the file has "
                       f"{len(data)}", where)
    if size != 64 or start + size * count > len(data) or names_at >= count:
        raise _corrupt(f"its section table ends at byte {start + size * count}, the file has {len(data)}", where)
    table = [struct.unpack_from("<IIQQQQ", data, start + i * size) for i in range(count)]
    for _name, kind, _flags, _address, offset, length in table:
        if kind != _NO_BITS and offset + length > len(data):
            raise _corrupt(f"a section ends at byte {offset + length}, the file has {len(data)}", where)
    names = data[table[names_at][4]:table[names_at][4] + table[names_at][5]]
    sections = {}
    for name, kind, _flags, _address, offset, length in table:
        text = names[name:names.find(b"\0", name)].decode("utf-8", "replace")
        sections[text] = b"" if kind == _NO_BITS else data[offset:offset + length]
    return sections, flags, data[8]


def _attributes(section):
    """(number, value) of each attribute of a section .nv.info."""
    at = 0
    while at + 4 <= len(section):
        form, number, length = struct.unpack_from("<BBH", section, at)
        if form != 4:  # the value stands in place of its length
            yield number, section[at + 2:at + 4]
            at += 4
            continue
        value, = struct.unpack_from(f"{length}s", section, at + 4)
        yield number, value
        at += 4 + length


def _sizes(section):
    """Bytes of each parameter of the kernel whose attributes these are."""
    sizes = {}
    for number, value in _attributes(section):
        if number == _PARAMETER:
            index, packed = struct.unpack_from("<4xH2xI", value)
            sizes[index] = packed >> 18
    return [sizes[index] for index in sorted(sizes)]


def read_cubin(data, where=""):
    """The Cubin of these bytes. where: the file, for messages. Raises CorruptBinary."""
    sections, flags, abi = _sections(data, where)
    begin = ".nv.info."
    try:
        kernels = {name[len(begin):]: _sizes(section)
                   for name, section in sections.items() if name.startswith(begin)}
    except struct.error as error:
        raise _corrupt("an attribute of a kernel is cut off", where) from error
    if not kernels:
        raise _corrupt("it has no kernel", where)
    return Cubin((flags >> 8 if abi >= 8 else flags) & 0xff, kernels)
