"""What live mode says on standard error.

``TRITON_SPEC_LOG``: unset, one line an activation and the engine's warnings; ``1``, a line for each
override too, as a build prints them; ``0``, nothing. Children that take over their parent's overlay
say something with ``1`` only.
"""

import os
import sys

_NOTES = {"add": " (added)", "remove": " (removed)", "hooks": " (hooks)", "patch": " (patched)"}


def _note(override):
    """How the override's file stands for the trunk's, "" when it replaces it."""
    merged = override["action"] == "replace" and override.get("policy") == "merge"
    return " (merged)" if merged else _NOTES.get(override["action"], "")


def override_text(override):
    """A line of the SPEC log."""
    return f"SPEC: {override['trunk']} -> {override['vendor']}{_note(override)}"


def finding_text(finding):
    """A finding in the form of the command line."""
    lines = [f"{finding['severity']}[{finding['code']}]: {finding['message']}"]
    lines += [f"  {label}: {finding[key]}" for label, key in (("at", "where"), ("mend", "mend"))
              if finding[key]]
    return "\n".join(lines)


def error_text(error):
    """A SpecError in the form of the command line, what is wrong with the overlay first.

    Report.event() has told what is less severe."""
    wrong = [finding for finding in error.findings if finding["severity"] == "error"]
    findings = [*wrong, {"severity": "error", "code": error.code, "message": error.what,
                                  "where": error.where, "mend": error.mend}]
    return "\n".join(map(finding_text, findings))


class Report:
    """Prints what an activation finds. quiet: nothing at all."""

    def __init__(self, quiet=False):
        level = os.environ.get("TRITON_SPEC_LOG", "")
        self._silent = quiet or level == "0"
        self._whole = not self._silent and level not in ("", "0")

    @staticmethod
    def _print(text):
        if sys.stderr is not None:  # pythonw and daemons have none
            print(text, file=sys.stderr)

    def event(self, finding):
        """For the engine: a note, warning or error; errors are raised in the end anyway."""
        if finding["severity"] == "warning" and not self._silent or self._whole:
            if finding["severity"] != "error":
                self._print(finding_text(finding))

    def activation(self, overlay):
        """A new activation."""
        if self._silent:
            return
        if self._whole:
            for override in overlay.overrides:
                self._print(override_text(override))
        count = len(overlay.overrides)
        self._print(f"SPEC: {overlay.backend}: {count} override{'' if count == 1 else 's'} over "
                    f"{overlay.trunk}/triton")

    def adoption(self, overlay):
        """An overlay that a parent process has put on the path."""
        if self._whole:
            self._print(f"SPEC: {overlay.backend}: the parent's overlay, {overlay.path}")
