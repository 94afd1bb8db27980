"""A finished turn in figures: how it ended, who answered, what it took."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

from agents.engine.events import FinalStatus
from agents.engine.outcomes import Answered, Failed, Outcome
from agents.usage.costs import TurnCost
from conversations.speakers import SPEAKERS_KEY, speakers_of, speaks

Shortfall = Literal["", "model", "budget", "unasked"]
"""Why the answer is less than it could be: authored words stand where a model's should, since it could not answer or a budget
is used up; or somebody who says nothing to the learner, the coordinator say, could not be asked."""


def final_status(outcomes: Sequence[Outcome]) -> FinalStatus:
    """`done` if all answered as they should, `failed` if none did, else `degraded`."""
    answered = [outcome for outcome in outcomes if isinstance(outcome, Answered)]
    if len(answered) == len(outcomes) and not any(outcome.degraded for outcome in answered):
        return "done"
    return "degraded" if answered else "failed"


def answer_fields(outcomes: Sequence[Outcome], *, cost: TurnCost, total_ms: float) -> dict[str, Any]:
    """Return what the v2 surface answers beside the reply, the turn's figures and which agents failed, and who spoke."""
    errors = [
        {
            "agent": outcome.agent,
            "error_type": outcome.error_type,
            "message": outcome.message,
            "recoverable": outcome.recoverable,
            "fallback_available": any(isinstance(each, Answered) for each in outcomes),
        }
        for outcome in outcomes
        if not isinstance(outcome, Answered)
    ]
    metadata = _metadata(outcomes, cost=cost, total_ms=total_ms)
    return {"metadata": metadata, "errors": errors, SPEAKERS_KEY: speakers_of(outcomes)}


def cited_sources(cards: Iterable[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Return what a reply rests on, as its cards name it, each once."""
    found = (source for card in cards if card["kind"] == "sources" for source in card["sources"])
    return list({source["id"]: source for source in found}.values())


def find_shortfall(outcomes: Sequence[Outcome]) -> Shortfall:
    """Return why the answer is less than it could be; empty where it is not, or where one who speaks is missing in it."""
    for outcome in outcomes:
        if isinstance(outcome, Failed) and outcome.message == "LLMBudgetSpent":
            return "budget"
        if isinstance(outcome, Answered) and "budget" in outcome.remarks:
            return "budget"
    if any(isinstance(each, Answered) and each.degraded for each in outcomes):
        return "model"
    failed = [each.agent for each in outcomes if not isinstance(each, Answered)]
    return "unasked" if failed and not any(map(speaks, failed)) else ""


def _metadata(outcomes: Sequence[Outcome], *, cost: TurnCost, total_ms: float) -> dict[str, Any]:
    """Return a turn's figures as the v2 surface gives them."""
    times = {outcome.agent: outcome.ms for outcome in outcomes}
    backends = [outcome.usage.backend for outcome in outcomes if isinstance(outcome, Answered)]
    shortfall = find_shortfall(outcomes)
    return {
        "api_version": "v2",
        "agents_used": list(times),
        "agent_times_ms": times,
        "total_time_ms": round(total_ms, 1),
        "coordination_ms": round(max(0.0, total_ms - sum(times.values())), 1),
        "provider": next((name for name in backends if name != "offline"), cost.provider or "offline"),
        "tokens": {"input": cost.input_tokens, "output": cost.output_tokens},
        "cost_usd": cost.usd,
        "cost_is_lower_bound": cost.is_lower_bound,
        "fallback": bool(shortfall),
        "shortfall": shortfall,
    }
