"""The figures as a document shows them."""

from . import calls_report

BEGIN = "<!-- figures: begin; written by make bench -->"
END = "<!-- figures: end -->"

# FlagTree's flagtree_apply_backend_source_overrides, third generation: published CPU milliseconds
# for these sizes, on a shared machine with two cores. It matches sources only: it reads no text and
# places no header. The last one is extrapolated from a run with one override.
PEER = {(350, 14): "776", (1000, 10): "4,179", (2000, 200): "330,388",
        (5000, 1000): "10,300,000 (extrapolated)"}

# What this project wants the overlay to add at most, CPU milliseconds.
GOALS = {(350, 14): 20, (2000, 200): 50, (5000, 1000): 150}

# What it wants the scanner to take on a tree of Triton's size, and verify by objects, milliseconds.
STEP_GOALS = {(390, 14): 30}
VERIFY_GOALS = {5000: 50}


def _size(tree):
    return tree["sources"], tree["overrides"]


def _name(tree):
    name = f"{tree['sources']:,} x {tree['overrides']:,}"
    return name + (", a header that all reach" if tree["shared"] else "")


def _range(step, kind):
    values = step[kind]
    return f"{values['median']:,.1f} ({values['min']:,.1f} to {values['max']:,.1f})"


def table(heads, rows):
    """A Markdown table."""
    lines = ["| " + " | ".join(heads) + " |", "|---" * len(heads) + "|"]
    return "\n".join(lines + ["| " + " | ".join(map(str, row)) + " |" for row in rows])


def _overlay_table(trees):
    rows = []
    for tree in trees:
        peer = "-" if tree["shared"] else PEER.get(_size(tree), "-")
        goal = "-" if tree["shared"] else GOALS.get(_size(tree), "-")
        rows.append([_name(tree), f"{tree['affected_units']:,}",
                     _range(tree["steps"]["difference"], "cpu_ms"),
                     _range(tree["steps"]["difference again"], "cpu_ms"), goal, peer])
    return table(["sources x overrides", "affected units", "overlay adds, first run",
                  "overlay adds, later run", "goal", "FlagTree, published, elsewhere"], rows)


def _configure_table(trees):
    rows = []
    for tree in trees:
        steps = tree["steps"]
        for again, label in (("", "first"), (" again", "later")):
            plain, overlay = steps["plain" + again], steps["overlay" + again]
            ratio = overlay["cpu_ms"]["median"] / plain["cpu_ms"]["median"]
            rows.append([_name(tree), label, _range(plain, "cpu_ms"), _range(overlay, "cpu_ms"),
                         f"{ratio:.2f}", _range(plain, "wall_ms"), _range(overlay, "wall_ms"),
                         f"{plain['peak_mb']['median']:.0f} / {overlay['peak_mb']['median']:.0f}"])
    return table(["sources x overrides", "run", "plain, CPU ms", "with overlay, CPU ms", "ratio",
                  "plain, wall ms", "with overlay, wall ms", "peak MB"], rows)


def _engine_table(trees):
    rows = []
    for tree in trees:
        for step in ("stage", "place"):
            first, later = tree["steps"][step], tree["steps"][step + " again"]
            rows.append([_name(tree), f"`{step}`", _range(first, "cpu_ms"),
                         _range(first, "wall_ms"), _range(later, "cpu_ms"),
                         _range(later, "wall_ms"), f"{first['peak_mb']['max']:.0f}"])
    return table(["sources x overrides", "step", "first, CPU ms", "first, wall ms",
                  "later, CPU ms", "later, wall ms", "peak MB"], rows)


def _steps_table(trees):
    rows = []
    for tree in trees:
        for name, step in tree["steps"].items():
            rows.append([_name({"shared": False, **tree}), f"{tree['files']:,}", name, _range(step, "cpu_ms"),
                         _range(step, "wall_ms"), STEP_GOALS.get(_size(tree), "-"),
                         f"{step['peak_mb']['max']:.0f}"])
    return table(["sources x overrides", "files, headers too", "step", "CPU ms", "wall ms", "goal", "peak MB"], rows)


def _verify_table(builds):
    rows = [[f"{build['objects']:,}", f"{build['overrides']:,}", f"{build['dependencies']:,}", build["log_mb"],
             _range(build, "cpu_ms"), _range(build, "wall_ms"), VERIFY_GOALS.get(build["objects"], "-"),
             f"{build['peak_mb']['max']:.0f}"] for build in builds]
    return table(["objects", "overrides", "dependencies", ".ninja_deps, MB", "CPU ms", "wall ms", "goal", "peak MB"],
                 rows)


def _where(machine, how):
    return (f"Measured by `tools/bench` on {machine['cpu']}, {machine['cores']} cores, load {machine['load']} "
            f"before, CMake {machine['cmake']}: {how}.")


def _configure_part(results):
    trees = results["trees"]
    longest = max(tree["mean_path"] for tree in trees)
    return [
        "### Configure",
        _where(results["machine"], f"median (least to greatest) of {results['runs']} interleaved rounds")
        + f" Source paths are about {longest} characters long.",
        "**What the overlay adds to a configure run, CPU milliseconds**",
        _overlay_table(trees),
        "**The configure runs**", _configure_table(trees),
        "**The engine's steps alone, process start included**", _engine_table(trees)]


def _engine_part(engine):
    return [
        "### Before and after every build",
        _where(engine["machine"], f"median (least to greatest) of {engine['runs']} runs, process start included"),
        "**The include scanner**", _steps_table(engine["scanner"]),
        f"**`verify`**, each object with {engine['foreign']} headers of others", _verify_table(engine["verify"])]


def _rebuild_part(rebuilds):
    rows, total = [], {"ran": 0, "least": 0}
    for change in rebuilds["changes"]:
        for side in total:
            total[side] += sum(change[side].values())
        rows.append([change["change"], *(f"{change['ran'][kind]} / {change['least'][kind]}" for kind in change["ran"]),
                     "yes" if change["cmake"] else "no"])
    without = "" if rebuilds["tblgen"] else " MLIR's CMake package was missing, so no change of a .td was made."
    return [
        "### Rebuilds",
        _where(rebuilds["machine"], "edges that ran / the least that must")
        + f" Over all {len(rows)} changes {total['ran']} ran, of which {total['least']} had to.{without}",
        table(["change, then `ninja` alone", "compile", "tblgen", "archive, link", "CMake ran"], rows)]


def _imports_part(imports):
    goals = {"import, enabled": "1.01", "import, enabled, backend set": "1.05", "import after activate()": "1.05"}
    rows = []
    for name, step in imports["steps"].items():
        cpu, wall = (f"{step[kind]['median']:.3f} ({step[kind]['min']:.3f} to {step[kind]['max']:.3f})"
                     for kind in ("cpu_ratio", "wall_ratio"))
        rows.append([name, _range(step, "cpu_ms"), cpu, _range(step, "wall_ms"), wall, goals.get(name, "-")])
    return [
        "### Live mode",
        _where(imports["machine"], f"median (least to greatest) of {imports['runs']} interleaved rounds")
        + f" Python {imports['python']}, triton {imports['triton']}, {imports['overrides']} overrides.",
        table(["step", "CPU ms", "CPU, ratio", "wall ms", "wall, ratio", "goal, ratio"], rows),
        "**The line that `enable` writes**, run 500 times in one process, microseconds",
        table(["`FLAGTREE_BACKEND`", "µs", "goal"],
              [[state, _range(imports["line_us"], state), "1,000"] for state in imports["line_us"]])]


def _drift_part(drift):
    goals = {"status of a revision": "50", "status of the work tree": "50", "bisect": "2,000"}
    rows = [[name, _range(step, "cpu_ms"), _range(step, "wall_ms"), goals.get(name, "-")]
            for name, step in drift["steps"].items()]
    return [
        "### Drift",
        _where(drift["machine"], f"median (least to greatest) of {drift['runs']} interleaved rounds, "
               "process start included")
        + f" A trunk of {drift['files']:,} files and {drift['commits']:,} commits, {drift['overrides']} overrides "
        "locked at the first of them.",
        table(["step", "CPU ms", "wall ms", "goal, ms"], rows)]


def _ccache_part(rows):
    """rows: what scale_report.read_hits returns."""
    return [
        "### ccache",
        "From [scale.md](scale.md), which says how it was measured; measured by `tools/scale-bench`:",
        table(["backends", "cache", "hits, all units", "hits, unaffected units"],
              [[row["backends"], row["cache"], row["all"], row["unaffected"]] for row in rows])]


def render(results):
    """The figures as Markdown. `results` is what docs/benchmarks.json holds; any part may be missing."""
    parts = _configure_part(results) if "trees" in results else []
    if "engine" in results:
        parts += _engine_part(results["engine"])
    if "imports" in results:
        parts += _imports_part(results["imports"])
    if "rebuilds" in results:
        parts += _rebuild_part(results["rebuilds"])
    if "calls" in results:
        parts += calls_report.part(results["calls"], table, _where)
    if "drift" in results:
        parts += _drift_part(results["drift"])
    if "ccache" in results:
        parts += _ccache_part(results["ccache"])
    return "\n\n".join(parts)


def replace_between(document, begin, end, text):
    """The document with what stands between two lines replaced. Raises ValueError without them."""
    head, found, rest = document.partition(begin)
    _, closed, tail = rest.partition(end)
    if not found or not closed:
        raise ValueError(f"the document lacks the line '{begin}' or '{end}'")
    return f"{head}{begin}\n\n{text}\n\n{end}{tail}"


def put_into(document, results):
    """The document with its figures replaced. Raises ValueError when its markers are not there."""
    return replace_between(document, BEGIN, END, render(results))
