"""Rules for who needs a teacher's help now, each reason with its evidence."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from tutoring.lesson.cycle import MISSES_BEFORE_DETOUR

RECENT_PERIOD = timedelta(days=14)
"""Older evidence does not call for help now."""
INACTIVE_AFTER = timedelta(days=7)
"""Without an answer for this long, a learner may have given up."""

type Kind = Literal["misses", "misconception", "quiet", "not_begun"]
URGENCY: Mapping[Kind, int] = {"misses": 3, "misconception": 2, "quiet": 1, "not_begun": 1}


@dataclass(frozen=True, slots=True, kw_only=True)
class HelpReason:
    """Why a learner needs help: `about` is a concept's or misconception's id; `number` counts wrong answers or days."""

    kind: Kind
    about: str = ""
    number: int = 0


def misses_in_a_row(marks: Iterable[tuple[str, bool]]) -> dict[str, int]:
    """Return for each concept how many answers were wrong since the last right one; `marks` are oldest first."""
    running: dict[str, int] = {}
    for concept, correct in marks:
        running[concept] = 0 if correct else running.get(concept, 0) + 1
    return running


def reasons_to_help(
    *,
    misses: Mapping[str, int],
    misconceptions: Collection[str],
    last_answer: datetime | None,
    joined: datetime,
    now: datetime,
) -> tuple[HelpReason, ...]:
    """Return the reasons, the most urgent first. `misses` are in a row, by concept; `misconceptions` are active now."""
    stuck = [(number, concept) for concept, number in misses.items() if number >= MISSES_BEFORE_DETOUR]
    found = [
        *(HelpReason(kind="misses", about=concept, number=number) for number, concept in sorted(stuck, reverse=True)),
        *(HelpReason(kind="misconception", about=each) for each in sorted(misconceptions)),
    ]
    silent_for = now - (last_answer or joined)
    if silent_for >= INACTIVE_AFTER:
        found.append(HelpReason(kind="quiet" if last_answer else "not_begun", number=silent_for.days))
    return tuple(found)


def total_urgency(reasons: Iterable[HelpReason]) -> int:
    """Return how urgently a learner needs help; higher is more urgent."""
    return sum(URGENCY[reason.kind] for reason in reasons)
