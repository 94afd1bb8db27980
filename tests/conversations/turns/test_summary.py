import pytest

from agents.engine.outcomes import Answered, Failed, TimedOut
from agents.errors import LLMInvalidOutput, LLMKeyRejected
from agents.usage.costs import TurnCost
from conversations.turns.summary import answer_fields, apology, final_status


@pytest.mark.parametrize(
    ("status", "reply", "cards", "is_told"),
    [
        ("failed", "", [], True),
        ("failed", "", [{"kind": "question"}], True),
        ("degraded", "", [], True),
        ("degraded", "", [{"kind": "question"}], False),
        ("degraded", "Here it is.", [], False),
        ("done", "", [], False),
    ],
)
def test_who_sees_nothing_because_an_agent_failed_is_told_so(status, reply, cards, is_told):
    """After a handoff, the first agent has finished and said nothing: the turn is degraded, not failed."""
    assert bool(apology(status, reply=reply, cards=cards)) is is_told


SAID = {"text": "", "ms": 1.0}


def test_agents_that_failed_and_those_whose_model_failed_are_named_with_their_error():
    outcomes = [
        Answered(agent="conversation", result=None, **SAID),
        Answered(agent="analysis", result=None, failure=LLMInvalidOutput, **SAID),
        TimedOut(agent="research", after_s=5.0, **SAID),
        Answered(agent="synthesis", result=None, failure=LLMKeyRejected, degraded=True, **SAID),
    ]
    errors = answer_fields(outcomes, cost=TurnCost(), total_ms=1.0)["errors"]
    assert [(each["agent"], each["error_type"], each["recoverable"]) for each in errors] == [
        ("analysis", "validation", True),
        ("research", "timeout", True),
        ("synthesis", "api_error", False),
    ]
    assert all(each["fallback_available"] for each in errors)


def test_result_without_a_model_is_whole_so_that_the_turn_is_done():
    analysis = Answered(agent="analysis", result=None, failure=LLMInvalidOutput, **SAID)
    assert final_status([analysis]) == "done"


def test_nothing_replaces_an_agent_that_failed_alone():
    failed = Failed(agent="tutor", error_type="internal", message="internal error", recoverable=False, **SAID)
    (error,) = answer_fields([failed], cost=TurnCost(), total_ms=1.0)["errors"]
    assert error["fallback_available"] is False
