"""The device backend '@name@' of Triton, which finds it through its entry point: pyproject.toml."""
