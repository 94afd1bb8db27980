"""How many answers learners gave, when the last one was, and which of the latest were wrong, from the stored tallies."""

from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from tutoring.classes.help_rules import RECENT_PERIOD, STUCK_TRIES, AnswerMark, MissStreak, misses_in_a_row
from tutoring.models import AnswerTally
from tutoring.pages.cards.answer_counts import GivenAnswers


@dataclass(frozen=True, slots=True, kw_only=True)
class Tallies:
    """The answers of several learners in figures, in all courses."""

    given: Mapping[tuple[int, int], GivenAnswers] = field(default_factory=dict)
    """By the keys of learner and concept."""
    last_answers: Mapping[int, datetime] = field(default_factory=dict)
    """When each learner answered last."""
    misses: Mapping[tuple[int, int], list[list[Any]]] = field(default_factory=dict)
    """The wrong answers in a row that may call for help, as `AnswerTally.misses` has them."""


def load_tallies(people: Collection[int]) -> Tallies:
    """Return the tallies of these learners; one query, none for nobody."""
    rows = AnswerTally.objects.filter(learner_id__in=people) if people else AnswerTally.objects.none()
    given, last_answers, misses = {}, dict[int, datetime](), {}
    fields = ("learner_id", "concept_id", "given", "last_at", "misses")
    for person, concept, count, last_at, missed in rows.values_list(*fields):
        given[person, concept] = GivenAnswers(count=count, last_at=last_at)
        last_answers[person] = max(last_at, last_answers.get(person, last_at))
        if len(missed) >= STUCK_TRIES:
            misses[person, concept] = missed
    return Tallies(given=given, last_answers=last_answers, misses=misses)


def miss_streaks(
    tallies: Tallies, people: Collection[int], slugs: Mapping[int, str], *, now: datetime
) -> dict[int, dict[str, MissStreak]]:
    """Return for each of these learners, by concept, the latest answers in a row that were wrong.

    `slugs` are the concepts looked at, by key. Every answer is one of them, at a step of the lesson and a retry too.
    Rows too short to call for help are left out.
    """
    marks: dict[int, list[AnswerMark]] = defaultdict(list)
    for (person, concept), missed in tallies.misses.items():
        if person in people and concept in slugs:
            own = (_mark(slugs[concept], *each) for each in missed)
            marks[person] += [mark for mark in own if mark.at >= now - RECENT_PERIOD]
    return {person: misses_in_a_row(each) for person, each in marks.items()}


def _mark(concept: str, attempt: int, question: str, gave_up: bool, at: str) -> AnswerMark:
    return AnswerMark(
        attempt=attempt,
        question=UUID(question),
        concept=concept,
        correct=False,
        gave_up=gave_up,
        at=datetime.fromisoformat(at),
    )
