"""The layers of the code, and proof that each way to break them is noticed."""

import pytest

from lint import layers

# A tree in which every layer includes each layer that it may.
SOUND = {
    "spec/include/spec.h": "#include <stddef.h>\nint spec_plan_new(void);\n",
    "spec/base/arena.h": '#include "spec.h"\n',
    "spec/base/arena.c": '#include "base/arena.h"\nvoid *f(void) { return malloc(1); }\n',
    "spec/base/fs.c": "#include <fcntl.h>\n#include <sys/stat.h>\n#include <unistd.h>\n",
    "spec/base/fs_write.c": "#include <unistd.h>\n",
    "spec/diff/lines.h": '#include "base/arena.h"\n',
    "spec/core/plan.h": '#include "base/arena.h"\n#include "diff/lines.h"\n',
    "spec/core/plan.c": '#include "core/plan.h"\n#include "spec.h"\n',
    "spec/git/drift.h": '#include "core/plan.h"\n#include <git2.h>\n',
    "spec_cpp/stage.h": '#include "core/plan.h"\n',
    "spec_cpp/stage.c": '#include "stage.h"\n',
    "spec/cli/entry.c": '#include "git/drift.h"\n#include "spec_cpp/stage.h"\n#include <unistd.h>\n'
                       "int main(void) { printf(\"\"); exit(0); }\n",
    "python/src/module.c": '#include <Python.h>\n#include "core/plan.h"\n',
    "third_party/cpu/rt/ttabi.h": "#include <stdint.h>\n",
    "python/runner/host.c": '#include <Python.h>\n#include "ttabi.h"\n',
}


def test_repository_keeps_its_layers(repository):
    assert [str(finding) for finding in layers.check(repository)] == []


def test_sound_tree_is_clean(tree_of):
    assert layers.check(tree_of(SOUND)) == []


@pytest.mark.parametrize("path, include", [
    ("spec/include/spec.h", '"base/arena.h"'),
    ("spec/base/arena.h", '"core/plan.h"'),
    ("spec/base/arena.c", '"../core/plan.h"'),
    ("spec/base/arena.c", '"diff/lines.h"'),
    ("spec/diff/lines.h", '"core/plan.h"'),
    ("spec/core/plan.c", '"git/drift.h"'),
    ("spec/core/plan.c", '"spec_cpp/stage.h"'),
    ("spec/core/plan.c", "<spec_cpp/stage.h>"),
    ("spec/core/plan.c", '"stage.h"'),
    ("spec/git/drift.c", '"spec_cpp/stage.h"'),
    ("spec_cpp/stage.c", '"git/drift.h"'),
    ("spec_cpp/stage.c", '"cli/options.h"'),
    ("python/src/module.c", '"git/drift.h"'),
    ("python/runner/host.c", '"core/plan.h"'),
    ("third_party/cpu/rt/ttabi.h", '"base/arena.h"'),
    ("python/src/module.c", '"spec_cpp/stage.h"'),
    # a header out of its place
    ("spec/core/plan.c", "<git2.h>"),
    ("spec/cli/main.c", "<git2/merge.h>"),
    ("spec_cpp/stage.c", '"git2.h"'),
    ("spec/package/wheel.c", "<zlib.h>"),
    ("spec/package/wheel.c", "<nettle/sha2.h>"),
    ("spec/core/plan.h", "<Python.h>"),
    ("spec/core/plan.c", "<unistd.h>"),
    ("spec/base/path.c", "<unistd.h>"),
    ("spec/cli/cmd_plan.c", "<unistd.h>"),
    ("spec/cli/main.c", "<fcntl.h>"),
    ("spec_cpp/stage.c", "<sys/stat.h>"),
    ("spec/git/drift.c", "<dirent.h>"),
])
def test_wrong_include_is_found(tree_of, path, include):
    text = f"/* a comment */\n  #  include {include}\n"
    found = layers.check(tree_of({**SOUND, "spec/cli/options.h": "", path: text}))
    assert [(f.path, f.line) for f in found] == [(path, 2)]


@pytest.mark.parametrize("path", ["spec/base/buf.c", "spec/core/plan.c", "spec/git/drift.c",
                                  "spec_cpp/stage.c"])
@pytest.mark.parametrize("call", [
    'printf("x")', 'vprintf("x", a)', "puts(s)", "putchar('x')", "perror(s)", 'fprintf(stderr, "x")',
    "fputs(s, stdout)", "exit(1)", "_exit(1)", "_Exit(1)", "abort ()", "malloc(1)", "calloc(1, 1)",
    "realloc(p, 2)", "free(p)", "strdup(s)", "x = y ? malloc(1) : p",
])
def test_wrong_call_is_found(tree_of, path, call):
    found = layers.check(tree_of({**SOUND, path: f"void f(void) {{\n  {call};\n}}\n"}))
    assert [(f.path, f.line) for f in found] == [(path, 2)]


def test_command_line_may_print_but_not_allocate(tree_of):
    text = "void f(void) {\n  printf(s);\n  exit(1);\n  free(p);\n}\n"
    found = layers.check(tree_of({**SOUND, "spec/cli/cmd_plan.c": text}))
    assert [(f.path, f.line) for f in found] == [("spec/cli/cmd_plan.c", 4)]


@pytest.mark.parametrize("call", ["exit(1)", "abort()", "Py_FatalError(s)"])
def test_extension_that_ends_its_process_is_found(tree_of, call):
    found = layers.check(tree_of({**SOUND, "python/runner/host.c": f"void f(void) {{\n  {call};\n  free(p);\n}}\n"}))
    assert [(f.path, f.line) for f in found] == [("python/runner/host.c", 2)]


@pytest.mark.parametrize("text", [
    "/* printf(x) in words, then\n exit(1) */\n",
    "// free(p)\n",
    'const char *s = "malloc(1) and \\" exit(2)";\n',
    '// #include <git2.h>\n/*\n#include "git/drift.h"\n*/\n',
    "void f(void) { spec_plan_free(p); events->free(p); events.exit(1); }\n",
    "void f(void) { snprintf(b, 1, s); spec_buf_printf(b, s); }\n",
])
def test_what_only_looks_wrong_is_no_finding(tree_of, text):
    assert layers.check(tree_of({**SOUND, "spec/core/plan.c": text})) == []
