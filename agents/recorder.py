"""Turn a run's outcomes into rows of figures."""

import uuid

from django.contrib.auth.models import AbstractBaseUser

from agents.models import AgentCall, Run
from agents.outcomes import Answered, Failed, Outcome, Refused, TimedOut
from agents.runner import RunResult

ENDINGS: dict[type[Outcome], AgentCall.Ending] = {
    Answered: AgentCall.Ending.ANSWERED,
    TimedOut: AgentCall.Ending.TIMED_OUT,
    Failed: AgentCall.Ending.FAILED,
    Refused: AgentCall.Ending.REFUSED,
}


def record_run(*, turn_id: uuid.UUID | None, graph: str, result: RunResult, person: AbstractBaseUser | None) -> Run:
    """Store one run and how each of its agents ended; the caller has the transaction."""
    run = Run.objects.create(
        turn_id=turn_id,
        person_id=person.pk if person else None,
        graph=graph,
        aborted=result.aborted,
        waits=result.position is not None,
    )
    AgentCall.objects.bulk_create(_call(run, number, outcome) for number, outcome in enumerate(result.outcomes, 1))
    return run


def _call(run: Run, number: int, outcome: Outcome) -> AgentCall:
    call = AgentCall(
        run=run,
        number=number,
        agent=outcome.agent,
        ending=ENDINGS[type(outcome)],
        ms=outcome.ms,
        tries=outcome.tries,
        characters=len(outcome.text),
        prompt_version=outcome.prompt_version,
    )
    if isinstance(outcome, Answered):
        usage = outcome.usage
        call.backend, call.model = usage.backend, usage.model
        call.input_tokens, call.output_tokens = usage.input_tokens, usage.output_tokens
        call.cost_usd = usage.cost_usd
        call.degraded, call.remarks = outcome.degraded, list(outcome.remarks)
    else:
        call.error_type = outcome.error_type
    return call
