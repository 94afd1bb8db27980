"""Starts a turn: checks the limits, stores the message, claims the lease, in one transaction."""

import hashlib
import json
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from agents.conf import agent_settings
from agents.engine.events import TurnStarted
from agents.rollout.flags import sides_of
from agents.storage.raw_sql import insert_row, insert_rows, update_row
from agents.storage.transactions import is_transaction_open, rerun_after_inference
from agents.wire import rejections
from conversations.board import snapshots
from conversations.companion import state as companion
from conversations.library import attached_documents
from conversations.models import UNTOLD_KEY, Message, Session, Turn, TurnStatus
from conversations.owners import Owner, lock_owner
from conversations.processes.identity import PROCESS
from conversations.turns import fault_injection, queue, raw_sql, versions
from conversations.turns.feed import Wire, number_event, store_events

UNSEEN_KEY = "unseen"
"""In a message's payload: the id of the question that was not shown yet when it was written."""
PAYLOAD_EXTRAS = (attached_documents.KEY, snapshots.KEY)
"""Parts of a message's payload that are kept when the message is edited."""
QUEUE_RETRY_S = 10
"""Seconds after which it makes sense to try again when too many turns were waiting."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AcceptedTurn:
    turn: Turn
    started: Wire | None
    """The turn's first event; None if the same `client_id` had already started this turn."""

    @property
    def created(self) -> bool:
        return self.started is not None


@rerun_after_inference
def begin_turn(
    *,
    owner: Owner,
    session_key: str | None,
    text: str,
    client_id: str | None = None,
    kind: str = Turn.Kind.MESSAGE,
    payload: Mapping[str, Any] | None = None,
    attachments: Sequence[uuid.UUID] = (),
    board: uuid.UUID | None = None,
    unseen: uuid.UUID | None = None,
    replaces: uuid.UUID | None = None,
    claimed: bool = False,
    workspace: str | None = None,
) -> AcceptedTurn:
    """Store a learner's message, its turn and the turn's lease, in one transaction.

    With `claimed` this process serves the turn at once, without claiming it later. With `workspace`, which the person
    has, the session enters it before the message is read; empty: it stays in its own.

    The texts are already validated. A new session key starts a session. The same `client_id` returns the first turn;
    Rejection 409 if it came with another body or while the session's last turn still runs, 429 for more turns than a
    person may have, 503 if too many turns wait in this process. With `replaces` that turn's message is edited, keeping
    its attachments if none are given; Rejection as for `versions.find_replaceable` and `attached_documents.attach`.
    """
    fault_injection.kill_point("before_accept")
    client_id = client_id or uuid.uuid4().hex
    payload = dict(payload or {}) | _payload_extras(attachments, board)
    payload |= {UNSEEN_KEY: str(unseen)} if unseen else {}
    body_hash = _hash(
        session_key, text, kind, payload, *([replaces] if replaces else ()), *([workspace] if workspace else ())
    )
    # An outer transaction rolls everything back if this fails.
    with transaction.atomic(savepoint=not is_transaction_open()):
        lock_owner(owner)
        stands, found = raw_sql.fetch_preconditions(owner.pk, client_id, session_key)
        if stands.begun_before:
            return AcceptedTurn(turn=_turn_begun_before(owner, client_id=client_id, body_hash=body_hash), started=None)
        _check_limits(stands, kind=kind)
        session, last_number = _session(owner, session_key or uuid.uuid4().hex, found)
        attached_documents.attach(session, attachments)
        turn = Turn(owner=owner, session=session, number=last_number + 1, kind=kind, client_id=client_id)
        turn.body_hash, turn.payload = body_hash, payload
        turn.replaces = replaced = _rewind_to(session, replaces) if replaces else None
        if replaced is not None:
            turn.payload = {key: replaced.payload[key] for key in PAYLOAD_EXTRAS if key in replaced.payload} | payload
        _lease_new_turn(turn, now=stands.now, claimed=claimed)
        started = _store_new_turn(turn, text)
        snapshots.attach(turn, board)
        if replaced is not None:
            versions.supersede(replaced, by=turn)
        session.updated_at = stands.now
        has_moved = workspace is not None and companion.enter_workspace(session, workspace)
        if _title_session(session, turn, text) | (UNTOLD_KEY in session.state) | (replaced is not None) | has_moved:
            session.state.pop(UNTOLD_KEY, None)
            update_row(session, "title", "state", "positions", "updated_at")
        fault_injection.kill_point("mid_accept")
    return AcceptedTurn(turn=turn, started=started)


def _payload_extras(attachments: Sequence[uuid.UUID], board: uuid.UUID | None) -> dict[str, Any]:
    """Return the payload's entries for attachments and the drawing; empty if there are none."""
    files = {attached_documents.KEY: [str(each) for each in attachments]} if attachments else {}
    return files | ({snapshots.KEY: str(board)} if board else {})


def _lease_new_turn(turn: Turn, *, now: datetime, claimed: bool) -> None:
    """Lease a new turn to this process, and record the session's state before the message."""
    turn.status = TurnStatus.RUNNING if claimed else TurnStatus.QUEUED
    turn.attempt = 1 if claimed else 0
    turn.lease_owner = PROCESS
    turn.lease_until = now + timedelta(seconds=agent_settings().lease_s)
    turn.created_at = now
    # Before anything was done with the message, and in the turn's own row, so it needs no extra statement.
    turn.before = {"state": dict(turn.session.state), "positions": dict(turn.session.positions)}


def _title_session(session: Session, turn: Turn, text: str) -> bool:
    """Name a conversation after its first message; return whether it was named now."""
    if session.title or turn.kind != Turn.Kind.MESSAGE:
        return False
    session.title = title_from(text)
    return True


def _store_new_turn(turn: Turn, text: str) -> Wire:
    """Store a new turn with its message; return its first event."""
    session = turn.session
    insert_row(turn)
    if turn.kind != Turn.Kind.OPEN:
        said = {"session_id": session.pk, "turn_id": turn.pk, "author": Message.Author.LEARNER, "text": text}
        insert_rows(Message, [said])
    replaces = str(turn.replaces_id) if turn.replaces_id else ""
    event = TurnStarted(session_id=session.key, client_id=turn.client_id, replaces=replaces)
    started = number_event(event, turn_id=turn.pk, seq=1)
    store_events([started])
    return started


def _rewind_to(session: Session, turn_id: uuid.UUID) -> Turn:
    """Return the turn to replace, with the session reset to before it. Raises Rejection if it may not be replaced."""
    replaced = versions.find_replaceable(session, turn_id)
    versions.rewind(session, replaced, title_was=title_from(versions.learner_text(replaced)))
    return replaced


def _session(owner: Owner, key: str, found: raw_sql.LockedSession | None) -> tuple[Session, int]:
    """Return the person's session, created if new, and its last turn's number. Raises Rejection 409 if that runs."""
    if found is None:
        return Session.objects.create(owner=owner, key=key, flags=sides_of(owner)), 0
    if found.is_busy:
        raise rejections.turn_in_progress()
    found.session.owner = owner
    return found.session, found.last_number


def _turn_begun_before(owner: Owner, *, client_id: str, body_hash: str) -> Turn:
    """Return the turn that an earlier request with this client id started.

    Raises Rejection 409 if that had another body, 404 if its conversation was deleted since.
    """
    first = Turn.objects.select_related("session").get(owner=owner, client_id=client_id)
    first.owner = owner
    if first.session.deleted_at is not None:
        raise rejections.not_found()
    if first.body_hash != body_hash:
        raise rejections.conflict()
    return first


def title_from(text: str) -> str:
    """Return a short name for a conversation from its first message."""
    line = " ".join(text.split())
    return line if len(line) <= 60 else line[:59].rsplit(" ", 1)[0] + "…"


def has_title_of_message(session: Session) -> bool:
    """Tell whether the conversation still has the title that its first message gave it."""
    turns = Turn.objects.filter(session=session, kind=Turn.Kind.MESSAGE, replaced_by=None)
    first = turns.order_by("number").first()
    return first is not None and session.title == title_from(versions.learner_text(first))


def _hash(*parts: object) -> str:
    return hashlib.sha256(json.dumps(parts, sort_keys=True, default=str).encode()).hexdigest()


def _check_limits(stands: raw_sql.TurnPreconditions, *, kind: str) -> None:
    """Raise Rejection 429 for a third turn at once, or too many in a minute (cards have their own limit); 503 if the
    process has too many turns waiting.
    """
    limits = agent_settings()
    if stands.running >= limits.turns_at_once:
        raise rejections.rate_limited(
            _("Two of your messages are already being answered. Wait until one of the answers is finished."),
            retry_after_s=5,
        )
    if kind != Turn.Kind.ANSWER and limits.turns_per_minute and stands.minute >= limits.turns_per_minute:
        raise rejections.rate_limited(
            _("You sent too many messages in the last minute. Wait a moment, then try again."), retry_after_s=30
        )
    if queue.is_full():
        raise rejections.unavailable(
            _("Too many people are waiting for an answer. Your message was not saved. Send it again in a moment."),
            retry_after_s=QUEUE_RETRY_S,
        )
