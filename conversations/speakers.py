"""Speakers of a turn: the agents whose words a reply contains, and their names."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from agents.engine.outcomes import Outcome
from agents.engine.registry import roles
from conversations.models import Turn

SPEAKERS_KEY = "speakers"
"""The key in `Turn.answer` of the agents that spoke to the learner, in order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplySpeaker:
    """The agents named above a reply."""

    agent: str
    """The first agent, which sets the color on the page; empty if unknown."""
    label: str


def speakers_of(outcomes: Sequence[Outcome]) -> list[str]:
    """Return the agents that spoke to the learner, in order."""
    return [each.agent for each in outcomes if each.text.strip() and speaks(each.agent)]


def speaks(agent: str) -> bool:
    """Return whether the agent speaks to the learner."""
    role = roles.get(agent)
    return role is not None and role.speaks


def agent_label(agent: str) -> str:
    """Return an agent's display name."""
    role = roles.get(agent)
    return str(role.label) if role and role.label else agent.replace("_", " ").capitalize()


def speaker_named(agents: Sequence[str]) -> ReplySpeaker:
    """Return the speaker label for these agents; the whole team if there are none."""
    names = list(dict.fromkeys(agents))
    return ReplySpeaker(agent=names[0] if names else "", label=" · ".join(map(agent_label, names)) or _("The team"))


def speaker_of(turn: Turn) -> ReplySpeaker:
    """Return the speaker label of the turn's reply."""
    return speaker_named(turn.answer.get(SPEAKERS_KEY, ()))
