"""Turns, messages and events of v2's storage for exchanges that only v1's has."""

import uuid
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from django.contrib.auth import get_user_model
from django.db.models import Max

from agents.engine.events import ReplyText, TurnFinished, TurnStarted
from agents.storage.raw_sql import insert_rows
from conversations.models import Capture, Message, Session, Turn, TurnStatus
from conversations.owners import lock_owner
from conversations.turns.begin import title_from
from conversations.turns.feed import Wire, number_event, store_events

NAMESPACE = uuid.UUID("5b1f2c6e-6d0a-4a53-9d5e-7a8f6f0c1d11")
CLIENT_ID_PREFIX = "v1-"
"""How the client ids of imported turns begin. No client can know the rest."""

PIECE = 4_000
"""Characters of a reply in one event."""

_Key = tuple[int, str]


def write_turns(captures: Sequence[Capture]) -> None:
    """Store a finished turn for each capture, in order, and set its `turn_id`; the caller saves that.

    Each has an owner and an origin. They follow the turns that their conversations already have. The caller opens the
    transaction.
    """
    for owner in get_user_model()._base_manager.filter(pk__in={each.owner_id for each in captures}).order_by("pk"):
        lock_owner(owner)
    sessions = _sessions(captures)
    numbers = _last_numbers(sessions.values())
    turns: list[Mapping[str, Any]] = []
    messages: list[Mapping[str, Any]] = []
    events: list[Wire] = []
    for capture in captures:
        session = sessions[_key(capture)]
        numbers[session.pk] += 1
        capture.turn_id = uuid.uuid5(NAMESPACE, f"{capture.owner_id}/{capture.origin}")
        turns.append(_turn(capture, session, number=numbers[session.pk]))
        messages += _messages(capture, session)
        events += _events(capture, session)
    insert_rows(Turn, turns)
    insert_rows(Message, messages)
    store_events(events)


def _key(capture: Capture) -> _Key:
    assert capture.owner_id is not None
    return capture.owner_id, capture.session_id


def _sessions(captures: Sequence[Capture]) -> dict[_Key, Session]:
    """Return the captures' conversations; those that are missing are created, with the times of the exchanges."""
    by_key: dict[_Key, list[Capture]] = defaultdict(list)
    for capture in captures:
        by_key[_key(capture)].append(capture)
    known = _known_sessions(by_key)
    missing = {key: of_key for key, of_key in by_key.items() if key not in known}
    insert_rows(Session, [_session(key, of_key) for key, of_key in missing.items()])
    for key, session in known.items():
        latest = max(each.timestamp for each in by_key[key])
        if latest > session.updated_at:
            Session.objects.filter(pk=session.pk).update(updated_at=latest)
    return known | _known_sessions(missing)


def _known_sessions(by_key: Mapping[_Key, Any]) -> dict[_Key, Session]:
    if not by_key:
        return {}
    owners, keys = {owner for owner, _ in by_key}, {key for _, key in by_key}
    rows = Session.objects.filter(owner__in=owners, key__in=keys)
    return {(row.owner_id, row.key): row for row in rows if (row.owner_id, row.key) in by_key}


def _session(key: _Key, captures: Sequence[Capture]) -> Mapping[str, Any]:
    times = [each.timestamp for each in captures]
    said = next((each.user_text for each in captures if each.user_text.strip()), "")
    owner, name = key
    return {
        "owner_id": owner,
        "key": name,
        "title": title_from(said),
        "created_at": min(times),
        "updated_at": max(times),
    }


def _last_numbers(sessions: Any) -> dict[int, int]:
    rows = Turn.objects.filter(session__in=sessions).order_by().values_list("session").annotate(Max("number"))
    return defaultdict(int, rows)


def _turn(capture: Capture, session: Session, *, number: int) -> Mapping[str, Any]:
    return {
        "id": capture.turn_id,
        "session_id": session.pk,
        "owner_id": capture.owner_id,
        "number": number,
        # As where a lesson is opened: an answer to nothing that was written.
        "kind": Turn.Kind.MESSAGE if capture.user_text else Turn.Kind.OPEN,
        "client_id": _client_id(capture),
        "body_hash": capture.origin,
        "status": _status(capture),
        "attempt": 1,
        "created_at": capture.timestamp,
        "finished_at": capture.timestamp,
    }


def _client_id(capture: Capture) -> str:
    return f"{CLIENT_ID_PREFIX}{capture.origin}"[:64]


def _status(capture: Capture) -> Any:
    return TurnStatus.DONE if capture.agent_text else TurnStatus.STOPPED


def _messages(capture: Capture, session: Session) -> Iterator[Mapping[str, Any]]:
    said = ((Message.Author.LEARNER, capture.user_text),) if capture.user_text else ()
    for author, text in (*said, (Message.Author.TEAM, capture.agent_text)):
        yield {
            "session_id": session.pk,
            "turn_id": capture.turn_id,
            "author": author,
            "text": text,
            "created_at": capture.timestamp,
        }


def _events(capture: Capture, session: Session) -> Iterator[Wire]:
    """Yield the events that a client gets when it asks for the turn again."""
    text = capture.agent_text
    pieces = [ReplyText(text=text[at : at + PIECE]) for at in range(0, len(text), PIECE)]
    events = [
        TurnStarted(session_id=session.key, client_id=_client_id(capture)),
        *pieces,
        TurnFinished(reply=text, status=str(_status(capture))),  # type: ignore[arg-type]  # One of them.
    ]
    for seq, event in enumerate(events, 1):
        yield number_event(event, turn_id=str(capture.turn_id), seq=seq) | {"at": _wire_time(capture.timestamp)}


def _wire_time(at: datetime) -> str:
    return at.isoformat(timespec="milliseconds")
