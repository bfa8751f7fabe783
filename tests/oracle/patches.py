"""Overrides of a case as patches: the same texts, reached by another way."""

import difflib
import random
import re

_CONTEXT = [1, 3, 1000]
_PLACES = {"spec_cpp": "", "python/src": "python/src/"}


def trunk_path(path):
    """The trunk path that a file of a layer stands for, or None: it is no file that builds read."""
    for folder, prefix in _PLACES.items():
        if path.startswith(folder + "/"):
            return prefix + path[len(folder) + 1:]
    return None


def diff(path, old, new, context):
    """A unified diff; old is None where the patch makes the file."""
    head = ("/dev/null" if old is None else f"a/{path}", f"b/{path}")
    return "".join(difflib.unified_diff((old or "").splitlines(True), new.splitlines(True), *head, n=context))


def _moved(text, lines):
    """The patch as one that was made where the file had more lines ahead."""
    return re.sub(r"(?m)^@@ -(\d+)(\S*) \+(\d+)(\S*) @@",
                  lambda m: f"@@ -{int(m[1]) + lines}{m[2]} +{int(m[3]) + lines}{m[4]} @@", text)


def _is_safe(old, text):
    """Whether all old lines of each hunk are in the base once, as a patch must have it."""
    for hunk in re.split(r"(?m)^@@.*@@\n", text)[1:]:
        wanted = "".join(line[1:] for line in hunk.splitlines(True) if line[0] in " -")
        if not wanted or len(re.findall(f"(?m)^(?={re.escape(wanted)})", old)) != 1:
            return False
    return True


def _patch(chance, path, old, new):
    """One of the patches that make `new` of `old`; None: it stays whole."""
    if old == new or not new.endswith("\n"):
        return None
    if old is None:
        return diff(path, None, new, 0)
    if not old.endswith("\n"):
        return None
    context = chance.choice(_CONTEXT)
    text = diff(path, old, new, context)
    if not _is_safe(old, text):
        context, text = 1000, diff(path, old, new, 1000)
    return _moved(text, chance.randint(1, 20)) if context == 1000 and chance.random() < 0.3 else text


def put(seed, overlay, trunk, layers):
    """Turns about a third of the overlay's {(layer, path): text} into patches of the trunk's {path: text} or of
    what the layers below make of it. Other random choices than the case's own decide, so that a case is
    the same but for the form of its overlay."""
    chance = random.Random(f"patches of {seed}")
    result, known = {}, dict(trunk)
    for layer in layers:
        for (_, path), text in sorted(item for item in overlay.items() if item[0][0] == layer):
            place, made = trunk_path(path), None
            if place is not None:
                if chance.random() < 0.35:
                    made = _patch(chance, place, known.get(place), text)
                known[place] = text
            result[layer, path if made is None else path + ".patch"] = text if made is None else made
    return result
