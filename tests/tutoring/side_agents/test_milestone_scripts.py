"""How rightly milestones are granted: on scripts whose author had not seen the rules, and on those the rules were made with."""

import json
from functools import cache
from pathlib import Path

import pytest

from tests.tutoring.lessons.lesson_player import fractions
from tutoring.side_agents.analyse_command.milestone import analysis

pytest.importorskip("tutoring.understanding.classifiers.course_heads")
HERE = Path(__file__).parent
FROZEN, INDIRECT, DEVELOPMENT = "milestone_scripts.jsonl", "milestone_indirect.jsonl", "milestone_dev.jsonl"
FLOORS = {FROZEN: (0.85, 0.2), INDIRECT: (0.85, 0.2), DEVELOPMENT: (0.65, 0.35)}
"""Precision and recall (0–1): what holds today, rounded down. Goal 15 asks for .95 and .80 on the frozen one."""


@cache
def judged(name: str) -> tuple[tuple[bool, bool], ...]:
    """Return of each script: whether the milestone is reached, by its label and by the evidence."""
    lines = (HERE / name).read_text(encoding="utf-8").splitlines()
    rows = map(
        json.loads, lines[::8] if name == DEVELOPMENT else lines
    )  # An eighth of one's own is enough to notice a slip.
    course = fractions().course
    return tuple((row["label"], analysis(row, [course])["mastery_achieved"]) for row in rows)


def table(name: str) -> str:
    rows = judged(name)
    rightly = sum(label and given for label, given in rows)
    granted, reached = sum(given for _, given in rows), sum(label for label, _ in rows)
    return f"{name}: {len(rows)} scripts; granted {granted}, wrongly {granted - rightly}, missed {reached - rightly}"


@pytest.mark.parametrize("name", FLOORS)
def test_milestones_are_granted_rightly(name: str) -> None:
    rows = judged(name)
    rightly = sum(label and given for label, given in rows)
    assert rightly >= FLOORS[name][0] * sum(given for _, given in rows), table(name)
    assert rightly >= FLOORS[name][1] * sum(label for label, _ in rows), table(name)
