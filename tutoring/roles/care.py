"""The care role: says fixed safety words before the lesson."""

from dataclasses import dataclass

from django.utils.translation import gettext_lazy

from agents.engine.roles import Plan, Request, Role
from tutoring.lesson.turn_results import SpokenTurn
from tutoring.roles.speech.composition import compose_speech


@dataclass(frozen=True, slots=True, kw_only=True)
class CareFacts:
    """What the care role is given: the words to say."""

    turn_id: str
    words: tuple[str, ...]
    """Paragraphs, as Markdown."""


class CareTurn(SpokenTurn):
    """The result of a care turn; nothing is decided in it."""


def plan(request: Request) -> Plan:
    """Say the words unchanged: no model rewords them or sees the message."""
    facts: CareFacts = request.facts
    return Plan(say=compose_speech(*facts.words, turn_id=facts.turn_id), result=CareTurn(spoke=True))


ROLE = Role(
    name="care",
    label=gettext_lazy("Important message"),
    purpose=gettext_lazy("says who to talk to when something serious comes up"),
    plan=plan,
    result=CareTurn,
    speaks=True,
)
