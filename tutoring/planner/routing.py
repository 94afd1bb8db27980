"""Routing of a message to the companion's agents: rules, then keywords, then the classifier, then a model.

What no agent serves has no agent; the tutor answers it as ever. Without a model, what is unsure goes to the likeliest.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from hashlib import sha256
from pathlib import Path
from typing import Final

from django.core.cache import cache
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from agents.engine.roles import ChatMessage, Tier
from agents.engine.runner import NO_PROMPT_OVERRIDES
from agents.engine.speaker import Speaker
from agents.llm.prompt import Prompt
from agents.routing.decision import CERTAINTY_THRESHOLD, RoutingDecision, RoutingReasons, RoutingThresholds
from agents.routing.features import OUT_OF_SCOPE
from agents.routing.keywords import KeywordDecision
from agents.routing.router import route_by_rules_and_words, route_message
from agents.routing.surfaces import RoutedSurface
from agents.runtime.routing_words import words_in_force
from tutoring.planner import companion_coordinator
from tutoring.planner.routing_rules import RULES, CompanionSituation
from tutoring.understanding.parsing.spelling_cleanup import tidy_text

DATA: Final = Path(__file__).parent / "data"
SURFACE: Final = RoutedSurface(
    name="companion",
    label=_("Companion"),
    agents={
        "task": _("Tasks"),
        "event": _("Calendar"),
        "food": _("Meals"),
        "memory": _("Notes"),
        OUT_OF_SCOPE: _("None of them: the tutor"),
    },
    words_file=DATA / "companion_words.yaml",
    examples_file=DATA / "companion_examples.yaml",
)
EXAMPLES: Final = SURFACE.examples_file
# Both ask a model below the same confidence. Without one the likeliest agent gets the message: an agent of the planner
# that is not meant asks back what is missing, and the tutor answers what is not the planner's.
THRESHOLDS: Final = RoutingThresholds(sure=CERTAINTY_THRESHOLD, surely_nothing=CERTAINTY_THRESHOLD)
REASONS: Final = RoutingReasons(
    sounds_like={
        "task": _("The message sounds like something to do."),
        "event": _("The message sounds like something for the calendar."),
        "food": _("The message sounds like a meal."),
        "memory": _("The message sounds like something to remember."),
        None: _("The message asks for nothing that the planner does."),
    },
    asks=(None, _("The message isn’t clear; this is the likeliest meaning.")),
    names=_("The message says: %(words)s."),
)
# The middle of a long message is mostly a story or a task. As in `tutoring.understanding.routing.agent_selection`.
HEAD, TAIL = 240, 160
"""Characters at both ends of a long message that are read."""
# A vote of a half makes the agent before about twice as likely: enough for "which one is longer?", too little for a
# clear request to another. Chosen by hand.
CURRENT_VOTE: Final = 0.5
"""The vote for the agent that served the message before."""
# As long as a person says the same twice, or a page asks again.
DECISION_LIFE_S: Final = 60
"""Seconds for which a model's decision is cached."""
HISTORY_READ: Final = 6
"""Earlier messages that the model sees."""


def route_companion(text: str, *, current: str = "", space: str = "") -> RoutingDecision:
    """Return which of the companion's agents serves a message; None as the agent if the tutor does.

    `current` is the agent that served the message before, empty for none; `space` the key of the workspace. Takes any
    text, under 1 ms where rules or words decide, else under 10 ms; 2 s once per process.
    """
    said, words, situation = _plain(text), words_in_force(SURFACE.name, space), CompanionSituation(current=current)
    decided = route_by_rules_and_words(said, rules=RULES, situation=situation, reasons=REASONS, words=words.index)
    if decided is not None:
        return decided
    # Not cached: with the message's vector at hand, as in a turn, this takes half a millisecond, and Redis longer.
    return route_message(
        said, rules=(), situation=situation, examples=EXAMPLES, thresholds=THRESHOLDS, reasons=REASONS,
        votes={current: CURRENT_VOTE} if current else None,
    )  # fmt: skip


async def ask_model_to_route(
    text: str,
    routed: RoutingDecision,
    *,
    speakers: Mapping[Tier, Speaker],
    current: str = "",
    space: str = "",
    history: Sequence[ChatMessage] = (),
    prompts: Mapping[str, Prompt] = NO_PROMPT_OVERRIDES,
) -> RoutingDecision:
    """Return a model's routing of a message that is not certain, seen in its conversation.

    Returns `routed` if that is certain, or if no model is connected, allowed, and answers in time. Never raises.
    """
    if routed.is_certain:
        return routed
    earlier = tuple(history[-HISTORY_READ:])
    key = _cache_key(_plain(text), current, space, *(f"{each.author}:{each.text}" for each in earlier))
    if (kept := await cache.aget(key)) is not None:
        return RoutingDecision(**kept)
    said = await companion_coordinator.ask(text, history=earlier, current=current, speakers=speakers, prompts=prompts)
    if said is None:
        return routed
    decided = decision_of(said)
    await cache.aset(key, asdict(decided), DECISION_LIFE_S)
    return decided


def decision_of(said: companion_coordinator.CompanionAnswer) -> RoutingDecision:
    """Return a model's answer as a decision."""
    agent = None if said.agent == OUT_OF_SCOPE else said.agent
    reason = companion_coordinator.reason_of(said)
    return RoutingDecision(agent=agent, strategy="llm", confidence=None, reason=reason)


def decide_by_words(text: str, *, space: str = "") -> KeywordDecision | None:
    """Return what the words in force in a space alone decide about a message; None if they decide nothing."""
    return words_in_force(SURFACE.name, space).index.decide(_plain(text))


def classify(text: str) -> RoutingDecision:
    """Return what the classifier alone says of a message. It must not run in a transaction; a text is computed once."""
    return route_message(
        _plain(text),
        rules=(),
        situation=CompanionSituation(),
        examples=EXAMPLES,
        thresholds=THRESHOLDS,
        reasons=REASONS,
    )


def _plain(text: str) -> str:
    return tidy_text(text if len(text) <= HEAD + TAIL else f"{text[:HEAD]} {text[-TAIL:]}")


def _cache_key(*parts: str) -> str:
    """Return a key that gives away nothing of the message."""
    return "routing:" + sha256("\n".join((get_language() or "", *parts)).encode(errors="replace")).hexdigest()
