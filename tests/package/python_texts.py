"""Python texts that are hard to split: strings with brackets and comments in them, brackets and
comments with strings in them, continued lines, blocks in blocks."""

import random

NAMES = ["a", "b", "match", "case", "type", "_", "é", "lambda_", "fr", "t"]
PIECES = ["#", "'", '"', "(", "]", "{{", "}}", "\\\\", "\\'", '\\"', " ", "x", ";", ":", "def f():",
          "\t", "\\N{EM DASH}", "=", "\\\n"]
# Replacement fields as all versions take them, with the quotes that are free inside '...' or "...".
FIELDS = ["{a}", "{a!r}", "{a:>{b}}", "{a=}", "{(lambda x: x)(1)}", "{a:%H:%M}", "{ {1: 2}[1] }",
          "{[x for x in a]}", "{a != b}", "{a:=^5}"]
LEAVES = ["1", "0x1F", "1_0.e-1j", ".5", "...", "None", "(1if a else 2)"]
COMPOUND_VALUES = [
    "({} + {})", "{n}.b", "(lambda x, y={}, *z: {})", "[{} for a in {} if {} for b, c in {}]",
    "{{b: {} for (b, *c) in {}}}", "a(*{}, b={}, **{})", "({} if {} else {})", "(c := {})", "{n}[{}]",
    "({},{s}{}{s})", "[{s}{},]", "a({s}{},{s}b={}{s})", "{{{s}{}:{s}{}}}", "(yield)",
]
SIMPLE = [
    "{}", "{n} = {}", "{n}: {}", "{n}: {} = {}", "{n} += {}", "({n}, [c, *d]), e.x, f[{}] = g = {}",
    "x = lambda {n}={}: {}", "assert {}, {}", "del {n}, x[{}]", "import a.b, c as d",
    "from .. import (a,\n  b as c, # x\n )", "from a import *", "pass", "import a; import b", "type({})",
    "global q", "raise {} from {}",
]
SPACES = ["", " ", "\n", " # ) ' \n", "\\\n", "\n\n   \t"]
HEADS = [
    ["def f(x: {} = {}, /, *, y=lambda: {}, **z) -> {}"], ["class {n}(a, b={})"], ["async def {n}()"],
    ["if {}", "elif {}", "else"], ["try", "except ({}) as e", "finally"],
    ["for a, (b, *c) in {}", "else"], ["with ({}) as a, b as (c, d)"], ["while {}"],
]


class Writer:
    """Writes texts from a source of random choices."""

    def __init__(self, seed):
        self.random = random.Random(seed)

    def choose(self, among):
        return self.random.choice(among)

    def string(self):
        """A literal of any form. Only what its quotes allow is in it."""
        prefix, quote = self.choose(["", "r", "b", "Rb", "u", "f", "rF"]), self.choose(
            ["'", '"', "'''", '"""'])
        pieces = self.random.choices(PIECES + (["\n", "# x\n"] if len(quote) == 3 else []),
                                     k=self.random.randrange(5))
        if prefix.lower() not in ("", "u", "f"):
            pieces = [piece for piece in pieces if "DASH" not in piece]
        if "f" in prefix.lower():
            pieces += self.random.choices(FIELDS, k=self.random.randrange(4))
        pieces = [piece for piece in pieces if quote[0] not in piece or piece[0] == "\\"]
        return prefix + quote + "".join(pieces) + quote

    def fill(self, form, depth):
        """A form with names for {n}, blanks for {s}, and values for {}."""
        values = [self.value(depth - 1) for _ in range(form.count("{}"))]
        return form.format(*values, n=self.choose(NAMES), s=self.choose(SPACES))

    def value(self, depth=3):
        if depth <= 0 or self.random.random() < 0.3:
            return self.choose([self.choose(NAMES), self.choose(LEAVES), self.string()])
        return self.fill(self.choose(COMPOUND_VALUES), depth)

    def simple(self):
        line = "; ".join(self.fill(self.choose(SIMPLE), 3) for _ in range(self.choose([1, 1, 2])))
        return line + self.choose(["", "", ";", "  # ("])

    def clause(self, head, depth, indent):
        if self.random.random() < 0.2:
            return [f"{indent}{head}: pass"]
        step = self.choose(["  ", "    ", "\t", " \t"])
        return [f"{indent}{head}:  # :", *self.block(depth - 1, indent + step)]

    def compound(self, depth, indent):
        if self.random.random() < 0.15:
            step = self.choose([" ", "\t"])
            return [f"{indent}match {self.value()}:",
                    *self.clause("case [a, {'k': b.c, **d}, E(f=g)] if x", depth, indent + step)]
        heads = self.choose(HEADS)
        decorated = heads[0].startswith(("def", "class", "async")) and self.random.random() < 0.5
        lines = [f"{indent}@a.b({self.value()})"] if decorated else []
        for head in heads:
            lines += self.clause(self.fill(head, 2), depth, indent)
        return lines

    def block(self, depth, indent):
        """Lines of statements, some of them with blocks of their own."""
        lines = []
        for _ in range(self.random.randint(1, 3)):
            lines += (self.compound(depth, indent) if depth > 0 and self.random.random() < 0.5
                      else [indent + self.simple()])
            lines += self.choose([[], [], [""], ["# comment"], [" \f "], ["   # odd"]])
        return lines


def text_of(seed):
    """A module, in one of the ways in which files are stored."""
    writer = Writer(seed)
    text = "\n".join(writer.block(2, "")) + writer.choose(["", "\n", "\n\n", "  # x"])
    text = text.replace("\n", writer.choose(["\n", "\n", "\r\n", "\r"]))
    return writer.choose(["", "\ufeff", "# coding: utf-8\n", "\f"]) + text
