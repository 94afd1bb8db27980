"""The week of a learner: on which days they practised. Days are counted forward, and nothing is ever lost."""

from collections.abc import Collection
from datetime import date, datetime, timedelta
from typing import Literal

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from agents.people import Person
from tutoring.mastery.records.practice import practice_by_day
from tutoring.models import StudySettings
from tutoring.models.study_settings import DAYS_IN_WEEK
from tutoring.pages.cards.question_context import Context

type DayState = Literal["kept", "rest", "today", "ahead", "before"]


def week_context(person: Person, *, at: datetime) -> Context:
    """Return the seven days of this week, how many were days of practice, and how many were planned; two queries."""
    today = timezone.localdate(at)
    monday = today - timedelta(days=today.weekday())
    practised = practice_by_day(person.pk, since=start_of(monday))
    planned = StudySettings.objects.filter(learner_id=person.pk).values_list("days_a_week", flat=True).first()
    days = [monday + timedelta(days=number) for number in range(DAYS_IN_WEEK)]
    kept = sum(day in practised for day in days)
    created = getattr(person, "created_at", None)
    joined = min((*practised, timezone.localdate(created) if created else monday), default=monday)
    return {
        "days": [_day(day, today=today, joined=joined, practised=practised) for day in days],
        "kept": kept,
        "planned": planned,
        "words": _words(kept, planned, adult=getattr(person, "is_adult", True)),
    }


def start_of(day: date) -> datetime:
    """Return the first moment of a day in the current time zone."""
    return timezone.make_aware(datetime.combine(day, datetime.min.time()))


def _day(day: date, *, today: date, joined: date, practised: Collection[date]) -> Context:
    state: DayState = "before" if day < joined else "rest" if day < today else "ahead"
    if day in practised:
        state = "kept"
    elif day == today:
        state = "today"
    said = {
        "kept": _("practiced"),
        "rest": _("day off"),
        "today": _("today"),
        "ahead": _("still to come"),
        "before": _("before you joined"),
    }
    return {"label": date_format(day, "D"), "name": date_format(day, "l"), "state": state, "words": said[state]}


def _words(kept: int, planned: int | None, *, adult: bool) -> str:
    """Return the count in a sentence; a missed day is never told as a loss."""
    if planned and kept >= planned:
        count = ngettext("%(kept)d day this week, as you planned.", "%(kept)d days this week, as you planned.", kept)
        return count % {"kept": kept}
    if planned:
        words = _("%(kept)d of the %(planned)d days you planned. A day off does not count against you.")
        return words % {"kept": kept, "planned": planned}
    count = ngettext("%(kept)d day this week.", "%(kept)d days this week.", kept) % {"kept": kept}
    return count if adult else _("%(count)s Days off are fine. You can continue at any time.") % {"count": count}
