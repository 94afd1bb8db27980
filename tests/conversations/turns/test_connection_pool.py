"""Connections of a pool are for those who ask the database: no turn holds one while a model answers it."""

import asyncio
import json
from collections.abc import Iterator
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from asgiref.testing import ApplicationCommunicator
from django.db import connection, connections

from conversations.models import Turn
from learnagent.accounts.authentication.api_tokens import make_token
from learnagent.asgi import http_application
from tests import people
from tests.conversations.turn_helpers import begun

pytestmark = [
    pytest.mark.db,
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(connection.vendor != "postgresql", reason="needs PostgreSQL: SQLite has no pool"),
]

CROWD = 20
PATIENCE_S = 20


class Held:
    """A cue at which the whole crowd waits."""

    def __init__(self) -> None:
        self.here = 0
        self.all_here = asyncio.Event()
        self.over = asyncio.Event()

    async def __call__(self) -> None:
        self.here += 1
        if self.here == CROWD:
            self.all_here.set()
        await self.over.wait()


@pytest.fixture
def two_connections(transactional_db: None) -> Iterator[None]:
    """A pool of two, and no connection in anybody's hands."""
    pool = connection.settings_dict["OPTIONS"]["pool"]
    before = dict(pool)
    _give_back()
    pool.update(max_size=2)
    yield
    _give_back()
    pool.clear()
    pool.update(before)


def _give_back() -> None:
    connections.close_all()
    connection.close_pool()


def in_hands() -> int:
    stats = connection.pool.get_stats()
    return stats["pool_size"] - stats["pool_available"]


@sync_to_async
def crowd() -> list[Any]:
    made = [people.make_person(f"learner{number}") for number in range(CROWD)]
    connections.close_all()
    return made


def turns_in_another_thread() -> int:
    try:
        return Turn.objects.count()
    finally:
        connections.close_all()


async def test_none_is_held_by_turns_that_stream(two_connections, supervisor, says):
    held = Held()
    says("One ", held, "half.")
    begin = sync_to_async(begun)
    turns = [await begin(person) for person in await crowd()]
    await sync_to_async(connections.close_all)()
    for turn in turns:
        supervisor.claim(turn.pk)
    async with asyncio.timeout(PATIENCE_S):
        await held.all_here.wait()
        await asyncio.gather(*(feed.flush() for feed in supervisor.feeds.values()))
        assert in_hands() == 0
        assert await asyncio.to_thread(turns_in_another_thread) == CROWD
        held.over.set()
        await asyncio.gather(*(supervisor.finished(turn.pk) for turn in turns))
    assert await Turn.objects.filter(status="done").acount() == CROWD


async def test_none_is_held_by_requests_that_wait_for_their_turn(two_connections, supervisor, says):
    held = Held()
    says("One ", held, "half.")
    tokens = [await sync_to_async(make_token)(person) for person in await crowd()]
    await sync_to_async(connections.close_all)()
    calls = [await posted(token) for token in tokens]
    async with asyncio.timeout(PATIENCE_S):
        await held.all_here.wait()
        assert await asyncio.to_thread(turns_in_another_thread) == CROWD
        held.over.set()
        answers = [await call.receive_output(PATIENCE_S) for call in calls]
    assert [answer["status"] for answer in answers] == [200] * CROWD
    for call in calls:
        await call.receive_output(PATIENCE_S)
        await call.wait()


async def posted(token: str) -> ApplicationCommunicator:
    """Say something over HTTP, through the handler that gives each request a thread."""
    body = json.dumps({"text": "hello"}).encode()
    headers = {"host": "localhost", "authorization": f"Bearer {token}", "content-type": "application/json"}
    scope = {
        "type": "http",
        "method": "POST",
        "path": "/v2/conversation",
        "query_string": b"",
        "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
    }
    call = ApplicationCommunicator(http_application, scope)
    await call.send_input({"type": "http.request", "body": body})
    return call
