"""The finder that waits for ``import triton``; the text of the .pth file that ``enable`` writes.

It must do without triton_spec until then: the folder that has it need not be on the path yet, and it
may have been uninstalled.
"""
import sys


class Finder:
    """Activates the overlay of FLAGTREE_BACKEND when triton is first asked for."""

    is_triton_spec = is_triton_spec_startup = True

    @classmethod
    def find_spec(cls, name, path=None, target=None):
        if name != "triton":
            return None
        try:
            from triton_spec._startup import find
        except ModuleNotFoundError as error:
            if error.name is None or error.name.partition(".")[0] != "triton_spec":
                raise
            import warnings
            sys.meta_path.remove(cls)
            warnings.warn("FLAGTREE_BACKEND is set, but triton_spec is not installed: this is triton "
                          "without an overlay; install triton-spec, or delete triton-spec.pth from "
                          "site-packages", RuntimeWarning)
            return None
        return find()


sys.meta_path.insert(0, Finder)
