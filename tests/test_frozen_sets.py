"""Labelled sets that judge our own rules and models stay as their authors wrote them."""

import hashlib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FOLDERS = (ROOT / "bench" / "understanding" / "frozen", ROOT / "tests" / "tutoring" / "planner" / "labelled")
SUMS = [
    (folder / name, digest)
    for folder in FOLDERS
    for digest, name in map(str.split, (folder / "SHA256SUMS").read_text().splitlines())
]


@pytest.mark.parametrize(("path", "digest"), SUMS, ids=lambda each: each.name if isinstance(each, Path) else each[:12])
def test_frozen_set_is_unchanged(path: Path, digest: str) -> None:
    assert hashlib.sha256(path.read_bytes()).hexdigest() == digest


def test_every_frozen_set_has_its_sum() -> None:
    assert {path for folder in FOLDERS for path in folder.glob("*.jsonl")} == {path for path, _digest in SUMS}
