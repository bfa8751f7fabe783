"""Toy packages named triton, and Python processes that use them."""

import os
import pathlib

ROOT = pathlib.Path(__file__).resolve().parents[2]

# Holds the package triton_spec that was built with the program under test.
PACKAGES = pathlib.Path(os.environ.get("TRITON_SPEC", ROOT / "build/dev/spec/triton-spec")).resolve(
    ).parents[1] / "python"
