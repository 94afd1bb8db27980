"""Stores the insights of periods that are over and of conversations, and reads them with their answers."""

from collections.abc import Mapping, Sequence
from typing import cast

from django.db import transaction
from django.utils import translation

from agents.people import Person, zone_named
from conversations.models import Session
from tutoring.insights.calendar_periods import CalendarPeriod
from tutoring.insights.counted_answers import AnswerInsight, InsightType, answers_without_help
from tutoring.insights.period_insights import (
    ComputedInsights,
    answers_in_session,
    insights_of_period,
    insights_of_session,
)
from tutoring.models import Attempt, InsightPeriod, LearningInsight


def store_period(person: Person, period: CalendarPeriod) -> None:
    """Store the insights of a week or month that is over. Once: later calls change nothing."""
    with translation.override(person.language):
        found = insights_of_period(person.pk, period)
    with transaction.atomic():
        row, is_new = InsightPeriod.objects.get_or_create(
            learner_id=person.pk,
            timeframe=period.timeframe,
            starts_on=period.first_day,
            session=None,
            defaults={"answers": found.answers},
        )
        if is_new:
            _store_insights(row, found)


def store_session(session: Session) -> None:
    """Store the insights of a conversation up to now, in place of earlier ones; nothing without an answer to count."""
    with translation.override(session.owner.language):
        found = insights_of_session(session)
    if not found.answers:
        return
    began = session.created_at.astimezone(zone_named(session.owner.zone))
    fields = {
        "learner_id": session.owner_id,
        "timeframe": InsightPeriod.Timeframe.SESSION,
        "starts_on": began.date(),
        "answers": found.answers,
    }
    with transaction.atomic():
        row, _is_new = InsightPeriod.objects.update_or_create(session=session, defaults=fields)
        row.insights.all().delete()
        _store_insights(row, found)


def session_insights(session: Session) -> Sequence[AnswerInsight]:
    """Return the insights of a conversation: the stored ones, computed now if there were answers since."""
    row = InsightPeriod.objects.filter(session=session).first()
    if row is None or row.answers != answers_in_session(session).count():
        return insights_of_session(session).insights
    return stored_insights(session.owner_id, [row])[row.pk]


def stored_insights(learner_id: int, periods: Sequence[InsightPeriod]) -> Mapping[int, Sequence[AnswerInsight]]:
    """Return the insights of the learner's periods by their key, the most important first; two queries.

    One is left out if any of its answers is gone or no longer counts: its numbers could not be counted again.
    """
    rows = list(LearningInsight.objects.filter(period__in=periods).order_by("-importance", "pk"))
    answers = _answers_by_id(learner_id, {pk for row in rows for pk in row.evidence})
    found: dict[int, list[AnswerInsight]] = {period.pk: [] for period in periods}
    for row in rows:
        if all(pk in answers for pk in row.evidence):
            found[row.period_id].append(_as_found(row, answers))
    return found


def _answers_by_id(learner_id: int, ids: set[int]) -> Mapping[int, Attempt]:
    if not ids:
        return {}
    # By the range, since there may be more of them than a statement may have parameters.
    rows = answers_without_help(learner_id).filter(pk__range=(min(ids), max(ids)))
    return {row.pk: row for row in rows if row.pk in ids}


def _as_found(row: LearningInsight, answers: Mapping[int, Attempt]) -> AnswerInsight:
    return AnswerInsight(
        type=cast("InsightType", row.type),
        description=row.description,
        answers=[answers[pk] for pk in row.evidence],
        importance=row.importance,
    )


def _store_insights(period: InsightPeriod, found: ComputedInsights) -> None:
    LearningInsight.objects.bulk_create(
        LearningInsight(
            period=period,
            type=each.type,
            description=each.description,
            evidence=[answer.pk for answer in each.answers],
            importance=each.importance,
        )
        for each in found.insights
    )
