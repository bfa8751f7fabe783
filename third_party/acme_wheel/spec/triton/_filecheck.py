"""Merged into the trunk's module: the target that its functions have as a default."""

stub_target = GPUTarget("cuda", 90, 32)
