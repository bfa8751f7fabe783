"""Sizes, banned functions, comments, text and documents; each rule is tried on a tree that breaks it."""

import shutil
import subprocess
import sys

import pytest

from lint import docs, style, text
from lint.source import c_functions


@pytest.mark.parametrize("rule", [
    style.check_sizes, style.check_banned, style.check_header_comments, style.check_cmake_comments,
    style.check_modules,
    text.check, docs.check_commands, docs.check_links, docs.check_hooks,
], ids=lambda rule: rule.__name__)
def test_repository_keeps_the_rule(repository, rule):
    assert [str(finding) for finding in rule(repository)] == []


def places(findings):
    return [(finding.path, finding.line) for finding in findings]


# --- sizes -------------------------------------------------------------------------------------

def c_function(lines):
    return "static int f(int a,\n             int b) {\n" + "  a = b;\n" * (lines - 3) + "}\n"


def test_long_file_is_found(tree_of):
    tree = tree_of({"a.c": "\n" * 501, "b.c": "\n" * 500, "README.md": "\n" * 600})
    assert places(style.check_sizes(tree)) == [("a.c", 0)]


@pytest.mark.parametrize("name, make", [
    ("a.c", c_function),
    ("a.h", c_function),
    ("a.py", lambda lines: "def f():\n" + "    pass\n" * (lines - 1)),
    ("a.cmake", lambda lines: "function(f)\n" + "  set(a b)\n" * (lines - 2) + "endfunction()\n"),
    ("x/CMakeLists.txt", lambda lines: "macro(f)\n" + "  set(a b)\n" * (lines - 2) + "endmacro()\n"),
])
def test_long_function_is_found(tree_of, name, make):
    tree = tree_of({name: "\n" + make(61), "sound/" + name: make(60)})
    assert places(style.check_sizes(tree)) == [(name, 2)]


def test_modules_of_one_name_are_found(tree_of):
    tree = tree_of({"tests/a/test_x.py": "", "tests/b/test_x.py": "", "tests/c/test_y.py": "", "tests/d/other.py": "",
                    "tests/e/other.py": "", "tests/p/__init__.py": "", "tests/p/test_x.py": ""})
    assert places(style.check_modules(tree)) == [("tests/b/test_x.py", 0)]


def test_functions_are_told_from_what_looks_like_them():
    code = """
#define LOOP(x) do { x(); } while (0)
struct s { int (*call)(void); };
typedef struct { int a; } t;
static const int table[] = {1, 2};
enum e { A, B };
int declared(int a);
extern "C" {
int (*pointer)(void) = 0;
static inline t *first(struct s *s, int (*g)(void)) { if (s) { g(); } return "}"; }
}
int
second(void)
{
  for (;;) { }
}
"""
    assert list(c_functions(code)) == [("first", 10, 10), ("second", 12, 16)]


# --- banned functions --------------------------------------------------------------------------

@pytest.mark.parametrize("name", sorted(style.BANNED))
def test_banned_call_is_found(tree_of, name):
    code = f'/* {name}(x) */\nint f(void) {{ s = "{name}(x)"; t->{name}(x); my_{name}(x); return 0; }}\n'
    tree = tree_of({"spec/core/a.c": code + f"int g(void) {{ return {name} (x); }}\n"})
    assert places(style.check_banned(tree)) == [("spec/core/a.c", 3)]


# --- comments of public interfaces -------------------------------------------------------------

def test_declaration_without_comment_is_found(tree_of):
    header = """/* file */
typedef void fn(int);
/* Makes one. */
int spec_new(int a,
             int b);
void spec_free(void);
int spec_beside(void); /* The count. */

int spec_bare(int (*f)(void));
// A line comment.
int spec_line(void);
struct spec_s { void (*free)(void); };
"""
    tree = tree_of({"spec/include/spec.h": header})
    found = style.check_header_comments(tree)
    assert places(found) == [("spec/include/spec.h", 9)]
    assert "spec_bare" in found[0].message


def test_cmake_function_without_comment_or_reference_is_found(tree_of):
    module = """# Sets it.
function(spec_good a)
endfunction()

function(spec_bare)
endfunction()
#[[ Block. ]]
macro(flagtree_unlisted)
endmacro()
function(_spec_private)
endfunction()
"""
    tree = tree_of({"cmake/A.cmake": module, "docs/reference/cmake.md": "spec_good(a) spec_bare()\n"})
    found = style.check_cmake_comments(tree)
    assert places(found) == [("cmake/A.cmake", 5), ("cmake/A.cmake", 8)]
    assert "no comment" in found[0].message and "not in docs" in found[1].message


# --- text --------------------------------------------------------------------------------------

# Names in two parts: this file is looked at too.
@pytest.mark.parametrize("line", [
    "cd /wo" "rk/tree", "/ro" "ot/x", "a = '/ho" "me/somebody/x'", "from py" "pi.org", "deb.deb" "ian.org",
    "somebody" "@company.com", "trailing ", "trailing\t", "carriage return\r", "<<<<" "<<< HEAD",
])
def test_bad_line_is_found(tree_of, line):
    assert places(text.check(tree_of({"a.txt": f"good\n{line}\n"}))) == [("a.txt", 2)]


def test_last_line_without_end_is_found(tree_of):
    assert places(text.check(tree_of({"a.txt": "good\nbad"}))) == [("a.txt", 2)]


def test_data_and_lookalikes_are_no_findings(tree_of):
    tree = tree_of({
        "a.patch": " context \n \n",
        "tests/fuzz/corpus/x/1": "no end ",
        "image.png": b"\0 \n",
        "a.txt": "build/work/x ${root}/root/y \"$HOME/home/z\" someone@example.org a@b\n",
    })
    assert text.check(tree) == []


# --- documents ---------------------------------------------------------------------------------

MAKEFILE = "CC := x\nhelp:\n\t@true\ntest lint: help\n\t@true\n.PHONY: help\n"


def test_command_that_does_not_exist_is_found(tree_of):
    page = "Run `make test`, `make lint`.\n\n    make nothing\n\n`tools/check` `tools/absent`\nto make do\n"
    tree = tree_of({"Makefile": MAKEFILE, "README.md": page, "tools/check": "x\n"})
    assert places(docs.check_commands(tree)) == [("README.md", 3), ("README.md", 5)]


def test_dead_link_is_found(tree_of):
    page = "[a](b.md) [web](https://example.org) [up](../README.md#x)\n[dead](c.md)\n`[not](a link)`\n"
    tree = tree_of({"docs/a.md": page, "docs/b.md": "\n", "README.md": "[folder](docs/)\n"})
    assert places(docs.check_links(tree)) == [("docs/a.md", 2)]


def test_foreign_or_absent_hook_is_found(tree_of):
    config = "repos:\n- repo: elsewhere\n- repo: local\n  hooks:\n  - entry: tools/absent x\n"
    tree = tree_of({".pre-commit-config.yaml": config})
    assert places(docs.check_hooks(tree)) == [(".pre-commit-config.yaml", n) for n in (2, 5)]


# --- the command -------------------------------------------------------------------------------

def check(root, *arguments):
    """Runs a tree's tools/check."""
    return subprocess.run([sys.executable, root / "tools/check", *arguments], text=True,
                          capture_output=True, check=False)


def test_command_reports_what_a_rule_finds(repository, tmp_path):
    shutil.copytree(repository.root / "tools", tmp_path / "tools")
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    assert check(tmp_path, "text").returncode == 0
    (tmp_path / "bad.txt").write_text("space \n")
    result = check(tmp_path, "text")
    assert (result.returncode, result.stdout) == (1, "bad.txt:1: text: space at the end of the line\n")


def test_command_names_its_rules_when_asked_for_another(repository):
    result = check(repository.root, "nothing")
    assert result.returncode == 2
    assert "no rule 'nothing'" in result.stderr and "layers" in result.stderr
