"""Compares the people with a flag to those without it, on the figures that the apps register."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from datetime import date, datetime, timedelta
from itertools import product
from typing import Any, Final, Literal

from django.db.models import CharField, Count, DateField, F, FloatField, Func, Q, QuerySet, Sum
from django.db.models.fields.json import KeyTextTransform
from django.db.models.functions import Cast
from django.utils import timezone

from agents.models import Flag, FlagChange
from agents.rollout.flags import Side
from agents.rollout.ratio_test import MOST_CHANCE, RatioSums, chance_of

COMPARED_FOR: Final = timedelta(days=14)
SIDES: Final[tuple[Side, ...]] = ("in", "out")

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


type Observations = Callable[[Window], QuerySet[Any]]
"""Returns rows with the columns `person` (a key), `side`, `at`, and those that the metrics name, without nulls.

Metrics with the same function are computed together. Rows of neither side do not count.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Metric:
    """A figure by which both sides are compared: the sum of values over the sum of what they are of."""

    name: str
    title: object
    """A lazy translation, as are the unit's words."""
    unit: object
    better: Literal["less", "more"]
    observations: Observations
    value: str
    """The column whose sum is compared."""
    of: str
    """The column that it is divided by; 0 in rows that do not count."""
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
    """Return every registered metric on both sides; two queries for each kind of rows, whatever the number of people."""
    found: dict[str, ComparedMetric] = {}
    for observations in dict.fromkeys(metric.observations for metric in _metrics.values()):
        metrics = [metric for metric in _metrics.values() if metric.observations is observations]
        rows = observations(window).filter(side__in=SIDES).order_by()
        sums, series = _sums(rows, metrics), _series(rows, metrics)
        found |= {
            metric.name: ComparedMetric(metric=metric, sums=sums[metric.name], series=series[metric.name])
            for metric in metrics
        }
    return [found[name] for name in _metrics]


def _column_sums(metrics: Sequence[Metric]) -> dict[str, Sum]:
    """Return the sums of the metrics' columns, named by the metric's place: names may be those of other columns."""
    sums: dict[str, Sum] = {}
    for place, metric in enumerate(metrics):
        sums |= {f"value{place}": Sum(metric.value), f"of{place}": Sum(metric.of)}
    return sums


def _sums(rows: QuerySet[Any], metrics: Sequence[Metric]) -> dict[str, dict[Side, RatioSums]]:
    """Return each metric's sums over people, on both sides, computed by the database; one query."""
    people = rows.values("person", "side").annotate(**_column_sums(metrics))
    wanted: dict[str, Any] = {}
    for place, side in product(range(len(metrics)), SIDES):
        value, of, counts = f"value{place}", f"of{place}", Q(side=side, **{f"of{place}__gt": 0})
        key = f"{side}{place}"
        wanted |= {
            f"{key}_people": Count("person", filter=counts),
            f"{key}_value": _total(F(value), counts),
            f"{key}_of": _total(F(of), counts),
            f"{key}_value_squares": _total(F(value) * F(value), counts),
            f"{key}_of_squares": _total(F(of) * F(of), counts),
            f"{key}_products": _total(F(value) * F(of), counts),
        }
    found = people.aggregate(**wanted)
    return {
        metric.name: {
            side: RatioSums(**{each.name: found[f"{side}{place}_{each.name}"] for each in fields(RatioSums)})
            for side in SIDES
        }
        for place, metric in enumerate(metrics)
    }


def _total(product_of_columns: Any, counts: Q) -> Sum:
    return Sum(product_of_columns, filter=counts, default=0.0, output_field=FloatField())


def _series(rows: QuerySet[Any], metrics: Sequence[Metric]) -> dict[str, dict[Side, DaySeries]]:
    """Return each metric's ratios by day in UTC, on both sides; one query."""
    # The database's own function: Django's, which knows the time zone, is Python on SQLite and takes most of the time.
    days = rows.annotate(day=Func("at", function="DATE", output_field=DateField()))
    found = list(days.values("day", "side").annotate(**_column_sums(metrics)).order_by("day"))
    return {
        metric.name: {
            side: DaySeries(
                days={
                    row["day"]: row[f"value{place}"] / row[f"of{place}"] * metric.scale
                    for row in found
                    if row["side"] == side and row[f"of{place}"]
                }
            )
            for side in SIDES
        }
        for place, metric in enumerate(metrics)
    }
