"""Runs that serve nobody's turn: walked on the site's behalf, at its cost, by whoever has no event loop of their own."""

from collections.abc import Mapping

from agents.alerts import alarm
from agents.chain import chain
from agents.conf import sdk_backends
from agents.graph import Graph
from agents.ledger import DatabaseLedger
from agents.limits import Limits
from agents.llm.behalf import Behalf
from agents.prompts import Prompt
from agents.roles import Request, Tier
from agents.runner import RunResult, run
from agents.speaking import PlanSpeaker


async def run_for_site(
    graph: Graph,
    request: Request,
    *,
    tier: Tier,
    holder: str,
    prompts: Mapping[str, Prompt],
    limits: Limits | None = None,
) -> RunResult:
    """Walk a graph of one tier in an event loop that ends with it, and with it whatever is still open.

    `holder` names the process, as a ledger does.
    """
    behalf = Behalf(accounts=("site",), ledger=DatabaseLedger(holder=holder))
    try:
        for backend in sdk_backends():
            await backend.aopen()  # Loading the SDK is no part of the answer's time.
        speakers = {tier: PlanSpeaker(chain(tier), behalf=behalf)}
        return await run(graph, request, emit=lambda event: None, speakers=speakers, limits=limits, prompts=prompts)
    finally:
        await alarm.written()
        for backend in sdk_backends():
            await backend.aclose()
