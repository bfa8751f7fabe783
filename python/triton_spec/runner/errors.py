"""What the runner raises: each before anything is launched, so that process and device stay as they were."""

from ..errors import SpecError


class RunnerError(SpecError):
    """What is common to all: a kernel that cannot be loaded, compiled or launched as asked."""

    code = "runner"


class ArchError(RunnerError):
    """The file is for another architecture than the target or the device."""

    code = "arch"


class MissingMetadata(RunnerError):
    """A file does not say what its launch needs.

    fields  the names of what is missing, as the sidecar has them
    """

    code = "missing-metadata"

    def __init__(self, what="", where="", mend="", *, fields=(), **more):
        super().__init__(what, where, mend, **more)
        self.fields = tuple(fields)


class StaleMetadata(RunnerError):
    """Metadata and what it describes no longer belong together."""

    code = "stale-metadata"


class SignatureMismatch(RunnerError, TypeError):
    """Arguments that the kernel was not compiled for: their number, types, values or alignment."""

    code = "signature"


class CorruptBinary(RunnerError):
    """A binary that is cut off, damaged, or not of the kind that its name says."""

    code = "corrupt-binary"


class UnknownPass(RunnerError):
    """No pass of that name or index in the plan; the mend lists near ones."""

    code = "unknown-pass"


class NotAResumePoint(RunnerError):
    """A dump that was made inside another pass, or that names no pass of this version's plan."""

    code = "no-resume-point"


class CompileFailed(RunnerError):
    """The compiler refused the text; `what` has its message, `__cause__` its exception."""

    code = "compile"


class CompileAborted(CompileFailed):
    """The compiler ended its process, which was a child of this one; `what` has its last words."""

    code = "compile-aborted"


class LaunchFailed(RunnerError, RuntimeError):
    """The driver refused a launch, or the kernel's own program failed; `what` has the reason."""

    code = "launch"
