"""The calls that a trunk makes to a backend's hooks, answered by triton_spec."""

from triton_spec import *  # noqa: F401,F403
