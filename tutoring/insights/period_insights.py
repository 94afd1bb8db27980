"""The insights of a calendar week or month, and of a conversation, computed from its answers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from conversations.models import Session
from tutoring.insights.calendar_periods import CalendarPeriod, CalendarTimeframe
from tutoring.insights.counted_answers import AnswerInsight, answers_without_help
from tutoring.insights.patterns import find_patterns, find_trend
from tutoring.models import Attempt, Question

LEAST_IN_SESSION: Final = 3
"""Answers in a conversation that show something: a short quiz has no more. Chosen by hand."""
ROSE: Final[Mapping[CalendarTimeframe, object]] = {
    "week": _(
        "You got %(now)s of your answers right (%(right)d of %(count)d), up from %(before)s (%(right_before)d of "
        "%(count_before)d) the week before."
    ),
    "month": _(
        "You got %(now)s of your answers right (%(right)d of %(count)d), up from %(before)s (%(right_before)d of "
        "%(count_before)d) the month before."
    ),
}
FELL: Final[Mapping[CalendarTimeframe, object]] = {
    "week": _(
        "You got %(now)s of your answers right (%(right)d of %(count)d), down from %(before)s (%(right_before)d of "
        "%(count_before)d) the week before."
    ),
    "month": _(
        "You got %(now)s of your answers right (%(right)d of %(count)d), down from %(before)s (%(right_before)d of "
        "%(count_before)d) the month before."
    ),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ComputedInsights:
    """What the answers of a period show."""

    answers: int
    """How many answers without help there are in it."""
    insights: Sequence[AnswerInsight] = ()
    """The most important one first."""


def insights_of_period(learner_id: int, period: CalendarPeriod) -> ComputedInsights:
    """Return what the answers of a week or month show, and how they differ from those of the one before. One query."""
    since = period.previous().start
    rows = list(_lesson_answers(learner_id).filter(created_at__gte=since, created_at__lt=period.end))
    before = [each for each in rows if each.created_at < period.start]
    latest = rows[len(before) :]
    rose, fell = str(ROSE[period.timeframe]), str(FELL[period.timeframe])
    return _ranked(latest, [*find_patterns(latest), *find_trend(before, latest, rose=rose, fell=fell)])


def insights_of_session(session: Session) -> ComputedInsights:
    """Return what the answers of a conversation show. One query."""
    answers = list(answers_in_session(session))
    return _ranked(answers, find_patterns(answers, least=LEAST_IN_SESSION))


def answers_in_session(session: Session) -> QuerySet[Attempt]:
    """Return the answers of a conversation that its insights are counted from."""
    return _lesson_answers(session.owner_id).filter(question__session=session)


def _lesson_answers(learner_id: int) -> QuerySet[Attempt]:
    # A placement looks for what is not known: its wrong answers say nothing about a week.
    return answers_without_help(learner_id).exclude(question__purpose=Question.Purpose.PLACEMENT)


def _ranked(answers: Sequence[Attempt], found: Sequence[AnswerInsight]) -> ComputedInsights:
    return ComputedInsights(answers=len(answers), insights=sorted(found, key=lambda each: -each.importance))
