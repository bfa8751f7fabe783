"""Conversions from and to fp8e4b15, which MLIR has no type for: Triton keeps it as an i8.

Its 4 bits of exponent have fp16's bias of 15, so that its bits are fp16's bits 7 to 14 and the sign; it has
neither infinities nor NaNs.
"""

import triton.language.core as core


def convert_custom_types(value, to, rounding=None, _semantic=None):
    """The value as elements of the scalar type of `to`."""
    if value.type.scalar.is_fp8e4b15():
        return _semantic.cast(_widened(value, _semantic), to)
    return _narrowed(_semantic.cast(value, _like(value, core.float16)), to, _semantic)


def _like(value, scalar):
    return value.type.with_element_ty(scalar) if value.type.is_block() else scalar


def _constant(value, number, semantic):
    made = semantic.to_tensor(core.constexpr(number))
    made = semantic.cast(made, core.uint16)
    return semantic.splat(made, value.shape) if value.type.is_block() else made


def _widened(value, semantic):
    bits = semantic.cast(semantic.bitcast(value, _like(value, core.uint8)), _like(value, core.uint16))
    magnitude = semantic.shl(semantic.and_(bits, _constant(bits, 0x7f, semantic)), _constant(bits, 7, semantic))
    sign = semantic.shl(semantic.and_(bits, _constant(bits, 0x80, semantic)), _constant(bits, 8, semantic))
    return semantic.bitcast(semantic.or_(magnitude, sign), _like(value, core.float16))


def _narrowed(half, to, semantic):
    """Rounds to the nearest, ties to even; what is larger than 1.875 becomes 1.875."""
    bits = semantic.bitcast(half, _like(half, core.uint16))

    def constant(number):
        return _constant(bits, number, semantic)
    magnitude = semantic.and_(bits, constant(0x7fff))
    magnitude = semantic.minimum(magnitude, constant(0x3f80), core.PropagateNan.NONE)
    odd = semantic.and_(semantic.lshr(magnitude, constant(7)), constant(1))
    rounded = semantic.add(semantic.add(magnitude, constant(0x3f), False), odd, False)
    made = semantic.or_(semantic.lshr(rounded, constant(7)),
                        semantic.and_(semantic.lshr(bits, constant(8)), constant(0x80)))
    return semantic.bitcast(semantic.cast(made, _like(half, core.uint8)), _like(half, to.scalar))
