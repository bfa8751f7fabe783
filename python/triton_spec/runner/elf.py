"""What a cubin says of itself: its architecture, its kernels and their parameters.

A cubin is a 64-bit ELF file for machine 190; what a kernel's launch needs stands in its section
.nv.info.<kernel>, a list of attributes.
"""

import struct

from .errors import CorruptBinary

_MACHINE, _NO_BITS = 190, 8
_SECTION = "<IIQQQQ24x"  # name, type, flags, address, offset, length
_PARAMETER, _WITH_LENGTH = 0x17, 4
_BEGIN = b".nv.info."


def _piece(data, start, length):
    """The bytes from there on, of which none may be missing."""
    if start + length > len(data):
        raise ValueError(f"a part of it ends at byte {start + length}, the file has {len(data)}")
    return data[start:start + length]


def _sections(data):
    """{name: bytes} of an ELF file whose every section lies within it."""
    segments, sections = struct.unpack_from("<QQ", data, 32)
    segment_size, segment_count, size, count, names_at = struct.unpack_from("<HHHHH", data, 54)
    if size != struct.calcsize(_SECTION):
        raise ValueError(f"an entry of its section table has {size} bytes")
    _piece(data, segments, segment_size * segment_count)
    table = list(struct.iter_unpack(_SECTION, _piece(data, sections, size * count)))
    contents = [b"" if kind == _NO_BITS else _piece(data, offset, length) for _, kind, _, _, offset, length in table]
    names = contents[names_at]
    return {names[row[0]:names.find(b"\0", row[0])]: content for row, content in zip(table, contents)}


def _sizes(section):
    """Bytes of each parameter of the kernel whose attributes these are."""
    sizes, at = {}, 0
    while at < len(section):
        form, number, length = struct.unpack_from("<BBH", section, at)
        at += 4
        if form == _WITH_LENGTH:  # else the value stands in place of its length
            if number == _PARAMETER:
                index, packed = struct.unpack("<4xH2xI", _piece(section, at, length))
                sizes[index] = packed >> 18
            at += length
    return [sizes[index] for index in sorted(sizes)]


def read_cubin(data, where=""):
    """(arch, {kernel: bytes of each parameter in order}); arch is the compute capability times ten: 90 for 9.0.

    where: the file, for messages. Raises CorruptBinary.
    """
    try:
        if data[:5] != b"\x7fELF\x02" or struct.unpack_from("<H", data, 18) != (_MACHINE,):
            raise ValueError(f"it does not begin as a 64-bit ELF file for machine {_MACHINE}")
        flags, = struct.unpack_from("<I", data, 48)
        kernels = {name[len(_BEGIN):].decode("utf-8", "replace"): _sizes(content)
                   for name, content in _sections(data).items() if name.startswith(_BEGIN)}
        if not kernels:
            raise ValueError("it has no kernel")
    except (ValueError, IndexError, struct.error) as error:
        raise CorruptBinary(f"the cubin is damaged: {error}", where,
                            "compile it again, or load another level") from error
    return (flags >> 8 if data[8] >= 8 else flags) & 0xff, kernels
