"""The examples of merge.md are what merging gives."""

import pathlib
import re

import pytest

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs/reference/merge.md"
HEADER = re.compile(r"# trunk( +)# vendor( +)# merged")


def examples():
    """(trunk, vendor, merged) of each block with these three columns."""
    found = []
    for block in re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.DOTALL):
        header, *lines = block.split("\n")
        match = HEADER.fullmatch(header)
        if match:
            cuts = [0, header.index("# vendor"), header.index("# merged"), None]
            found.append(tuple(
                "".join(line[start:end].rstrip() + "\n" for line in lines).strip("\n") + "\n"
                for start, end in zip(cuts, cuts[1:])))
    return found


def test_every_rule_has_its_example():
    assert len(examples()) >= 8


@pytest.mark.parametrize("trunk, vendor, merged", examples())
def test_example(tool, trunk, vendor, merged):
    answer = tool.ask(trunk=trunk, vendor=vendor)
    text = answer["text"].replace("spec/triton/m.py:", "...:")

    def without_empty_lines(lines):
        return [line for line in lines.split("\n") if line]
    assert without_empty_lines(text) == without_empty_lines(merged), answer["findings"]
