"""A signature is said to be narrower exactly when there is a call that only the old one takes."""

import itertools

from hypothesis import example, given, settings, strategies as st

NAMES = "abcd"
DEFAULTS = ["", "=1"]


@st.composite
def signatures(draw):
    """The text between the parentheses of a function with up to four parameters."""
    names = draw(st.permutations(NAMES))[:draw(st.integers(0, 4))]
    cuts = sorted(draw(st.integers(0, len(names))) for _ in range(2))
    before, middle, named = names[:cuts[0]], names[cuts[0]:cuts[1]], names[cuts[1]:]
    first_default = draw(st.integers(0, len(before) + len(middle)))
    positional = [name + ("=1" if i >= first_default else "")
                  for i, name in enumerate([*before, *middle])]
    parts = [*positional[:len(before)], *(["/"] if before else []), *positional[len(before):]]
    rest = draw(st.booleans())
    if rest or named:
        parts.append("*args" if rest else "*")
    parts += [name + draw(st.sampled_from(DEFAULTS)) for name in named]
    if draw(st.booleans()):
        parts.append("**kw")
    return ", ".join(parts)


def function(signature):
    """A function with these parameters."""
    space = {}
    exec(f"def f({signature}): pass", space)
    return space["f"]


def takes(callee, count, names):
    """Whether a function can be called so."""
    try:
        callee(*range(count), **dict.fromkeys(names))
    except TypeError:
        return False
    return True


def calls():
    """All calls that can tell two such signatures apart: up to five positional arguments, any of
    their names, and one that neither has."""
    for count in range(6):
        for size in range(6):
            for names in itertools.combinations(NAMES + "z", size):
                yield count, names


CALLS = list(calls())


@settings(max_examples=400, deadline=None)
@given(before=signatures(), now=signatures())
@example(before="a, /, **kw", now="a, **kw")
@example(before="a, **kw", now="a, /, **kw")
@example(before="*, a", now="a")
@example(before="a, b=1", now="a, c=1")
def test_a_narrower_signature_is_told_and_no_other(tool, before, now):
    old, new = function(before), function(now)
    lost = [call for call in CALLS if takes(old, *call) and not takes(new, *call)]
    why = tool.ask(before=f"def f({before}): pass", now=f"def f({now}): pass")["why"]
    assert (why is not None) == bool(lost), (why, lost[:3])


def reason(tool, before, now, **options):
    """Why `now` takes fewer calls."""
    return tool.ask(before=f"def f({before}): pass", now=f"def f({now}): pass", **options)["why"]


def test_the_reason_is_told(tool):
    assert reason(tool, "a, b", "a") == "parameter 'b' is missing"
    assert reason(tool, "a, b=1", "a, b") == "parameter 'b' has no default any more"
    assert reason(tool, "a", "a, b") == "the new parameter 'b' has no default"
    assert reason(tool, "a, b", "a, c") == "parameter 'b' is named 'c' now"
    assert reason(tool, "a, b", "a, *, b") == "parameter 'b' can be given by name only now"
    assert reason(tool, "a, b", "a, b, /") == "parameter 'a' can be given by position only now"
    assert reason(tool, "a, b=1", "b, a=1") == "parameter 'b' has no default any more"
    assert reason(tool, "a, b", "b, a") == "parameter 'a' has another position now"
    assert reason(tool, "a, *args", "a") == "it takes no further positional arguments (*args) any more"
    assert reason(tool, "a, **kw", "a") == "it takes no further names (**kw) any more"
    assert reason(tool, "a, /, **kw", "a, **kw") == (
        "'a' was a name for **kwargs and is a parameter of its own now")


def test_what_does_not_matter(tool):
    assert reason(tool, "a: int, b: str = 'x'", "a, b: 'y' = lambda x, y=1: (x, y), c=None") is None
    assert reason(tool, "a", "*args, **kwargs") is None


def test_nobody_names_the_object_of_a_method(tool):
    assert reason(tool, "self, a", "this, a") is not None
    assert reason(tool, "self, a", "this, a", method=True) is None
    assert reason(tool, "self, a", "this", method=True) == "parameter 'a' is missing"
