"""The figures of conversations by which a flag's two sides are compared. Figures only: no words of anybody."""

from typing import Any, Final

from django.db.models import Case, F, FloatField, Q, QuerySet, Value, When
from django.db.models.fields.json import KT
from django.db.models.functions import Cast, NullIf
from django.utils.translation import gettext_lazy as _

from agents.rollout.comparison import Metric, Window
from conversations.models import Feedback, Turn, TurnStatus

_ONE: Final = Value(1.0, output_field=FloatField())
FAILED: Final = Q(status__in=[TurnStatus.FAILED, TurnStatus.INTERRUPTED])


def _share_of(condition: Q) -> Case:
    """Return 1 for rows that meet the condition, 0 for others."""
    return Case(When(condition, then=_ONE), default=Value(0.0), output_field=FloatField())


def _number(path: str) -> Cast:
    """Return a number in a turn's answer; null if it is not there, or is null there, which SQLite returns as a word."""
    return Cast(NullIf(KT(path), Value("null")), FloatField())


def _ended_turns(window: Window) -> QuerySet[Any]:
    """Return the turns that began and ended in the window, with the columns that a metric needs besides its value."""
    turns = Turn.objects.filter(
        created_at__gte=window.since, created_at__lt=window.until, finished_at__isnull=False
    ).exclude(session__flags={})
    columns = {"person": F("owner_id"), "side": window.side("session__flags"), "at": F("created_at"), "of": _ONE}
    found: QuerySet[Any] = turns.annotate(**columns)
    return found


def _turns_with(window: Window, value: Any) -> QuerySet[Any]:
    """Return the turns with a value; those for which it is unknown do not count."""
    found: QuerySet[Any] = _ended_turns(window).annotate(value=value).filter(value__isnull=False)
    return found


def failures(window: Window) -> QuerySet[Any]:
    return _turns_with(window, _share_of(FAILED))


def fallbacks(window: Window) -> QuerySet[Any]:
    return _turns_with(window, _share_of(Q(answer__metadata__fallback=True)))


def seconds(window: Window) -> QuerySet[Any]:
    return _turns_with(window, _number("answer__metadata__total_time_ms"))


def cost(window: Window) -> QuerySet[Any]:
    return _turns_with(window, _number("answer__metadata__cost_usd"))


def feedback(window: Window) -> QuerySet[Any]:
    rows = Feedback.objects.filter(turn__created_at__gte=window.since, turn__created_at__lt=window.until)
    columns = {"side": window.side("turn__session__flags"), "at": F("turn__created_at"), "of": _ONE}
    found: QuerySet[Any] = rows.annotate(value=_share_of(Q(verdict=Feedback.Verdict.UP)), **columns)
    return found


METRICS: Final = (
    Metric(
        name="failures",
        title=_("Turns that fail"),
        unit=_("of 1,000 turns"),
        better="less",
        observations=failures,
        scale=1000,
    ),
    Metric(
        name="seconds",
        title=_("Time to the whole answer"),
        unit=_("seconds, on average"),
        better="less",
        observations=seconds,
        scale=0.001,
        digits=2,
    ),
    Metric(
        name="cost",
        title=_("Cost"),
        unit=_("cents a turn, where it is known"),
        better="less",
        observations=cost,
        scale=100,
        digits=2,
    ),
    Metric(
        name="fallbacks",
        title=_("Fallbacks"),
        unit=_("of 100 turns: words of a model or a part of an agent were missing"),
        better="less",
        observations=fallbacks,
        scale=100,
    ),
    Metric(
        name="feedback",
        title=_("Thumbs up"),
        unit=_("of 100 replies that were rated"),
        better="more",
        observations=feedback,
        scale=100,
        digits=0,
    ),
)
