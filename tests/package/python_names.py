"""What Python's own parser says about the statements of a module: the oracle of test_statements.py.

A statement is (kind, line, word line, last line, names bound, names used, number of decorators,
statements inside). A used name is (name, classes around that answer it, whether only an annotation
uses it)."""

import ast
from collections import Counter

KINDS = {
    "FunctionDef": "function", "AsyncFunctionDef": "function", "ClassDef": "class",
    "Import": "import", "ImportFrom": "from", "Assign": "assignment", "AugAssign": "assignment",
    "AnnAssign": "assignment", "TypeAlias": "type", "Delete": "del", "Expr": "expression",
    "If": "if", "Try": "try", "TryStar": "try", "For": "for", "AsyncFor": "for", "While": "while",
    "With": "with", "AsyncWith": "with", "Match": "match",
}


class Names(ast.NodeVisitor):
    """What one statement uses and binds when it runs. `answered` are the names that the class body
    around has bound for certain, `depth` the number of classes around."""

    def __init__(self, depth, answered):
        self.binds, self.uses = Counter(), Counter()
        self.depth, self.answered, self.annotation = depth, answered, False

    def visit_all(self, nodes):
        for node in nodes:
            if node is not None:
                self.visit(node)

    def use(self, name):
        self.uses[name, self.depth if name in self.answered else 0, self.annotation] += 1

    def annotate(self, *nodes):
        self.annotation, before = True, self.annotation
        self.visit_all(nodes)
        self.annotation = before

    def without(self, hidden, visit):
        """Notes what `visit` notes but for the names that are hidden from it."""
        outer, self.uses = self.uses, Counter()
        visit()
        outer.update({use: n for use, n in self.uses.items() if use[0] not in hidden})
        self.uses = outer

    # expressions

    def visit_Name(self, node):
        if isinstance(node.ctx, ast.Load):
            self.use(node.id)
        else:
            self.binds[node.id] += 1

    def visit_Lambda(self, node):
        self.visit_all([*node.args.defaults, *node.args.kw_defaults])

    def comprehension(self, node, *results):
        first, *others = node.generators
        self.visit(first.iter)
        hidden = {name.id for clause in node.generators for name in ast.walk(clause.target)
                  if isinstance(name, ast.Name)}

        def rest():
            self.visit_all([*results, *first.ifs])
            for clause in others:
                self.visit_all([clause.iter, *clause.ifs])
        self.without(hidden, rest)

    def visit_ListComp(self, node):
        self.comprehension(node, node.elt)

    visit_SetComp = visit_GeneratorExp = visit_ListComp

    def visit_DictComp(self, node):
        self.comprehension(node, node.key, node.value)

    # definitions

    def visit_FunctionDef(self, node):
        self.visit_all(node.decorator_list)
        given = node.args

        def head():
            self.visit_all([*given.defaults, *given.kw_defaults])
            for arg in (*given.posonlyargs, *given.args, given.vararg, *given.kwonlyargs, given.kwarg):
                self.annotate(arg and arg.annotation)
            self.annotate(node.returns)
        self.without({p.name for p in getattr(node, "type_params", [])}, head)
        self.binds[node.name] += 1

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_ClassDef(self, node):
        self.visit_all(node.decorator_list)
        self.without({p.name for p in getattr(node, "type_params", [])},
                     lambda: self.visit_all([*node.bases, *(k.value for k in node.keywords)]))
        answered = set()
        for child in node.body:
            inner = Names(self.depth + 1, answered)
            inner.visit(child)
            self.uses.update(inner.uses)
            if is_certain(child):
                answered.update(inner.binds)
        self.binds[node.name] += 1

    # statements

    def visit_Import(self, node):
        self.binds.update(a.asname or a.name.split(".")[0] for a in node.names)

    def visit_ImportFrom(self, node):
        self.binds.update(a.asname or a.name for a in node.names if a.name != "*")

    def visit_AugAssign(self, node):
        if isinstance(node.target, ast.Name):
            self.use(node.target.id)
        self.visit_all([node.target, node.value])

    def visit_AnnAssign(self, node):
        self.visit(node.target)
        self.annotate(node.annotation)
        self.visit_all([node.value])

    def visit_TypeAlias(self, node):
        self.visit(node.name)

    def visit_ExceptHandler(self, node):
        self.visit_all([node.type, *node.body])

    def visit_MatchAs(self, node):
        self.generic_visit(node)
        self.binds.update([node.name] if node.name else [])

    def visit_MatchStar(self, node):
        self.binds.update([node.name] if node.name else [])

    def visit_MatchMapping(self, node):
        self.generic_visit(node)
        self.binds.update([node.rest] if node.rest else [])


COMPOUND = {"if", "try", "for", "while", "with", "match"}


def is_certain(node):
    """Whether a statement binds for certain what it may bind."""
    declares = isinstance(node, ast.AnnAssign) and node.value is None
    return (KINDS.get(type(node).__name__) not in COMPOUND and not declares and
            not isinstance(node, ast.Delete))


def blocks(node, lines):
    """The statements inside a class or a compound statement, in the order of the text. Python has an
    `elif` as an `if` inside an `else`; here it is a clause."""
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return []
    parts = [node, *getattr(node, "handlers", []), *getattr(node, "cases", [])]
    found = []
    for part in parts:
        for field in ("body", "orelse", "finalbody"):
            for inner in getattr(part, field, []):
                text = lines[inner.lineno - 1].encode()[inner.col_offset:]
                elif_ = field == "orelse" and isinstance(inner, ast.If) and text.startswith(b"elif")
                found += blocks(inner, lines) if elif_ else [inner]
    return sorted(found, key=lambda s: (s.lineno, s.col_offset))


def describe(body, lines, depth=0, answered=(), certain=True):
    """The statements of a block of the module whose lines those are, as tuples. `depth` is the number
    of classes around; `certain`: no compound statement is around in the same class."""
    answered, found = set(answered), []
    for node in body:
        names = Names(depth, answered)
        names.visit(node)
        decorators = getattr(node, "decorator_list", [])
        kind = KINDS.get(type(node).__name__, "simple")
        inside = blocks(node, lines)
        inside = (describe(inside, lines, depth + 1) if kind == "class" else
                  describe(inside, lines, depth, answered, certain=False))
        first = min([node.lineno, *(d.lineno for d in decorators)])
        found.append((kind, first, node.lineno, node.end_lineno, names.binds, names.uses,
                      len(decorators), inside))
        if depth and certain and is_certain(node):
            answered.update(names.binds)
    return found
