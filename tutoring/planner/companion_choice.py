"""Which planner agent a message is for, if no request was read in it: asked of the registered router."""

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from django.utils.translation import gettext_lazy

from agents.routing.decision import RoutingDecision
from tutoring.planner.requests.follow_ups import agent_named
from tutoring.planner.values import AGENTS, CompanionContext

type CompanionRouter = Callable[[str, CompanionContext], RoutingDecision | None]
"""Takes a message and its context, returns which agent it is for. Quick: it runs in every turn without a topic."""

WORDS: Final = frozenset({"rule", "keyword"})
"""Strategies that find words in a message; the others judge how it sounds, or what it follows."""
_GOES_BACK: Final = re.compile(
    r"(?:\w+\W+){0,3}(?:when|what|where|who|which)\b(?=.*\b(?:was|were|again|did (?:i|we|you))\b)(?:\W+\w+){1,10}\W*$",
    re.IGNORECASE,
)
# "i have to put them in order first", "why is there a gap": beside a lesson about the work. What has a day or a time was
# read before.
_ABOUT_WORK: Final = re.compile(r"\b(?:i|we) (?:have to|must|gotta|got to|should|need to)\b|^\W*why\b", re.IGNORECASE)
LIKELIER: Final = 0.65
"""Confidence from which a guess at another agent takes a message from the one that spoke last. Chosen on `bench/planner`."""
STAYS: Final = gettext_lazy("The message goes on with the same agent.")
_routers: list[CompanionRouter] = []


def register_companion_router(router: CompanionRouter) -> CompanionRouter:
    """Register the one router of messages in which no request was read, while apps start."""
    _routers[:] = [router]
    return router


def companion_choice(text: str, context: CompanionContext) -> RoutingDecision | None:
    """Return the router's decision if a planner agent is meant; None if not, or without a router.

    It has to be certain, except right after a planner agent has spoken without a lesson: then a likely guess counts, and
    what the router knows nothing of stays with the agent that spoke. What names a row of the conversation goes to the
    agent that has it. Beside a lesson, only words lead to the planner, not how a message sounds. The agent asks what it
    should do, or serves the message with its tools if a model is connected.
    """
    decided = _routers[0](text, context) if _routers else None
    if decided is None:
        return None
    if context.only_clear:
        is_named = decided.strategy in WORDS and decided.agent in AGENTS
        return decided if is_named and not _ABOUT_WORK.search(text) else None
    has_spoken = context.agent is not None
    named = agent_named(text, context) if decided.strategy not in WORDS else None
    if named and (_GOES_BACK.match(text) or (decided.agent in AGENTS and (decided.is_certain or has_spoken))):
        return replace(decided, agent=named)
    if decided.is_certain:
        return decided if decided.agent in AGENTS else None
    if not has_spoken:
        return None
    if decided.agent == context.agent or (decided.agent in AGENTS and (decided.confidence or 0) >= LIKELIER):
        return decided
    if not context.follows:
        return None
    return replace(decided, agent=context.agent, strategy="current", reason=str(STAYS), unsure=True)


def unsure_choice(text: str, context: CompanionContext) -> RoutingDecision | None:
    """Return the router's guess at a planner agent that a connected model should confirm; None if there is none.

    Beside a lesson nothing is asked: only what is clearly a request leaves it.
    """
    decided = _routers[0](text, context) if _routers and not context.only_clear else None
    return decided if decided is not None and decided.agent in AGENTS and not decided.is_certain else None
