"""Store how a message was read, and what was decided, once per turn."""

from copy import deepcopy

from agents.storage.raw_sql import update_row
from conversations.models import UNTOLD_KEY, Session, Turn
from conversations.processes.identity import PROCESS
from conversations.turns import fault_injection, raw_sql
from conversations.turns.handler import MessageReading, turn_handler


def apply_reading(turn: Turn, reading: MessageReading) -> bool:
    """Store how a turn's message was read, with what that comes to: once, whoever serves the turn again.

    False, and nothing stored, where another process has taken the turn over. The caller has the transaction.
    """
    held = raw_sql.lock_leased_turn(turn, process=PROCESS)
    if held is None:
        return False
    now = raw_sql.lock_session(turn.session_id)
    _reset_to_stored(turn, held, now)
    if held.decision is not None:
        # Stored before: by a commit of which nobody heard, or by the process that had the turn.
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
    """Bring the turn and its session to what is stored, whatever an attempt that was undone has left on them."""
    turn.payload, turn.analysis, turn.decision = deepcopy(held.payload), held.analysis, held.decision
    session = turn.session
    session.title, session.state, session.positions = now.title, deepcopy(now.state), deepcopy(now.positions)
