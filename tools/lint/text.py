"""What no text file may hold: trailing space, an unended last line, marks of an open merge, names of
private machines."""

import re

from .source import Finding

# A patch's context lines and a fuzzer's inputs are data: each byte of them counts.
DATA = ("tests/fuzz/corpus/",)
DATA_SUFFIXES = (".patch", ".diff", ".md.in")

# what it is, the pattern, the mend
PRIVATE = (
    ("a path of somebody's machine", r"(?<![\w./$}~-])/(?:work|root|home|Users)/\w",
     "use a path from the repository, the build folder or a variable"),
    ("the host of a package registry",
     r"\b(?:pypi\.org|(?:deb|security)\.debian\.org|apt\.llvm\.org|pythonhosted\.org|"
     r"npmjs\.(?:com|org)|crates\.io|proxy\.golang\.org)\b",
     "name the package; which registry serves it is the machine's setting"),
    ("an e-mail address", r"\b[\w.+-]+@(?!example\.(?:com|org)\b)[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}\b",
     "leave it out, or use one at example.org"),
)


def check(tree):
    """All findings of this module."""
    findings = []
    for path in tree.files:
        text = tree.text(path)
        if not text:
            continue
        data = path.startswith(DATA) or path.endswith(DATA_SUFFIXES)
        if not data and not text.endswith("\n"):
            findings.append(Finding(path, text.count("\n") + 1, "text", "the last line has no end"))
        for number, line in enumerate(text.split("\n"), 1):
            if not data and line != line.rstrip():
                findings.append(Finding(path, number, "text", "space at the end of the line"))
            if not data and re.match(r"(?:<{7}|>{7}|\|{7}) ", line):
                findings.append(Finding(path, number, "text", "a merge was left open here"))
            for what, pattern, mend in PRIVATE:
                match = re.search(pattern, line)
                if match:
                    findings.append(Finding(path, number, "text",
                                            f"'{match.group()}' is {what}: {mend}"))
    return findings
