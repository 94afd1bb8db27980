"""Line plots as SVG, readable on light and on dark pages."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from math import ceil, floor, log10
from typing import Final

WIDTH: Final = 640
HEIGHT: Final = 320
LEFT: Final = 60
RIGHT: Final = 470
TOP: Final = 34
BOTTOM: Final = 270
"""The names of the lines stand to the right of the plot."""
COLORS: Final = ("#0b6e69", "#b3541e", "#4457a5", "#8a8a8a")
STYLE: Final = (
    "text{font:13px sans-serif;fill:#333}.grid{stroke:#ddd}.bg{fill:#fff}"
    "@media(prefers-color-scheme:dark){text{fill:#ddd}.grid{stroke:#444}.bg{fill:#161616}}"
)
NAME_GAP: Final = 16
"""Between the names of two lines, so that none is on another."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    name: str
    points: Sequence[tuple[float, float]]
    is_dashed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Scale:
    """Values of an axis → places on the page."""

    low: float
    high: float
    start: float
    end: float
    is_log: bool = False

    def at(self, value: float) -> float:
        value, low, high = (log10(each) if self.is_log else each for each in (value, self.low, self.high))
        return round(self.start + (value - low) / (high - low) * (self.end - self.start), 1)

    def ticks(self) -> list[float]:
        if self.is_log:
            return [10.0**power for power in range(round(log10(self.low)), round(log10(self.high)) + 1)]
        step = nice_step((self.high - self.low) / 5)
        return [self.low + step * number for number in range(floor((self.high - self.low) / step + 1e-9) + 1)]


def line_plot(title: str, lines: Sequence[Line], *, across: str, up: str, is_log: bool = False) -> str:
    """Return an SVG picture of lines. Both axes begin at 0; with `is_log` the upper one goes by powers of ten."""
    points = [point for line in lines for point in line.points]
    x = Scale(low=0, high=max(each for each, _ in points), start=LEFT, end=RIGHT)
    y = _upward([each for _, each in points], is_log=is_log)
    body = [*_grid(x, y), *_lines(lines, x, y)]
    body.append(_text(LEFT, 18, title, weight="bold"))
    body.append(_text((LEFT + RIGHT) / 2, HEIGHT - 8, across, anchor="middle"))
    body.append(f'<g transform="translate(14 {(TOP + BOTTOM) / 2}) rotate(-90)">{_text(0, 0, up, anchor="middle")}</g>')
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{escape(title)}">'
        f'<style>{STYLE}</style><rect class="bg" width="{WIDTH}" height="{HEIGHT}"/>' + "".join(body) + "</svg>\n"
    )


def nice_step(step: float) -> float:
    """Return the smallest of 1, 2 and 5 times a power of ten that is at least this long."""
    power = 10.0 ** floor(log10(step))
    return next(times * power for times in (1, 2, 5, 10) if times * power >= step * (1 - 1e-9))


def _upward(values: Sequence[float], *, is_log: bool) -> Scale:
    most = max([*values, 1e-9])
    if is_log:
        least = min(value for value in values if value > 0)
        return Scale(
            low=10.0 ** floor(log10(least)), high=10.0 ** ceil(log10(most)), start=BOTTOM, end=TOP, is_log=True
        )
    step = nice_step(most / 5)
    return Scale(low=0, high=step * ceil(most / step), start=BOTTOM, end=TOP)


def _grid(x: Scale, y: Scale) -> Iterator[str]:
    for tick in y.ticks():
        yield f'<path class="grid" d="M{LEFT} {y.at(tick)}H{RIGHT}"/>'
        yield _text(LEFT - 6, y.at(tick) + 4, f"{tick:,.10g}", anchor="end")
    for tick in x.ticks():
        yield _text(x.at(tick), BOTTOM + 18, f"{tick:,.10g}", anchor="middle")


def _lines(lines: Sequence[Line], x: Scale, y: Scale) -> Iterator[str]:
    taken: list[float] = []
    for color, line in zip(COLORS, lines, strict=False):
        shown = [(x.at(across), y.at(max(up, y.low))) for across, up in line.points]
        path = "L".join(f"{across} {up}" for across, up in shown)
        dashes = ' stroke-dasharray="5 4"' if line.is_dashed else ""
        yield f'<path d="M{path}" fill="none" stroke="{color}" stroke-width="2"{dashes}/>'
        name_at = shown[-1][1] + 4
        while any(abs(name_at - other) < NAME_GAP for other in taken):
            name_at += 1
        taken.append(name_at)
        yield f'<path d="M{RIGHT + 8} {name_at - 4}h14" stroke="{color}" stroke-width="3"{dashes}/>'
        yield _text(RIGHT + 26, name_at, line.name)


def _text(x: float, y: float, words: str, *, anchor: str = "start", weight: str = "normal") -> str:
    return f'<text x="{x}" y="{y}" text-anchor="{anchor}" font-weight="{weight}">{escape(words)}</text>'
