"""The figures of conversations by which a flag's two sides are compared. Figures only: no words of anybody."""

from typing import Any, Final

from django.db.models import Case, F, FloatField, Q, QuerySet, Value, When
from django.db.models.fields.json import KT
from django.db.models.functions import Cast, Coalesce, NullIf
from django.utils.translation import gettext_lazy as _

from agents.rollout.comparison import Metric, Window
from conversations.models import Feedback, Turn, TurnStatus

_ONE: Final = Value(1.0, output_field=FloatField())
_NONE: Final = Value(0.0, output_field=FloatField())
FAILED: Final = Q(status__in=[TurnStatus.FAILED, TurnStatus.INTERRUPTED])


def _one_if(condition: Q) -> Case:
    """Return 1 for rows that meet the condition, 0 for others."""
    return Case(When(condition, then=_ONE), default=_NONE, output_field=FloatField())


def _number(path: str) -> Cast:
    """Return a number in a turn's answer; null if it is not there, or is null there, which SQLite returns as a word."""
    return Cast(NullIf(KT(path), Value("null")), FloatField())


def ended_turns(window: Window) -> QuerySet[Any]:
    """Return the turns that began in the window and have ended, with what is compared of them."""
    turns = Turn.objects.filter(
        created_at__gte=window.since, created_at__lt=window.until, finished_at__isnull=False
    ).exclude(session__flags={})
    columns = {
        "person": F("owner_id"),
        "side": window.side("session__flags"),
        "at": F("created_at"),
        "turns": _ONE,
        "failed": _one_if(FAILED),
        "fell_back": _one_if(Q(answer__metadata__fallback=True)),
        "known_ms": _number("answer__metadata__total_time_ms"),
        "known_usd": _number("answer__metadata__cost_usd"),
    }
    found: QuerySet[Any] = turns.annotate(**columns).annotate(
        ms=Coalesce("known_ms", _NONE),
        timed=_one_if(Q(known_ms__isnull=False)),
        usd=Coalesce("known_usd", _NONE),
        priced=_one_if(Q(known_usd__isnull=False)),
    )
    return found


def rated_replies(window: Window) -> QuerySet[Any]:
    """Return the feedback on turns of the window; not its words."""
    rows = Feedback.objects.filter(turn__created_at__gte=window.since, turn__created_at__lt=window.until)
    columns = {"side": window.side("turn__session__flags"), "at": F("turn__created_at"), "ratings": _ONE}
    found: QuerySet[Any] = rows.annotate(liked=_one_if(Q(verdict=Feedback.Verdict.UP)), **columns)
    return found


METRICS: Final = (
    Metric(
        name="failures",
        title=_("Failed turns"),
        unit=_("per 1,000 turns"),
        better="less",
        observations=ended_turns,
        value="failed",
        of="turns",
        scale=1000,
    ),
    Metric(
        name="seconds",
        title=_("Time to the complete answer"),
        unit=_("seconds, on average"),
        better="less",
        observations=ended_turns,
        value="ms",
        of="timed",
        scale=0.001,
        digits=2,
    ),
    Metric(
        name="cost",
        title=_("Cost"),
        unit=_("cents per turn, where known"),
        better="less",
        observations=ended_turns,
        value="usd",
        of="priced",
        scale=100,
        digits=2,
    ),
    Metric(
        name="fallbacks",
        title=_("Fallbacks"),
        unit=_("of 100 turns: a model’s text or an agent’s part was missing"),
        better="less",
        observations=ended_turns,
        value="fell_back",
        of="turns",
        scale=100,
    ),
    Metric(
        name="feedback",
        title=_("Thumbs up"),
        unit=_("of 100 rated replies"),
        better="more",
        observations=rated_replies,
        value="liked",
        of="ratings",
        scale=100,
        digits=0,
    ),
)
