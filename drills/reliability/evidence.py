"""Finds the tests that try a row of the reliability matrix: their docstrings name it."""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent.parent
_NAMED: Final = re.compile(r"\b(?P<kind>[A-Z]|CSV)(?P<first>\d{1,2})(?:[–-](?:[A-Z]|CSV)?(?P<last>\d{1,2}))?\b")

type Test = tuple[str, str]
"""A test as a report names it: the module with the class, and the function."""


def tests_by_row() -> Mapping[str, frozenset[Test]]:
    """Return the tests by the row that their docstring, their class's or their module's names."""
    found: defaultdict[str, set[Test]] = defaultdict(set)
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        module = ".".join(path.relative_to(ROOT).with_suffix("").parts)
        for test, rows in _tests_in(tree, module, _rows_in(ast.get_docstring(tree))):
            for row in rows:
                found[row].add(test)
    return {row: frozenset(tests) for row, tests in found.items()}


def file_of(test: Test) -> str:
    """Return the path of the file that the test is in."""
    return "/".join(part for part in test[0].split(".") if not part[:1].isupper()) + ".py"


def _tests_in(
    node: ast.Module | ast.ClassDef, place: str, inherited: frozenset[str]
) -> Iterator[tuple[Test, frozenset[str]]]:
    for each in node.body:
        if isinstance(each, ast.ClassDef):
            yield from _tests_in(each, f"{place}.{each.name}", inherited | _rows_in(ast.get_docstring(each)))
        elif isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef) and each.name.startswith("test"):
            yield (place, each.name), inherited | _rows_in(ast.get_docstring(each))


def _rows_in(docstring: str | None) -> frozenset[str]:
    """Return the rows that a docstring names; `C1–C3` names three."""
    return frozenset(
        f"{found['kind']}{number}"
        for found in _NAMED.finditer(docstring or "")
        for number in range(int(found["first"]), int(found["last"] or found["first"]) + 1)
    )
