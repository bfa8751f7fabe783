"""Makes a failing case small: as few files and lines as still show the same fault."""

import dataclasses


def _parts(items, size):
    """The list without one run of `size` items, for each such run."""
    for start in range(0, len(items), size):
        yield items[:start] + items[start + size:]


def _smaller(items, holds):
    """The shortest list found by leaving out runs of items; holds(items) tells whether the fault stays."""
    size = max(1, len(items) // 2)
    while True:
        for fewer in _parts(items, size):
            if holds(fewer):
                items = fewer
                break
        else:
            if size == 1:
                return items
            size = max(1, size // 2)
        size = min(size, max(1, len(items)))


def shrink(case, fails):
    """The smallest case found for which fails(case) is true; it must be for the one given."""
    def with_names(names):
        return dataclasses.replace(case, files={name: case.files[name] for name in names})

    for simpler in ({"folder": "case"}, {"linked": False}, {"compiler": "gcc"}):
        candidate = dataclasses.replace(case, **simpler)
        if candidate != case and fails(candidate):
            case = candidate
    before = None
    while before != case:
        before = case
        names = _smaller(list(case.files), lambda names: fails(with_names(names)))
        case = with_names(names)
        for name in names:
            case = _shrink_text(case, name, fails)
    return case


def _shrink_text(case, name, fails):
    def with_lines(lines):
        return dataclasses.replace(case, files={**case.files, name: "\n".join(lines)})

    lines = case.files[name].split("\n")
    if lines == [""]:
        return case
    return with_lines(_smaller(lines, lambda lines: fails(with_lines(lines))))
