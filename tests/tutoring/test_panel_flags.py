"""The panel's flags: who has the panel, which of its agents are on, and that a conversation stays as it began."""

from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.test import AsyncClient

from agents.models import AgentCall
from agents.rollout.flags import change_flag
from conversations.models import Document, Event, Session
from conversations.turns.supervisor import supervisor
from tests import people
from tests.conversations.turn_helpers import accepted
from tests.tutoring.roles.explanation.test_lookup_answers import QUOTE, put_in
from tests.tutoring.test_panel_answers import ASKED, TEAM, asked
from tests.tutoring.test_panel_with_model import put_picture

pytestmark = pytest.mark.django_db(transaction=True)

change = sync_to_async(change_flag)
FLAGS = {agent: f"{agent}_agent" for agent in ("analysis", "research", "synthesis")}


@pytest.fixture
def ada() -> Any:
    return people.make_person("ada")


@pytest.fixture(autouse=True)
def _closing() -> Iterator[None]:
    yield
    supervisor.closing = False


async def classified(answer: dict[str, Any]) -> dict[str, Any]:
    event = await Event.objects.aget(turn=answer["turn_id"], type="classified")
    body: dict[str, Any] = event.body
    return body


@pytest.mark.parametrize("agent", FLAGS)
async def test_panel_goes_on_without_an_agent_that_is_switched_off(agent: str, ada: Any) -> None:
    await sync_to_async(put_in)(ada)
    await change(FLAGS[agent], killed=True)
    answer = await asked(ada, ASKED)
    assert answer["response"]
    assert answer["errors"] == []
    assert set(answer["metadata"]["agents_used"]) == set(TEAM) - {agent}
    assert not answer["metadata"]["fallback"]
    assert answer["status"] == "done"
    told = await classified(answer)
    assert told["agents"] == [each for each in TEAM if each != agent]
    assert "Switched off: " in told["reason"]
    assert not await AgentCall.objects.filter(agent=agent).aexists()


async def test_a_picture_is_answered_without_the_agent_that_looks_at_pictures(ada: Any) -> None:
    await change("vision_agent", killed=True)
    document: Document = await sync_to_async(put_picture)(ada)
    answer = await asked(ada, "What does this diagram show?", attachments=[str(document.pk)])
    assert (answer["classification"], answer["vision"], answer["errors"]) == ("visual_query", None, [])
    assert answer["response"]
    assert "vision" not in answer["metadata"]["agents_used"]
    assert "vision" not in (await classified(answer))["agents"]


async def test_without_the_panel_nobody_is_offered_the_choice_who_answers(ada: Any) -> None:
    client = AsyncClient()
    await client.aforce_login(ada)
    first = await asked(ada, ASKED)
    page = f"/c/{first['session_id']}/"
    assert "Who answers your questions" in (await client.get(page)).content.decode()
    await change("multi_agent", killed=True)
    assert "Who answers your questions" not in (await client.get(page)).content.decode()


async def test_without_the_synthesis_what_was_found_is_shown_as_it_is(ada: Any) -> None:
    await sync_to_async(put_in)(ada)
    await change("synthesis_agent", killed=True)
    answer = await asked(ada, ASKED)
    assert QUOTE in answer["response"]
    assert "(3+4)*2^5 = 224" in answer["response"]


async def test_nobody_is_left_without_an_answer(ada: Any) -> None:
    for flag in FLAGS.values():
        await change(flag, killed=True)
    answer = await asked(ada, "Why is the sea salty?")
    assert answer["response"].startswith("I couldn’t find anything about this")
    assert (answer["errors"], answer["status"]) == ([], "done")


async def test_an_agent_is_off_for_those_who_are_out(ada: Any) -> None:
    ben = await sync_to_async(people.make_person)("ben")
    await change("research_agent", percent=Decimal(0), allowed=["ada"])
    assert "research" in (await asked(ada, ASKED))["metadata"]["agents_used"]
    assert "research" not in (await asked(ben, ASKED))["metadata"]["agents_used"]


async def test_a_conversation_keeps_its_agents(ada: Any) -> None:
    first = await asked(ada, ASKED)
    await change("research_agent", percent=Decimal(0))
    again = await asked(ada, ASKED, session_id=first["session_id"])
    assert "research" in again["metadata"]["agents_used"]
    assert "research" not in (await asked(ada, ASKED))["metadata"]["agents_used"]
    await change("research_agent", killed=True)
    assert "research" not in (await asked(ada, ASKED, session_id=first["session_id"]))["metadata"]["agents_used"]


async def test_a_conversation_keeps_the_panel_until_it_is_stopped(ada: Any) -> None:
    first = await asked(ada, ASKED)
    assert (await Session.objects.aget()).flags["multi_agent"] == "in"
    await change("multi_agent", percent=Decimal(0))
    client = AsyncClient()
    await client.aforce_login(ada)

    async def status(**body: Any) -> int:
        response = await client.post("/v2/conversation", {"text": ASKED} | body, content_type="application/json")
        return response.status_code

    assert (await asked(ada, ASKED, session_id=first["session_id"]))["classification"] == "complex_query"
    assert await status() == 501
    await change("multi_agent", killed=True)
    assert await status(session_id=first["session_id"]) == 501


async def test_another_persons_conversation_opens_nothing(ada: Any) -> None:
    """A1."""
    first = await asked(ada, ASKED)
    ben = await sync_to_async(people.make_person)("ben")
    await change("multi_agent", percent=Decimal(0))
    client = AsyncClient()
    await client.aforce_login(ben)
    body = {"text": ASKED, "session_id": first["session_id"]}
    assert (await client.post("/v2/conversation", body, content_type="application/json")).status_code == 501


async def test_a_conversation_that_began_without_the_panel_stays_without_it(ada: Any) -> None:
    """Begun on the page, where the tutor answers those who do not have the panel."""
    await change("multi_agent", percent=Decimal(0))
    begun = await sync_to_async(accepted)(ada, text=ASKED)
    assert begun.turn.session.flags["multi_agent"] == "out"
    supervisor.start(begun)
    await supervisor.finished(begun.turn.pk)
    assert not await Event.objects.filter(type="classified").aexists()
    await change("multi_agent", percent=Decimal(100))
    answer = await asked(ada, ASKED, session_id="s")
    assert set(answer["metadata"]["agents_used"]) == {"tutor"}
    assert answer["classification"] is None
    assert (await asked(ada, ASKED))["classification"] == "complex_query"
