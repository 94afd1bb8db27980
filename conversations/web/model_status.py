"""Model status for pages: which model is used, whether it answers, and its cost."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Literal, get_args
from urllib.parse import urlsplit

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from agents.conf import sdk_backends
from agents.llm.sdk import SDKBackend
from agents.people import Person
from agents.runtime.model_connection import current_connection
from agents.runtime.speech_access import SpeechService, speech_calls
from agents.usage.costs import TurnCost, cost_of
from conversations.models import Session, Turn
from conversations.turns.summary import Shortfall

PROVIDERS = {"anthropic": "Anthropic", "openai": "OpenAI", "ollama": "Ollama"}
"""Backend name → display name of its provider, where different."""
SHORTFALL_SHOWN_FOR = timedelta(minutes=10)
"""How long a turn's shortfall is shown; after that, this process's latest call is more accurate."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelStatus:
    """Which model words the replies to a person."""

    state: Literal["none", "declined", "connected"]
    """`declined`: a model is connected, but the person has not agreed to send it their messages."""
    model: str = ""
    """Display names of provider and model."""


def model_status_for(person: Person) -> ModelStatus:
    """Return the model that words this person's turns."""
    known = current_connection(inside_only=not person.consent)
    if known.state == "none":
        return ModelStatus(state="none" if current_connection().state == "none" else "declined")
    provider = PROVIDERS.get(known.provider, known.provider)
    return ModelStatus(state="connected", model=" · ".join(filter(None, (provider, known.model))))


def outside_providers() -> list[str]:
    """Return the outside providers that get messages, each once: the provider's name, or the host if it is another."""
    servers = [backend for backend in sdk_backends() if backend.calls_outside]
    servers += [
        server for way in get_args(SpeechService) for calls in speech_calls(way) if (server := calls.backend.asked_of())
    ]
    return list(dict.fromkeys(_provider_name(server) for server in servers if server.calls_outside))


def providers_to_ask_about(person: Person) -> list[str]:
    """Return the providers to ask a person's consent for, above the message field; empty for others."""
    asks = getattr(person, "needs_consent_decision", False) and model_status_for(person).state == "declined"
    return outside_providers() if asks else []


def _provider_name(server: SDKBackend) -> str:
    host, own = (urlsplit(address).hostname or "" for address in (server.base_url, server.address))
    return server.provider if host == own else host


def current_shortfall(person: Person, last: Turn | None) -> Shortfall:
    """Return why this person gets built-in words although a model is connected; empty if they do not."""
    if model_status_for(person).state != "connected":
        return ""
    told = last.answer.get("metadata", {}).get("shortfall", "") if last is not None else ""
    ended_at = last.finished_at if last is not None else None
    now = timezone.now()
    if told == "budget" and ended_at is not None and ended_at.date() == now.date():
        return "budget"
    if current_connection(inside_only=not person.consent).state == "degraded" or (
        told == "model" and ended_at is not None and abs(now - ended_at) < SHORTFALL_SHOWN_FOR
    ):
        return "model"
    return ""


def cost_line(session: Session) -> str:
    """Return the cost of the conversation's models so far, in a line; empty if nothing was used."""
    return cost_words(cost_of(session.turns.values("pk")))


def cost_words(cost: TurnCost) -> str:
    """Return a cost in a line; empty if nothing was used."""
    if not cost.tokens:
        return ""
    tokens = ngettext("%(count)s token", "%(count)s tokens", cost.tokens) % {"count": f"{cost.tokens:,}"}
    if cost.usd is None:
        return _("%(tokens)s, cost unknown") % {"tokens": tokens}
    if not cost.usd and not cost.is_lower_bound:
        return _("%(tokens)s, free") % {"tokens": tokens}
    usd = f"${cost.usd:,.2f}" if cost.usd >= 1 else f"${cost.usd:.4f}"
    if cost.is_lower_bound:
        return _("Cost so far: at least %(usd)s · %(tokens)s") % {"usd": usd, "tokens": tokens}
    return _("Cost so far: %(usd)s · %(tokens)s") % {"usd": usd, "tokens": tokens}
