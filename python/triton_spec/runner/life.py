"""A kernel's life as one HTML page: every pass, what it changed, and the text behind it."""

import html
import pathlib
import string
import tempfile

from .compare import compare_texts
from .control import snapshot

_PAGE = pathlib.Path(__file__).with_name("life.html")  # a template of string.Template


def _colored(lines):
    kinds = {"+": "add", "-": "del", "@": "at"}
    return "\n".join(f'<span class="{kinds[line[0]]}">{html.escape(line)}</span>' if line[:1] in kinds else
                     html.escape(line) for line in lines)


def _step(number, path, text, difference):
    stage, name = path.name.split(".")[2], ".".join(path.name.split(".")[3:-1])
    changed = bool(difference and difference.lines)
    counts = "".join(f"<tr><td>{html.escape(key)}<td>{before}<td>{after}" for key, (before, after) in
                     difference.operations.items()) if changed else ""
    summary = "" if not changed else f": {sum(line[:1] in '+-' for line in difference.lines[2:])} lines"
    body = (f"<table>{counts}</table><pre>{_colored(difference.lines[2:])}</pre>" if changed else "") + (
        f"<details><summary>the whole text</summary><pre>{html.escape(text)}</pre></details>")
    return (f'<details class="step{"" if changed or difference is None else " same"}" id="step{number}">'
            f"<summary><b>{number}</b> {stage}: {html.escape(name)}{summary}</summary>{body}</details>")


def page(kernel, path, **how):
    """Writes the life of a Kernel, or of a file that load() takes, to an HTML file; its path. how: as load()."""
    with tempfile.TemporaryDirectory() as folder:
        files = snapshot(kernel, folder, **how)
        texts = [file.read_text().partition("\n")[2] for file in files]
    differences = [None, *(compare_texts(before, text, "mlir") for before, text in zip(texts, texts[1:]))]
    steps = [_step(*step) for step in zip(range(len(files)), files, texts, differences)]
    changed = sum(bool(difference and difference.lines) for difference in differences)
    path, title = pathlib.Path(path), html.escape(f"The passes of {files[0].name.split('.')[0]}")
    about = (f"{len(files)} states of the module; {changed} differ from the one before. Locations and names of values "
             "are left out.")
    path.write_text(string.Template(_PAGE.read_text()).substitute(title=title, about=about, steps="\n".join(steps)))
    return path
