"""Toy packages named triton, and Python processes that use them.

A Package is written below a fresh folder in one of two layouts: *staged*, as stage and bake make it, or
*FlagTree's*, with a marker file and the backend's files in triton/spec. What the trunk asks hooks with,
triton/_flagtree_spec.py, is the extension's functions or their twin in Python.
"""

import ast
import dataclasses
import json
import os
import pathlib
import subprocess
import sys

from .toy import clean_environment, write_tree

ROOT = pathlib.Path(__file__).resolve().parents[2]

# Holds the package triton_spec that was built with the program under test.
PACKAGES = pathlib.Path(os.environ.get("TRITON_SPEC", ROOT / "build/dev/spec/triton-spec")).resolve(
    ).parents[1] / "python"

BAKED = ROOT / "python/baked"
IMPLEMENTATIONS = {"extension": "_flagtree_spec_live.py", "twin": "_flagtree_spec.py"}

# Runs each text of argv[1], a JSON list, in one scope; prints a JSON list of answers as the last line.
_ASK = """
import json, sys
def told(error):
    if error is None:
        return None
    kept = {name: getattr(error, name, None) for name in ("what", "where", "mend", "code", "name", "path")}
    return {**kept, "bases": [kind.__name__ for kind in type(error).__mro__], "text": str(error),
            "cause": told(error.__cause__)}
def answer(text):
    try:
        if "\\n" in text or text.startswith(("import ", "from ", "del ")):
            exec(compile(text, "<asked>", "exec"), scope)
            return {"result": repr(scope.get("result"))}
        return {"result": repr(eval(compile(text, "<asked>", "eval"), scope))}
    except BaseException as error:
        return {"error": told(error)}
scope = {"__name__": "__main__"}
answers = [answer(text) for text in json.loads(sys.argv[1])]
print()
print(json.dumps(answers))
"""


@dataclasses.dataclass
class Answer:
    """What an asked text gave.

    result  its value, a text where repr() is no literal; None when it raised
    error   of what it raised: what, where, mend, code, name, path, bases (names of its classes),
            text and cause (the same again)
    """

    result: object = None
    error: dict = None

    @classmethod
    def of(cls, told):
        """From what the process printed."""
        if "error" in told:
            return cls(error=told["error"])
        try:
            return cls(result=ast.literal_eval(told["result"]))
        except (ValueError, SyntaxError):
            return cls(result=told["result"])


class Package:
    """A package triton below `root`, which is a folder of sys.path; `packages` is that of triton_spec."""

    def __init__(self, root, implementation="extension", packages=PACKAGES):
        self.root, self.implementation, self.packages = pathlib.Path(root), implementation, packages
        self.write({"triton/__init__.py": ""})

    def write(self, files):
        """Writes {path below the root: text}; None removes."""
        write_tree(self.root, files)

    def _members(self):
        return {"triton/_flagtree_spec.py": (BAKED / IMPLEMENTATIONS[self.implementation]).read_text(),
                "triton/spec/__init__.py": (BAKED / "spec_init.py").read_text()}

    def staged(self, hooks, files=()):
        """hooks: {layer: text of its registry}, the backend first; files: {path below triton: text}."""
        self.write({**self._members(), **{f"triton/{path}": text for path, text in dict(files).items()},
                    "triton/_flagtree_backend.py":
                        f"FLAGTREE_BACKEND = {next(iter(hooks), '')!r}\nLAYERS = {tuple(hooks)!r}\n"})
        for layer, text in hooks.items():
            self.write({f"triton/spec/{layer}/__init__.py": ""})
            if text is not None:
                self.write({f"triton/spec/{layer}/triton/__init__.py": text})
        return self

    def flagtree(self, backend, files=(), hooks=None):
        """files: {path below triton: text}; hooks: the text of the registry, None for no registry."""
        self.write({**self._members(), "triton/FLAGTREE_BACKEND": backend,
                    **{f"triton/{path}": text for path, text in dict(files).items()}})
        if hooks is not None:
            self.write({f"triton/spec/{backend.strip()}/triton/__init__.py": hooks})
        return self

    def environment(self, **more):
        """Of a process that finds the package and triton_spec."""
        path = os.pathsep.join([str(self.root), str(self.packages)])
        return {**clean_environment(), "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1", **more}

    def python(self, *arguments, **more):
        """Runs Python; returns the finished process. more: environment variables."""
        return subprocess.run([sys.executable, *map(str, arguments)], env=self.environment(**more),
                              capture_output=True, text=True, check=False, cwd=self.root)

    def ask(self, *texts, options=("-W", "error"), **more):
        """Evaluates expressions, or executes statements, one after the other in a fresh process, after
        `from triton._flagtree_spec import *`: an Answer for each; of statements the variable `result`."""
        texts = ["from triton._flagtree_spec import *\nresult = None", *texts]
        done = self.python(*options, "-c", _ASK, json.dumps(texts), **more)
        assert done.returncode == 0 and done.stdout.endswith("\n"), done.stdout + done.stderr
        answers = [Answer.of(told) for told in json.loads(done.stdout.splitlines()[-1])]
        assert done.stderr == "", done.stderr
        return answers[1:] if answers[0].error is None else [answers[0]] * (len(texts) - 1)
