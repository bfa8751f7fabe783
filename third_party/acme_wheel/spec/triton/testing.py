"""Merged into the trunk's module, which keeps all its other functions."""


def get_max_simd_tflops(dtype, clock_rate, device=None):
    """Return the peak of acme's vector units in 10^12 operations per second; `clock_rate` in kHz."""
    lanes = {"torch.float32": 64, "torch.float16": 128}[str(dtype)]
    return lanes * 2 * 48 * clock_rate * 1e-9
