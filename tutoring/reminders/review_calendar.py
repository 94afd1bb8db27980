"""The calendar of a learner's reviews, as iCalendar (RFC 5545): one entry for a day, without a time or an alarm."""

from collections import defaultdict
from collections.abc import Iterable
from datetime import UTC, date, datetime, timedelta
from math import ceil
from typing import Final
from urllib.parse import urlsplit

from django.conf import settings
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from agents.people import Person
from tutoring.mastery.records.reviews import scheduled_reviews

AHEAD: Final = timedelta(days=60)
SECONDS_A_TOPIC: Final = 90
LONGEST_LINE: Final = 75
"""Bytes of a line; a longer one goes on in the next (RFC 5545, 3.1)."""


def review_calendar(person: Person, *, at: datetime) -> str:
    """Return the calendar, by the clock in force; what is overdue stands on today. One query."""
    today = timezone.localdate(at)
    days: dict[date, list[str]] = defaultdict(list)
    for row in scheduled_reviews(person, at=at):
        if row.due_at <= at + AHEAD:
            days[max(today, timezone.localdate(row.due_at))].append(row.concept.title)
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//learnagent//reviews//EN", f"X-WR-CALNAME:{_('Reviews')}"]
    for day in sorted(days):
        lines += _event(day, days[day], learner=person.pk, at=at)
    return "".join(f"{_folded(line)}\r\n" for line in (*lines, "END:VCALENDAR"))


def _event(day: date, titles: Iterable[str], *, learner: int, at: datetime) -> list[str]:
    titles = list(titles)
    host = urlsplit(settings.PUBLIC_URL).hostname or "localhost"
    return [
        "BEGIN:VEVENT",
        f"UID:reviews-{learner}-{day:%Y%m%d}@{host}",
        f"DTSTAMP:{at.astimezone(UTC):%Y%m%dT%H%M%SZ}",
        f"DTSTART;VALUE=DATE:{day:%Y%m%d}",
        f"DTEND;VALUE=DATE:{day + timedelta(days=1):%Y%m%d}",
        f"SUMMARY:{_escaped(_('Review: %(titles)s') % {'titles': ', '.join(titles)})}",
        f"DESCRIPTION:{_escaped(_minutes_words(len(titles)))}",
        f"URL:{settings.PUBLIC_URL}{reverse('review')}",
        "TRANSP:TRANSPARENT",
        "END:VEVENT",
    ]


def _minutes_words(topics: int) -> str:
    minutes = ceil(topics * SECONDS_A_TOPIC / 60)
    return ngettext("About %(count)d minute", "About %(count)d minutes", minutes) % {"count": minutes}


def _escaped(text: str) -> str:
    for letter in "\\;,":
        text = text.replace(letter, f"\\{letter}")
    return " ".join(text.splitlines())


def _folded(line: str) -> str:
    """Return the line with breaks that no letter is cut by."""
    parts, part = [], ""
    for letter in line:
        if len((part + letter).encode()) > LONGEST_LINE:
            parts.append(part)
            part = " "
        part += letter
    return "\r\n".join([*parts, part])
