"""Merged into the trunk's module: a decorator and a base class that the trunk's own definitions use as they are made."""

BUILTINS_USED = set()
"""The names of the builtins that kernels of this process called."""


def builtin(fn):
    """Mark a function of the language, and keep account of who calls it."""

    @wraps(fn)
    def called(*args, _semantic=None, **kwargs):
        if _semantic is None:
            raise ValueError(f"only a kernel can call {fn.__name__}: is its function without @triton.jit?")
        BUILTINS_USED.add(fn.__name__)
        return fn(*args, _semantic=_semantic, **kwargs)

    setattr(called, TRITON_BUILTIN, True)
    called.signature = inspect.signature(fn)
    return called


class base_value:  # spec: methods
    acme_lanes = 64
