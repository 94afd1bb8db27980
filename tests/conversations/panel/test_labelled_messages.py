"""The analysis on labelled messages.

`dev.jsonl` and the odd lines of `dev_second.jsonl` were used to tune it, the even ones only to check it; the list of terms was
written by one who knew both. `messages.jsonl` is frozen and was never read.
"""

import hashlib
import json
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import pytest

from conversations.panel import scores, text_analysis
from conversations.panel.classification import classify
from conversations.panel.text_analysis import analyse_text

HERE = Path(__file__).parent
FROZEN = "9ef7dbd48b0952d6912ece55f8db3071fd1f89486b089f7ef163372ec9d20040"
"""SHA-256 of `messages.jsonl`."""


@dataclass(frozen=True, slots=True)
class Figures:
    precision: float
    """Share of the entities found that are right."""
    recall: float
    """Share of the labelled concepts that are found."""
    classified: float
    """Share of the messages with the right classification."""


def figures(name: str) -> Figures:
    found = right = concepts = heard = messages = classified = 0
    for line in (HERE / name).read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        result = analyse_text(row["text"])
        said = {each.text.casefold() for each in result.entities}
        found += len(said)
        right += len(said & {each["text"].casefold() for each in row["entities"]})
        names = {each.name for each in result.concepts}
        concepts += len(row["concepts"])
        heard += sum(any(one in name or name in one for name in names) for one in row["concepts"])
        messages += 1
        classified += classify(row["text"], has_picture=bool(row["attachment"])) == row["classification"]
    return Figures(precision=right / found, recall=heard / concepts, classified=classified / messages)


@pytest.mark.parametrize(
    ("name", "least"),
    [
        # Measured on 2026-11-27: .94, .88, .98; .91, .78, .84; and .89, .81, .90. Frozen, the goals are .85 and .80.
        ("dev.jsonl", Figures(precision=0.91, recall=0.86, classified=0.96)),
        ("dev_second.jsonl", Figures(precision=0.88, recall=0.76, classified=0.82)),
        ("messages.jsonl", Figures(precision=0.85, recall=0.80, classified=0.88)),
    ],
)
def test_figures(name: str, least: Figures) -> None:
    got = figures(name)
    assert got.precision >= least.precision
    assert got.recall >= least.recall
    assert got.classified >= least.classified


def test_frozen_messages_are_unchanged() -> None:
    assert hashlib.sha256((HERE / "messages.jsonl").read_bytes()).hexdigest() == FROZEN


def test_reliabilities_are_those_of_the_development_set() -> None:
    right: Counter[str] = Counter()
    found: Counter[str] = Counter()
    for line in (HERE / "dev.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        labelled = {each["text"].casefold() for each in row["entities"]}
        for span in text_analysis._spans(row["text"], ()):
            for method in span.methods:
                found[method] += 1
                right[method] += row["text"][span.start : span.end].casefold() in labelled
    measured = {method: round((right[method] + 1) / (found[method] + 2), 3) for method in found}
    assert measured == scores.RELIABILITY
