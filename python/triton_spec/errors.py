"""What triton_spec raises: one class for each thing that a program may want to catch."""

_SHOWN = 10  # findings that the text of an error lists


class SpecError(Exception):
    """What triton-spec cannot do, or finds wrong in an overlay.

    what      what is wrong, in a sentence
    where     the file, or "file:line"; "" when there is no place
    mend      what to do about it; "" when there is nothing to say
    code      a stable short name, as the command line prints it in brackets
    findings  what the engine found before it gave up, a list of dicts with the keys severity, code,
              where, message and mend
    """

    code = "error"

    def __init__(self, what="", where="", mend="", *, code=None, findings=()):
        super().__init__(what, where, mend)
        self.what, self.where, self.mend = what, where, mend
        self.findings = list(findings)
        if code is not None:
            self.code = code

    def __str__(self):
        lines = [self.what, *_details(self.where, self.mend, "  ")]
        for finding in self.findings[:_SHOWN]:
            lines.append(f"  {finding['severity']}[{finding['code']}]: {finding['message']}")
            lines += _details(finding["where"], finding["mend"], "    ")
        if len(self.findings) > _SHOWN:
            lines.append(f"  and {len(self.findings) - _SHOWN} more findings")
        return "\n".join(lines)


def _details(where, mend, indent):
    return [f"{indent}{label}: {text}" for label, text in (("at", where), ("mend", mend)) if text]


class SpecRefused(SpecError):
    """The overlay has findings of severity error; see `findings`."""

    code = "refused"


class SpecNotFound(SpecError):
    """No such trunk, overlay root, backend or package."""

    code = "not-found"


class SpecInvalid(SpecError):
    """A wrong call, name or setting, or a file that does not parse."""

    code = "invalid"


class SpecBusy(SpecError):
    """Another process works on the same thing."""

    code = "busy"


class SpecSystemError(SpecError):
    """The operating system refused; `what` has its reason."""

    code = "io"


class SpecHookError(SpecError, ImportError):
    """A backend's hook registry cannot be asked: what it raised when it was imported is `__cause__`.

    name  the registry's module, "triton.spec.<layer>.triton"
    path  the file that is at fault, as far as it is known
    """

    code = "hook"
