"""The agent that docs/agents.md shows as an example: one file adds it, and it works."""

import runpy
from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client

from agents.engine import registry
from agents.engine.events import Event, ReplyText, ToolCalled
from agents.engine.outcomes import Answered
from agents.engine.roles import Request, Tier
from agents.engine.runner import run
from agents.engine.speaker import PlanSpeaker, Speaker
from agents.llm.base import AnswerEnd, LLMBackend, TextPiece
from agents.llm.offline import OfflineBackend
from tests.agents.llm.played_backend import USAGE, PlayedBackend
from tests.agents_reference import EXAMPLE


@pytest.fixture
def example() -> Iterator[dict[str, Any]]:
    """Run the file as an app's `roles` module is run, and forget the agent afterward."""
    yield runpy.run_path(str(EXAMPLE))
    del registry.roles["percentages"], registry.graphs["percentages"]


async def answered(example: dict[str, Any], text: str, backend: LLMBackend) -> tuple[str, list[Event], Answered]:
    """Return the reply, all events, and the outcome."""
    events: list[Event] = []
    speakers: dict[Tier, Speaker] = {"fast": PlanSpeaker(backend)}
    result = await run(example["GRAPH"], Request(text=text), emit=events.append, speakers=speakers)
    (outcome,) = result.outcomes
    assert isinstance(outcome, Answered)
    return "".join(each.text for each in events if isinstance(each, ReplyText)), events, outcome


async def test_it_calculates_without_a_model(example: dict[str, Any]) -> None:
    reply, events, outcome = await answered(example, "What is 15% of 80?", OfflineBackend())
    assert reply == "15% of 80 = 12"
    assert [each.tool for each in events if isinstance(each, ToolCalled)] == ["calculator"]
    assert outcome.result == example["PercentageResult"](calculation="15% of 80 = 12")


async def test_it_lets_a_model_say_the_result(example: dict[str, Any]) -> None:
    backend = PlayedBackend([TextPiece("That is 12."), AnswerEnd(usage=USAGE)])
    reply, _events, outcome = await answered(example, "What is 15% of 80?", backend)
    assert (reply, outcome.usage) == ("That is 12.", USAGE)
    assert "15% of 80 = 12" in str(backend.asked[0])


async def test_it_says_what_to_ask_where_there_is_nothing_to_calculate(example: dict[str, Any]) -> None:
    reply, _events, outcome = await answered(example, "Hello", OfflineBackend())
    assert reply == "Ask me for a percentage, such as 15% of 80."
    assert outcome.result == example["PercentageResult"]()


@pytest.mark.django_db
def test_it_is_listed_with_the_other_agents(example: dict[str, Any], client: Client, ada: Any) -> None:
    client.force_login(ada)
    (told,) = [each for each in client.get("/v2/agents").json() if each["name"] == "percentages"]
    assert (told["purpose"], told["tools"]) == ("Calculates percentages.", ["calculator"])
