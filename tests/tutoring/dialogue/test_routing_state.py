"""The routing machine in a live session: told as it moves, stored, and at rest whenever no turn runs."""

from collections.abc import AsyncIterator
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.db import OperationalError

from agents.engine import runner
from conversations.models import Session, Turn
from conversations.turns import begin, finish
from conversations.turns.handler import turn_handler
from conversations.turns.supervisor import Supervisor
from tests import people
from tests.conversations.turn_helpers import bodies, orphaned
from tutoring.lesson.cycle import ROUTES
from tutoring.pages.contexts import lesson_stage

pytestmark = pytest.mark.django_db(transaction=True)

ADA = sync_to_async(people.make_person)
REST = "awaiting_input"


@pytest.fixture
async def supervisor() -> AsyncIterator[Supervisor]:
    own = Supervisor()
    yield own
    await own.close()


def begun(person: Any, **state: Any) -> Turn:
    """Begin a turn of a session whose state holds this."""
    session, _created = Session.objects.get_or_create(owner=person, key="s")
    Session.objects.filter(pk=session.pk).update(state=session.state | state)
    return begin.begin_turn(owner=person, session_key="s", text="hello").turn


def stored(turn: Turn) -> Any:
    return Session.objects.values_list("state__routing_state", flat=True).get(pk=turn.session_id)


def told(turn: Turn) -> list[Any]:
    changes = bodies(turn.pk, "state_changed", "turn_resumed")
    kept = (each for each in changes if each.get("key", "routing_state") == "routing_state")
    return [each.get("value", "resumed") for each in kept]


async def ended(supervisor: Supervisor, turn: Turn) -> tuple[str, list[Any], Any]:
    """Serve the turn to its end; return how it ended, where the machine stood meanwhile, and where it stands."""
    supervisor.claim(turn.pk)
    await supervisor.finished(turn.pk)
    await turn.arefresh_from_db()
    return turn.status, await sync_to_async(told)(turn), await sync_to_async(stored)(turn)


async def test_it_moves_with_the_turn_and_rests_after_it(supervisor: Supervisor) -> None:
    turn = await sync_to_async(begun)(await ADA("ada"))
    assert await ended(supervisor, turn) == ("done", ["classify_intent", "learn", REST], REST)


async def test_turn_that_does_not_end_well_leaves_it_at_rest(supervisor: Supervisor, monkeypatch: Any) -> None:
    """Nobody can serve, the host has a fault, the learner stops it, or three processes died: never stuck."""
    person = await ADA("ada")

    def broken(*args: Any) -> Any:
        raise ValueError("a bug")

    with monkeypatch.context() as patched:
        patched.setattr("tutoring.dialogue.dispatch.dispatch_turn", broken)
        turn = await sync_to_async(begun)(person)
        assert await ended(supervisor, turn) == ("failed", [REST], REST)
    with monkeypatch.context() as patched:
        patched.setattr("tutoring.roles.lobby.plan", broken)
        patched.setattr(runner, "raise_bugs", False)
        turn = await sync_to_async(begun)(person)
        assert await ended(supervisor, turn) == ("failed", ["classify_intent", "learn", REST], REST)
    turn = await sync_to_async(begun)(person)
    await Turn.objects.filter(pk=turn.pk).aupdate(stop_requested=True)
    assert await ended(supervisor, turn) == ("stopped", ["classify_intent", "learn", REST], REST)
    turn = await sync_to_async(begun)(person)
    await sync_to_async(orphaned)(turn, attempt=3)
    assert await ended(supervisor, turn) == ("failed", ["resumed", REST], REST)


async def test_turn_of_a_dead_process_goes_the_way_again(supervisor: Supervisor, monkeypatch: Any) -> None:
    """F8: what it stored is where the next process goes on, and nothing stays behind."""
    turn = await sync_to_async(begun)(await ADA("ada"))
    with monkeypatch.context() as patched:
        patched.setattr(finish, "finish_turn", _database_is_away)
        supervisor.claim(turn.pk)
        await supervisor.finished(turn.pk)
    assert await sync_to_async(stored)(turn) == "classify_intent"
    await sync_to_async(orphaned)(turn)
    status, way, rest = await ended(supervisor, turn)
    assert (status, way[way.index("resumed") + 1 :], rest) == ("done", ["classify_intent", "learn", REST], REST)


def _database_is_away(*args: Any, **kwargs: Any) -> Any:
    raise OperationalError("away")


@pytest.mark.parametrize("held", ["learn", "diagnose", "classify_intent", "dancing", None, 7, ["plan"], {}])
async def test_wrong_stored_state_is_mended(supervisor: Supervisor, held: Any) -> None:
    turn = await sync_to_async(begun)(await ADA("ada"), routing_state=held)
    status, way, rest = await ended(supervisor, turn)
    assert (status, way[-2:], rest) == ("done", ["learn", REST], REST)


def test_each_state_is_told_in_words() -> None:
    words = [turn_handler().stands("routing_state", state) for state in ROUTES]
    assert all(words)
    assert len(set(words)) == len(ROUTES)
    assert not any(lesson_stage.routing_sentence(wrong) for wrong in ("", None, "dancing", []))
    assert not turn_handler().stands("quiz_paused", True)
