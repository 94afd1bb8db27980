"""Style sheets use logical properties, so that pages also work in languages written from right to left."""

import re
from pathlib import Path

import pytest

SHEETS = sorted(Path(__file__).parents[1].joinpath("static", "css").glob("*.css"))
PHYSICAL = re.compile(
    r"(?:margin|padding|border|scroll-margin|scroll-padding)-(?:left|right)(?:-\w+)?:|(?<![\w-])(?:left|right):"
    r"|(?:text-align|float|clear): (?:left|right)"
)
FOUR_SIDES = re.compile(r"(?<![\w-])(?:margin|padding|inset): ([^;}]+)")
VALUE = re.compile(r"(?:[^\s()]|\((?:[^()]|\([^()]*\))*\))+")


def physical_rules(css: str) -> list[str]:
    """Return the declarations that name the left or the right side."""
    uneven = [
        match[0]
        for match in FOUR_SIDES.finditer(css)
        if len(sides := VALUE.findall(match[1].replace("!important", ""))) == 4 and sides[1] != sides[3]
    ]
    return [match[0] for match in PHYSICAL.finditer(css)] + uneven


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda path: path.name)
def test_sheet_names_no_left_or_right(sheet: Path) -> None:
    assert physical_rules(sheet.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    "rule",
    ["a { margin-left: 1px }", "a { left: 0 }", "a { float: right }", "a { padding: 1px 2px 3px calc(1px + 1px) }"],
)
def test_physical_rule_is_found(rule: str) -> None:
    assert physical_rules(rule)


def test_logical_rule_is_none() -> None:
    assert not physical_rules("a { margin: 1px 2px 3px 2px; inset-inline-start: 0; text-align: start; --left: 1px }")
