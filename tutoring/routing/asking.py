"""Asks a model whose a message is, outside of any conversation: on the site's behalf, as the coordinator asks in one."""

from asgiref.sync import async_to_sync
from django.db import DatabaseError

from agents.chain import chain
from agents.outcomes import Answered
from agents.prompting import prompts_in_force
from agents.roles import Request
from agents.site_runs import run_for_site
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
    request = Request(text=text)
    result = async_to_sync(run_for_site)(ASKED_WHOSE, request, tier=ROLE.tier, holder=PROCESS, prompts=prompts)
    for outcome in result.outcomes:
        if isinstance(outcome, Answered) and isinstance(outcome.result, Coordinated):
            return outcome.result.model_copy(update={"reason": reason_of(outcome.result)})
    return None
