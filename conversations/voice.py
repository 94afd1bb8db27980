"""What the page says of the model behind the words: which one it is, whether it answers at present, what it has cost."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Literal

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from agents.chain import chain
from agents.connection import connection
from agents.people import Person
from agents.spending import cost_of
from conversations.figures import Shortfall
from conversations.models import Session, Turn

PROVIDERS = {"anthropic": "Anthropic", "openai": "OpenAI", "ollama": "Ollama"}
"""A backend's name → its provider's, where that is written otherwise."""
TELLING = timedelta(minutes=10)
"""How long a turn tells of its model: after that the latest call of this process knows better."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Voice:
    """Who words what is said to a person."""

    state: Literal["none", "declined", "connected"]
    """`declined`: a model is connected, and may not be sent what this person writes."""
    model: str = ""
    """Provider and model, as people call them."""


def voice_for(person: Person) -> Voice:
    """Return who words this person's turns."""
    known = connection()
    if known.state == "none":
        return Voice(state="none")
    if chain("strong").calls_outside and not person.consent:
        return Voice(state="declined")
    provider = PROVIDERS.get(known.provider, known.provider)
    return Voice(state="connected", model=" · ".join(filter(None, (provider, known.model))))


def shortfall(person: Person, last: Turn | None) -> Shortfall:
    """Return why this person's words are built in at present, though a model is connected; empty where they are not."""
    if voice_for(person).state != "connected":
        return ""
    told = last.answer.get("metadata", {}).get("shortfall", "") if last is not None else ""
    ended_at = last.finished_at if last is not None else None
    now = timezone.now()
    if told == "budget" and ended_at is not None and ended_at.date() == now.date():
        return "budget"
    if connection().state == "degraded" or (told == "model" and ended_at is not None and abs(now - ended_at) < TELLING):
        return "model"
    return ""


def cost_line(session: Session) -> str:
    """Return what the conversation's models have cost so far, in a line; empty where none has taken anything."""
    cost = cost_of(session.turns.values("pk"))
    if not cost.tokens:
        return ""
    tokens = ngettext("%(count)s token", "%(count)s tokens", cost.tokens) % {"count": f"{cost.tokens:,}"}
    if cost.usd is None:
        return _("%(tokens)s, price unknown") % {"tokens": tokens}
    if not cost.usd:
        return _("%(tokens)s, free of charge") % {"tokens": tokens}
    usd = f"${cost.usd:,.2f}" if cost.usd >= 1 else f"${cost.usd:.4f}"
    if cost.is_estimate:
        return _("Cost so far: about %(usd)s · %(tokens)s") % {"usd": usd, "tokens": tokens}
    return _("Cost so far: %(usd)s · %(tokens)s") % {"usd": usd, "tokens": tokens}
