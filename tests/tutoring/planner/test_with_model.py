"""With a model connected: it finds the planner agent that the router only guesses, and serves with that agent's tools."""

from collections.abc import Iterator
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.conf import settings
from django.test import override_settings

from agents.runtime import routing_words
from conversations.turns.supervisor import supervisor
from tests import people
from tests.provider import Answer, Provider
from tests.tutoring.local_provider import WIRES, options
from tests.tutoring.situations.setup import PATIENT
from tests.tutoring.test_panel_answers import asked
from tests.tutoring.test_panel_with_model import close_backends
from tutoring.models import Note

pytestmark = pytest.mark.django_db(transaction=True)

UNSURE = "the red folder, dont let me lose that"
"""The router guesses at the notes, and is not certain."""
COORDINATOR, REMEMBERS = "which part of a planner serves", "You remember what a learner asks you to remember"


@pytest.fixture(params=WIRES)
def provider(request: Any) -> Iterator[Provider]:
    with Provider(beat_s=0.01) as running:
        agents = {**settings.AGENTS, "model_limits": PATIENT}
        with override_settings(AGENTS=agents, LLMS=options(running, request.param, outside=False)):
            yield running


@pytest.fixture(autouse=True)
def _closing() -> Iterator[None]:
    yield
    supervisor.closing = False


async def test_model_routes_an_unsure_message_and_its_agent_uses_the_tool(provider: Provider) -> None:
    ada = await sync_to_async(people.make_person)("ada", consent=True)
    provider.script(COORDINATOR, Answer(object={"agent": "memory", "reason": "It asks to remember a folder."}))
    call = ("remember_note", {"text": "The red folder must not be lost."})
    provider.script(REMEMBERS, Answer(tools=(call,)), Answer(text="I noted it: the red folder must not be lost."))
    answer = await asked(ada, UNSURE)
    assert answer["response"] == "I noted it: the red folder must not be lost."
    assert answer["metadata"]["agents_used"] == ["memory"]
    notes = await sync_to_async(lambda: list(Note.objects.values_list("owner__username", "text")))()
    assert notes == [("ada", "The red folder must not be lost.")]
    await close_backends()


async def test_model_leaves_to_the_tutor_what_is_not_the_planners(provider: Provider) -> None:
    ada = await sync_to_async(people.make_person)("ada", consent=True)
    provider.script(COORDINATOR, Answer(object={"agent": "none", "reason": "It is small talk."}))
    answer = await asked(ada, UNSURE)
    assert "memory" not in answer["metadata"]["agents_used"]
    assert not await sync_to_async(Note.objects.exists)()
    await close_backends()


async def test_without_consent_no_model_is_asked(provider: Provider) -> None:
    ada = await sync_to_async(people.make_person)("ada", consent=False)
    with override_settings(LLMS=options(provider, "openai")):
        await asked(ada, UNSURE)
    assert not provider.requests
    await close_backends()


async def test_words_that_admins_wrote_may_be_due_for_reading_again(
    provider: Provider, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They are read in a thread: the event loop must not query the database."""
    monkeypatch.setattr(routing_words._rows, "_seconds", -1.0)
    ada = await sync_to_async(people.make_person)("ada", consent=True)
    provider.script(COORDINATOR, Answer(object={"agent": "memory", "reason": "It asks to remember a folder."}))
    answer = await asked(ada, UNSURE)
    assert answer["metadata"]["agents_used"] == ["memory"]
    await close_backends()
