"""Finish a turn: store the reply, the events, the state and the transitions in one transaction."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.utils import timezone

from agents.engine.events import Event as AgentEvent
from agents.engine.events import FinalStatus, StateChanged, TurnFinished
from agents.engine.runner import RunResult, routed_event
from agents.storage import run_recorder
from agents.storage.raw_sql import insert_rows, update_row
from conversations.models import EXCERPT_LENGTH, UNTOLD_KEY, Message, Session, Transition, Turn
from conversations.processes.identity import PROCESS
from conversations.turns import fault_injection, findings, raw_sql
from conversations.turns.feed import Wire, number_event, store_events
from conversations.turns.handler import PreparedRun, turn_handler
from conversations.turns.side_agents import SideAgentResult

_ABSENT = object()


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnEnding:
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
    noticed: SideAgentResult | None = None
    """What side agents made of the message, where that came in time."""


def opening_events(turn: Turn, prepared: PreparedRun) -> Iterator[AgentEvent]:
    """Yield what is told before the walk begins: what the message has changed of the state, where it goes, what that changes."""
    before = turn.before.get("state", turn.session.state)
    yield from _changes(before, turn.session.state, untold=before.get(UNTOLD_KEY, ()))
    yield routed_event(prepared.choice)
    yield from (StateChanged(key=key, value=changed) for key, changed in prepared.changed.items())


def finish_turn(turn: Turn, ending: TurnEnding, *, events: Sequence[Wire], next_seq: int) -> list[Wire]:
    """Store everything a turn came to: reply, cards, transitions, findings, figures, state, events.

    Return its last events, numbered from `next_seq` on; none, and nothing stored, when another process has taken the
    turn over.
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
    _store_transitions(turn, ending)
    session = turn.session
    _merge_state(session, ending)
    told = dict(session.state)
    if ending.noticed is not None:
        # Of a run that did not come to its end nothing is told: what was noticed is kept here then.
        findings.store_result(turn, ending.noticed, findings=ending.result is None)
    if ending.result is not None:
        findings.store_findings(turn, [body for body in ending.told if body["type"] == "finding"])
        turn_handler().settle(turn, ending.result, told=ending.told)
        session.updated_at = timezone.now()
        run_recorder.record_run(turn_id=turn.pk, graph=ending.graph, result=ending.result, person_id=turn.owner_id)
    untold = session.state.pop(UNTOLD_KEY, ())
    update_row(session, "state", "positions", "updated_at")
    finished = TurnFinished(reply=ending.reply, status=ending.status, metadata=ending.answer.get("metadata", {}))
    last = [*_changes(told, session.state, untold=untold), finished]
    wires = [number_event(event, turn_id=turn.pk, seq=seq) for seq, event in enumerate(last, next_seq)]
    # A flush that was under way has stored some of them, or failed to.
    store_events([*events, *wires], unless_there=True)
    fault_injection.kill_point("mid_finish")
    return wires


def _changes(before: Mapping[str, Any], after: Mapping[str, Any], *, untold: Sequence[str]) -> Iterator[StateChanged]:
    """Yield what has changed of a session's state, and what was changed before and not told; None is what is gone."""
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
    """Give the session what the run and its end changed, on the row as it is now; the caller saves it.

    Whoever changed another key while the turn ran (a form, say) keeps it: the row is held from here to the end.
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
