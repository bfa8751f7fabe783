"""The documents tell the truth about the repository: commands and links that they name exist."""

import os
import re

from .source import Finding


def make_targets(tree):
    """The names that `make` understands here, as the Makefile's rules give them."""
    names = set()
    for line in (tree.text("Makefile") if "Makefile" in tree.files else "").split("\n"):
        match = re.match(r"([A-Za-z][\w ./-]*):(?!=)", line)
        if match:
            names.update(match.group(1).split())
    return names


def _documents(tree):
    return tree.matching((".md",), outside=("tests/trunk/", "tests/cmake/"))


def check_commands(tree):
    """`make X` and `tools/X` in a document, where there is no such target or tool."""
    findings = []
    targets = make_targets(tree)
    for path in _documents(tree):
        for number, line in enumerate(tree.text(path).split("\n"), 1):
            for name in re.findall(r"(?:^\s*|`|\$ |&& )make ([a-z][\w-]*)", line):
                if name not in targets:
                    findings.append(Finding(path, number, "docs", (
                        f"`make {name}`: the Makefile has no such target")))
            for name in re.findall(r"(?:^\s*|`|\$ )(tools/[\w/.-]*\w)", line):
                if not tree.exists(name):
                    findings.append(Finding(path, number, "docs", f"{name} does not exist"))
    return findings


def check_links(tree):
    """Links of the documents to files that are not there."""
    findings = []
    for path in _documents(tree):
        for number, line in enumerate(tree.text(path).split("\n"), 1):
            for link in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", re.sub(r"`[^`]*`", "", line)):
                if re.match(r"[a-z]+:", link):
                    continue
                target = os.path.normpath(os.path.join(os.path.dirname(path), link))
                if not tree.exists(target):
                    findings.append(Finding(path, number, "docs", (
                        f"the link to {link} leads to no file")))
    return findings


def check_hooks(tree):
    """Hooks of .pre-commit-config.yaml that come from elsewhere or call what is not there."""
    findings = []
    name = ".pre-commit-config.yaml"
    for number, line in enumerate((tree.text(name) if name in tree.files else "").split("\n"), 1):
        repo = re.match(r"\s*-?\s*repo:\s*(\S+)", line)
        if repo and repo.group(1) != "local":
            findings.append(Finding(name, number, "docs", f"repo {repo.group(1)}: local hooks only"))
        entry = re.match(r"\s*-?\s*entry:\s*(\S+)", line)
        if entry and not tree.exists(entry.group(1)):
            findings.append(Finding(name, number, "docs", f"{entry.group(1)} does not exist"))
    return findings


def check(tree):
    """All findings of this module."""
    return check_commands(tree) + check_links(tree) + check_hooks(tree)
