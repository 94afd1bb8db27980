"""The content of a chart card: a table, and the figures of it that are drawn."""

from typing import Literal

from django.utils.translation import gettext as _
from pydantic import BaseModel, ConfigDict

type Cell = str | int | float | None
type ChartShape = Literal["bar", "line"]

CARD_KIND = "chart"


class ChartPoint(BaseModel):
    """One figure of a chart."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    label: str
    """What it is about: a name, or a day."""
    value: float
    """0 or more."""


class ChartCard(BaseModel):
    """A table of figures, with a chart of some of them where there is something to draw."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    title: str
    columns: list[str]
    rows: list[list[Cell]]
    """One cell for each column; null where nothing is known."""
    notes: list[str] = []
    """What a reader has to know about the figures, in sentences."""
    shape: ChartShape | None = None
    """How the points are drawn; null for a table alone."""
    unit: str = ""
    """What the points count, such as `%`; empty for plain numbers."""
    points: list[ChartPoint] = []
    """The figures that are drawn, in order."""


def value_words(value: float, unit: str) -> str:
    """Return a figure with its unit: `31%`, `12 minutes`, `$0.52`."""
    if unit == "$":
        return f"${value:,.2f}" if value >= 0.01 or not value else f"${value:.4f}"
    number = f"{value:g}" if value == round(value) else f"{value:.1f}"
    return f"{number}{unit}" if unit in ("", "%") else f"{number} {unit}"


def chart_words(card: ChartCard) -> str:
    """Return in a sentence or two what the chart shows; empty without one. They stand for the drawing where none is seen."""
    if not card.points or card.shape is None:
        return ""
    if card.shape == "line":
        first, last = (
            f"{value_words(each.value, card.unit)} ({each.label})" for each in (card.points[0], card.points[-1])
        )
        return _("From %(first)s to %(last)s.") % {"first": first, "last": last}
    low, high = (pick(card.points, key=lambda each: each.value) for pick in (min, max))
    return _("Lowest: %(low)s. Highest: %(high)s.") % {
        "low": f"{low.label}, {value_words(low.value, card.unit)}",
        "high": f"{high.label}, {value_words(high.value, card.unit)}",
    }


def titled_words(card: ChartCard) -> str:
    """Return the title and what the chart shows, as sentences."""
    return f"{card.title}. {chart_words(card)}".rstrip()
