"""What a turn leaves in the log: one line for each thing that went wrong, with whose turn it was, and nobody's words."""

import asyncio

import pytest
from asgiref.sync import sync_to_async
from django.db import OperationalError

from agents.errors import LLMUnavailable
from agents.storage.availability import database
from conversations.processes.identity import PROCESS
from conversations.turns import finish, recovery
from tests.conversations.turn_helpers import Pause, accepted, begun, orphaned

pytestmark = [pytest.mark.db, pytest.mark.django_db(transaction=True)]

accept = sync_to_async(accepted)
begin = sync_to_async(begun)
leave = sync_to_async(orphaned)

WORDS = "CANARY what is a half"


@pytest.fixture
def turn_of(supervisor, ada):
    """Return a function that begins and serves a turn of Ada's."""

    async def serve():
        turn = await begin(ada, text=WORDS)
        supervisor.claim(turn.pk)
        await supervisor.finished(turn.pk)
        return turn

    return serve


def belongs_to(event, turn):
    found = (event["turn_id"], event["session"], event["person"], event["process"])
    return found == (str(turn.pk), turn.session_id, turn.owner_id, PROCESS)


async def test_turn_without_trouble_leaves_nothing(turn_of, log):
    await turn_of()
    assert log.events == []


async def test_agents_that_fail_are_told_with_their_errors(turn_of, says, log):
    says("CANARY", LLMUnavailable())
    turn = await turn_of()
    [event] = log.events
    assert (event["event"], event["reason"], event["level"]) == ("turn_failed", "speaker: api_error", "error")
    assert belongs_to(event, turn)
    assert "CANARY" not in log.text


async def test_bug_is_told_with_its_place(turn_of, host, log):
    host.on_prepare = lambda turn: 1 / 0
    turn = await turn_of()
    crashed, fell_back, _again, failed = log.events
    assert (crashed["event"], "ZeroDivisionError" in crashed["exception"]) == ("turn_crashed", True)
    assert fell_back["event"] == "panel_fell_back"
    assert (failed["event"], failed["reason"]) == ("turn_failed", "crash")
    assert belongs_to(crashed, turn)


async def test_database_that_is_away_interrupts_it(turn_of, log, monkeypatch):
    """G3"""

    def fail(*args, **options):
        raise OperationalError("database is locked")

    monkeypatch.setattr(finish, "finish_turn", fail)
    turn = await turn_of()
    interrupted, lost = log.events
    assert (interrupted["event"], interrupted["error"]) == ("turn_interrupted", "OperationalError")
    assert "exception" not in interrupted
    assert belongs_to(interrupted, turn)
    assert (lost["event"], lost["service"], database.failures) == ("service_lost", "database", 1)


async def test_lease_of_another_process_is_taken_over_once(supervisor, ada, log):
    """F4"""
    turn = await begin(ada, text=WORDS)
    await leave(turn)
    await asyncio.gather(recovery.recover_orphans(), recovery.recover_orphans())
    await supervisor.finished(turn.pk)
    [event] = log.events
    assert (event["event"], event["attempt"], event["turn_id"]) == ("lease_taken_over", 2, str(turn.pk))
    assert supervisor.taken_over == 1


async def test_turn_that_killed_three_processes_is_told_to_have_failed(supervisor, ada, log):
    """F14"""
    turn = await begin(ada, text=WORDS)
    await leave(turn, attempt=3)
    await recovery.recover_orphans()
    await supervisor.finished(turn.pk)
    taken, failed = log.events
    assert taken["event"] == "lease_taken_over"
    assert (failed["event"], failed["reason"]) == ("turn_failed", "too many attempts")
    assert belongs_to(failed, turn)


async def test_queue_is_told_when_it_begins_and_when_it_has_ended(supervisor, ada, settings, says, log):
    """L1: however many wait in it."""
    settings.AGENTS = settings.AGENTS | {"turns_in_process": 1, "turns_at_once": 10}
    pause = Pause()
    says(pause)
    turns = [await accept(ada, key=key) for key in "abc"]
    for each in turns:
        supervisor.start(each)
    await pause.reached.wait()
    assert (supervisor.running, supervisor.waiting) == (1, 2)
    pause.over.set()
    await asyncio.gather(*(supervisor.finished(each.turn.pk) for each in turns))
    began, ended = log.events
    assert (began["event"], began["running"]) == ("turn_queue_began", 1)
    assert (ended["event"], ended["waited"]) == ("turn_queue_ended", 2)
