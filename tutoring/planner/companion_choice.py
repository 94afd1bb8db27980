"""Which planner agent a message is for, if no request was read in it: asked of the registered router."""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from django.utils.translation import gettext_lazy

from agents.routing.decision import RoutingDecision
from tutoring.planner.values import AGENTS, CompanionContext

type CompanionRouter = Callable[[str, CompanionContext], RoutingDecision | None]
"""Takes a message and its context, returns which agent it is for. Quick: it runs in every turn without a topic."""

LIKENESSES: Final = frozenset({"classifier", "llm"})
"""Strategies that judge how a message sounds; the others find words in it."""
STAYS: Final = gettext_lazy("The message goes on with the same agent.")
_routers: list[CompanionRouter] = []


def register_companion_router(router: CompanionRouter) -> CompanionRouter:
    """Register the one router of messages in which no request was read, while apps start."""
    _routers[:] = [router]
    return router


def companion_choice(text: str, context: CompanionContext) -> RoutingDecision | None:
    """Return the router's decision if a planner agent is meant; None if not, or without a router.

    It has to be certain, except right after a planner agent has spoken: then the likeliest one is enough, and what the
    router only guesses to be nobody's stays with that agent. Beside a lesson, words have to say so, no likeness. The
    agent asks what it should do, or serves the message with its tools if a model is connected.
    """
    decided = _routers[0](text, context) if _routers else None
    if decided is None:
        return None
    says = decided.strategy not in LIKENESSES
    if decided.agent in AGENTS:
        is_enough = says or (not context.only_clear and (decided.is_certain or context.agent is not None))
        return decided if is_enough and (decided.is_certain or not context.only_clear) else None
    stays = context.agent is not None and not decided.is_certain and not context.only_clear
    return replace(decided, agent=context.agent, strategy="current", reason=str(STAYS)) if stays else None
