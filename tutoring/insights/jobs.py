"""Jobs that store insights: of a conversation after a lesson or quiz in it, of weeks and months once they are over."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from functools import partial
from typing import Any, Final

from django.contrib.auth import get_user_model
from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.tasks import task
from django.utils import timezone

from agents.event_log import get_logger
from agents.people import zone_named
from conversations.models import Session
from tutoring.insights.calendar_periods import CalendarPeriod, CalendarTimeframe, period_at
from tutoring.insights.records import store_period, store_session
from tutoring.models import Attempt, InsightPeriod

logger = get_logger(__name__)

LOOKED_BACK: Final[dict[CalendarTimeframe, int]] = {"week": 8, "month": 3}
"""How many periods that are over are looked at, so that those that ended while the site was down are not left out."""
SETTLED_AFTER: Final = timedelta(minutes=10)
"""An answer given in the last moment of a period may be stored a little after its end."""


def order_session_insights(session_id: int) -> None:
    """Have a worker store a conversation's insights, after the caller's transaction."""
    transaction.on_commit(partial(compute_session_insights.enqueue, session_id), robust=True)


@task
def compute_session_insights(session_id: int) -> None:
    """Store the insights of a conversation; of a deleted one, none."""
    session = Session.objects.select_related("owner").filter(pk=session_id).first()
    if session is not None:
        store_session(session)


def store_ended_periods(*, at: datetime | None = None) -> None:
    """Store the insights of weeks and months that are over by each learner's clock, unless that was done before.

    Delete the insights of conversations whose words were deleted for good.
    """
    settled = (at or timezone.now()) - SETTLED_AFTER
    zones = get_user_model()._base_manager.values_list("zone", flat=True).distinct().order_by("zone")
    for zone in list(zones):
        for period in _ended_periods(settled, zone):
            for person in _waiting_learners(period, zone):
                _store_or_log(person, period)
    # The row of such a conversation stays, because of the answers in it.
    InsightPeriod.objects.filter(session__key="").delete()


def _store_or_log(person: Any, period: CalendarPeriod) -> None:
    """Store the insights of one learner's period. One that cannot be computed must not keep the others waiting."""
    try:
        store_period(person, period)
    except Exception:
        logger.exception("insights_not_made", person=person.pk, timeframe=period.timeframe, first_day=period.first_day)


def _ended_periods(at: datetime, zone: str) -> Iterator[CalendarPeriod]:
    for timeframe, count in LOOKED_BACK.items():
        period = period_at(at, timeframe=timeframe, zone=zone_named(zone))
        for _number in range(count):
            yield (period := period.previous())


def _waiting_learners(period: CalendarPeriod, zone: str) -> QuerySet[Any]:
    """Return the learners in a time zone who have answers in the period, and no insights computed of it yet."""
    own = {"learner_id": OuterRef("pk")}
    answers = Attempt.objects.filter(**own, created_at__gte=period.start, created_at__lt=period.end)
    computed = InsightPeriod.objects.filter(**own, timeframe=period.timeframe, starts_on=period.first_day, session=None)
    people = get_user_model()._base_manager.filter(zone=zone, is_active=True)
    return people.filter(Exists(answers), ~Exists(computed)).order_by("pk")
