"""`docs/security.md` names only what exists: files, tests, settings, commands, drills, and headings of other pages."""

import ast
import re
from pathlib import Path

import pytest
from django.core.management import get_commands

from drills.__main__ import DRILLS
from learnagent.configuration.environment import ROOT, Environment

PAGE = ROOT / "docs" / "security.md"
TEXT = PAGE.read_text(encoding="utf-8")
PROSE = re.sub(r"```.*?```", "", TEXT, flags=re.DOTALL)
CODE = sorted(set(re.findall(r"`([^`\n]+)`", PROSE)))
LINKS = sorted(set(re.findall(r"\]\(([^)\s]+)\)", PROSE.replace("\n", " "))))
FOLDERS = ("agents/", "conversations/", "deploy/", "docs/", "drills/", "learnagent/", "tests/", "tutoring/")
NO_SETTINGS = {"PGSSLMODE"}
"""Variables of other programs."""
ROWS = [f"V{number}" for number in range(1, 18)]
ROWS += [f"LLM{number:02}" for number in range(1, 11)] + [f"T{number}" for number in range(1, 16)]


def defined(path: Path) -> set[str]:
    """Return the tests and classes of a file, as pytest names them."""
    tree, found = ast.parse(path.read_text(encoding="utf-8")), set()
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            found.add(node.name)
        if isinstance(node, ast.ClassDef):
            found |= {f"{node.name}::{each.name}" for each in node.body if hasattr(each, "name")}
    return found


def anchors(path: Path) -> set[str]:
    """Return the anchors of a page, as GitHub makes them of its headings, and those that are written."""
    text = path.read_text(encoding="utf-8")
    headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    made = {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}
    return made | set(re.findall(r'<a id="([^"]+)">', text))


def test_every_item_of_the_lists_has_a_row() -> None:
    named = re.findall(r"^\| ((?:V|LLM|T)\d+) ", TEXT, re.MULTILINE)
    assert named == ROWS


def exists(name: str) -> bool:
    path, _, test = name.partition("::")
    return (ROOT / path).exists() and (not test or test in defined(ROOT / path))


def test_files_and_tests_exist() -> None:
    named = [each for each in CODE if each.startswith(FOLDERS) or each.endswith(".lock")]
    assert len(named) > 100
    assert [name for name in named if not exists(name)] == []


def test_settings_exist() -> None:
    named = {found[0] for each in CODE if (found := re.match(r"[A-Z0-9]+(?:_[A-Z0-9]+)+(?=$|=)|PGSSLMODE", each))}
    assert {"SECRET_KEY", "CODE_SANDBOX"} <= named
    assert named - NO_SETTINGS <= Environment.model_fields.keys()


def test_commands_and_drills_exist() -> None:
    commands = {each.split()[1] for each in CODE if each.startswith("manage.py ")}
    drills = {each.partition("NAME=")[2] for each in CODE if each.startswith("make drill")}
    assert {"doctor"} <= commands <= get_commands().keys()
    assert {"fuzz"} <= drills <= DRILLS.keys()
    assert re.search(r"^audit:", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)


@pytest.mark.parametrize("link", [each for each in LINKS if "://" not in each])
def test_link_leads_somewhere(link: str) -> None:
    page, _, anchor = link.partition("#")
    path = (PAGE.parent / page).resolve() if page else PAGE
    assert path.exists()
    assert not anchor or anchor in anchors(path)
