"""Python texts are split into the statements that Python itself finds, with the same names."""

import ast
import pathlib
import re
import sysconfig
import unicodedata
import warnings
from collections import Counter

import pytest
from package.python_names import describe
from package.python_texts import text_of


def normal(name):
    """As Python compares names."""
    return unicodedata.normalize("NFKC", name)


def described(body):
    """The tool's statements in the form of python_names.describe."""
    return [(s["kind"], s["line"], s["word_line"], s["last_line"],
             Counter(normal(name) for name, _, _ in s["binds"]),
             Counter((normal(name), local, annotation) for name, local, annotation in s["uses"]),
             s["decorators"], described(s["body"]))
            for s in body]


def parsed(text):
    """Python's statements of a text."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of escapes and comparisons that only look odd
        tree = ast.parse(text)
    return describe(tree.body, re.split("\r\n|\r|\n", text.decode("utf-8-sig")))


def differs(tool, path):
    """What is wrong about a file, or None."""
    data = path.read_bytes()
    try:
        expected = parsed(data)
    except (SyntaxError, ValueError, UnicodeDecodeError):
        return None
    answer = tool.ask(statements_of=str(path))
    if "fault" in answer:
        return None if "coding" in answer["fault"] or "UTF-8" in answer["fault"] else answer
    return None if described(answer["body"]) == expected else "other statements or names"


def modules(root):
    """The Python files of a folder; of a whole library without its tests, which take a minute."""
    return [path for path in sorted(root.rglob("*.py"))
            if not {"site-packages", "test", "tests", "idlelib"} & set(path.relative_to(root).parts)]


@pytest.mark.parametrize("step", [5, pytest.param(1, marks=pytest.mark.slow)])
def test_the_standard_library(tool, step):
    """Every fifth module, and at night each."""
    paths = modules(pathlib.Path(sysconfig.get_path("stdlib")))[::step]
    assert len(paths) > 400 / step
    assert {str(path): why for path in paths if (why := differs(tool, path))} == {}


def test_triton(tool, triton_folder):
    paths = sorted(triton_folder.rglob("*.py"))
    assert len(paths) > 100
    assert {str(path): why for path in paths if (why := differs(tool, path))} == {}


def python_accepts(text):
    """Python's statements of a text, or None if it is no Python of this version."""
    try:
        return parsed(text.encode())
    except SyntaxError:
        return None


def test_hostile_texts(tool):
    accepted = 0
    for seed in range(1000):
        text = text_of(seed)
        expected, answer = python_accepts(text), tool.ask(statements=text)
        if expected is not None:
            accepted += 1
            assert "fault" not in answer, (answer, text)
            assert described(answer["body"]) == expected, text
    assert accepted > 500
