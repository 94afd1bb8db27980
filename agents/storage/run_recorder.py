"""Stores a run's outcomes as rows of figures."""

import uuid
from typing import Any

from agents.engine.outcomes import Answered, Failed, Outcome, Refused, TimedOut
from agents.engine.runner import RunResult
from agents.llm.token_usage import Usage
from agents.models import AgentCall, Run
from agents.storage.raw_sql import insert_rows
from agents.storage.time_ordered_ids import new_time_ordered_id

ENDINGS: dict[type[Outcome], AgentCall.Ending] = {
    Answered: AgentCall.Ending.ANSWERED,
    TimedOut: AgentCall.Ending.TIMED_OUT,
    Failed: AgentCall.Ending.FAILED,
    Refused: AgentCall.Ending.REFUSED,
}


def record_run(*, turn_id: uuid.UUID | None, graph: str, result: RunResult, person_id: int | None) -> uuid.UUID:
    """Store one run and how each of its agents ended; return the run's id. The caller opens the transaction."""
    run_id = new_time_ordered_id()
    run = {
        "id": run_id,
        "turn_id": turn_id,
        "person_id": person_id,
        "graph": graph,
        "aborted": result.aborted,
        "waits": result.position is not None,
    }
    insert_rows(Run, [run])
    insert_rows(AgentCall, [_call(run_id, number, outcome) for number, outcome in enumerate(result.outcomes, 1)])
    return run_id


def _error_type(outcome: Outcome) -> str:
    """Return how an agent failed, or its model, which something replaces then; empty if neither did."""
    if isinstance(outcome, Answered):
        return outcome.failure.error_type if outcome.failure else ""
    return outcome.error_type


def _call(run_id: uuid.UUID, number: int, outcome: Outcome) -> dict[str, Any]:
    answered = outcome if isinstance(outcome, Answered) else None
    usage = answered.usage if answered else Usage(backend="")
    return {
        "run_id": run_id,
        "number": number,
        "agent": outcome.agent,
        "ending": ENDINGS[type(outcome)],
        "error_type": _error_type(outcome),
        "ms": outcome.ms,
        "tries": outcome.tries,
        "characters": len(outcome.text),
        "prompt_version": outcome.prompt_version,
        "backend": usage.backend,
        "model": usage.model,
        "input_tokens": usage.input_tokens,
        "output_tokens": usage.output_tokens,
        "cost_usd": usage.cost_usd,
        "degraded": bool(answered and answered.degraded),
        "remarks": list(answered.remarks) if answered else [],
    }
