"""Embeds a kernel's code in a C source: ``python -m triton.tools.compile MODULE.mlir NAME``."""

import sys
from pathlib import Path

from ..compiler import compile

TEMPLATE = Path(__file__).parent / "extra" / "compile.c"


def render(kernel):
    """Return the C source that holds the last stage of a compiled kernel."""
    lines = kernel.asm["ttgir"].splitlines()
    text = "\n".join('    "' + line.replace("\\", "\\\\").replace('"', '\\"') + '\\n"' for line in lines)
    source = TEMPLATE.read_text()
    for key, value in {"@NAME@": kernel.name, "@SHARED@": str(kernel.metadata["shared"]), "@TEXT@": text}.items():
        source = source.replace(key, value)
    return source


def main(arguments=None):
    arguments = sys.argv[1:] if arguments is None else arguments
    if len(arguments) != 2:
        print("usage: python -m triton.tools.compile MODULE.mlir NAME", file=sys.stderr)
        return 2
    sys.stdout.write(render(compile(Path(arguments[0]).read_text(), arguments[1])))
    return 0


if __name__ == "__main__":
    sys.exit(main())
