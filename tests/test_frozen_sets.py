"""Labelled sets that judge our own rules and models stay as their authors wrote them."""

import hashlib
from pathlib import Path

import pytest

FROZEN = Path(__file__).parents[1] / "bench" / "understanding" / "frozen"
SUMS = [line.split() for line in (FROZEN / "SHA256SUMS").read_text().splitlines()]


@pytest.mark.parametrize(("digest", "name"), SUMS, ids=lambda each: each[:24])
def test_frozen_set_is_unchanged(digest: str, name: str) -> None:
    assert hashlib.sha256((FROZEN / name).read_bytes()).hexdigest() == digest


def test_every_frozen_set_has_its_sum() -> None:
    assert {path.name for path in FROZEN.glob("*.jsonl")} == {name for _digest, name in SUMS}
