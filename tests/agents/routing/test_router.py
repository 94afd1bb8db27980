"""Deciding whose a message is, by a team of two that cooks and travels:

    decide("salt, please", rules=RULES, situation=Trip(), examples=examples, thresholds=THRESHOLDS, reasons=REASONS)

goes to the cook by a rule; what no rule knows goes by the examples and the votes, and what these leave open to the cook, who asks.
"""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from agents.routing import router
from agents.routing.decision import RoutingDecision, RoutingReasons, RoutingThresholds
from agents.routing.router import route_message
from agents.routing.rules import RoutingRule, first_matching_rule


@dataclass(frozen=True)
class Trip:
    on_the_road: bool = False


RULES = (
    RoutingRule[Trip](
        agent="cook", reason="Names a spice.", pattern=re.compile(r"\b(?:salt|pepper)\b"), unless=re.compile("lake")
    ),
    RoutingRule[Trip](
        agent="guide",
        reason="The trip goes on.",
        pattern=re.compile(r"^next$"),
        applies=lambda trip: trip.on_the_road,
        stays=True,
    ),
)
THRESHOLDS = RoutingThresholds(sure=0.6, surely_nothing=0.7)
REASONS = RoutingReasons(
    sounds_like={"cook": "Sounds like food.", "guide": "Sounds like a trip.", None: "Sounds like neither."},
    asks=("cook", "Not clear: the cook asks."),
)
EXAMPLES = """
cook: [what is for lunch, cook some rice, a recipe with carrots, I am hungry, bake a cake, how long do eggs boil, dinner ideas]
guide: [book a train to Rome, a cheap flight, which hotel is near the sea, pack my suitcase, when does the bus leave, a map of Paris]
none: [asdf jkl, lol, what is seven times eight, who painted this, my phone is broken, sing a song]
"""


@pytest.fixture(scope="module")
def examples(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path: Path = tmp_path_factory.mktemp("team") / "examples.yaml"
    path.write_text(EXAMPLES)
    return path


def decided(
    text: str, examples: Path, *, trip: Trip = Trip(), thresholds: RoutingThresholds = THRESHOLDS, **votes: float
) -> RoutingDecision:
    given: dict[str, Any] = {"rules": RULES, "examples": examples, "thresholds": thresholds, "reasons": REASONS}
    return route_message(text, situation=trip, votes=votes, **given)


def test_a_rule_decides_first(examples: Path) -> None:
    routed = decided("pass the salt", examples, guide=1.0)
    assert (routed.agent, routed.strategy, routed.reason) == ("cook", "rule", "Names a spice.")
    assert routed.is_certain


def test_what_is_under_way_stays_with_its_agent(examples: Path) -> None:
    assert decided("next", examples, trip=Trip(on_the_road=True)).strategy == "current"
    assert decided("next", examples).strategy == "classifier"


def test_no_rule_fits_what_excuses_it() -> None:
    assert first_matching_rule("the great salt lake", RULES, Trip()) is None


def test_else_the_examples_decide(examples: Path) -> None:
    routed = decided("a train to Paris", examples)
    assert (routed.agent, routed.strategy, routed.reason) == ("guide", "classifier", "Sounds like a trip.")


def test_what_is_not_sure_is_asked_about(examples: Path) -> None:
    never = RoutingThresholds(sure=1.1, surely_nothing=1.1)
    routed = decided("a train to Paris", examples, thresholds=never)
    assert (routed.agent, routed.unsure, routed.reason) == ("cook", True, "Not clear: the cook asks.")
    assert not routed.is_certain


def test_votes_and_examples_decide_together(examples: Path) -> None:
    alone = decided("a train to Paris", examples)
    agreed, disputed = (decided("a train to Paris", examples, **{agent: 1.0}) for agent in ("guide", "cook"))
    assert agreed.agent == alone.agent == "guide"
    assert agreed.confidence > alone.confidence
    assert disputed.unsure or disputed.confidence < alone.confidence
    assert decided("asdf jkl", examples, none=1.0).reason == "Sounds like neither."


def test_a_vote_decides_what_examples_leave_open(examples: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Torn:
        def probabilities(self, text: str) -> dict[str, float]:
            return {"cook": 0.4, "guide": 0.4, "none": 0.2}

    monkeypatch.setattr(router, "load_classifier", lambda path: Torn())
    assert [decided("hm", examples, **{agent: 0.9}).agent for agent in ("cook", "guide")] == ["cook", "guide"]
    assert decided("hm", examples, cook=0.2, guide=0.2).unsure
