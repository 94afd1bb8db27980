"""The whole way from a goal to the first thing mastered, past every agent, whatever goes wrong: `make drill NAME=team`
plays the full matrix."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests import people
from tests.provider import Provider
from tests.tutoring import team_journey
from tests.tutoring.lessons.lesson_player import SPEAKERS, Stage, counted_turns
from tests.tutoring.local_provider import connected
from tutoring.models import Cycle

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _unhurried(settings: Any, kept_fractions: None) -> None:
    settings.AGENTS = {**settings.AGENTS, "turns_per_minute": 0, "cards_per_minute": 0}


@pytest.fixture
def provider() -> Iterator[Provider]:
    with Provider(beat_s=0.01) as provider:
        yield provider


def played(speakers: Any, *, until: str = "", **more: Any) -> Stage:
    with counted_turns(seed=5):
        return team_journey.play(
            Stage(people.make_person("nora", level="intermediate"), speakers=speakers, **more), until=until
        )


@pytest.mark.parametrize(("fault", "wire"), [("V6:mid", "anthropic"), ("V9:json", "openai")])
def test_cycle_ends_and_what_is_stored_is_right_with_a_model_at_fault(
    provider: Provider, fault: str, wire: str
) -> None:
    """V6, V9: in every answer of the model, from the first to the last."""
    provider.fault(fault)
    with connected(provider, wire, outside=False) as by_model:
        stage = played(by_model.speakers, walk=by_model.walk)
    assert list(team_journey.faults(stage)) == []
    assert provider.attempts > len(stage.exchanges) / 2


@pytest.mark.parametrize(
    ("agent", "how"),
    [
        ("quiz", "raises"),
        ("feedback", "hangs"),
        ("pathplanner", "returns nothing"),
    ],
)
def test_cycle_ends_and_what_is_stored_is_right_with_an_agent_at_fault(agent: str, how: str) -> None:
    """V16: once, in the middle of a turn; a bug costs that agent's part, and the next turn goes on with it."""
    with team_journey.failing(agent, how, SPEAKERS) as speakers:
        stage = played(speakers)
    assert list(team_journey.faults(stage)) == []


def test_look_back_that_failed_comes_first_whatever_is_said_next() -> None:
    """V16: once, and the cycle is closed by it."""
    with team_journey.failing("feedback", "raises", SPEAKERS) as speakers:
        stage = played(speakers, until="feedback_analysing")
        said = stage.say("what's next?")
    assert [wire["to"] for wire in said.events("routed")] == ["feedback"]
    assert "3 questions" in said.reply
    assert Cycle.objects.get().completed_at is not None
    assert stage.standing.cycle.state == "mastered"
