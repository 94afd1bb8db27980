"""Compares the people with a flag to those without it, on the figures that the apps register."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from typing import Any, Final, Literal

from django.db.models import CharField, Count, F, FloatField, Q, QuerySet, Sum
from django.db.models.fields.json import KeyTextTransform
from django.db.models.functions import Cast, TruncDate
from django.utils import timezone

from agents.models import Flag, FlagChange
from agents.rollout.flags import Side
from agents.rollout.ratio_test import MOST_CHANCE, RatioSums, chance_of

COMPARED_FOR: Final = timedelta(days=14)

type Verdict = Literal["better", "worse", "same", "unknown"]
"""How the side with the flag does. `same`: chance may well explain the difference; `unknown`: there is too little data."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """What is compared: a flag, and the time in which it was not switched off."""

    flag: str
    since: datetime
    until: datetime

    def side(self, sides: str) -> Cast:
        """Return the expression for a row's side, `in` or `out`. `sides` is the path to the sides stored with a conversation."""
        # Without the cast, its lookups would be those of JSON, which compare with JSON.
        return Cast(KeyTextTransform(self.flag, sides), CharField())


@dataclass(frozen=True, slots=True, kw_only=True)
class Metric:
    """A figure by which both sides are compared: the sum of values over the sum of what they are of."""

    name: str
    title: object
    """A lazy translation, as are the unit's words."""
    unit: object
    better: Literal["less", "more"]
    observations: Callable[[Window], QuerySet[Any]]
    """Returns rows with the columns `person` (a key), `side`, `at`, `value` and `of`. Rows of neither side do not count."""
    scale: float = 1.0
    """What the ratio is multiplied by to be shown."""
    digits: int = 1


_metrics: dict[str, Metric] = {}


def register_metric(metric: Metric) -> None:
    """Register a metric while apps start; its place on the page is the order of registration."""
    _metrics[metric.name] = metric


@dataclass(frozen=True, slots=True, kw_only=True)
class DaySeries:
    """A metric's ratio on each day on which there is one, scaled."""

    days: Mapping[date, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedMetric:
    """A metric on both sides."""

    metric: Metric
    sums: Mapping[Side, RatioSums]
    series: Mapping[Side, DaySeries]

    @property
    def chance(self) -> float | None:
        return chance_of(self.sums["in"], self.sums["out"])

    @property
    def difference(self) -> float | None:
        """With the flag minus without it, scaled; None if one side has no figure."""
        inside, outside = self.shown("in"), self.shown("out")
        return None if inside is None or outside is None else inside - outside

    @property
    def verdict(self) -> Verdict:
        if self.chance is None or self.difference is None:
            return "unknown"
        if self.chance >= MOST_CHANCE or self.difference == 0:
            return "same"
        return "better" if (self.difference < 0) == (self.metric.better == "less") else "worse"

    def shown(self, side: Side) -> float | None:
        """Return a side's figure, scaled; None without data."""
        ratio = self.sums[side].ratio
        return None if ratio is None else ratio * self.metric.scale


def window_of(flag: Flag, *, now: datetime | None = None) -> Window:
    """Return the time to compare: the last 14 days, without the time before and during the latest stop.

    While a flag is killed, all conversations are without it, whichever side they are on.
    """
    now = now or timezone.now()
    since, until = now - COMPARED_FOR, now
    for change in FlagChange.objects.filter(flag=flag, at__gt=since).order_by("at", "pk"):
        was, is_now = bool(change.before and change.before["killed"]), bool(change.after["killed"])
        if is_now and not was:
            until = change.at
        elif was and not is_now:
            since, until = change.at, now
    if flag.killed and until == now:
        until = since  # It was stopped before these two weeks.
    return Window(flag=flag.name, since=since, until=until)


def compare(window: Window) -> list[ComparedMetric]:
    """Return every registered metric on both sides; two queries a metric, whatever the number of people."""
    return [_compared(metric, window) for metric in _metrics.values()]


def _compared(metric: Metric, window: Window) -> ComparedMetric:
    rows = metric.observations(window).filter(side__in=("in", "out")).order_by()
    sums: Mapping[Side, RatioSums] = {side: _sums(rows.filter(side=side)) for side in ("in", "out")}
    if not any(each.people for each in sums.values()):
        return ComparedMetric(metric=metric, sums=sums, series={"in": DaySeries(), "out": DaySeries()})
    days = rows.annotate(day=TruncDate("at")).values("day", "side").annotate(values=Sum("value"), ofs=Sum("of"))
    found = [(row["side"], row["day"], row["values"], row["ofs"]) for row in days.order_by("day")]
    series: Mapping[Side, DaySeries] = {
        side: DaySeries(days=dict(_days(found, side, metric))) for side in ("in", "out")
    }
    return ComparedMetric(metric=metric, sums=sums, series=series)


def _sums(rows: QuerySet[Any]) -> RatioSums:
    """Return the sums over people, computed by the database."""
    people = rows.values("person").annotate(values=Sum("value"), ofs=Sum("of")).filter(Q(ofs__gt=0))

    def total(*factors: str) -> Sum:
        product: Any = F(factors[0])
        for factor in factors[1:]:
            product = product * F(factor)
        return Sum(product, default=0.0, output_field=FloatField())

    return RatioSums(
        **people.aggregate(
            people=Count("*"),
            value=total("values"),
            of=total("ofs"),
            value_squares=total("values", "values"),
            of_squares=total("ofs", "ofs"),
            products=total("values", "ofs"),
        )
    )


def _days(found: list[tuple[str, date, float, float]], side: str, metric: Metric) -> Iterator[tuple[date, float]]:
    for its_side, day, value, of in found:
        if its_side == side and of:
            yield day, value / of * metric.scale
