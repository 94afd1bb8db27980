"""Which planner agent a message is for, if no request was read in it: asked of the registered router."""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from django.utils.translation import gettext_lazy

from agents.routing.decision import RoutingDecision
from tutoring.planner.values import AGENTS, CompanionContext

type CompanionRouter = Callable[[str, CompanionContext], RoutingDecision | None]
"""Takes a message and its context, returns which agent it is for. Quick: it runs in every turn without a topic."""

WORDS: Final = frozenset({"rule", "keyword"})
"""Strategies that find words in a message; the others judge how it sounds, or what it follows."""
STAYS: Final = gettext_lazy("The message goes on with the same agent.")
_routers: list[CompanionRouter] = []


def register_companion_router(router: CompanionRouter) -> CompanionRouter:
    """Register the one router of messages in which no request was read, while apps start."""
    _routers[:] = [router]
    return router


def companion_choice(text: str, context: CompanionContext) -> RoutingDecision | None:
    """Return the router's decision if a planner agent is meant; None if not, or without a router.

    It has to be certain, except right after a planner agent has spoken without a lesson: what the router only guesses then
    stays with that agent. Beside a lesson, only words lead to the planner, not how a message sounds ("I know this"). The
    agent asks what it should do, or serves the message with its tools if a model is connected.
    """
    decided = _routers[0](text, context) if _routers else None
    if decided is None:
        return None
    if context.only_clear and decided.strategy not in WORDS:
        return None
    if decided.is_certain:
        return decided if decided.agent in AGENTS else None
    if context.agent is None or context.only_clear:
        return None
    if decided.agent in AGENTS:
        return replace(decided, agent=context.agent)
    return replace(decided, agent=context.agent, strategy="current", reason=str(STAYS), unsure=True)


def unsure_choice(text: str, context: CompanionContext) -> RoutingDecision | None:
    """Return the router's guess at a planner agent that a connected model should confirm; None if there is none.

    Beside a lesson nothing is asked: only what is clearly a request leaves it.
    """
    decided = _routers[0](text, context) if _routers and not context.only_clear else None
    return decided if decided is not None and decided.agent in AGENTS and not decided.is_certain else None
