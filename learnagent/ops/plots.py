"""The four plots of the live figures."""

from collections.abc import Mapping
from typing import Final

from django.utils.translation import gettext as _

from agents.usage.percentiles import Percentiles
from conversations.charts.drawing import highest_value
from learnagent.ops.drawing import RIGHT, Axes, Plot, Shape, Text, area_below, bar_of, figure
from learnagent.ops.figures import SLOW, TYPICAL, LiveFigures
from learnagent.ops.periods import Period

FIRST_WORD_LIMIT_S: Final = 3.0
"""How long the slowest 5 of 100 should wait for the first word."""


def plots_of(figures: LiveFigures, period: Period, *, strong: str) -> list[Plot]:
    """Return the four plots of the page. `strong` is the name of the strong model; empty if there is none."""
    return [
        _turns_plot(figures, period),
        _first_word_plot(figures.first_word, period),
        _failures_plot(figures, period),
        _costs_plot(figures.costs, period, strong=strong),
    ]


def _turns_plot(figures: LiveFigures, period: Period) -> Plot:
    rates = {number: figures.turns.get(number, 0) / period.minutes(number) for number in range(period.count)}
    peak = max(rates, key=lambda number: rates[number])
    axes = Axes(period=period, top=highest_value(rates[peak], ""))
    line = axes.line(rates)
    words = _("Turns per minute: the most were %(most)s at %(at)s; %(last)s now.") % {
        "most": figure(round(rates[peak], 2)),
        "at": period.label(peak),
        "last": figure(round(rates[period.count - 1], 2)),
    }
    return Plot(
        name="turns",
        title=_("Turns per minute"),
        aside="",
        words=words if figures.turns else "",
        grid=axes.grid(),
        texts=axes.labels(),
        shapes=[Shape(path=area_below(line, axes), kind="area-a"), Shape(path=line, kind="line-a")],
        bars=(),
        columns=(_("From"), _("Turns"), _("Per minute")),
        rows=[
            (period.label(number), str(figures.turns.get(number, 0)), figure(round(rates[number], 2)))
            for number in range(period.count)
        ],
    )


def _first_word_plot(waits: Mapping[int, Percentiles], period: Period) -> Plot:
    typical = {number: found[TYPICAL] / 1000 for number, found in waits.items()}
    slow = {number: found[SLOW] / 1000 for number, found in waits.items()}
    axes = Axes(period=period, top=highest_value(max([FIRST_WORD_LIMIT_S, *slow.values()]), ""), unit="s")
    shapes = [Shape(path=f"M0 {axes.y(FIRST_WORD_LIMIT_S)}H{RIGHT}", kind="limit")]
    limit = _("limit %(seconds)s") % {"seconds": figure(FIRST_WORD_LIMIT_S, "s")}
    texts = [*axes.labels(), Text(x=4, y=axes.y(FIRST_WORD_LIMIT_S) - 5, words=limit, kind="tbad")]
    words = ""
    if waits:
        first, last = min(waits), max(waits)
        shapes += [Shape(path=axes.line(slow), kind="line-b"), Shape(path=axes.line(typical), kind="line-a")]
        texts += _line_names(axes, first, typical=typical[first], slow=slow[first])
        words = _("Time to the first word: lately %(typical)s is typical, and the slowest 5 of 100 wait %(slow)s.") % {
            "typical": figure(typical[last], "s"),
            "slow": figure(slow[last], "s"),
        }
    return Plot(
        name="first-word",
        title=_("Time to the first word"),
        aside="",
        words=words,
        grid=axes.grid(),
        texts=texts,
        shapes=shapes,
        bars=(),
        columns=(_("From"), _("Typical"), _("Slowest 5 of 100")),
        rows=[
            (period.label(number), figure(typical[number], "s"), figure(slow[number], "s")) for number in sorted(waits)
        ],
    )


def _line_names(axes: Axes, number: int, *, typical: float, slow: float) -> list[Text]:
    """Return the names of both lines, next to where they begin, and never one on the other."""
    x = max(axes.x(number), 4)
    kind = "end " if x > RIGHT / 2 else ""
    low = axes.y(typical) - 6
    return [
        Text(x=x, y=low, words=_("typical"), kind=f"{kind}ta"),
        Text(x=x, y=min(axes.y(slow) - 6, low - 14), words=_("slowest 5 of 100"), kind=f"{kind}tb"),
    ]


def _failures_plot(figures: LiveFigures, period: Period) -> Plot:
    most = max([*figures.failed.values(), 0])
    axes = Axes(period=period, top=highest_value(most, ""))
    troubled = {
        number
        for alert in figures.alerts
        for number in range(period.number_of(alert.first_at), period.number_of(alert.settled_at or period.now) + 1)
    }
    bars = [
        bar_of(axes, number, 0, figures.failed[number], "col-w" if number in troubled else "col-m")
        for number in sorted(figures.failed)
        if figures.failed[number]
    ]
    total = sum(figures.failed.values())
    words = _("%(failed)s of %(turns)s turns failed.") % {"failed": total, "turns": sum(figures.turns.values())}
    return Plot(
        name="failures",
        title=_("Turns that failed"),
        aside=_("orange: a model did not answer") if troubled and total else "",
        words=words if figures.turns else "",
        grid=axes.grid()[::2],
        texts=[each for each in axes.labels() if each.words != figure(axes.top / 2)],
        shapes=(),
        bars=bars,
        columns=(_("From"), _("Turns"), _("Failed")),
        rows=[
            (period.label(number), str(count), str(figures.failed.get(number, 0)))
            for number, count in sorted(figures.turns.items())
        ],
    )


def _costs_plot(costs: Mapping[tuple[int, str], float], period: Period, *, strong: str) -> Plot:
    below = {number: usd for (number, model), usd in costs.items() if model == strong}
    above: dict[int, float] = {}
    for (number, model), usd in costs.items():
        above[number] = above.get(number, 0) + (usd if model != strong else 0)
    totals = {number: below.get(number, 0) + usd for number, usd in above.items()}
    axes = Axes(period=period, top=highest_value(max([*totals.values(), 0]), ""), unit="$")
    bars = [bar_of(axes, number, 0, usd, "col-a") for number, usd in sorted(below.items())]
    bars += [bar_of(axes, number, below.get(number, 0), usd, "col-m") for number, usd in sorted(above.items()) if usd]
    words = ""
    if totals:
        peak = max(totals, key=lambda number: totals[number])
        words = _("Cost: %(sum)s in all; the most was %(most)s from %(at)s.") % {
            "sum": figure(sum(totals.values()), "$"),
            "most": figure(totals[peak], "$"),
            "at": period.label(peak),
        }
    return Plot(
        name="costs",
        title=_("Cost"),
        aside=_("strong model below, other models on top") if below and any(above.values()) else "",
        words=words,
        grid=axes.grid(),
        texts=axes.labels(),
        shapes=(),
        bars=bars,
        columns=(_("From"), _("Strong model"), _("Other models")),
        rows=[
            (period.label(number), figure(below.get(number, 0), "$"), figure(above[number], "$"))
            for number in sorted(totals)
        ],
    )
