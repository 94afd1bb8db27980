"""Coordination is the time in which no agent works: agents at the same time count once."""

import pytest

from agents.engine.outcomes import Answered, Failed, Outcome
from agents.usage.costs import TurnCost
from conversations.turns.summary import answer_fields


def agent(name: str, began_ms: float, ms: float) -> Outcome:
    return Answered(agent=name, result=None, text="", ms=ms, began_ms=began_ms)


BROKEN = Failed(agent="b", text="", ms=50, began_ms=100, error_type="internal", message="", recoverable=False)


@pytest.mark.parametrize(
    ("outcomes", "total_ms", "coordination_ms"),
    [
        ([], 5.0, 5.0),
        ([agent("a", 2, 100), agent("b", 2, 60), agent("c", 104, 20)], 130.0, 10.0),
        ([agent("a", 0, 100), BROKEN], 160.0, 10.0),
        ([agent("a", 0, 100), agent("b", 50, 100)], 150.0, 0.0),
    ],
)
def test_time_without_an_agent(outcomes: list[Outcome], total_ms: float, coordination_ms: float) -> None:
    metadata = answer_fields(outcomes, cost=TurnCost(), total_ms=total_ms)["metadata"]
    assert metadata["coordination_ms"] == coordination_ms
