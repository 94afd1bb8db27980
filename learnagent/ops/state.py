"""The state of the site in one sentence, and the state of each model in a word."""

from dataclasses import dataclass
from typing import Literal, get_args

from django.utils import formats, timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from agents.engine.roles import Tier
from agents.llm.wrappers.circuit_breaker import CircuitBreaker
from agents.models import Alert
from agents.runtime.model_chain import breakers_for_tier, models_for_tier
from learnagent.ops.figures import LiveFigures, SourceFigures

Tone = Literal["good", "warn", "bad"]
MANY_FAILED = 0.02
"""The share of failed turns from which the sentence says so."""


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """How something is, in words."""

    tone: Tone
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceRow:
    """A model, or the built-in text, in the table of where answers come from."""

    name: str
    state: State
    share: int
    """Percent of all answers of agents."""
    typical_ms: float | None
    failed: int


def site_state(figures: LiveFigures) -> State:
    """Return the most important thing to know about the site now."""
    if open_alerts := [each for each in figures.alerts if each.settled_at is None]:
        return State(tone="bad", words=_trouble(open_alerts[0]))
    if (failed := figures.recent_failures) > figures.recent_turns * MANY_FAILED:
        words = ngettext(
            "%(count)d turn of the last 5 minutes failed.", "%(count)d turns of the last 5 minutes failed.", failed
        )
        return State(tone="warn", words=words % {"count": failed})
    if figures.is_saving:
        return State(tone="warn", words=_("Most of today’s budget is used up, so fewer agents are asked."))
    if figures.waiting:
        words = ngettext("%(count)d turn is waiting.", "%(count)d turns are waiting.", figures.waiting)
        return State(tone="warn", words=words % {"count": figures.waiting})
    return State(tone="good", words=_all_well(figures))


def source_rows(figures: LiveFigures) -> list[SourceRow]:
    """Return the rows of where answers come from: models first, as often as they answered; the built-in text last."""
    total = sum(each.calls for each in figures.sources)
    troubled = {(each.provider, each.model): each for each in figures.alerts if each.settled_at is None}
    ordered = sorted(figures.sources, key=lambda each: each.backend == "offline")
    return [
        SourceRow(
            name=_("Built-in text") if each.backend == "offline" else f"{each.backend} · {each.model}",
            state=_source_state(each, troubled.get((each.backend, each.model))),
            share=round(100 * each.calls / total) if total else 0,
            typical_ms=each.typical_ms,
            failed=each.failed,
        )
        for each in ordered
    ]


def connected_breakers() -> dict[tuple[str, str], CircuitBreaker]:
    """Return the circuit breakers of this process by provider and model."""
    return {(each.name, each.model): each for tier in get_args(Tier) for each in breakers_for_tier(tier)}


def strong_model() -> str:
    """Return the name of the strong model; empty if none is connected."""
    return next((each.model for each in models_for_tier("strong")), "")


def _all_well(figures: LiveFigures) -> str:
    if not figures.alerts:
        return _("All well.")
    latest = figures.alerts[0]
    at = formats.date_format(timezone.localtime(latest.first_at), "j M, H:i")
    return _("All well. %(model)s had a problem on %(at)s, and is back.") % {"model": latest.model, "at": at}


def _trouble(alert: Alert) -> str:
    at = formats.date_format(timezone.localtime(alert.first_at), "j M, H:i")
    words = {
        Alert.Kind.UNREACHABLE: _(
            "%(model)s has not answered since %(at)s. Other models or built-in text take its place."
        ),
        Alert.Kind.REJECTED: _("%(model)s has rejected our requests since %(at)s. Check its key and name."),
        Alert.Kind.SPEND_LIMIT: _(
            "The provider of %(model)s has stopped us since %(at)s: its spending limit is reached."
        ),
    }
    return words[Alert.Kind(alert.kind)] % {"model": alert.model, "at": at}


def _source_state(source: SourceFigures, alert: Alert | None) -> State:
    breaker = connected_breakers().get((source.backend, source.model))
    if source.backend == "offline":
        return State(tone="good", words=_("always ready"))
    if alert is not None:
        return State(tone="bad", words=str(alert.get_kind_display()))
    if breaker is None:
        return State(tone="warn", words=_("not connected"))
    if breaker.circuit.state != "closed":
        return State(tone="bad", words=_("paused"))
    return State(tone="good", words=_("answers"))
