"""Which planner agent a message is for, if no request was read in it: asked of the registered router."""

from collections.abc import Callable

from agents.routing.decision import RoutingDecision
from tutoring.planner.values import AGENTS, CompanionContext

type CompanionRouter = Callable[[str, CompanionContext], RoutingDecision | None]
"""Takes a message and its context, returns which agent it is for. Quick: it runs in every turn without a topic."""

_routers: list[CompanionRouter] = []


def register_companion_router(router: CompanionRouter) -> CompanionRouter:
    """Register the one router of messages in which no request was read, while apps start."""
    _routers[:] = [router]
    return router


def companion_choice(text: str, context: CompanionContext) -> RoutingDecision | None:
    """Return the router's decision if it is certain that a planner agent is meant; None if not, or without a router.

    Right after a planner agent has spoken, the likeliest one is enough. The agent then asks what it should do, or serves the message with its tools if a model is connected.
    """
    decided = _routers[0](text, context) if _routers else None
    if decided is None or decided.agent not in AGENTS:
        return None
    return decided if decided.is_certain or context.agent is not None else None
