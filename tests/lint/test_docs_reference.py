"""The reference pages say what the tables and messages of the code say."""

import html
import json
import os
import re

import jsonschema
import pytest

from conftest import ROOT

REFERENCE = ROOT / "docs/reference"
_STRING = r'"(?:\\.|[^"\\])*"'


def read(path):
    return (ROOT / path).read_text()


def c_string(tokens):
    """The value of adjacent string literals of C."""
    parts = re.findall(_STRING, tokens)
    return "".join(json.loads(part) for part in parts)


def table_rows(page, first_cell):
    """Rows of a page's tables whose first cell matches, as lists of cells; only one column's
    backquotes are kept off: the first."""
    rows = []
    for line in page.split("\n"):
        cells = [html.unescape(cell.strip()) for cell in line.strip("|").split("|")]
        if line.startswith("|") and re.fullmatch(first_cell, cells[0]):
            rows.append([cells[0].strip("`"), *cells[1:]])
    return rows


def section(page, heading):
    """The text below a heading, up to the next one that is not below it."""
    level = len(heading) - len(heading.lstrip("#"))
    start = page.index(f"\n{heading}\n") + len(heading) + 2
    end = re.search(rf"^#{{1,{level}}} ", page[start:], re.MULTILINE)
    return page[start:start + end.start()] if end else page[start:]


# --- overlay.md ----------------------------------------------------------------------------------

def findings_of_code():
    """[code, severity, message, mend] of each row of finding.c, in the order of finding.h."""
    source = read("spec/core/finding.c")
    row = re.compile(rf'\[(SPEC_F_\w+)\]\s*=\s*\{{\s*({_STRING}),\s*SPEC_(\w+),\s*((?:{_STRING}\s*)+),'
                     rf'\s*((?:{_STRING}\s*)+)\}}')
    rows = {name: [c_string(code), severity.lower(), c_string(message), c_string(mend)]
            for name, code, severity, message, mend in row.findall(source)}
    names = re.findall(r"^\s*(SPEC_F_(?!COUNT)\w+),", read("spec/core/finding.h"), re.MULTILINE)
    return [rows[name] for name in names]


def test_every_finding_is_documented():
    page = section((REFERENCE / "overlay.md").read_text(), "## What is refused")
    documented = table_rows(page, r"`[a-z-]+`")
    assert len(documented) > 20
    assert documented == findings_of_code()


def test_findings_are_told_by_the_step_that_makes_them():
    page = section((REFERENCE / "overlay.md").read_text(), "## What is refused")
    placed = table_rows(page[page.index("Found when the overlay is placed"):], r"`[a-z-]+`")
    header = read("spec/core/finding.h")
    names = re.findall(r"SPEC_F_(?!COUNT)\w+", header[header.index("found when the overlay is placed"):])
    assert len(placed) == len(set(names))


def test_every_kind_is_documented():
    table = re.search(r"extensions\[\] = \{(.*?)\};", read("spec/core/kind.c"), re.DOTALL).group(1)
    code = {}
    for extension, kind in re.findall(r'\{"([^"]+)",\s*SPEC_KIND_(\w+)\}', table):
        code.setdefault(kind.lower(), set()).add(extension)
    code.pop("python")  # whatever lies below spec/triton
    code["cmake"].add("CMakeLists.txt")
    page = (REFERENCE / "overlay.md").read_text()
    documented = {kind: set(re.findall(r"`([^`]+)`", names))
                  for kind, names in table_rows(page, "`(?:source|header|td|cmake)`")}
    assert documented == code


def test_every_ignored_name_is_documented():
    source = read("spec/core/kind.c")
    tables = re.findall(r"ignored_\w+\[\] = \{(.*?)\};", source, re.DOTALL)
    folders = re.search(r"spec_kind_is_ignored_dir.*?\}", source, re.DOTALL).group()
    names = set(re.findall(r'"([^"]+)"', " ".join(tables) + folders))
    page = (REFERENCE / "overlay.md").read_text()
    text = re.search(r"Not overrides, and passed over.*?\n\n", page, re.DOTALL).group()
    assert len(names) > 10 and names <= set(re.findall(r"`([^`]+)`", text))


# --- spec-ini.md ---------------------------------------------------------------------------------

def test_the_policies_are_documented():
    code = [list(row) for row in re.findall(r"^([^;\n]+) = (\w+)$", read("spec/core/policy.ini"), re.MULTILINE)]
    rows = table_rows((REFERENCE / "spec-ini.md").read_text(), "`triton.*`")
    assert [[path, policy.strip("`")] for path, policy in rows] == code


def test_every_message_of_spec_ini_is_documented():
    source = read("spec/core/ini.c")
    wrong = set(map(c_string, re.findall(rf"(?:return|:|problem =)\s*({_STRING});", source)))
    page = section((REFERENCE / "spec-ini.md").read_text(), "## Errors")
    documented = {message for row in table_rows(page, "`.*`")
                  for message in re.findall(r"`([^`]+)`", "`" + row[0] + "`")}
    assert len(wrong) > 8 and wrong <= documented


# --- cmake.md ------------------------------------------------------------------------------------

def cmake_files():
    return sorted((ROOT / "cmake").glob("*.cmake"))


def test_every_variable_is_documented():
    text = "".join(path.read_text() for path in cmake_files())
    names = set(re.findall(r"(?<![\w_])TRITON_[A-Z_]+", text)) | {"FLAGTREE_BACKEND"}
    page = (REFERENCE / "cmake.md").read_text()
    assert len(names) > 5
    assert {name for name in names if f"`{name}`" not in page and name + "=" not in page} == set()


def test_every_call_is_documented_with_its_parameters():
    page = (REFERENCE / "cmake.md").read_text()
    signatures = [signature for path in cmake_files() for signature in
                  re.findall(r"^# ((?:spec|flagtree|get_flagtree|set_flagtree)_\w+\(.*\))$",
                             path.read_text(), re.MULTILINE)]
    assert len(signatures) > 12
    names = {signature.split("(")[0] for signature in signatures}
    missing = [name for name in names if not re.search(rf"(^|`){name}\(", page, re.MULTILINE)]
    assert missing == []


# --- manifest.schema.json ------------------------------------------------------------------------

def schema_objects(node, place="#"):
    """Yields (place, object) for each schema that describes an object, nested ones too; not for conditions
    on what is described elsewhere."""
    if isinstance(node, dict):
        if "properties" in node:
            yield place, node
        for key, value in node.items():
            if key not in ("if", "else"):
                yield from schema_objects(value, f"{place}/{key}")


def test_the_schema_is_one_and_describes_every_member():
    schema = json.loads((REFERENCE / "manifest.schema.json").read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    objects = list(schema_objects(schema))
    assert len(objects) > 6
    for place, node in objects:
        assert node["additionalProperties"] is False, place
        bare = [name for name, member in node["properties"].items() if not member.get("description")]
        assert bare == [], place


# --- pages ---------------------------------------------------------------------------------------

def anchors(page):
    """The fragments by which a page's headings can be linked to, as GitHub makes them."""
    headings = re.findall(r"^#+ (.*)$", re.sub(r"^```.*?^```", "", page, flags=re.M | re.S), re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def dead_fragments(root, pages):
    """`page: link` for each link to a heading that is not there."""
    dead = []
    for name in pages:
        for link, fragment in re.findall(r"\]\(([^)#\s]*)#([^)\s]+)\)", (root / name).read_text()):
            if re.match(r"[a-z]+:", link):
                continue
            target = os.path.normpath(os.path.join(os.path.dirname(name), link)) if link else name
            if not (root / target).is_file() or fragment not in anchors((root / target).read_text()):
                dead.append(f"{name}: {link}#{fragment}")
    return dead


def test_links_lead_to_headings(repository):
    pages = repository.matching((".md",), outside=("tests/trunk/",))
    assert dead_fragments(repository.root, pages) == []


def test_a_link_to_no_heading_is_found(tmp_path):
    (tmp_path / "a.md").write_text("# A b: `c.d`\n[x](#a-b-cd) [y](b.md#no)\n```\n# no\n```\n[z](#no)\n")
    (tmp_path / "b.md").write_text("# B\n")
    assert dead_fragments(tmp_path, ["a.md"]) == ["a.md: b.md#no", "a.md: #no"]


def test_decisions_are_listed_and_made_like_the_template():
    folder = ROOT / "docs/adr"
    template = re.findall(r"^## .*$", (folder / "0000-template.md").read_text(), re.MULTILINE)
    rows = {link: title for _, link, title in
            re.findall(r"^\| \[(\d+)\]\(([^)]+)\) \| (.*?) \|", (folder / "README.md").read_text(),
                       re.MULTILINE)}
    pages = sorted(path.name for path in folder.glob("[0-9]*.md") if path.name != "0000-template.md")
    assert pages and sorted(rows) == pages
    for name in pages:
        page = (folder / name).read_text()
        assert page.startswith(f"# {name[:4]}. {rows[name]}\n")
        assert re.findall(r"^## .*$", page, re.MULTILINE) == template


def test_every_folder_has_a_readme_that_names_what_is_in_it(repository):
    for folder in ("spec", "spec_cpp", "cmake", "tests", "docs"):
        page = read(f"{folder}/README.md")
        inside = {name[len(folder) + 1:].split("/")[0] for name in repository.files
                  if name.startswith(folder + "/")}
        stems = {re.sub(r"\.\w+$", "", name) for name in inside} - {"README", "CMakeLists", "__init__"}
        missing = sorted(stem for stem in stems if not re.search(rf"\b{re.escape(stem)}\b", page))
        assert missing == [], folder


@pytest.mark.parametrize("path, text, heading, expected", [
    ("a", "\n## A\nx\n### B\ny\n## C\nz\n", "## A", "x\n### B\ny\n"),
    ("a", "\n## A\nx\n", "## A", "x\n"),
])
def test_a_section_ends_at_the_next_heading(path, text, heading, expected):
    assert section(text, heading) == expected
