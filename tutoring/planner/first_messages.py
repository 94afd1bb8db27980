"""First messages: the tutor writes without being asked, to those who want it, at most once a day."""

from datetime import datetime, timedelta
from typing import Final

from django.conf import settings
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from agents.people import Person, zone_named
from conversations.models import Turn
from conversations.turns.unasked_messages import write_unasked
from tutoring.mastery.records.practice import practice_by_day
from tutoring.mastery.records.reviews import due_reviews
from tutoring.models import CalendarEvent, PlannerSettings, Workspace
from tutoring.planner.records.events import EventTime, events_between
from tutoring.planner.reminders import is_quiet

CONVERSATION: Final = "from-your-tutor"
"""The key of the conversation in which the tutor writes first."""
SPEAKER: Final = "tutor"
LOOKS_BACK: Final = timedelta(days=2)
"""How long ago a study session may have been missed to be named."""
OFFERED_FOR: Final = timedelta(hours=24)
TITLES_NAMED: Final = 3


def write_first_messages(*, at: datetime | None = None) -> None:
    """Write to each person who wants it, is not at rest, was not written to today, and for whom there is a reason."""
    at = at or timezone.now()
    wanted = PlannerSettings.objects.filter(first_messages=True, owner__is_active=True).select_related("owner")
    for chosen in wanted.iterator():
        zone = zone_named(chosen.owner.zone)
        if _written_today(chosen, at) or is_quiet(chosen.owner, at):
            continue
        with translation.override(settings.LANGUAGE_CODE), timezone.override(zone):
            words = reason_words(chosen.owner, at=at, last=chosen.first_message_at)
            if words:
                _write(chosen, words, at)


def reason_words(person: Person, *, at: datetime, last: datetime | None = None) -> str:
    """Return the most important thing to write about, by the clock in force; empty for none.

    `last` is the time of the last first message: what was missed before it is not named again.
    """
    return _test_words(person, at) or _missed_words(person, at, last) or _review_words(person, at)


def first_message_to_offer(person: Person, *, at: datetime | None = None) -> Turn | None:
    """Return the tutor's latest first message, if it is of the last day and was not answered yet."""
    at = at or timezone.now()
    turns = Turn.objects.filter(session__owner_id=person.pk, session__key=CONVERSATION, session__deleted_at=None)
    last = turns.select_related("session").order_by("-number").first()
    if last is None or last.kind != Turn.Kind.OPEN or last.finished_at is None or last.finished_at < at - OFFERED_FOR:
        return None
    return last


def _written_today(chosen: PlannerSettings, at: datetime) -> bool:
    zone, last = zone_named(chosen.owner.zone), chosen.first_message_at
    return last is not None and last.astimezone(zone).date() == at.astimezone(zone).date()


def _write(chosen: PlannerSettings, words: str, at: datetime) -> None:
    """Write the message, unless another process has; the day's name keeps it one even after a crash in between."""
    same = PlannerSettings.objects.filter(pk=chosen.pk, first_message_at=chosen.first_message_at, first_messages=True)
    if not same.update(first_message_at=at):
        return
    day = timezone.localdate(at).isoformat()
    off = _("You asked me to write first. You can turn this off in the [planner’s settings](%(url)s).") % {
        "url": f"{settings.PUBLIC_URL}{reverse('planner-settings')}"
    }
    written = write_unasked(
        chosen.owner,
        key=CONVERSATION,
        title=_("From your tutor"),
        text=f"{words}\n\n{off}",
        agent=SPEAKER,
        name=f"first-{chosen.owner_id}-{day}",
    )
    if written is None:  # The conversation is busy: the next look tries again.
        PlannerSettings.objects.filter(pk=chosen.pk).update(first_message_at=chosen.first_message_at)


# --- Reasons ---


def _test_words(person: Person, at: datetime) -> str:
    """Return the words for a test tomorrow."""
    tomorrow = _midnight(at) + timedelta(days=1)
    tests = _of_kind(person, CalendarEvent.Kind.TEST, after=tomorrow, before=tomorrow + timedelta(days=1))
    if not tests:
        return ""
    first = tests[0]
    if first.event.is_all_day:
        return _("Tomorrow is your test: %(title)s. Shall we go over it once more?") % {"title": first.event.title}
    time = date_format(timezone.localtime(first.start), "H:i")
    return _("Tomorrow at %(time)s is your test: %(title)s. Shall we go over it once more?") % {
        "time": time,
        "title": first.event.title,
    }


def _missed_words(person: Person, at: datetime, last: datetime | None) -> str:
    """Return the words for study sessions that went by without practice on their day."""
    since = _midnight(at) - LOOKS_BACK
    planned = _of_kind(person, CalendarEvent.Kind.STUDY, after=since, before=at)
    planned = [each for each in planned if (last or since) < each.end <= at]
    practised = practice_by_day(person.pk, since=since)
    missed = [each for each in planned if timezone.localdate(each.start) not in practised]
    if not missed:
        return ""
    titles = ", ".join(dict.fromkeys(each.event.title for each in missed[:TITLES_NAMED]))
    said = ngettext(
        "A study session in your planner went by: %(titles)s. That’s no problem. Shall we find another time for it?",
        "%(count)d study sessions in your planner went by: %(titles)s. That’s no problem. Shall we find other times?",
        len(missed),
    )
    return said % {"count": len(missed), "titles": titles}


def _review_words(person: Person, at: datetime) -> str:
    """Return the words for reviews that are due."""
    titles = [row.concept.title for row in due_reviews(person, at=at)]
    if not titles:
        return ""
    said = ngettext(
        "It’s time to refresh %(titles)s. Do you have a few minutes? [Start the review](%(url)s).",
        "%(count)d topics are due for review: %(titles)s. Do you have a few minutes? [Start the review](%(url)s).",
        len(titles),
    )
    named = ", ".join(titles[:TITLES_NAMED]) + (" …" if len(titles) > TITLES_NAMED else "")
    return said % {"count": len(titles), "titles": named, "url": f"{settings.PUBLIC_URL}{reverse('review')}"}


def _of_kind(person: Person, kind: str, *, after: datetime, before: datetime) -> list[EventTime]:
    """Return the occurrences of this kind in all of the person's workspaces that start in the span."""
    spaces = Workspace.objects.filter(owner_id=person.pk, calendarevent_rows__kind=kind).distinct()
    found = [each for space in spaces for each in events_between(space, after, before, kind=kind)]
    inside = [each for each in found if after <= each.start < before]
    return sorted(inside, key=lambda each: each.start)


def _midnight(at: datetime) -> datetime:
    return timezone.localtime(at).replace(hour=0, minute=0, second=0, microsecond=0)
