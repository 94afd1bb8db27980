"""Raw SQL for the queries of every turn: composing them with the ORM takes longer than running them."""

import uuid
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from django.db import connection

from agents.storage.raw_sql import columns_of, placeholders, read_rows
from conversations.models import OPEN_STATUSES, Session, Turn

OPEN = ", ".join(f"'{status}'" for status in OPEN_STATUSES)
DAY_S = 24 * 3600
MINUTE_S = 60
CLOCK_SKEW_S = 5
"""Seconds by which the clock may have been set back since a turn, or another process's clock may be ahead."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnPreconditions:
    """A person's state before a new turn."""

    now: datetime
    """By the database's clock, which all processes share."""
    begun_before: bool
    """Whether a turn with this client id exists."""
    running: int
    minute: int
    """Turns of the last minute without answers to cards; times further ahead than CLOCK_SKEW_S are not counted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LockedSession:
    """A stored session, locked for a new turn."""

    session: Session
    last_number: int
    """Number of its last turn; 0 if it has none."""
    is_busy: bool
    """One of its turns is unfinished."""


def fetch_preconditions(
    owner_pk: int, client_id: str, key: str | None
) -> tuple[TurnPreconditions, LockedSession | None]:
    """Return the person's state, and their stored session with this key; None if there is none.

    The session is locked until the transaction ends: its state is read here, and written with the message's effects.
    """
    values = [owner_pk, client_id, Turn.Kind.ANSWER, owner_pk]
    if key is not None:
        statement = f"""
            SELECT {columns_of(Session)},
                   (SELECT MAX(number) FROM conversations_turn WHERE session_id = conversations_session.id),
                   EXISTS (SELECT 1 FROM conversations_turn
                           WHERE session_id = conversations_session.id AND status IN ({OPEN})),
                   stands.*
            FROM ({_preconditions_sql()}) AS stands, conversations_session
            WHERE conversations_session.owner_id = %s AND conversations_session.key = %s
                  AND conversations_session.deleted_at IS NULL {_lock_sql("conversations_session")}"""
        for session, (last_number, is_busy, *stands) in read_rows(Session, statement, [*values, owner_pk, key]):
            begun = LockedSession(session=session, last_number=last_number or 0, is_busy=bool(is_busy))
            return _preconditions(*stands), begun
    return _preconditions(*_rows(_preconditions_sql(), values)[0]), None


def _preconditions_sql() -> str:
    # Turns never run for a day, and a long-time learner has many turns, so older ones are skipped.
    return f"""
        SELECT {_now_sql()} AS now,
               EXISTS (SELECT 1 FROM conversations_turn WHERE owner_id = %s AND client_id = %s) AS begun_before,
               COUNT(CASE WHEN status IN ({OPEN}) THEN 1 END) AS running,
               COUNT(CASE WHEN created_at > {_now_sql(-MINUTE_S)} AND created_at <= {_now_sql(CLOCK_SKEW_S)} AND kind <> %s THEN 1 END)
               AS lately
        FROM conversations_turn WHERE owner_id = %s AND created_at > {_now_sql(-DAY_S)}"""


def _preconditions(now: Any, begun_before: Any, running: int, minute: int) -> TurnPreconditions:
    if isinstance(now, str):
        now = datetime.fromisoformat(now).replace(tzinfo=UTC)
    return TurnPreconditions(now=now, begun_before=bool(begun_before), running=running, minute=minute)


def lock_session(pk: int) -> Session:
    """Return a session's current row, locked until the transaction ends."""
    statement = f"SELECT {columns_of(Session)} FROM conversations_session WHERE id = %s {_lock_sql()}"
    [(session, _)] = read_rows(Session, statement, [pk])
    return session


def lock_session_of(turn: Turn, *, process: str) -> Session | None:
    """Return a running turn's session, locked as above; None if another process has the turn."""
    statement = f"""
        SELECT {columns_of(Session)} FROM conversations_session
        WHERE id = %s AND EXISTS (SELECT 1 FROM conversations_turn
                                  WHERE id = %s AND attempt = %s AND lease_owner = %s AND status IN ({OPEN})) {_lock_sql()}"""
    for session, _ in read_rows(Session, statement, [turn.session_id, _id(turn.pk), turn.attempt, process]):
        return session
    return None


def claim_new(turn: Turn, *, lease_s: float) -> bool:
    """Set a turn started here to running; False if another process has taken it over."""
    statement = f"""
        UPDATE conversations_turn SET status = 'running', attempt = 1, lease_until = {_now_sql(lease_s)}
        WHERE id = %s AND lease_owner = %s AND status = 'queued'"""
    return _count(statement, [_id(turn.pk), turn.lease_owner]) == 1


def leased_turns(process: str, turn_ids: Collection[uuid.UUID]) -> set[tuple[uuid.UUID, int]]:
    """Return which of the turns are running in this process, with their attempts."""
    statement = f"""
        SELECT id, attempt FROM conversations_turn
        WHERE id IN ({placeholders(turn_ids)}) AND lease_owner = %s AND status IN ({OPEN})"""
    rows = _rows(statement, [*map(_id, turn_ids), process])
    return {(Turn._meta.pk.to_python(pk), attempt) for pk, attempt in rows}


def lock_leased_turn(turn: Turn, *, process: str) -> Turn | None:
    """Return the stored turn, locked until the transaction ends; None if this process no longer has it.

    A process that takes it over in the meantime waits, and finds what the transaction has stored.
    """
    statement = f"""
        SELECT {columns_of(Turn)} FROM conversations_turn
        WHERE id = %s AND lease_owner = %s AND attempt = %s AND status IN ({OPEN}) {_lock_sql()}"""
    return next((found for found, _ in read_rows(Turn, statement, [_id(turn.pk), process, turn.attempt])), None)


def end_turn(turn: Turn, *, process: str, status: str, answer: Any) -> bool:
    """Store a turn's end; False if this process no longer has it."""
    statement = f"""
        UPDATE conversations_turn SET status = %s, answer = %s, finished_at = {_now_sql()}, lease_until = NULL
        WHERE id = %s AND lease_owner = %s AND attempt = %s AND status IN ({OPEN})"""
    stored = Turn._meta.get_field("answer").get_db_prep_save(answer, connection)
    return _count(statement, [status, stored, _id(turn.pk), process, turn.attempt]) == 1


def _lock_sql(table: str = "") -> str:
    # SQLite has one writer anyway. NO KEY: rows that only reference the session need not wait.
    if not connection.features.has_select_for_update:
        return ""
    return f"FOR NO KEY UPDATE OF {table}" if table else "FOR NO KEY UPDATE"


def _now_sql(shift_s: float = 0) -> str:
    """Return the SQL of the database's current time, shifted, in Django's format."""
    if connection.vendor == "sqlite":
        return f"STRFTIME('%%Y-%%m-%%d %%H:%%M:%%f', 'NOW', '{shift_s:+f} seconds')"
    return f"(STATEMENT_TIMESTAMP() + INTERVAL '{shift_s:+f} seconds')"


def _id(turn_id: uuid.UUID) -> Any:
    return Turn._meta.pk.get_db_prep_value(turn_id, connection)


def _rows(statement: str, values: Sequence[Any]) -> Sequence[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        return list(cursor.fetchall())


def _count(statement: str, values: Sequence[Any]) -> int:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        return int(cursor.rowcount)
