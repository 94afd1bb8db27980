"""Plots of a learner's progress over the weeks: topics mastered, and minutes of practice. Drawn here, in pixels."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from math import ceil
from typing import Final

from django.utils import timezone

from agents.people import Person
from tutoring.mastery.records.practice import PracticeDay, mastered_on, practice_by_day
from tutoring.pages.cards.question_context import Context
from tutoring.pages.contexts.practice_week import start_of

WEEK: Final = timedelta(days=7)
MOST_WEEKS, FEWEST_WEEKS = 12, 4
WIDTH, HEIGHT = 640, 170
LEFT, RIGHT, TOP, BOTTOM = 34, 624, 26, 140
GRID_LINES: Final = 3
BAR_SHARE: Final = 0.6


@dataclass(frozen=True, slots=True, kw_only=True)
class PlotWeek:
    """One week's figures."""

    monday: date
    mastered: int
    """Topics mastered by its end."""
    minutes: int


def progress_plot(person: Person, *, at: datetime) -> Context | None:
    """Return both plots and their figures by week; None before the first answer. Two queries."""
    today = timezone.localdate(at)
    first = _monday(today) - (MOST_WEEKS - 1) * WEEK
    mastered, practised = mastered_on(person.pk), practice_by_day(person.pk, since=start_of(first))
    weeks = plot_weeks(mastered, practised, today=today)
    if not any(week.mastered or week.minutes for week in weeks):
        return None
    return {
        "weeks": weeks,
        "mastered": line_plot([week.mastered for week in weeks]),
        "minutes": bar_plot([week.minutes for week in weeks]),
        "labels": _week_labels(weeks),
        "total": sum(week.minutes for week in weeks),
    }


def plot_weeks(mastered: Sequence[date], practised: Mapping[date, PracticeDay], *, today: date) -> list[PlotWeek]:
    """Return the weeks from the first one with something in it to the present one, at least four and at most twelve."""
    this = _monday(today)
    begun = _monday(min([*mastered, *practised], default=today))
    count = min(MOST_WEEKS, max(FEWEST_WEEKS, (this - begun).days // 7 + 1))
    mondays = [this - number * WEEK for number in reversed(range(count))]
    return [
        PlotWeek(
            monday=monday,
            mastered=sum(day < monday + WEEK for day in mastered),
            minutes=ceil(sum(each.seconds for day, each in practised.items() if monday <= day < monday + WEEK) / 60),
        )
        for monday in mondays
    ]


def line_plot(values: Sequence[int]) -> Context:
    """Return a line through the values, the ground below it, and its grid."""
    top = nice_top(max(values))
    points = [(x, _y(value, top)) for x, value in zip(_across(len(values)), values, strict=True)]
    line = "L".join(f"{x} {y}" for x, y in points)
    last_x, last_y = points[-1]
    return {
        "line": f"M{line}",
        "area": f"M{points[0][0]} {BOTTOM}L{line}L{last_x} {BOTTOM}Z",
        "grid": _grid(top),
        "last": {"x": last_x, "y": last_y, "value": values[-1]},
    }


def bar_plot(values: Sequence[int]) -> Context:
    """Return a bar for each value, and the grid."""
    top = nice_top(max(values))
    step = (RIGHT - LEFT) / max(1, len(values))
    bars = [
        {
            "x": round(LEFT + step * (number + (1 - BAR_SHARE) / 2)),
            "y": _y(value, top),
            "width": round(step * BAR_SHARE),
            "height": BOTTOM - _y(value, top),
        }
        for number, value in enumerate(values)
        if value
    ]
    return {"bars": bars, "grid": _grid(top)}


def nice_top(most: int) -> int:
    """Return the highest value of an axis: a multiple of the grid that looks round."""
    for step in (1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500, 1000):
        if most <= step * (GRID_LINES - 1):
            return step * (GRID_LINES - 1)
    return ceil(most / 2000) * 2000


def _monday(day: date) -> date:
    return day - timedelta(days=day.weekday())


def _across(count: int) -> list[int]:
    """Return the middles of so many equal columns."""
    step = (RIGHT - LEFT) / count
    return [round(LEFT + step * (number + 0.5)) for number in range(count)]


def _y(value: int, top: int) -> int:
    return round(BOTTOM - (BOTTOM - TOP) * value / top)


def _grid(top: int) -> list[Context]:
    values = [top * number // (GRID_LINES - 1) for number in range(GRID_LINES)]
    return [{"y": _y(value, top), "value": value, "label_y": _y(value, top) + 5} for value in values]


def _week_labels(weeks: Sequence[PlotWeek]) -> list[Context]:
    return day_labels([week.monday for week in weeks])


def day_labels(days: Sequence[date]) -> list[Context]:
    """Return the days under the axis: at most six of them, the last one among them."""
    every = ceil(len(days) / 6)
    return [
        {"x": x, "day": day}
        for number, (x, day) in enumerate(zip(_across(len(days)), days, strict=True))
        if (len(days) - 1 - number) % every == 0
    ]
