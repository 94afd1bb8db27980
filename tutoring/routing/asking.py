"""Asks a model whose a message is, outside of any conversation: on the site's behalf, as the coordinator asks in one."""

from collections.abc import Mapping

from asgiref.sync import async_to_sync
from django.db import DatabaseError

from agents.alerts import alarm
from agents.chain import chain
from agents.conf import sdk_backends
from agents.ledger import DatabaseLedger
from agents.llm.behalf import Behalf
from agents.outcomes import Answered
from agents.prompting import prompts_in_force
from agents.prompts import Prompt
from agents.roles import Request
from agents.runner import RunResult, run
from agents.speaking import PlanSpeaker
from conversations.processes import PROCESS
from tutoring.graphs import ASKED_WHOSE
from tutoring.roles.coordinator import ROLE, Coordinated, reason_of


def said_by_model(text: str) -> Coordinated | None:
    """Return what a model says of a message, its reason fit to be shown; None where none is connected or none answers."""
    if chain(ROLE.tier).name == "offline":
        return None
    try:
        prompts = prompts_in_force()
    except DatabaseError:
        return None  # Nothing is asked that cannot be put on record.
    result = async_to_sync(_asked)(Request(text=text), prompts)
    for outcome in result.outcomes:
        if isinstance(outcome, Answered) and isinstance(outcome.result, Coordinated):
            return outcome.result.model_copy(update={"reason": reason_of(outcome.result)})
    return None


async def _asked(request: Request, prompts: Mapping[str, Prompt]) -> RunResult:
    """Walk the graph in an event loop that ends with it, and with it whatever is still open."""
    behalf = Behalf(accounts=("site",), ledger=DatabaseLedger(holder=PROCESS))
    try:
        for backend in sdk_backends():
            await backend.aopen()  # Loading the SDK is no part of the answer's time.
        speakers = {ROLE.tier: PlanSpeaker(chain(ROLE.tier), behalf=behalf)}
        return await run(ASKED_WHOSE, request, emit=lambda event: None, speakers=speakers, prompts=prompts)
    finally:
        await alarm.written()
        for backend in sdk_backends():
            await backend.aclose()
