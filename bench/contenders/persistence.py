"""One turn's rows (a message of 940 bytes, three transitions), stored three ways by 50 sessions at once."""

import asyncio
import sqlite3
import uuid
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

from bench.contenders import temporary_django

SESSIONS = 50
TURNS = 20
TEXT = "half of it " * 85


def sample_raw() -> dict[str, float]:
    """The floor: the driver alone in a thread, one transaction a turn, as an async server must call it."""
    return asyncio.run(_raw(temporary_django.prepare_django()))


async def _raw(folder: str) -> dict[str, float]:
    with ThreadPoolExecutor(max_workers=1) as thread:
        loop = asyncio.get_running_loop()

        async def store(session: Any) -> None:
            await loop.run_in_executor(thread, _stored_raw, folder, session.pk)

        return await _all(store)


def _stored_raw(folder: str, session: int) -> None:
    """Write the same columns of the same tables, with their indexes and foreign keys."""
    connection, turn, now = _raw_connection(folder), _turn_of(session).hex, datetime.now(UTC).isoformat(" ")
    with connection:
        connection.execute(
            "INSERT INTO conversations_message (session_id, turn_id, author, agent, text, cards, created_at)"
            " VALUES (?, ?, ?, '', ?, '[]', ?)",
            (session, turn, uuid.uuid4().hex[:8], TEXT, now),
        )
        connection.executemany(
            "INSERT INTO conversations_transition (session_id, turn_id, from_agent, to_agent, strategy, confidence,"
            " reason, message_excerpt, created_at) VALUES (?, ?, 'tutor', 'quiz', '', NULL, 'ready', '', ?)",
            [(session, turn, now)] * 3,
        )


def sample_one_transaction_each() -> dict[str, float]:
    """What one would write by hand: an atomic block a turn, over `sync_to_async`."""
    temporary_django.prepare_django()
    from asgiref.sync import sync_to_async

    store = sync_to_async(_stored_alone)
    return asyncio.run(_all(store))


def sample_ours() -> dict[str, float]:
    """The group-commit writer."""
    temporary_django.prepare_django()
    return asyncio.run(_ours())


async def _ours() -> dict[str, float]:
    from conversations.turns.writer import Writer

    writer = Writer()

    async def store(session: Any) -> None:
        await writer.write_together(_stored, session)

    figures = await _all(store)
    await writer.close()
    return figures


async def _all(store: Callable[[Any], Awaitable[None]]) -> dict[str, float]:
    from asgiref.sync import sync_to_async

    sessions = await sync_to_async(_sessions)()

    async def one(session: Any) -> None:
        for _ in range(TURNS):
            await store(session)

    with _Clock() as clock:
        async with asyncio.TaskGroup() as group:
            for session in sessions:
                group.create_task(one(session))
    return clock.figures()


class _Clock:
    def __enter__(self) -> "_Clock":
        self.cpu, self.wall = process_time(), perf_counter()
        return self

    def __exit__(self, *exception: object) -> None:
        self.cpu, self.wall = process_time() - self.cpu, perf_counter() - self.wall

    def figures(self) -> dict[str, float]:
        turns = SESSIONS * TURNS
        return {"cpu_us": self.cpu / turns * 1e6, "turns_per_s": turns / self.wall}


@cache
def _raw_connection(folder: str) -> sqlite3.Connection:
    connection = sqlite3.connect(Path(folder) / "learnagent.sqlite3", check_same_thread=False)
    connection.executescript("PRAGMA foreign_keys=ON; PRAGMA synchronous=NORMAL;")
    return connection


@cache
def _sessions() -> list[Any]:
    from django.contrib.auth import get_user_model

    from conversations.models import Session

    owner = get_user_model().objects.create(username=uuid.uuid4().hex)
    return [Session.objects.create(owner=owner, key=uuid.uuid4().hex) for _ in range(SESSIONS)]


def _stored_alone(session: Any) -> None:
    from django.db import transaction

    with transaction.atomic():
        _stored([session])


def _stored(sessions: Sequence[Any]) -> None:
    """Store a turn's rows for each session; the turn's own row is not counted, so one serves all."""
    from conversations.models import Message, Transition

    Message.objects.bulk_create(
        Message(session_id=session.pk, turn_id=_turn_of(session.pk), author=uuid.uuid4().hex[:8], text=TEXT)
        for session in sessions
    )
    Transition.objects.bulk_create(
        Transition(
            session_id=session.pk, turn_id=_turn_of(session.pk), from_agent="tutor", to_agent="quiz", reason="ready"
        )
        for session in sessions
        for _ in range(3)
    )


@cache
def _turn_of(session_pk: int) -> uuid.UUID:
    from conversations.models import Session, Turn, TurnStatus

    session = Session.objects.get(pk=session_pk)
    turn = Turn.objects.create(
        session=session,
        owner_id=session.owner_id,
        number=1,
        client_id=uuid.uuid4().hex,
        body_hash="",
        status=TurnStatus.DONE,
    )
    return turn.pk
