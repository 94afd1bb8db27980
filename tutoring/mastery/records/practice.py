"""When a learner practised, and what was mastered when: one query each."""

from dataclasses import dataclass
from datetime import date, datetime
from typing import Final

from django.db.models import Count, Sum
from django.db.models.functions import Coalesce, Least, TruncDate
from django.utils import timezone

from tutoring.models import Attempt, Mastery

# A question that stays open over lunch is no practice. Both by hand.
LONGEST_S: Final = 300.0
"""Seconds that count for one answer at most."""
UNKNOWN_S: Final = 30.0
"""Seconds that count for an answer whose time was not measured."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PracticeDay:
    """One day's practice."""

    answers: int
    seconds: float
    """Time spent on questions, each at most `LONGEST_S`."""


def practice_by_day(learner_id: int, *, since: datetime) -> dict[date, PracticeDay]:
    """Return the days with answers from then on, in the current time zone."""
    answers = Attempt.objects.filter(learner_id=learner_id, created_at__gte=since)
    days = answers.annotate(day=TruncDate("created_at")).values("day").order_by("day")
    spent = Sum(Least(Coalesce("time_taken_s", UNKNOWN_S), LONGEST_S))
    return {
        row["day"]: PracticeDay(answers=row["answers"], seconds=row["seconds"])
        for row in days.annotate(answers=Count("pk"), seconds=spent)
    }


def mastered_on(learner_id: int, *, course_id: int | None = None) -> list[date]:
    """Return for each concept mastered the day on which it first was, in order, in the current time zone."""
    rows = Mastery.objects.filter(learner_id=learner_id, mastered_at__isnull=False)
    if course_id is not None:
        rows = rows.filter(concept__course_id=course_id)
    return [timezone.localdate(at) for at in rows.order_by("mastered_at").values_list("mastered_at", flat=True) if at]
