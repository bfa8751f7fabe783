"""Stands for triton.language.extra.libdevice: functions that become tt.extern_elementwise."""

from triton.language import core


@core.extern
def pow(base, exponent, _semantic=None):
    return core.extern_elementwise(
        "", "", [base, exponent],
        {(core.dtype("fp32"), core.dtype("fp32")): ("powf", core.dtype("fp32"))},
        is_pure=True, _semantic=_semantic)
