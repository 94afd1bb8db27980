"""The writers around a run: begin a turn, take it up, finish it. Each is one transaction, given by the caller."""

import hashlib
import json
import uuid
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from django.contrib.auth import get_user_model
from django.db import connection, transaction
from django.db.models import F, Max, Q
from django.db.models.functions import Now
from django.utils import timezone
from django.utils.translation import gettext as _

from agents import recorder, rejections
from agents.conf import agent_settings
from agents.events import Event as AgentEvent
from agents.events import FinalStatus, StateChanged, TurnFinished, TurnStarted
from agents.rows import insert_row, insert_rows, update_row
from agents.runner import RunResult, routed
from agents.transactions import is_open, models_first
from conversations import drill, listening, statements, versions
from conversations.board import snapshots
from conversations.feed import Wire, numbered, store_events
from conversations.hosts import Prepared, Reading, the_host
from conversations.library import attaching
from conversations.listening import Noticed
from conversations.models import (
    EXCERPT_LENGTH,
    UNTOLD,
    Message,
    Session,
    Transition,
    Turn,
    TurnStatus,
)
from conversations.processes import PROCESS, is_known_dead

_ABSENT = object()
GOES_ALONG = (attaching.KEY, snapshots.KEY)
"""What of a message's payload goes with it when it is said anew."""

type Owner = Any
"""Whoever `AUTH_USER_MODEL` names: the one thing on the left that this room holds rows of."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Accepted:
    turn: Turn
    started: Wire | None
    """The turn's first event; None when the same `client_id` had begun this turn before."""

    @property
    def created(self) -> bool:
        return self.started is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class Taken:
    """A turn as the process that serves it took it up."""

    turn: Turn
    next_seq: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Ending:
    """What a turn came to."""

    status: FinalStatus
    reply: str = ""
    cards: Sequence[Mapping[str, Any]] = ()
    result: RunResult | None = None
    """The run, where it came to its own end; None where it was stopped, failed or interrupted."""
    graph: str = ""
    answer: Mapping[str, Any] = field(default_factory=dict)
    """The turn's metadata and what the v2 surface answers beside the reply."""
    before: Mapping[str, Any] = field(default_factory=dict)
    """The session's state as the run found it: only what the run changed of it is stored."""
    said: str = ""
    """What the learner had said."""
    told: Sequence[Mapping[str, Any]] = ()
    """The transitions and findings of its latest attempt, as events."""
    ended: Mapping[str, Any] = field(default_factory=dict)
    """What of the session's state changes with the end itself, whatever it is."""
    noticed: Noticed | None = None
    """What side agents made of the message, where that came in time."""


@models_first
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
    replaces: uuid.UUID | None = None,
    taken_up: bool = False,
) -> Accepted:
    """Store a learner's message, its turn and the turn's lease; all of it or nothing.

    With `taken_up` this process serves it at once, and need not take it up.

    The texts are checked already. A session key new to the owner begins a session. The same `client_id` returns the
    first turn; Rejection 409 if it came with another body, or while the session's last turn still runs, 429 for more
    turns than one person may have. With `replaces` that turn's message is said anew, with its attachments if none are
    named; Rejection as `versions.to_replace`, and as `attaching.attach`.
    """
    drill.step("before_accept")
    client_id = client_id or uuid.uuid4().hex
    payload = dict(payload or {}) | _going_along(attachments, board)
    body_hash = _hash(session_key, text, kind, payload, *([replaces] if replaces else ()))
    # Whose transaction is open already lets go of all of it where this fails.
    with transaction.atomic(savepoint=not is_open()):
        hold_owner(owner)
        stands, found = statements.standing(owner.pk, client_id, session_key)
        if stands.begun_before:
            return Accepted(turn=_begun_before(owner, client_id=client_id, body_hash=body_hash), started=None)
        _refuse_too_many(stands, kind=kind)
        session, last_number = _session(owner, session_key or uuid.uuid4().hex, found)
        attaching.attach(session, attachments)
        turn = Turn(owner=owner, session=session, number=last_number + 1, kind=kind, client_id=client_id)
        turn.body_hash, turn.payload = body_hash, payload
        turn.replaces = replaced = _rewound(session, replaces) if replaces else None
        if replaced is not None:
            turn.payload = {key: replaced.payload[key] for key in GOES_ALONG if key in replaced.payload} | payload
        _hold(turn, now=stands.now, taken_up=taken_up)
        started = _stored(turn, text)
        snapshots.attach(turn, board)
        if replaced is not None:
            versions.make_history(replaced, by=turn)
        session.updated_at = stands.now
        if _name(session, turn, text) | (UNTOLD in session.state) | (replaced is not None):
            session.state.pop(UNTOLD, None)
            update_row(session, "title", "state", "positions", "updated_at")
        drill.step("mid_accept")
    return Accepted(turn=turn, started=started)


def _going_along(attachments: Sequence[uuid.UUID], board: uuid.UUID | None) -> dict[str, Any]:
    """Return what a turn's payload keeps of what goes with its message; nothing where nothing does."""
    files = {attaching.KEY: [str(each) for each in attachments]} if attachments else {}
    return files | ({snapshots.KEY: str(board)} if board else {})


def _hold(turn: Turn, *, now: datetime, taken_up: bool) -> None:
    """Let this process hold a new turn, which notes how its session stands before the message."""
    turn.status = TurnStatus.RUNNING if taken_up else TurnStatus.QUEUED
    turn.attempt = 1 if taken_up else 0
    turn.lease_owner = PROCESS
    turn.lease_until = now + timedelta(seconds=agent_settings().lease_s)
    turn.created_at = now
    # Before anything was made of the message, and in the turn's own row: no statement more.
    turn.before = {"state": dict(turn.session.state), "positions": dict(turn.session.positions)}


def _name(session: Session, turn: Turn, text: str) -> bool:
    """Name a conversation after its first message; tell whether it is named now."""
    if session.title or turn.kind != Turn.Kind.MESSAGE:
        return False
    session.title = title_from(text)
    return True


def _stored(turn: Turn, text: str) -> Wire:
    """Store a new turn with its message; return its first event."""
    session = turn.session
    insert_row(turn)
    if turn.kind != Turn.Kind.OPEN:
        said = {"session_id": session.pk, "turn_id": turn.pk, "author": Message.Author.LEARNER, "text": text}
        insert_rows(Message, [said])
    replaces = str(turn.replaces_id) if turn.replaces_id else ""
    event = TurnStarted(session_id=session.key, client_id=turn.client_id, replaces=replaces)
    started = numbered(event, turn_id=turn.pk, seq=1)
    store_events([started])
    return started


def _rewound(session: Session, turn_id: uuid.UUID) -> Turn:
    """Return the turn that is to be replaced, with the session as it stood before it. Raise Rejection if it may not be."""
    replaced = versions.to_replace(session, turn_id)
    versions.rewind(session, replaced, title_was=title_from(versions.said_in(replaced)))
    return replaced


def _session(owner: Owner, key: str, found: statements.Begun | None) -> tuple[Session, int]:
    """Return the person's session, begun now if it is new, and its last turn's number. Raise Rejection 409 if it runs."""
    if found is None:
        return Session.objects.create(owner=owner, key=key), 0
    if found.is_busy:
        raise rejections.turn_in_progress()
    found.session.owner = owner
    return found.session, found.last_number


def _begun_before(owner: Owner, *, client_id: str, body_hash: str) -> Turn:
    """Return the turn that this request began when it came first.

    Raise Rejection 409 for another body by its name, 404 where its conversation has been deleted since.
    """
    first = Turn.objects.select_related("session").get(owner=owner, client_id=client_id)
    first.owner = owner
    if first.session.deleted_at is not None:
        raise rejections.not_found()
    if first.body_hash != body_hash:
        raise rejections.conflict()
    return first


def hold_owner(owner: Owner) -> None:
    """Put whatever begins turns of this person, in any process, in a row until the transaction ends.

    The first lock to be taken: limits are counted, sessions begun and turns numbered behind it.
    """
    # SQLite has one writer anyway. NO KEY: rows that merely name the person need not wait.
    if connection.features.has_select_for_update:
        get_user_model()._base_manager.select_for_update(no_key=True).get(pk=owner.pk)


def _lease() -> dict[str, Any]:
    """Return the fields of a turn that this process holds for a while, by the database's clock."""
    return {"lease_owner": PROCESS, "lease_until": Now() + timedelta(seconds=agent_settings().lease_s)}


def renew_lease(turn_ids: Sequence[uuid.UUID]) -> int:
    """Hold the turns for this process a while longer, by the database's clock. Return how many are still held."""
    held = Turn.objects.unfinished().filter(Q(lease_owner=PROCESS) | Q(lease_owner=""), pk__in=turn_ids)
    return held.update(**_lease())


def release_leases() -> int:
    """Let go of every turn this process holds, so that another takes it up at once. Return how many."""
    return _let_go([PROCESS])


def release_leases_of_the_dead() -> int:
    """Let go of every turn whose process is known to have died, before its lease runs out. Return how many."""
    holders = Turn.objects.unfinished().filter(lease_until__gte=Now()).values_list("lease_owner", flat=True).distinct()
    dead = [holder for holder in holders if is_known_dead(holder)]
    return _let_go(dead) if dead else 0


def shorten_leases() -> int:
    """Bring leases that a clock which ran ahead has dated too late back to the length of one; return how many.

    They are not ended at once: a process that lives renews its own long before.
    """
    lease = timedelta(seconds=agent_settings().lease_s)
    too_long = Turn.objects.unfinished().filter(lease_until__gt=Now() + 2 * lease)
    return too_long.update(lease_until=Now() + lease) if too_long.exists() else 0


def run_begun(turn: Turn) -> bool:
    """Take up a turn just begun here, to serve it. False if another process has it."""
    if not statements.run_begun(turn, lease_s=agent_settings().lease_s):
        return False
    turn.status, turn.attempt = TurnStatus.RUNNING, 1
    return True


def take_up(turn_id: uuid.UUID) -> Taken | None:
    """Take a turn to serve it: one begun here, or one whose lease ran out. None if another process has it."""
    mine = Q(lease_owner=PROCESS, status=TurnStatus.QUEUED)
    free = Q(lease_until__lt=Now())
    taken = (
        Turn.objects.unfinished()
        .filter(mine | free, pk=turn_id)
        .update(
            status=TurnStatus.RUNNING,
            attempt=F("attempt") + 1,
            **_lease(),
        )
    )
    if not taken:
        return None
    turn = Turn.objects.select_related("session", "owner").get(pk=turn_id)
    last = turn.events.aggregate(seq=Max("seq"))["seq"] or 0
    return Taken(turn=turn, next_seq=last + 1)


def store_while_held(shown: Sequence[tuple[Turn, Sequence[Wire]]]) -> None:
    """Store events of running turns, but for those another process has taken over: the numbers are that one's now."""
    held = statements.held_by(PROCESS, [turn.pk for turn, _ in shown])
    store_events([wire for turn, events in shown if (turn.pk, turn.attempt) in held for wire in events])


def apply_reading(turn: Turn, reading: Reading) -> bool:
    """Store how a turn's message was read, with what that comes to: once, whoever serves the turn again.

    False, and nothing stored, where another process has taken the turn over. The caller has the transaction.
    """
    held = statements.held_turn(turn, process=PROCESS)
    if held is None:
        return False
    now = statements.held_session(turn.session_id)
    _take_rows(turn, held, now)
    if held.decision is not None:
        # Stored before: by a commit of which nobody heard, or by the process that had the turn.
        return True
    try:
        the_host().apply(turn, reading)
    except BaseException:
        _take_rows(turn, held, now)
        raise
    turn.analysis = dict(reading.analysis)
    update_row(turn, "analysis", "decision", "payload")
    turn.session.state.pop(UNTOLD, None)
    update_row(turn.session, "title", "state", "positions", "updated_at")
    drill.step("mid_apply")
    return True


def _take_rows(turn: Turn, held: Turn, now: Session) -> None:
    """Bring the turn and its session to what is stored, whatever an attempt that was undone has left on them."""
    turn.payload, turn.analysis, turn.decision = deepcopy(held.payload), held.analysis, held.decision
    session = turn.session
    session.title, session.state, session.positions = now.title, deepcopy(now.state), deepcopy(now.positions)


def opening(turn: Turn, prepared: Prepared) -> Iterator[AgentEvent]:
    """Yield what is told before the walk begins: what the message has changed of the state, where it goes, what that changes."""
    before = turn.before.get("state", turn.session.state)
    yield from _changes(before, turn.session.state, untold=before.get(UNTOLD, ()))
    yield routed(prepared.choice)
    yield from (StateChanged(key=key, value=changed) for key, changed in prepared.changed.items())


def finish_turn(turn: Turn, ending: Ending, *, events: Sequence[Wire], next_seq: int) -> list[Wire]:
    """Store everything a turn came to: reply, cards, transitions, findings, figures, state, events.

    Return its last events, numbered from `next_seq` on; none, and nothing stored, when another process has taken the
    turn over.
    """
    if not statements.end_turn(turn, process=PROCESS, status=ending.status, answer=dict(ending.answer)):
        return []
    reply = {
        "session_id": turn.session_id,
        "turn_id": turn.pk,
        "author": Message.Author.TEAM,
        "text": ending.reply,
        "cards": [dict(card) for card in ending.cards],
    }
    insert_rows(Message, [reply])
    _store_transitions(turn, ending)
    session = turn.session
    _take_state(session, ending)
    told = dict(session.state)
    if ending.noticed is not None:
        # Of a run that did not come to its end nothing is told: what was noticed is kept here then.
        listening.keep(turn, ending.noticed, findings=ending.result is None)
    if ending.result is not None:
        listening.store_findings(turn, [body for body in ending.told if body["type"] == "finding"])
        the_host().settle(turn, ending.result, told=ending.told)
        session.updated_at = timezone.now()
        recorder.record_run(turn_id=turn.pk, graph=ending.graph, result=ending.result, person_id=turn.owner_id)
    untold = session.state.pop(UNTOLD, ())
    update_row(session, "state", "positions", "updated_at")
    finished = TurnFinished(reply=ending.reply, status=ending.status, metadata=ending.answer.get("metadata", {}))
    last = [*_changes(told, session.state, untold=untold), finished]
    wires = [numbered(event, turn_id=turn.pk, seq=seq) for seq, event in enumerate(last, next_seq)]
    # A flush that was under way has stored some of them, or failed to.
    store_events([*events, *wires], unless_there=True)
    drill.step("mid_finish")
    return wires


def _changes(before: Mapping[str, Any], after: Mapping[str, Any], *, untold: Sequence[str]) -> Iterator[StateChanged]:
    """Yield what has changed of a session's state, and what was changed before and not told; None is what is gone."""
    for key in {**before, **after}:
        held = after.get(key)
        if key != UNTOLD and (before.get(key) != held or key in untold):
            yield StateChanged(key=key, value=held)


def title_from(text: str) -> str:
    """Return a short name for a conversation from its first message."""
    line = " ".join(text.split())
    return line if len(line) <= 60 else line[:59].rsplit(" ", 1)[0] + "…"


def _let_go(holders: Sequence[str]) -> int:
    return Turn.objects.unfinished().filter(lease_owner__in=holders).update(lease_until=Now() - timedelta(seconds=1))


def _hash(*parts: object) -> str:
    return hashlib.sha256(json.dumps(parts, sort_keys=True, default=str).encode()).hexdigest()


def _refuse_too_many(stands: statements.Standing, *, kind: str) -> None:
    """Raise Rejection 429 for a third turn at once, or one too many in a minute; cards have a limit of their own."""
    limits = agent_settings()
    if stands.running >= limits.turns_at_once:
        raise rejections.rate_limited(
            _("Two of your messages are being answered. Wait for one of them."), retry_after_s=5
        )
    if kind != Turn.Kind.ANSWER and limits.turns_per_minute and stands.minute >= limits.turns_per_minute:
        raise rejections.rate_limited(_("That was many messages in a minute. Wait a little."), retry_after_s=30)


def _store_transitions(turn: Turn, ending: Ending) -> None:
    transitions = [
        {
            "session_id": turn.session_id,
            "turn_id": turn.pk,
            "from_agent": body["from"],
            "to_agent": body["to"],
            "strategy": body.get("strategy", "handoff"),
            "confidence": body.get("confidence"),
            "reason": body["reason"],
            "message_excerpt": ending.said[:EXCERPT_LENGTH],
        }
        for body in ending.told
        if body["type"] != "finding"
    ]
    insert_rows(Transition, transitions)


def _take_state(session: Session, ending: Ending) -> None:
    """Give the session what the run and its end changed, on the row as it is now; the caller saves it.

    Whoever changed another key while the turn ran (a form, say) keeps it: the row is held from here to the end.
    """
    result = ending.result
    held = statements.held_session(session.pk)
    if result is None:
        session.state, session.positions = held.state | ending.ended, held.positions
        return
    changed = {key: value for key, value in result.state.items() if ending.before.get(key, _ABSENT) != value}
    session.state = held.state | changed | ending.ended
    session.positions = {key: value for key, value in held.positions.items() if key != ending.graph}
    if result.position is not None:
        session.positions[ending.graph] = list(result.position)
