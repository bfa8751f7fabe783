"""The figures of many backends as a document shows them."""

from . import report, scale, vendors

BEGIN = "<!-- figures: begin; written by tools/scale-bench -->"
END = "<!-- figures: end -->"


def _share(part, whole):
    return f"{part} of {whole} ({100 * part / whole:.1f} %)" if whole else "-"


def _row(way, builds, count, repeated):
    """A row over the first `count` builds of a way; repeated: all of their units were built before."""
    units = len(vendors.SOURCES)
    builds = builds[:count]
    same = scale.shareable(builds)
    if repeated:
        same = [set(vendors.SOURCES) - vendors.affected(built.backend) for built in builds]
    hit = sum(len(built.hit) for built in builds)
    unaffected = sum(len(built.hit & there) for built, there in zip(builds, same))
    cached = way != scale.NONE
    return [count, way, f"{sum(b.wall for b in builds):.1f}", f"{sum(b.cpu for b in builds):.1f}",
            sum(len(b.compiled) for b in builds), _share(hit, units * count) if cached else "-",
            _share(unaffected, sum(map(len, same))) if cached else "-"]


def total_table(results):
    """Each way of building, for as many backends as scale.COUNTS says."""
    rows = []
    for count in scale.COUNTS:
        for way in (scale.NONE, scale.LOCAL, scale.SHARED):
            rows.append(_row(way, results[way], count, repeated=False))
    last = results[scale.AGAIN]
    rows.append(_row(scale.AGAIN, last, len(last), repeated=True))
    return report.table(["backends", "cache", "wall, s", "CPU, s", "compiled", "hits, all units",
                         "hits, unaffected units"], rows)


def read_hits(document):
    """The rates of hits that a document with the figures of `render` shows, a dictionary a row. Raises ValueError
    when it shows none."""
    _, _, rest = document.partition(BEGIN)
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in rest.partition(END)[0].splitlines()]
    found = [{"backends": int(row[0]), "cache": row[1], "all": row[5], "unaffected": row[6]}
             for row in rows if len(row) == 7 and row[0].isdigit() and row[5] != "-"]
    if not found:
        raise ValueError("the document shows no rates of hits: tools/scale-bench writes them")
    return found


def backend_table(results):
    """Each backend's build."""
    rows = []
    for n, backend in enumerate(scale.BACKENDS):
        affected = vendors.affected(backend)
        built = results[scale.SHARED][n]
        again = results[scale.AGAIN][n]
        rows.append([f"`{backend.name}`", len(backend.overrides), len(affected), len(built.compiled),
                     f"{len(again.hit & affected)} of {len(affected)}"])
    return report.table(["backend", "overrides", "affected units", "compiled, after those above it",
                         "affected units that its second machine hits"], rows)


def render(machine, results):
    """The figures as Markdown. machine: what benchmarks.configure.machine says; results: those of
    scale.measure_all."""
    units = len(vendors.SOURCES)
    return "\n\n".join([
        f"Measured by `tools/scale-bench` on {machine['cpu']}, {machine['cores']} cores, load {machine['load']} "
        f"before, CMake {machine['cmake']}: one run, each build in a fresh folder, configure not counted. The trunk "
        f"has {units} C++ units. Each row is the sum over its backends.",
        total_table(results),
        "Each backend by itself, in the order of the builds, a machine each:", backend_table(results)])
