"""Drawing of plots over time: the scales, and where lines, bars and labels are."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Final

from django.utils import formats
from django.utils.translation import gettext as _

from conversations.charts.figures import value_words
from learnagent.ops.periods import Period

HEIGHT, RIGHT, TOP, BOTTOM = 166, 508, 6, 146
"""In the units of a plot's SVG, which is 560 wide."""
LABELS: Final = 5
BAR_SHARE: Final = 0.72


@dataclass(frozen=True, slots=True, kw_only=True)
class Text:
    """Words in a plot."""

    x: float
    y: float
    words: str
    kind: str
    """A CSS class."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """A line or an area of a plot."""

    path: str
    kind: str
    """A CSS class."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    x: float
    y: float
    width: float
    height: float
    kind: str
    """A CSS class."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plot:
    """One plot and its table."""

    name: str
    """Part of its element's id."""
    title: str
    aside: str
    """Short words beside the title."""
    words: str
    """What it shows, in a sentence; empty if there is nothing to show."""
    grid: Sequence[float]
    texts: Sequence[Text]
    shapes: Sequence[Shape]
    bars: Sequence[Bar]
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Axes:
    """The scales of a plot: steps across, figures from 0 to `top` upward."""

    period: Period
    top: float
    unit: str = ""

    def x(self, number: float) -> float:
        """Return the middle of a step."""
        return round(RIGHT * (number + 0.5) / self.period.count, 1)

    def y(self, value: float) -> float:
        return round(BOTTOM - (BOTTOM - TOP) * min(value, self.top) / self.top, 1)

    def line(self, values: Mapping[int, float]) -> str:
        """Return a path through the steps that have a value; a gap where one has none, a dot where one is alone."""
        path, before = "", -2
        for number in sorted(values):
            point = f"{self.x(number)} {self.y(values[number])}"
            path += f"L{point}" if number == before + 1 else f"M{point}h.01"
            before = number
        return path

    def grid(self) -> list[float]:
        return [self.y(share * self.top) for share in (1, 0.5, 0)]

    def labels(self) -> list[Text]:
        """Return the labels of the grid and of the time; the last time is now."""
        words = [
            Text(x=RIGHT + 8, y=self.y(share * self.top) + 4, words=figure(share * self.top, self.unit), kind="")
            for share in (1, 0.5, 0)
        ]
        every = ceil(self.period.count / LABELS)
        # None so close to the end that it would touch the last one.
        numbers = [each for each in range(0, self.period.count, every) if each <= self.period.count - every]
        words += [
            Text(x=self.x(number), y=HEIGHT - 2, words=self.period.label(number), kind="mid" if number else "start")
            for number in numbers
        ]
        return [*words, Text(x=RIGHT, y=HEIGHT - 2, words=_("now"), kind="end")]


def bar_of(axes: Axes, number: int, start: float, value: float, kind: str) -> Bar:
    """Return the bar of a step from `start` upward; at least 1 high, so that it is seen."""
    width = round(RIGHT / axes.period.count * BAR_SHARE, 1)
    low, high = axes.y(start), axes.y(start + value)
    height = max(round(low - high, 1), 1.0)
    return Bar(x=round(axes.x(number) - width / 2, 1), y=low - height, width=width, height=height, kind=kind)


def area_below(line: str, axes: Axes) -> str:
    """Return the area below a line without gaps."""
    return f"{line}L{axes.x(axes.period.count - 1)} {BOTTOM}H{axes.x(0)}Z" if line else ""


def seconds(ms: float | None) -> str:
    """Return a duration in seconds, with its unit; a dash if it is unknown."""
    if ms is None:
        return "–"
    return _("under 0.01 s") if ms < 10 else figure(ms / 1000, "s")


def figure(value: float, unit: str = "") -> str:
    """Return a figure with its unit, such as "0.8 s" or "$17.20"."""
    if unit == "$":
        return value_words(value, unit)
    places = 0 if value == round(value) else 1 if value >= 0.1 else 2
    number = formats.number_format(value, places, force_grouping=True)
    return f"{number} {unit}".rstrip()
