"""Who spoke in a turn: the agents of a reply, and how people read their names."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from agents.engine.outcomes import Outcome
from agents.engine.registry import roles
from conversations.models import Turn

SPEAKERS_KEY = "speakers"
"""The key in `Turn.answer` of the agents that said something to the learner, in order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplySpeaker:
    """Whose words a reply holds."""

    agent: str
    """The one who began, as the page colours them; empty where that is not known."""
    label: str


def speakers_of(outcomes: Sequence[Outcome]) -> list[str]:
    """Return the agents whose words went to the learner, in order."""
    return [each.agent for each in outcomes if each.text.strip() and speaks(each.agent)]


def speaks(agent: str) -> bool:
    """Tell whether what the agent says goes to the learner."""
    role = roles.get(agent)
    return role is not None and role.speaks


def agent_label(agent: str) -> str:
    """Return an agent's name as people read it."""
    role = roles.get(agent)
    return str(role.label) if role and role.label else agent.replace("_", " ").capitalize()


def speaker_named(agents: Sequence[str]) -> ReplySpeaker:
    """Return these agents as the head of a reply; the whole team where nobody is named."""
    names = list(dict.fromkeys(agents))
    return ReplySpeaker(agent=names[0] if names else "", label=" · ".join(map(agent_label, names)) or _("The team"))


def speaker_of(turn: Turn) -> ReplySpeaker:
    """Return whose words the turn's reply holds."""
    return speaker_named(turn.answer.get(SPEAKERS_KEY, ()))
