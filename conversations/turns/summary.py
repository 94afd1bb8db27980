"""Summary of a finished turn: how it ended, who answered, what it cost."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal

from django.utils.translation import gettext as _

from agents.engine.events import FinalStatus
from agents.engine.outcomes import Answered, Failed, Outcome
from agents.usage.costs import TurnCost
from conversations.speakers import SPEAKERS_KEY, speakers_of, speaks

Shortfall = Literal["", "model", "budget", "unasked"]
"""Why the answer is incomplete: authored words replaced a model's, because it could not answer or a budget is used up;
or an agent that does not speak to the learner, such as the coordinator, could not be asked."""


def final_status(outcomes: Sequence[Outcome]) -> FinalStatus:
    """Return `done` if all answered properly, `failed` if none did, else `degraded`."""
    answered = [outcome for outcome in outcomes if isinstance(outcome, Answered)]
    if len(answered) == len(outcomes) and not any(outcome.degraded for outcome in answered):
        return "done"
    return "degraded" if answered else "failed"


def apology(status: FinalStatus, *, reply: str, cards: Sequence[Any]) -> str:
    """Return what is said where an agent failed and nothing was said or shown, as after a handoff; else empty."""
    is_silent = status == "failed" or (status == "degraded" and not cards)
    return _("Something went wrong on our end. Your message is saved.") if is_silent and not reply else ""


FELL_BACK_KEY = "fell_back"
"""In a turn's stored answer: whether one agent answered because the panel failed before its first words."""


def answer_fields(
    outcomes: Sequence[Outcome],
    *,
    cost: TurnCost,
    total_ms: float,
    fell_back: bool = False,
    first_word_ms: float | None = None,
) -> dict[str, Any]:
    """Return the fields of a v2 answer besides the reply: figures, failed agents, speakers."""
    metadata = _metadata(outcomes, cost=cost, total_ms=total_ms)
    if first_word_ms is not None:
        metadata["first_word_ms"] = round(first_word_ms, 1)
    metadata["fallback"] |= fell_back
    told = {"metadata": metadata, "errors": list(_errors(outcomes)), SPEAKERS_KEY: speakers_of(outcomes)}
    return told | {FELL_BACK_KEY: True} if fell_back else told


def _errors(outcomes: Sequence[Outcome]) -> Iterator[Mapping[str, Any]]:
    """Yield the agents that failed, and those whose model failed, so that authored words or code's result replace it."""
    for outcome in outcomes:
        if not isinstance(outcome, Answered):
            error_type, message, recoverable = outcome.error_type, outcome.message, outcome.recoverable
        elif outcome.failure is not None:
            error_type, message = outcome.failure.error_type, outcome.failure.__name__
            recoverable = outcome.failure.recoverable
        else:
            continue
        yield {
            "agent": outcome.agent,
            "error_type": error_type,
            "message": message,
            "recoverable": recoverable,
            "fallback_available": any(isinstance(each, Answered) for each in outcomes),
        }


def cited_sources(cards: Iterable[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Return the sources named by a reply's cards, each once."""
    found = (source for card in cards if card["kind"] == "sources" for source in card["sources"])
    return list({source["id"]: source for source in found}.values())


def find_shortfall(outcomes: Sequence[Outcome]) -> Shortfall:
    """Return why the answer is incomplete; empty if it is complete, or an agent that speaks is missing in it."""
    for outcome in outcomes:
        if isinstance(outcome, Failed) and outcome.message == "LLMBudgetSpent":
            return "budget"
        if isinstance(outcome, Answered) and "budget" in outcome.remarks:
            return "budget"
    if any(isinstance(each, Answered) and each.degraded for each in outcomes):
        return "model"
    failed = [each.agent for each in outcomes if not isinstance(each, Answered)]
    return "unasked" if failed and not any(map(speaks, failed)) else ""


def _busy_ms(outcomes: Sequence[Outcome]) -> float:
    """Return how long at least one agent worked: agents that run at the same time count once."""
    busy = ended = 0.0
    for outcome in sorted(outcomes, key=lambda each: each.began_ms):
        end = outcome.began_ms + outcome.ms
        busy += max(0.0, end - max(ended, outcome.began_ms))
        ended = max(ended, end)
    return busy


def _metadata(outcomes: Sequence[Outcome], *, cost: TurnCost, total_ms: float) -> dict[str, Any]:
    """Return a turn's figures in v2 format."""
    times = {outcome.agent: outcome.ms for outcome in outcomes}
    backends = [outcome.usage.backend for outcome in outcomes if isinstance(outcome, Answered)]
    shortfall = find_shortfall(outcomes)
    return {
        "api_version": "v2",
        "agents_used": list(times),
        "agent_times_ms": times,
        "total_time_ms": round(total_ms, 1),
        "coordination_ms": round(max(0.0, total_ms - _busy_ms(outcomes)), 1),
        "provider": next((name for name in backends if name != "offline"), cost.provider or "offline"),
        "tokens": {"input": cost.input_tokens, "output": cost.output_tokens},
        "cost_usd": cost.usd,
        "cost_is_lower_bound": cost.is_lower_bound,
        "fallback": bool(shortfall),
        "shortfall": shortfall,
        "saving": any("saving" in outcome.remarks for outcome in outcomes if isinstance(outcome, Answered)),
    }
