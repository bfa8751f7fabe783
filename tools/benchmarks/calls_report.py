"""The figures of the calls for hooks as a document shows them."""

# Published for FlagTree's _flagtree_spec.py, nanoseconds of CPU on another machine, where a direct call took 24.
PEER = {
    ("hook", "spec_call, no arguments"): "1,257", ("hook", "spec_call, 3 arguments"): "1,311",
    ("hook", "spec_call, a miss"): "1,618", ("hook", "spec_func"): "1,134", ("hook", "spec_func, a miss"): "1,575",
    ("no backend", "spec_call, a miss"): "1,107", ("no backend", "spec_func, a miss"): "1,087",
    ("no registry", "spec_call, a miss"): "21,961", ("no registry", "spec_func, a miss"): "23,816",
}

# Above a direct call, nanoseconds.
GOALS = {"a function bound by spec_func": "0"}
HIT = "40"


def _range(figures, key, digits=1):
    values = figures.get(key)
    if values is None:
        return "-"
    return f"{values['median']:,.{digits}f} ({values['min']:,.{digits}f} to {values['max']:,.{digits}f})"


def part(calls, table, where):
    """The Markdown paragraphs of what docs/benchmarks.json holds under "calls"."""
    rows = []
    for row in calls["cases"]:
        extension, twin = row["extension"], row["twin"]
        goal = GOALS.get(row["case"], HIT) if "above" in extension else "-"
        rows.append([row["situation"], row["case"], _range(extension, "direct"), _range(extension, "ns"),
                     _range(extension, "above"), goal, _range(twin, "ns"),
                     PEER.get((row["situation"], row["case"]), "-")])
    threads = [[row["threads"], _range(row, "direct", 2), _range(row, "what", 2),
                f"{row['what']['median'] / row['direct']['median']:.2f}"] for row in calls["threads"]]
    return [
        "### Calls for hooks",
        where(calls["machine"], f"median (least to greatest) of {calls['runs']} rounds, Python {calls['python']}"),
        "**Nanoseconds a call**",
        table(["found", "call", "made directly", "extension", "above direct", "goal", "twin in Python",
               "FlagTree, published, elsewhere"], rows),
        "**Threads that call a hook at once, millions of calls a second together**",
        table(["threads", "made directly", "spec_call, extension", "ratio"], threads)]
