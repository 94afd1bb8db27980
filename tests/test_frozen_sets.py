"""Labelled sets that judge our own rules and models stay as their authors wrote them."""

import hashlib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FOLDERS = (ROOT / "bench" / "understanding" / "frozen", ROOT / "tests" / "tutoring" / "planner" / "labelled")
SUMS = [(folder, *line.split()) for folder in FOLDERS for line in (folder / "SHA256SUMS").read_text().splitlines()]


@pytest.mark.parametrize(("folder", "digest", "name"), SUMS, ids=[name for _folder, _digest, name in SUMS])
def test_frozen_set_is_unchanged(folder: Path, digest: str, name: str) -> None:
    assert hashlib.sha256((folder / name).read_bytes()).hexdigest() == digest


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda each: each.name)
def test_every_frozen_set_has_its_sum(folder: Path) -> None:
    assert {path.name for path in folder.glob("*.jsonl")} == {name for place, _digest, name in SUMS if place == folder}
