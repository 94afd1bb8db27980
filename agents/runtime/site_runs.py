"""Site runs: runs outside any turn, on the site's budget, for callers without an event loop."""

from collections.abc import Mapping

from asgiref.sync import sync_to_async

from agents.conf import close_sdk_backends, sdk_backends
from agents.engine.graph import Graph
from agents.engine.roles import Request, Tier
from agents.engine.runner import RunResult, run
from agents.engine.speaker import PlanSpeaker, Speaker
from agents.limits import RunLimits
from agents.llm.call_context import CallContext
from agents.llm.prompt import Prompt
from agents.people import Person
from agents.runtime.model_chain import model_chain_for
from agents.runtime.speaker_selection import payer_for, speakers_for
from agents.usage.alerts import alert_writer
from agents.usage.ledger import DatabaseLedger


async def run_for_site(
    graph: Graph,
    request: Request,
    *,
    tier: Tier,
    holder: str,
    prompts: Mapping[str, Prompt],
    limits: RunLimits | None = None,
) -> RunResult:
    """Walk a graph with one tier, in its own event loop; connections are closed at the end.

    `holder` names the process, as in the ledger.
    """
    call_context = CallContext(accounts=("site",), ledger=DatabaseLedger(holder=holder))
    speakers = {tier: PlanSpeaker(model_chain_for(tier), call_context=call_context)}
    return await _run_alone(graph, request, speakers, prompts=prompts, limits=limits)


async def run_for_person(
    graph: Graph,
    request: Request,
    *,
    person: Person,
    holder: str,
    prompts: Mapping[str, Prompt],
    limits: RunLimits | None = None,
) -> RunResult:
    """Walk a graph as `run_for_site` does, on the person's budget and with the models that they consented to."""
    payer = await sync_to_async(payer_for)(person, turn_id=None, ledger=DatabaseLedger(holder=holder))
    speakers = speakers_for(payer, aside=graph.name)
    return await _run_alone(graph, request, speakers, prompts=prompts, limits=limits)


async def _run_alone(
    graph: Graph,
    request: Request,
    speakers: Mapping[Tier, Speaker],
    *,
    prompts: Mapping[str, Prompt],
    limits: RunLimits | None,
) -> RunResult:
    try:
        for backend in sdk_backends():
            await backend.aopen()  # Loading the SDK does not count as answering time.
        return await run(graph, request, emit=lambda event: None, speakers=speakers, limits=limits, prompts=prompts)
    finally:
        await alert_writer.written()
        await close_sdk_backends()
