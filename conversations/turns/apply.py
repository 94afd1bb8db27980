"""Stores how a message was understood and what was decided, once per turn."""

from copy import deepcopy

from agents.storage.raw_sql import update_row
from conversations.models import UNTOLD_KEY, Session, Turn
from conversations.processes.identity import PROCESS
from conversations.turns import fault_injection, raw_sql
from conversations.turns.handler import MessageReading, turn_handler


def apply_reading(turn: Turn, reading: MessageReading) -> bool:
    """Store the reading of a turn's message and its effects: once, even if another process serves the turn again.

    Return False, with nothing stored, if another process has taken over the turn. The caller opens the transaction.
    """
    held = raw_sql.lock_leased_turn(turn, process=PROCESS)
    if held is None:
        return False
    now = raw_sql.lock_session(turn.session_id)
    _reset_to_stored(turn, held, now)
    if held.decision is not None:
        # Already stored: by a commit whose confirmation was lost, or by the process that had the turn.
        return True
    try:
        turn_handler().apply(turn, reading)
    except BaseException:
        _reset_to_stored(turn, held, now)
        raise
    turn.analysis = dict(reading.analysis)
    update_row(turn, "analysis", "decision", "payload")
    turn.session.state.pop(UNTOLD_KEY, None)
    update_row(turn.session, "title", "state", "positions", "updated_at")
    fault_injection.kill_point("mid_apply")
    return True


def _reset_to_stored(turn: Turn, held: Turn, now: Session) -> None:
    """Reset the turn and its session to what is stored, undoing changes of an attempt that was rolled back."""
    turn.payload, turn.analysis, turn.decision = deepcopy(held.payload), held.analysis, held.decision
    session = turn.session
    session.title, session.state, session.positions = now.title, deepcopy(now.state), deepcopy(now.positions)
