"""Notes on an OpenMemory server, if one is configured: a copy of each, for those who agreed that data may leave the site."""

import json
from datetime import timedelta
from typing import Any, Final

import httpx2
from django.conf import settings
from django.db.models import F, Q
from django.utils import timezone

from agents.event_log import get_logger
from agents.net.client import USER_AGENT, trusted_certificates
from agents.people import Person
from tutoring.models import Note

logger = get_logger(__name__)

TIMEOUT: Final = httpx2.Timeout(5.0, connect=2.0)
MOST_BYTES: Final = 1_000_000
"""Of an answer; a longer one is not read."""
AT_ONCE: Final = 100
"""Notes that one look copies or deletes; the others wait for the next."""
FOUND: Final = 10
FORGOTTEN_AFTER: Final = timedelta(days=1)
"""How long a deleted note stays on the server: as long as its deletion is usually undone."""


class MemoryServerFailed(Exception):
    """The server did not do what it was asked; the text says why, without what was sent."""


def is_set_up() -> bool:
    return bool(settings.OPENMEMORY_URL)


def user_of(person: Person, workspace_key: str) -> str:
    """Return the name under which the server keeps a person's notes of a workspace apart from all others."""
    return f"learnagent-{person.pk}-{workspace_key}"


def add_memory(user: str, text: str, *, note: int) -> str:
    """Store a text; return its id on the server. Raises MemoryServerFailed."""
    body = {"content": text, "user_id": user, "tags": ["learnagent"], "metadata": {"note": note}}
    found = _ask("POST", "/memory/add", json=body)
    return _id_of(found)


def search_memories(user: str, words: str, *, limit: int = FOUND) -> list[str]:
    """Return the ids of the texts that fit the words, the best first. Raises MemoryServerFailed."""
    body = {"query": words, "k": limit, "filters": {"user_id": user}}
    found = _ask("POST", "/memory/query", json=body)
    return [_id_of(each) for each in _listed(found, "matches")][:limit]


def list_memories(user: str) -> list[str]:
    """Return the ids of all texts of this user. Raises MemoryServerFailed."""
    found = _ask("GET", "/memory/all", params={"user_id": user, "l": 1000, "u": 0})
    return [_id_of(each) for each in _listed(found, "items")]


def delete_memory(user: str, pk: str) -> None:
    """Delete a text; one that is gone already is no failure. Raises MemoryServerFailed."""
    _ask("DELETE", f"/memory/{pk}", params={"user_id": user}, missing_is_fine=True)


def found_outside(person: Person, workspace_key: str, words: str) -> list[str]:
    """Return the ids that the server finds; empty without server, without consent, or if it fails."""
    if not (is_set_up() and person.consent):
        return []
    try:
        return search_memories(user_of(person, workspace_key), words)
    except MemoryServerFailed as error:
        logger.warning("memory_server_failed", error=str(error))
        return []


def copy_notes() -> None:
    """Store new notes on the server, replace changed ones, and delete those that were deleted; the job of a minute.

    A failure leaves the rest for the next look.
    """
    if not is_set_up():
        return
    try:
        _delete_removed()
        _copy_new_and_changed()
    except MemoryServerFailed as error:
        logger.warning("memory_server_failed", error=str(error))


def _copy_new_and_changed() -> None:
    stale = Q(outside_id="") | Q(updated_at__gt=F("outside_at"))
    rows = Note.objects.kept().filter(stale, _has_agreed()).select_related("owner", "workspace").order_by("pk")
    for note in rows[:AT_ONCE]:
        user, at = user_of(note.owner, note.workspace.key), timezone.now()
        pk = add_memory(user, note.text, note=note.pk)
        # If the text was changed meanwhile, it counts as changed after this copy.
        Note.objects.filter(pk=note.pk).update(outside_id=pk, outside_at=min(at, note.updated_at))
        if note.outside_id:
            delete_memory(user, note.outside_id)


def _delete_removed() -> None:
    """Delete from the server what was removed here some time ago, and all of those who withdrew their consent."""
    gone = Q(removed_at__lt=timezone.now() - FORGOTTEN_AFTER) | ~_has_agreed()
    rows = Note.objects.exclude(outside_id="").filter(gone).select_related("owner", "workspace")
    for note in rows[:AT_ONCE]:
        delete_memory(user_of(note.owner, note.workspace.key), note.outside_id)
        Note.objects.filter(pk=note.pk).update(outside_id="", outside_at=None)


def _has_agreed() -> Q:
    """Return the condition for `Person.consent`, which is a property of the person."""
    adult = Q(owner__age_band="adult")
    return (adult & Q(owner__consented_at__isnull=False)) | (~adult & Q(owner__guardian_agreed_at__isnull=False))


def _ask(method: str, path: str, *, missing_is_fine: bool = False, **given: Any) -> Any:
    """Return the JSON of the server's answer. Raises MemoryServerFailed."""
    key = settings.OPENMEMORY_API_KEY
    headers = {"User-Agent": USER_AGENT} | ({"Authorization": f"Bearer {key}"} if key else {})
    client = httpx2.Client(verify=trusted_certificates(), timeout=TIMEOUT, follow_redirects=False, trust_env=False)
    try:
        with client, client.stream(method, f"{settings.OPENMEMORY_URL}{path}", headers=headers, **given) as answer:
            if answer.status_code == 404 and missing_is_fine:
                return {}
            if not 200 <= answer.status_code < 300:
                raise MemoryServerFailed(f"it answered {answer.status_code}")
            return _json(answer)
    except (httpx2.HTTPError, httpx2.InvalidURL) as error:
        raise MemoryServerFailed(type(error).__name__) from None


def _json(answer: httpx2.Response) -> Any:
    body = bytearray()
    for chunk in answer.iter_bytes():
        body += chunk
        if len(body) > MOST_BYTES:
            raise MemoryServerFailed("its answer is too long")
    try:
        return json.loads(body or b"{}")
    except (ValueError, RecursionError):
        raise MemoryServerFailed("its answer is not JSON") from None


def _listed(found: Any, name: str) -> list[Any]:
    listed = found.get(name) if isinstance(found, dict) else None
    if not isinstance(listed, list):
        raise MemoryServerFailed(f"its answer has no {name}")
    return listed


def _id_of(found: Any) -> str:
    pk = found.get("id") if isinstance(found, dict) else None
    if not isinstance(pk, str) or not 0 < len(pk) <= 100 or not pk.isprintable() or "/" in pk:
        raise MemoryServerFailed("its answer has no id")
    return pk
