"""The announced end of the v1 API, and the headers that tell clients of it."""

from calendar import monthrange
from collections.abc import Mapping
from datetime import UTC, date, datetime, time
from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils.http import http_date

from agents.storage.availability import UNAVAILABLE_ERRORS
from agents.storage.brief_cache import BriefCache
from conversations.models import V1Deprecation

MONTHS_TO_SUNSET = 6
CACHED_S = 2.0
"""How long a process may send the headers as they were before a change."""


class DeprecationConflict(Exception):
    """Somebody else changed the announcement after it was read."""


def latest_deprecation() -> V1Deprecation | None:
    """Return the announcement that holds; None if there has never been one."""
    return V1Deprecation.objects.select_related("by").first()


@transaction.atomic
def announce_deprecation(*, since: date | None, sunset: date | None, by: Any, seen: int | None) -> None:
    """Store what holds from now on, and who said so; nothing if it is what holds already.

    `seen` is the id of the announcement that the change is based on, None for none: raises DeprecationConflict if there
    is a newer one. Raises ValidationError by field.
    """
    latest = V1Deprecation.objects.select_for_update().first()
    if (latest.pk if latest else None) != seen:
        raise DeprecationConflict
    before = (latest.since, latest.sunset) if latest else (None, None)
    if (since, sunset) == before:
        return
    row = V1Deprecation(since=since, sunset=sunset, by=by)
    row.full_clean()
    row.save()
    _headers.forget_now_and_on_commit()


def forget_deprecation() -> None:
    """Clear this process's cache."""
    _headers.forget()


def deprecation_headers(since: date | None, sunset: date | None) -> dict[str, str]:
    """Return the headers, empty without a date: `Deprecation` (RFC 9745), `Sunset` (RFC 8594), and `Link`."""
    if since is None:
        return {}
    docs = f"{settings.PUBLIC_URL}/v2/docs"
    return {
        "Deprecation": f"@{_seconds(since)}",
        "Sunset": http_date(_seconds(sunset or months_after(since, MONTHS_TO_SUNSET))),
        "Link": f'<{docs}#the-v1-api>; rel="deprecation"; type="text/html", <{docs}>; rel="successor-version"',
    }


def current_headers() -> Mapping[str, str]:
    """Return the headers as of at most seconds ago. Without a database, there are none: an answer is worth more."""
    try:
        return _headers.get()
    except UNAVAILABLE_ERRORS:
        return {}


async def acurrent_headers() -> Mapping[str, str]:
    """Return the same in asynchronous code."""
    try:
        return await _headers.aget()
    except UNAVAILABLE_ERRORS:
        return {}


def months_after(day: date, months: int) -> date:
    """Return the same day so many months later, or that month's last day if it has no such day."""
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    return date(year, month + 1, min(day.day, monthrange(year, month + 1)[1]))


def _seconds(day: date) -> int:
    return int(datetime.combine(day, time(), UTC).timestamp())


def _read_headers() -> Mapping[str, str]:
    latest = V1Deprecation.objects.values_list("since", "sunset").first()
    return deprecation_headers(*latest) if latest else {}


_headers = BriefCache(_read_headers, seconds=CACHED_S)
