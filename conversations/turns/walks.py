"""A turn's walk through its graph, and the second walk by one agent if the panel's ended before its first words."""

from dataclasses import dataclass, replace
from typing import Any

from django.utils.translation import gettext as _

from agents.engine.events import FinalStatus
from agents.engine.outcomes import Answered
from agents.engine.runner import RunResult
from agents.rollout.flags import is_switched_on
from agents.rollout.known_flags import FALLBACK
from conversations.models import Turn
from conversations.panel.answer import panel_fields
from conversations.panel.single_agent import SINGLE_AGENT_KEY
from conversations.round_table.table import table_fields
from conversations.turns.feed import Feed
from conversations.turns.handler import PreparedRun, StoppedRun


@dataclass(frozen=True, slots=True, kw_only=True)
class Walk:
    """How a walk ended."""

    status: FinalStatus
    prepared: PreparedRun | None = None
    """None if even the preparation failed."""
    result: RunResult | None = None
    """None if it was stopped or raised an error."""
    stopped: StoppedRun | None = None
    """What a stopped run has come to, if it can tell."""
    classification: str | None = None
    """The kind of question, if the panel walked or tried to."""
    fell_back: bool = False
    """Whether one agent answered instead of the panel."""


def panel_answer(walk: Walk) -> dict[str, Any]:
    """Return the fields of the answer that several agents found together, or tried to find."""
    if walk.classification is None:
        ended = walk.result or walk.stopped
        return table_fields(walk.prepared, ended.request if ended is not None else None)
    found = panel_fields(walk.result.outcomes) if walk.result else {}
    return {"classification": walk.classification} | found


def may_fall_back(walk: Walk, turn: Turn, feed: Feed) -> bool:
    """Return whether one agent has to answer instead: the panel failed, and the learner has seen no words or cards.

    Whatever was already said stays the only answer.
    """
    is_panels = walk.prepared is None or walk.prepared.classified is not None
    has_shown = bool(feed.reply() or feed.cards)
    is_alone = bool(turn.payload.get(SINGLE_AGENT_KEY))
    return walk.status in ("failed", "degraded") and is_panels and not has_shown and not is_alone


def is_fallback_on() -> bool:
    """Return whether one agent may answer instead of the panel, as the flag of the whole site says."""
    return is_switched_on(FALLBACK)


def restrict_to_single_agent(turn: Turn) -> None:
    """Have one agent answer the turn from now on, in this process only: another one may try the panel again."""
    turn.payload = turn.payload | {SINGLE_AGENT_KEY: True}


def explained(prepared: PreparedRun) -> PreparedRun:
    """Return a run by one agent that says why it takes the panel's place."""
    reason = _("The team could not answer, so the tutor is answering alone.")
    return replace(prepared, choice=replace(prepared.choice, reason=reason))


def joined(failed: Walk, alone: Walk, *, began_ms: float) -> Walk:
    """Return both walks as one: the second's answer, with the agents that failed in the first.

    `began_ms` is when the second one began, in milliseconds after the first.
    """
    if alone.result is None:
        return replace(alone, classification=failed.classification, fell_back=True)
    unanswered = [each for each in failed.result.outcomes if not isinstance(each, Answered)] if failed.result else []
    later = [replace(each, began_ms=each.began_ms + began_ms) for each in alone.result.outcomes]
    result = replace(alone.result, outcomes=(*unanswered, *later))
    status: FinalStatus = "degraded" if alone.status == "done" else alone.status
    return replace(alone, status=status, result=result, classification=failed.classification, fell_back=True)
