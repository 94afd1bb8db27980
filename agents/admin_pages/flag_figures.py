"""What a flag's page shows: its steps, what speaks against the next one, and the comparison of both sides as plots."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Any, Final

from django.core.cache import cache
from django.utils import formats
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from agents.models import Flag, FlagChange
from agents.rollout.comparison import ComparedMetric, DaySeries, Metric, Window, compare, window_of
from agents.rollout.flags import Side
from agents.rollout.known_flags import KNOWN_FLAGS, STAGES
from agents.rollout.ratio_test import FEWEST_PEOPLE

FULL_DAYS: Final = 7
"""How long a step should last, so that each day of the week is in it."""
FEWEST_WITH: Final = 300
"""People with the flag, for a difference of a few percent to show. Both from the rollout plan's weeks and common practice."""
CACHED_S: Final = 10
CACHED_TIMES: Final = 20
LEFT, RIGHT, TOP, BOTTOM = 0, 262, 6, 86
LABEL_HEIGHT: Final = 14


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """A step of the rollout."""

    percent: Decimal
    value: str
    """What its button sends."""
    label: str
    reached_at: datetime | None
    """When the flag first came this far since it was last below it; None if unknown, or not reached."""
    is_done: bool
    is_now: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Gate:
    """Something to be fulfilled before the next step."""

    is_met: bool
    label: str
    value: str
    problem: str
    """What is said against the step if it is not met."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plot:
    """A compared metric, drawn."""

    compared: ComparedMetric
    label: str
    """The difference in words."""
    tone: str
    """`good`, `bad` or `same`."""
    lines: Mapping[Side, str]
    """SVG paths; empty without two days of data."""
    dots: Mapping[Side, tuple[float, float] | None]
    """Where the only figure is, if there is just one day of data."""
    texts: Mapping[Side, tuple[float, str]]
    """The figure of the whole time and its height; none without data."""
    rows: Sequence[tuple[date, str, str]]
    """Day, figure with the flag, figure without; for the table."""
    chance: str


def compare_cached(flag: Flag) -> tuple[Window, list[ComparedMetric]]:
    """Return the comparison as of at most CACHED_S ago, or CACHED_TIMES as long as it takes to compute."""
    key = f"flag-comparison-{flag.pk}-{flag.version}"
    found: tuple[Window, list[ComparedMetric]] | None = cache.get(key)
    if found is None:
        began = time.monotonic()
        window = window_of(flag)
        found = (window, compare(window))
        # On a large site, open pages would otherwise keep the database busy with nothing else.
        cache.set(key, found, max(CACHED_S, CACHED_TIMES * (time.monotonic() - began)))
    return found


def stages_of(flag: Flag, changes: Sequence[FlagChange]) -> list[Stage]:
    """Return the steps of a flag, the present one among them. `changes` are its changes, the latest first."""
    known = KNOWN_FLAGS.get(flag.name)
    plan = (0, 100) if known and known.is_switch else (0, *STAGES)
    return [
        Stage(
            percent=percent,
            value=f"{percent.normalize():f}",
            label=_stage_label(percent, is_switch=len(plan) == 2),
            reached_at=_reached_at(percent, changes) if percent <= flag.percent else None,
            is_done=percent < flag.percent,
            is_now=percent == flag.percent,
        )
        for percent in sorted({*map(Decimal, plan), flag.percent})
    ]


def _stage_label(percent: Decimal, *, is_switch: bool) -> str:
    if percent == 0:
        return _("off")
    return _("on") if is_switch else f"{percent.normalize():f}"


def _reached_at(percent: Decimal, changes: Sequence[FlagChange]) -> datetime | None:
    """Return when the flag last rose to this percentage or more."""
    reached: datetime | None = None
    for change in changes:
        if Decimal(change.after["percent"]) < percent:
            break
        reached = change.at
        if change.before is None or Decimal(change.before["percent"]) < percent:
            break
    return reached


def step_began(flag: Flag, changes: Sequence[FlagChange]) -> datetime | None:
    """Return when the flag got its present percentage; None if it has had it from the start."""
    for change in changes:
        if change.before is None or change.before["percent"] != change.after["percent"]:
            return change.at
    return None


def next_stage(flag: Flag) -> Decimal | None:
    """Return the next step up; None at 100, and for a flag of the whole site."""
    known = KNOWN_FLAGS.get(flag.name)
    if known and known.is_switch:
        return None
    return next((Decimal(stage) for stage in STAGES if stage > flag.percent), None)


def gates_of(flag: Flag, compared: Sequence[ComparedMetric], *, began: datetime | None, now: datetime) -> list[Gate]:
    """Return what should be fulfilled before a step up; none while nobody has the flag, since there is nothing to see."""
    if flag.percent == 0 or flag.percent == 100:
        return []
    return [*map(_gate_of, compared), _days_gate(began, now), _people_gate(compared)]


def _gate_of(compared: ComparedMetric) -> Gate:
    label = _("%(metric)s: not worse") % {"metric": compared.metric.title}
    if compared.verdict == "unknown":
        problem = _("%(metric)s: there is too little data to tell.")
        return Gate(
            is_met=False, label=label, value=_("too little data"), problem=problem % {"metric": compared.metric.title}
        )
    figures = [_figure(compared.metric, compared.shown(side)) for side in ("in", "out")]
    problem = _("%(metric)s: %(inside)s with the flag, %(outside)s without it.")
    return Gate(
        is_met=compared.verdict != "worse",
        label=label,
        value=figures[0],
        problem=problem % {"metric": compared.metric.title, "inside": figures[0], "outside": figures[1]},
    )


def _days_gate(began: datetime | None, now: datetime) -> Gate:
    label = ngettext("%(days)d full day at this step", "%(days)d full days at this step", FULL_DAYS)
    days = (now - began).days if began else FULL_DAYS
    value = _("%(days)d of %(all)d") % {"days": min(days, FULL_DAYS), "all": FULL_DAYS}
    problem = _("The flag has been at this step for less than %(days)d full days.") % {"days": FULL_DAYS}
    return Gate(is_met=days >= FULL_DAYS, label=label % {"days": FULL_DAYS}, value=value, problem=problem)


def _people_gate(compared: Sequence[ComparedMetric]) -> Gate:
    people = people_on(compared, "in")
    label = _("At least %(people)d people with the flag") % {"people": FEWEST_WITH}
    problem = ngettext(
        "There are figures of only %(people)d person with it.",
        "There are figures of only %(people)d people with it.",
        people,
    )
    return Gate(
        is_met=people >= FEWEST_WITH,
        label=label,
        value=formats.number_format(people, force_grouping=True),
        problem=problem % {"people": people},
    )


def people_on(compared: Sequence[ComparedMetric], side: Side) -> int:
    """Return how many people a side has figures of."""
    return max((each.sums[side].people for each in compared), default=0)


# --- Plots ---


def plot_of(compared: ComparedMetric, window: Window) -> Plot:
    """Draw a compared metric: both sides day by day, and the figures of the whole time at the end."""
    first, days = window.since.date(), max(1, (window.until - window.since) // timedelta(days=1))
    series = compared.series
    most = max((value for each in series.values() for value in each.days.values()), default=0) or 1.0
    points = {
        side: [(_x(day, first, days), _y(value, most)) for day, value in _sorted(each)] for side, each in series.items()
    }
    rows = sorted({day for each in series.values() for day in each.days})
    label, tone = _difference_words(compared)
    return Plot(
        compared=compared,
        label=label,
        tone=tone,
        lines={side: _path(found) for side, found in points.items()},
        dots={side: found[0] if len(found) == 1 else None for side, found in points.items()},
        texts=_end_texts(compared, most),
        rows=[
            (
                day,
                _figure(compared.metric, series["in"].days.get(day)),
                _figure(compared.metric, series["out"].days.get(day)),
            )
            for day in rows
        ],
        chance="" if compared.chance is None else _chance_words(compared.chance),
    )


def _sorted(series: DaySeries) -> list[tuple[date, float]]:
    return sorted(series.days.items())


def _x(day: date, first: date, days: int) -> float:
    return round(LEFT + (RIGHT - LEFT) * min(max((day - first).days / days, 0), 1), 1)


def _y(value: float, most: float) -> float:
    return round(BOTTOM - (BOTTOM - TOP) * 0.8 * value / most, 1)


def _path(points: Sequence[tuple[float, float]]) -> str:
    return "M" + "L".join(f"{x} {y}" for x, y in points) if len(points) > 1 else ""


def _end_texts(compared: ComparedMetric, most: float) -> dict[Side, tuple[float, str]]:
    """Return the figures of the whole time at their heights, moved apart where they would cover each other."""
    sides: tuple[Side, Side] = ("in", "out")
    heights = {side: _y(shown, most) for side in sides if (shown := compared.shown(side)) is not None}
    if len(heights) == 2 and abs(heights["in"] - heights["out"]) < LABEL_HEIGHT:
        middle = (heights["in"] + heights["out"]) / 2
        upper, lower = sorted(heights, key=lambda side: heights[side])
        heights |= {upper: middle - LABEL_HEIGHT / 2, lower: middle + LABEL_HEIGHT / 2}
    return {
        side: (round(height + 4, 1), _figure(compared.metric, compared.shown(side))) for side, height in heights.items()
    }


def _difference_words(compared: ComparedMetric) -> tuple[str, str]:
    if compared.verdict == "unknown":
        return _("too little data"), "same"
    if compared.verdict == "same":
        return _("no difference"), "same"
    assert compared.difference is not None
    amount = _figure(compared.metric, abs(compared.difference))
    words = _("%(amount)s more") if compared.difference > 0 else _("%(amount)s less")
    return words % {"amount": amount}, "good" if compared.verdict == "better" else "bad"


def _chance_words(chance: float) -> str:
    if chance < 0.01:
        return _("would happen by chance less than 1 time in 100")
    return _("would happen by chance %(times)d times in 100") % {"times": round(chance * 100)}


def _figure(metric: Metric, value: float | None) -> str:
    return "–" if value is None else formats.number_format(value, decimal_pos=metric.digits, force_grouping=True)


def comparison_context(flag: Flag) -> dict[str, Any]:
    """Return the plots of a flag and how many people they are about."""
    window, compared = compare_cached(flag)
    people: dict[str, int] = {side: people_on(compared, side) for side in ("in", "out")}
    known = KNOWN_FLAGS.get(flag.name)
    return {
        "plots": [plot_of(each, window) for each in compared],
        "people": people,
        "window_days": max(1, round((window.until - window.since) / timedelta(days=1))),
        "is_compared": bool(known and known.is_pinned),
        "has_too_few": min(people.values()) < FEWEST_PEOPLE,
        "fewest": FEWEST_PEOPLE,
    }
