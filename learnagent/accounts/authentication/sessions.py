"""The session engine: sessions in the database, each with its person and with a hash in place of its key."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends import db
from django.utils import timezone
from django.utils.crypto import constant_time_compare

from learnagent.accounts.authentication.digests import digest_of
from learnagent.accounts.authentication.user_agents import browser_name
from learnagent.accounts.models import BrowserSession, Person

SINCE_KEY, BROWSER_KEY = "signed_in_at", "browser"
NAME_LENGTH = 20
STORED_KEY_LENGTH = 40
"""As many as fit in Django's column: 160 bits, far too many to guess a key."""


def stored_key(session_key: str) -> str:
    """Return what is stored in place of a session's key: whoever reads the database cannot sign in with it."""
    return digest_of(session_key)[:STORED_KEY_LENGTH]


class SessionStore(db.SessionStore):
    """Django's own, with the person beside the data. `session_key` is the cookie's key, never what is stored."""

    @classmethod
    def get_model_class(cls) -> type[BrowserSession]:
        return BrowserSession

    def _get_session_from_db(self) -> BrowserSession | None:
        found = BrowserSession.objects.filter(
            session_key=stored_key(self.session_key or ""), expire_date__gt=timezone.now()
        ).first()
        return self._loaded(found)

    async def _aget_session_from_db(self) -> BrowserSession | None:
        found = await BrowserSession.objects.filter(
            session_key=stored_key(self.session_key or ""), expire_date__gt=timezone.now()
        ).afirst()
        return self._loaded(found)

    def _loaded(self, found: BrowserSession | None) -> BrowserSession | None:
        if found is None:
            self._session_key = None
        return found

    def exists(self, session_key: str) -> bool:
        return super().exists(stored_key(session_key))

    async def aexists(self, session_key: str) -> bool:
        return await super().aexists(stored_key(session_key))

    def create_model_instance(self, data: dict[str, Any]) -> BrowserSession:
        return _as_stored(super().create_model_instance(data), data)

    async def acreate_model_instance(self, data: dict[str, Any]) -> BrowserSession:
        return _as_stored(await super().acreate_model_instance(data), data)

    def delete(self, session_key: str | None = None) -> None:
        if key := session_key or self.session_key:
            BrowserSession.objects.filter(session_key=stored_key(key)).delete()

    async def adelete(self, session_key: str | None = None) -> None:
        if key := session_key or self.session_key:
            await BrowserSession.objects.filter(session_key=stored_key(key)).adelete()


def _as_stored(row: Any, data: Mapping[str, Any]) -> BrowserSession:
    row.session_key = stored_key(row.session_key)
    row.person_id = int(data[SESSION_KEY]) if SESSION_KEY in data else None
    session: BrowserSession = row
    return session


def person_of_session(session_key: str) -> Person | None:
    """Return who is signed in with this session, as the database has it now; None after sign-out."""
    session = SessionStore(session_key or None)
    if session.get(BACKEND_SESSION_KEY) not in settings.AUTHENTICATION_BACKENDS:
        return None
    person = Person.objects.filter(pk=session.get(SESSION_KEY) or 0, is_active=True).first()
    if person is None:
        return None
    given = session.get(HASH_SESSION_KEY, "")
    return person if constant_time_compare(given, person.get_session_auth_hash()) else None


@dataclass(frozen=True, slots=True, kw_only=True)
class SignedInBrowser:
    """One browser in which a person is signed in."""

    name: str
    """The session's id in a URL. Its key, which would sign anybody in, is never on a page."""
    browser: str
    """Such as "Firefox · Windows"; empty if unknown."""
    since: datetime | None
    is_this_browser: bool


def record_sign_in(sender: Any, request: Any, user: Any, **kwargs: Any) -> None:
    """Write down when and with what somebody signed in; heard of each sign-in, whichever way it came."""
    request.session[SINCE_KEY] = timezone.now().isoformat()
    request.session[BROWSER_KEY] = browser_name(request.META.get("HTTP_USER_AGENT", ""))


def sessions_of(person: Person, *, current: str | None) -> list[SignedInBrowser]:
    """Return where the person is signed in now: this browser first, then the latest."""
    found = [_signed_in_browser(row, current=current) for row in _rows_of(person)]
    found.sort(key=lambda each: each.since.timestamp() if each.since else 0.0, reverse=True)
    return sorted(found, key=lambda each: not each.is_this_browser)


def end_session(person: Person, name: str) -> bool:
    """Sign the person out of one browser; whether there was such a session of theirs."""
    keys = [row.session_key for row in _rows_of(person) if _name_of(row) == name]
    deleted, _ = BrowserSession.objects.filter(session_key__in=keys).delete()
    return deleted > 0


def end_sessions(person: Person, *, but: str | None = None) -> int:
    """Sign the person out of every browser, but for the one with this key. Return how many.

    Sockets of a session end with it: they look at their next frame, or within 20 s.
    """
    deleted, _ = BrowserSession.objects.filter(person=person).exclude(session_key=stored_key(but or "")).delete()
    return deleted


def _rows_of(person: Person) -> list[BrowserSession]:
    return list(BrowserSession.objects.filter(person=person, expire_date__gt=timezone.now()))


def _signed_in_browser(row: BrowserSession, *, current: str | None) -> SignedInBrowser:
    data = row.get_decoded()
    since = data.get(SINCE_KEY)
    return SignedInBrowser(
        name=_name_of(row),
        browser=data.get(BROWSER_KEY, ""),
        since=datetime.fromisoformat(since) if since else None,
        is_this_browser=current is not None and row.session_key == stored_key(current),
    )


def _name_of(row: BrowserSession) -> str:
    return row.session_key[:NAME_LENGTH]
