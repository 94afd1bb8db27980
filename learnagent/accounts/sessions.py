"""Browser sessions that know whose they are: Django's session engine here, listed and ended by their person."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.backends import db
from django.utils import timezone

from learnagent.accounts.browsers import browser_of
from learnagent.accounts.models import BrowserSession, Person
from learnagent.accounts.tokens import digest_of

SINCE, BROWSER = "signed_in_at", "browser"
NAME_LETTERS = 20


class SessionStore(db.SessionStore):
    """Django's own, with the person beside the data."""

    @classmethod
    def get_model_class(cls) -> type[BrowserSession]:
        return BrowserSession

    def create_model_instance(self, data: dict[str, Any]) -> BrowserSession:
        return _of_its_person(super().create_model_instance(data), data)

    async def acreate_model_instance(self, data: dict[str, Any]) -> BrowserSession:
        return _of_its_person(await super().acreate_model_instance(data), data)


def _of_its_person(row: Any, data: Mapping[str, Any]) -> BrowserSession:
    row.person_id = int(data[SESSION_KEY]) if SESSION_KEY in data else None
    session: BrowserSession = row
    return session


@dataclass(frozen=True, slots=True, kw_only=True)
class SignedIn:
    """One browser in which a person is signed in."""

    name: str
    """Names the session in an address; its key, which would sign anybody in, is in no page."""
    browser: str
    """Such as "Firefox · Windows"; empty if it did not say."""
    since: datetime | None
    is_this: bool


def note_sign_in(sender: Any, request: Any, user: Any, **kwargs: Any) -> None:
    """Write down when and with what somebody signed in; heard of each sign-in, whichever way it came."""
    request.session[SINCE] = timezone.now().isoformat()
    request.session[BROWSER] = browser_of(request.META.get("HTTP_USER_AGENT", ""))


def sessions_of(person: Person, *, current: str | None) -> list[SignedIn]:
    """Return where the person is signed in now: this browser first, then the latest."""
    found = [_told(row, current=current) for row in _rows_of(person)]
    found.sort(key=lambda each: each.since.timestamp() if each.since else 0.0, reverse=True)
    return sorted(found, key=lambda each: not each.is_this)


def end_session(person: Person, name: str) -> bool:
    """Sign the person out of one browser; whether there was such a session of theirs."""
    keys = [row.session_key for row in _rows_of(person) if _name_of(row.session_key) == name]
    deleted, _ = BrowserSession.objects.filter(session_key__in=keys).delete()
    return deleted > 0


def end_sessions(person: Person, *, but: str | None = None) -> int:
    """Sign the person out of every browser, but for the one with this key. Return how many.

    Sockets of a session end with it: they look at their next frame, or within 20 s.
    """
    deleted, _ = BrowserSession.objects.filter(person=person).exclude(session_key=but or "").delete()
    return deleted


def _rows_of(person: Person) -> list[BrowserSession]:
    return list(BrowserSession.objects.filter(person=person, expire_date__gt=timezone.now()))


def _told(row: BrowserSession, *, current: str | None) -> SignedIn:
    data = row.get_decoded()
    since = data.get(SINCE)
    return SignedIn(
        name=_name_of(row.session_key),
        browser=data.get(BROWSER, ""),
        since=datetime.fromisoformat(since) if since else None,
        is_this=row.session_key == current,
    )


def _name_of(session_key: str) -> str:
    return digest_of(session_key)[:NAME_LETTERS]
