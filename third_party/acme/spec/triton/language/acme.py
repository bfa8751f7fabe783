"""What a kernel may ask about acme. The trunk has no such module."""


def lanes():
    """Return the number of threads of a warp."""
    return 64
