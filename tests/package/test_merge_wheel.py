"""Over the stock wheel: a vendor's module that repeats a definition of the trunk's changes nothing but
comments, for each definition of each module."""

import ast
import re
from itertools import groupby

import pytest

OURS = re.compile(r"^ *# spec: from .*\n", re.MULTILINE)


def first_line(node):
    """The line of the first decorator, or of the definition."""
    return min([node.lineno, *(d.lineno for d in node.decorator_list)])


def definitions(tree):
    """The definitions of a module's level, those of one name in a row together."""
    found = [node for node in tree.body
             if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))]
    return [list(group) for _, group in groupby(found, key=lambda node: node.name)]


def cut(lines, nodes):
    """The text of the lines from the first definition to the end of the last."""
    return "".join(lines[first_line(nodes[0]) - 1:nodes[-1].end_lineno])


@pytest.fixture(scope="module")
def modules(triton_folder):
    """(path, text, tree, its dump) of each module of the wheel."""
    found = []
    for path in sorted(triton_folder.rglob("*.py")):
        text = path.read_text()
        tree = ast.parse(text)
        found.append((path, text, tree, ast.dump(tree)))
    return found


def merge(tool, trunk, vendor):
    """The answer; that the vendor's is the trunk's is all that may be wrong."""
    answer = tool.ask(trunk=trunk, vendor=vendor)
    assert {f["code"] for f in answer["findings"]} <= {"merge-redundant"}, answer["findings"]
    return answer


def check_spans(answer, trunk, vendor):
    """Each line that a span covers is that line of its source; the others are comments or empty."""
    lines = answer["text"].split("\n")
    sources = {False: trunk.split("\n"), True: vendor.split("\n")}
    covered = {}
    for line, count, source_line, of_vendor in answer["spans"]:
        for i in range(count):
            assert line + i not in covered
            covered[line + i] = sources[of_vendor][source_line + i - 1]
    for number, text in enumerate(lines, 1):
        if number in covered:
            assert text == covered[number]
        else:
            assert not text or text.lstrip().startswith("# spec: from ")


def test_each_definition_of_each_module(tool, modules):
    count = 0
    for path, trunk, tree, dump in modules:
        lines = trunk.splitlines(keepends=True)
        for nodes in definitions(tree):
            text = merge(tool, trunk, cut(lines, nodes))["text"]
            # Between overloads there may be empty lines of ours.
            same = (OURS.sub("", text) == trunk if len(nodes) == 1 else
                    ast.dump(ast.parse(text)) == dump)
            assert same, (path, nodes[0].name)
            count += 1
    assert count > 1000


def test_all_definitions_of_each_module(tool, modules):
    for path, trunk, tree, dump in modules:
        lines = trunk.splitlines(keepends=True)
        vendor = "".join(cut(lines, nodes) + "\n" for nodes in definitions(tree))
        if vendor:
            answer = merge(tool, trunk, vendor)
            assert ast.dump(ast.parse(answer["text"])) == dump, path
            check_spans(answer, trunk, vendor)


def methods(node, lines):
    """The class as one that gives its own functions to itself; "" when it has none of its own."""
    body = "".join(cut(lines, nodes) for nodes in definitions(node))
    inlined = node.body[0].lineno == node.lineno
    return f"class {node.name}:  # spec: methods\n{body}" if body and not inlined else ""


def test_all_methods_of_each_module(tool, modules):
    count = 0
    for path, trunk, tree, dump in modules:
        lines = trunk.splitlines(keepends=True)
        classes = [methods(node, lines) for node in tree.body if isinstance(node, ast.ClassDef)]
        count += len(classes)
        if any(classes):
            answer = merge(tool, trunk, "".join(classes))
            assert ast.dump(ast.parse(answer["text"])) == dump, path
            check_spans(answer, trunk, "".join(classes))
    assert count > 100
