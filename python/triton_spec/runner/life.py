"""A kernel's life as one HTML page: every pass, what it changed, and the text behind it."""

import html
import pathlib
import tempfile

from .compare import compare_texts
from .control import snapshot

_PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>{title}</title><style>
body {{ font: 14px system-ui, sans-serif; margin: 2em; }} pre {{ font: 12px monospace; overflow-x: auto; background: #f6f6f6;
padding: .6em; }} .add {{ color: #060; }} .del {{ color: #a00; }} .at {{ color: #06c; }} .same > summary {{ color: #888; }}
td {{ padding-right: 1.5em; }} label {{ cursor: pointer; }} body.changed .same {{ display: none; }}
</style></head><body><h1>{title}</h1><p>{about}</p>
<label><input type="checkbox" id="only"> only passes that changed something</label>
{steps}
<script>
document.getElementById("only").addEventListener("change", function (event) {{
  document.body.classList.toggle("changed", event.target.checked);
}});
</script></body></html>
"""


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
    steps, previous = [], None
    for number, (file, text) in enumerate(zip(files, texts)):
        difference = None if previous is None else compare_texts(previous, text, "mlir")
        steps.append(_step(number, file, text, difference))
        previous = text
    changed = sum('class="step"' in step for step in steps)
    name = files[0].name.split(".")[0]
    about = f"{len(files)} states of the module; {changed} differ from the one before. Locations and names of values are left out."
    path = pathlib.Path(path)
    path.write_text(_PAGE.format(title=html.escape(f"The passes of {name}"), about=about, steps="\n".join(steps)))
    return path
