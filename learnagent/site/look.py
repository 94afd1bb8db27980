"""The site's look and announcements as pages use them: cached for seconds, as flags are."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from django.db.models import Q
from django.http import HttpRequest
from django.utils import timezone

from agents.storage.availability import UNAVAILABLE_ERRORS
from agents.storage.brief_cache import BriefCache
from learnagent.accounts.models import Announcement, ClosedAnnouncement, Person, SiteLook

CACHED_S: Final = 2.0


@dataclass(frozen=True, slots=True, kw_only=True)
class AnnouncementFacts:
    """An announcement, without its row."""

    pk: int
    text: str
    audience: str
    """A role, `everybody`, or a class as in `Person.audiences`."""
    starts_at: datetime
    ends_at: datetime | None

    def is_for(self, person: Person) -> bool:
        """Return whether the person belongs to the audience. Queries the database for a class."""
        if self.audience.startswith("class:"):
            return self.audience in person.audiences
        return self.audience in ("everybody", person.role)


@dataclass(frozen=True, slots=True, kw_only=True)
class _SiteFacts:
    look: SiteLook
    announcements: Sequence[AnnouncementFacts] = ()


def site_look() -> SiteLook:
    """Return the site's name and look as of seconds ago; the defaults without a row or a database."""
    return _facts().look


def announcements_for(person: Person) -> list[AnnouncementFacts]:
    """Return what is announced to the person now and was not closed. Queries the database only if there may be some."""
    now = timezone.now()
    shown = [
        each
        for each in _facts().announcements
        if each.starts_at <= now and (each.ends_at is None or each.ends_at > now) and each.is_for(person)
    ]
    if not shown:
        return []
    closed = ClosedAnnouncement.objects.filter(person=person, announcement__in=[each.pk for each in shown])
    gone = set(closed.values_list("announcement", flat=True))
    return [each for each in shown if each.pk not in gone]


def close_announcement(person: Person, pk: int) -> bool:
    """Hide an announcement from the person from now on; return whether it was shown to them."""
    if all(each.pk != pk for each in announcements_for(person)):
        return False
    ClosedAnnouncement.objects.get_or_create(person=person, announcement_id=pk)
    return True


def forget_look() -> None:
    """Read the look and the announcements anew, after they were changed."""
    _cached.forget()


def hold_defaults() -> None:
    """Use the default look and no announcements, without a database, until `forget_look`: for tests of other things."""
    _cached.hold(_SiteFacts(look=SiteLook()))


def forget_look_now_and_on_commit() -> None:
    """Do the same inside a transaction."""
    _cached.forget_now_and_on_commit()


def look_context(request: HttpRequest) -> dict[str, Any]:
    """Give every template the site's look and announcements; read when it asks."""
    return {"site_look": site_look, "announcements": lambda: _announced(request)}


def _announced(request: HttpRequest) -> list[AnnouncementFacts]:
    user = getattr(request, "user", None)
    return announcements_for(user) if isinstance(user, Person) else []


def _facts() -> _SiteFacts:
    try:
        return _cached.get()
    except UNAVAILABLE_ERRORS:  # A page without a name of its own is worth more than none.
        return _SiteFacts(look=SiteLook())


def _read_facts() -> _SiteFacts:
    rows = Announcement.objects.filter(Q(ends_at=None) | Q(ends_at__gt=timezone.now()))
    announcements = [
        AnnouncementFacts(
            pk=row.pk,
            text=row.text,
            audience=f"class:{row.class_code}" if row.class_code else row.audience,
            starts_at=row.starts_at,
            ends_at=row.ends_at,
        )
        for row in rows
    ]
    return _SiteFacts(look=SiteLook.objects.first() or SiteLook(), announcements=announcements)


_cached = BriefCache(_read_facts, seconds=CACHED_S)
