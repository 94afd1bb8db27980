"""Finishes a turn: stores the reply, the events, the state and the transitions in one transaction."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.utils import timezone

from agents.engine.events import Event as AgentEvent
from agents.engine.events import FinalStatus, StateChanged, TurnFinished
from agents.engine.runner import RunResult, routed_event
from agents.storage import run_recorder
from agents.storage.raw_sql import insert_rows, update_row
from conversations.companion.checkpoints import save_on_commit
from conversations.models import EXCERPT_LENGTH, UNTOLD_KEY, ConversationSummary, Message, Session, Transition, Turn
from conversations.processes.identity import PROCESS
from conversations.summaries.records import store_summary
from conversations.turns import fault_injection, findings, raw_sql
from conversations.turns.feed import Wire, number_event, store_events
from conversations.turns.handler import PreparedRun, turn_handler
from conversations.turns.side_agents import SideAgentResult
from conversations.v1_storage.captures import capture_finished_turn

_ABSENT = object()


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnEnding:
    """The result of a turn."""

    status: FinalStatus
    reply: str = ""
    cards: Sequence[Mapping[str, Any]] = ()
    result: RunResult | None = None
    """The run, if it ended by itself; None if it was stopped, failed or interrupted."""
    graph: str = ""
    answer: Mapping[str, Any] = field(default_factory=dict)
    """The turn's metadata, and the fields of the v2 answer besides the reply."""
    before: Mapping[str, Any] = field(default_factory=dict)
    """The session's state before the run: only what the run changed is stored."""
    said: str = ""
    """The learner's message."""
    told: Sequence[Mapping[str, Any]] = ()
    """The transitions and findings of its latest attempt, as events."""
    ended: Mapping[str, Any] = field(default_factory=dict)
    """Changes of the session's state that every ending makes."""
    noticed: SideAgentResult | None = None
    """The side agents' result, if it came in time."""
    summary_is_due: bool = False
    """As in `PreparedRun`."""


def opening_events(turn: Turn, prepared: PreparedRun) -> Iterator[AgentEvent]:
    """Yield the events before the walk starts: the message's state changes, the routing, and its state changes."""
    before = turn.before.get("state", turn.session.state)
    yield from _changes(before, turn.session.state, untold=before.get(UNTOLD_KEY, ()))
    if prepared.classified is not None:
        yield prepared.classified
    yield routed_event(prepared.choice)
    yield from (StateChanged(key=key, value=changed) for key, changed in prepared.changed.items())


def finish_turn(turn: Turn, ending: TurnEnding, *, events: Sequence[Wire], next_seq: int) -> list[Wire]:
    """Store the results of a turn: reply, cards, transitions, findings, figures, state, events.

    Return its last events, numbered from `next_seq`; empty, with nothing stored, if another process has taken over the
    turn.
    """
    if not raw_sql.end_turn(turn, process=PROCESS, status=ending.status, answer=dict(ending.answer)):
        return []
    reply = {
        "session_id": turn.session_id,
        "turn_id": turn.pk,
        "author": Message.Author.TEAM,
        "text": ending.reply,
        "cards": [dict(card) for card in ending.cards],
    }
    insert_rows(Message, [reply])
    capture_finished_turn(turn)
    _store_transitions(turn, ending)
    session = turn.session
    _merge_state(session, ending)
    told = dict(session.state)
    if ending.noticed is not None:
        # An unfinished run reports no findings as events, so they are stored here.
        findings.store_result(turn, ending.noticed, findings=ending.result is None)
    if ending.result is not None:
        findings.store_findings(turn, [body for body in ending.told if body["type"] == "finding"])
        turn_handler().settle(turn, ending.result, told=ending.told)
        if ending.summary_is_due:
            store_summary(turn, reason=ConversationSummary.Reason.LENGTH)
        session.updated_at = timezone.now()
        run_recorder.record_run(turn_id=turn.pk, graph=ending.graph, result=ending.result, person_id=turn.owner_id)
    untold = session.state.pop(UNTOLD_KEY, ())
    update_row(session, "state", "positions", "updated_at")
    save_on_commit(session)
    finished = TurnFinished(reply=ending.reply, status=ending.status, metadata=ending.answer.get("metadata", {}))
    last = [*_changes(told, session.state, untold=untold), finished]
    wires = [number_event(event, turn_id=turn.pk, seq=seq) for seq, event in enumerate(last, next_seq)]
    # A flush in progress may have stored some of them, or failed to.
    store_events([*events, *wires], unless_there=True)
    fault_injection.kill_point("mid_finish")
    return wires


def _changes(before: Mapping[str, Any], after: Mapping[str, Any], *, untold: Sequence[str]) -> Iterator[StateChanged]:
    """Yield the changes of a session's state, including earlier ones not yet reported; None means removed."""
    for key in {**before, **after}:
        held = after.get(key)
        if key != UNTOLD_KEY and (before.get(key) != held or key in untold):
            yield StateChanged(key=key, value=held)


def _store_transitions(turn: Turn, ending: TurnEnding) -> None:
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


def _merge_state(session: Session, ending: TurnEnding) -> None:
    """Apply the changes of the run and its end to the session's current row; the caller saves it.

    Changes to other keys made while the turn ran (by a form, for example) are kept: the row is locked until the end.
    """
    result = ending.result
    held = raw_sql.lock_session(session.pk)
    if result is None:
        session.state, session.positions = held.state | ending.ended, held.positions
        return
    changed = {key: value for key, value in result.state.items() if ending.before.get(key, _ABSENT) != value}
    session.state = held.state | changed | ending.ended
    session.positions = {key: value for key, value in held.positions.items() if key != ending.graph}
    if result.position is not None:
        session.positions[ending.graph] = list(result.position)
