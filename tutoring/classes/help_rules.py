"""Rules for who needs a teacher's help now, each reason with its evidence."""

from collections.abc import Iterable, Mapping
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
class AnswerMark:
    """An answer that counts."""

    concept: str
    correct: bool
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class MissStreak:
    """Wrong answers in a row on one concept."""

    count: int
    since: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class HelpReason:
    """Why a learner needs help: `about` is a concept's or misconception's id; `number` counts wrong answers or days."""

    kind: Kind
    about: str = ""
    number: int = 0
    since: datetime | None = None


def misses_in_a_row(marks: Iterable[AnswerMark]) -> dict[str, MissStreak]:
    """Return for each concept the wrong answers since the last right one, if any; `marks` are oldest first."""
    running: dict[str, MissStreak] = {}
    for mark in marks:
        before = running.pop(mark.concept, None)
        if not mark.correct:
            running[mark.concept] = MissStreak(
                count=before.count + 1 if before else 1, since=before.since if before else mark.at
            )
    return running


def reasons_to_help(
    *,
    misses: Mapping[str, MissStreak],
    misconceptions: Mapping[str, datetime],
    last_answer: datetime | None,
    joined: datetime,
    now: datetime,
) -> tuple[HelpReason, ...]:
    """Return the reasons, the most urgent first.

    `misses` are by concept; `misconceptions` are active now, each with the time since which it has shown lately.
    """
    stuck = {concept: each for concept, each in misses.items() if each.count >= MISSES_BEFORE_DETOUR}
    longest = sorted(stuck, key=lambda concept: (stuck[concept].count, concept), reverse=True)
    found = [
        *(HelpReason(kind="misses", about=each, number=stuck[each].count, since=stuck[each].since) for each in longest),
        *(HelpReason(kind="misconception", about=each, since=misconceptions[each]) for each in sorted(misconceptions)),
    ]
    silent_for = now - (last_answer or joined)
    if silent_for >= INACTIVE_AFTER:
        kind: Kind = "quiet" if last_answer else "not_begun"
        found.append(HelpReason(kind=kind, number=silent_for.days, since=last_answer or joined))
    return tuple(found)


def total_urgency(reasons: Iterable[HelpReason]) -> int:
    """Return how urgently a learner needs help; higher is more urgent."""
    return sum(URGENCY[reason.kind] for reason in reasons)
