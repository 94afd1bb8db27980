"""The answers that insights are counted from, and the insights themselves, each with its answers."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import tzinfo
from typing import Final, Literal

from django.db.models import QuerySet
from django.utils.formats import date_format

from conversations.panel.results import Insight
from tutoring.models import Attempt, Concept

type InsightType = Literal["pattern", "trend", "connection"]

FIELDS_READ: Final = (
    "correct",
    "misconceptions",
    "created_at",
    "question__concept__slug",
    "question__concept__title",
    "question__concept__course__slug",
    "question__concept__course__source_hash",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerInsight:
    """Something that answers show."""

    type: InsightType
    description: str
    """A sentence or two in Markdown."""
    answers: Sequence[Attempt]
    """Every number in the description can be counted again from them."""
    importance: float
    """0 to 1."""
    connects: tuple[Concept, Concept] | None = None
    """The topic and the one that it builds on; None if this is no connection, or was stored."""


def answers_without_help(learner_id: int) -> QuerySet[Attempt]:
    """Return the learner's answers that insights are counted from, oldest first, with their topics.

    An answer that a teacher agreed to leave out is not among them.
    """
    counted = Attempt.objects.filter(learner_id=learner_id, assisted=False).exclude(change__left_out=True)
    return counted.select_related("question__concept__course").only(*FIELDS_READ).order_by("created_at", "pk")


def to_insight(found: AnswerInsight, *, zone: tzinfo) -> Insight:
    """Return the insight with links to its answers, dated by this time zone."""
    evidence = tuple(_answer_link(each, zone) for each in found.answers)
    return Insight(type=found.type, description=found.description, evidence=evidence, importance=found.importance)


def _answer_link(attempt: Attempt, zone: tzinfo) -> str:
    concept = attempt.question.concept
    day = date_format(attempt.created_at.astimezone(zone), "MONTH_DAY_FORMAT")
    return f"[{concept.title}, {day}]({concept.evidence_url(answer=attempt.pk)})"
