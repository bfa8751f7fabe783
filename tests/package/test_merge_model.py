"""Merged modules run as a model says: whoever evaluates a name gets the vendor's definition of it if
there is one, else the trunk's; only an assignment of the vendor's before its definition gets the
trunk's. Where no order of statements gives that, it is refused.

Each statement binds one name to a record of who defined it and of what it evaluated for that."""

from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter

from hypothesis import given, settings, strategies as st

KINDS = ["def", "async def", "class", "assign", "branch"]


@dataclass(frozen=True)
class Statement:
    """Binds `name`, of the trunk or the vendor (`who`), and evaluates the names `uses`."""
    who: str
    name: str
    kind: str
    uses: tuple
    comment: bool

    def text(self):
        value = "(" + ", ".join([repr(self.who), repr(self.name), *self.uses]) + ",)"
        form = {
            "def": "def {n}(made={v}): pass",
            "async def": "async def {n}(\n    made={v}):\n        'x'",
            "class": "class {n}:\n    made = {v}",
            "assign": "{n} = {v}",
            "branch": "if True:\n    def {n}(made={v}):\n        return 1",
        }[self.kind]
        return "# of its own\n" * self.comment + form.format(n=self.name, v=value) + "\n"


def made(thing):
    """The record that a name is bound to, with those of what it evaluated in place of names."""
    record = (thing if isinstance(thing, tuple) else thing.made if isinstance(thing, type)
              else thing.__defaults__[0])
    return (*record[:2], *map(made, record[2:]))


@st.composite
def modules(draw, kinds=KINDS):
    """The statements of a trunk's module, in an order in which it runs, and of a vendor's, in any."""
    count = draw(st.integers(1, 6))
    trunk = []
    for i in range(count):
        uses = draw(st.lists(st.sampled_from([s.name for s in trunk]), max_size=2)) if trunk else []
        trunk.append(Statement("trunk", f"n{i}", draw(st.sampled_from(kinds)), tuple(uses),
                               draw(st.booleans())))
    names = draw(st.lists(st.sampled_from([f"n{i}" for i in range(count + 3)]), min_size=1,
                          max_size=5, unique=True))
    known = sorted({*names, *(s.name for s in trunk)})
    vendor = [Statement("vendor", name, draw(st.sampled_from(kinds[:-1])),
                        tuple(draw(st.lists(st.sampled_from([n for n in known if n != name]),
                                            max_size=2)) if len(known) > 1 else ()),
                        draw(st.booleans()))
              for name in names]
    return trunk, vendor


class Model:
    """What the merged module is to be: who evaluates whose binding of a name, and what must come
    before what for that."""

    def __init__(self, trunk, vendor):
        self.trunk, self.vendor = trunk, vendor
        self.trunks = {s.name: s for s in trunk}
        self.vendors = {s.name: s for s in vendor}
        self.winners = {**self.trunks, **self.vendors}

    def is_kept(self, name):
        """Whether the trunk's statement stays beside the vendor's: it is a branch, or an assignment
        of the vendor's evaluates the name before the vendor binds it."""
        return self.trunks[name].kind == "branch" or any(
            self.meant(s, name) is self.trunks[name] for s in self.vendor if name in s.uses)

    def meant(self, statement, name):
        """The statement whose binding of the name `statement` evaluates."""
        known = [s.name for s in self.vendor[:self.vendor.index(statement)]] \
            if statement.who == "vendor" else []
        early = statement.who == "vendor" and statement.kind == "assign" and name not in known
        return self.trunks[name] if early and name in self.trunks else self.winners[name]

    def record(self, statement):
        """The value that a statement gives its name."""
        return (statement.who, statement.name,
                *(self.record(self.meant(statement, used)) for used in statement.uses))

    def before(self, statement):
        """All that must come before a statement."""
        name = statement.name
        found = {self.meant(statement, used) for used in statement.uses}
        if statement.who == "trunk":
            at = self.trunk.index(statement)
            found |= {self.here(s) for s in self.trunk[:at]}
        elif name in self.trunks and self.is_kept(name):
            found |= {self.trunks[name]}
            found |= {s for s in self.vendor
                      if name in s.uses and self.meant(s, name) is self.trunks[name]}
        elif name in self.trunks:
            at = self.trunk.index(self.trunks[name])
            found |= {self.here(s) for s in self.trunk[:at]}
        return found

    def here(self, statement):
        """What is where the trunk has that statement."""
        name = statement.name
        return statement if name not in self.vendors or self.is_kept(name) else self.vendors[name]

    def statements(self):
        """All statements of the merged module."""
        return {*self.vendor, *map(self.here, self.trunk)}

    def has_order(self):
        """Whether no statement must come before itself."""
        try:
            tuple(TopologicalSorter({s: self.before(s) for s in self.statements()}).static_order())
        except CycleError:
            return False
        return True


def merge(tool, trunk, vendor):
    """The merged text, and the codes of all errors."""
    answer = tool.ask(trunk=trunk, vendor=vendor)
    return answer["text"], {f["code"] for f in answer["findings"] if f["severity"] == "error"}


def check(tool, trunk, vendor, as_text, space_of):
    """Merges the two and compares what running the text leaves with the model."""
    model = Model(trunk, vendor)
    text, errors = merge(tool, as_text(trunk, ""), as_text(vendor, "  # spec: methods"))
    if not model.has_order():
        assert errors == {"merge-order"}, text
        return
    assert errors == set()
    space = {}
    exec(compile(text, "merged", "exec"), space)
    space = space_of(space)
    assert {name: made(space[name]) for name in model.winners} == {
        name: model.record(statement) for name, statement in model.winners.items()}, text


@settings(max_examples=300, deadline=None)
@given(modules())
def test_modules(tool, pair):
    check(tool, *pair, lambda statements, _: "".join(s.text() for s in statements),
          lambda space: space)


def in_class(statements, mark):
    """The statements as the body of a class."""
    lines = "".join(s.text() for s in statements).splitlines(keepends=True)
    return f"class K:{mark}\n" + "".join("  " + line for line in lines)


@settings(max_examples=300, deadline=None)
@given(modules([kind for kind in KINDS if kind != "class"]))  # one sees no names of one around it
def test_members_of_a_class(tool, pair):
    check(tool, *pair, in_class, lambda space: vars(space["K"]))
