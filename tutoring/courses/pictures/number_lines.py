"""Number lines with marks."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape

from tutoring.courses.pictures.shapes import WIDTH, PictureError, coordinate, number_text


@dataclass(frozen=True, slots=True, kw_only=True)
class NumberLineMark:
    """A point on a number line, with what is written above it (often nothing)."""

    at: float
    label: str = ""


def check_line(start: float, end: float, ticks: int, marks: Sequence[NumberLineMark]) -> None:
    numbers = (start, end, *(mark.at for mark in marks))
    if not all(math.isfinite(number) and abs(number) <= 1_000_000 for number in numbers):
        raise PictureError("numbers on a line must be at most a million")
    if not (start < end and 1 <= ticks <= 60 and len(marks) <= 12):
        raise PictureError("a number line must go up, with 1 to 60 steps and at most 12 marks")
    if not all(start <= mark.at <= end for mark in marks):
        raise PictureError("a mark is outside its number line")
    if any(len(mark.label) > 20 for mark in marks):
        raise PictureError("a mark's label can have at most 20 characters")


def number_line(start: float, end: float, ticks: int, marks: Sequence[NumberLineMark]) -> Iterator[str]:
    left, right, level = 22, WIDTH + 22, 38
    landmarks = _landmarks(start, end, ticks)
    named = {mark.label for mark in marks}
    yield f'<line class="pic-line" x1="{left}" y1="{level}" x2="{right}" y2="{level}"/>'
    for tick in range(ticks + 1):
        x = coordinate(left + WIDTH * tick / ticks)
        reach = 10 if tick in landmarks else 6
        yield f'<line class="pic-line" x1="{x}" y1="{level - reach}" x2="{x}" y2="{level + reach}"/>'
        if (label := landmarks.get(tick)) and not (label == "0" and label in named):
            yield f'<text class="pic-text" x="{x}" y="64" text-anchor="middle">{escape(label)}</text>'
    for mark in marks:
        x = coordinate(left + WIDTH * (mark.at - start) / (end - start))
        yield f'<circle class="pic-mark" cx="{x}" cy="{level}" r="6"/>'
        if mark.label:
            yield f'<text class="pic-text" x="{x}" y="20" text-anchor="middle">{escape(mark.label)}</text>'


def _landmarks(start: float, end: float, ticks: int) -> dict[int, str]:
    """Return the steps with long ticks and their labels: both ends, 0, and whole numbers between fractions.

    An end that a short decimal cannot say, such as 4/3, has no number: a mark's label may name it. Where an end is no
    whole number, finding the one may be the question, so none between is named.
    """
    span = end - start
    numbers = {tick: start + span * tick / ticks for tick in range(ticks + 1)}
    whole = {tick for tick, number in numbers.items() if abs(number - round(number)) < 1e-9}
    ends = {0, ticks}
    zero = {tick for tick, number in numbers.items() if abs(number) < 1e-9}
    shown = ends | whole if ticks > span and ends <= whole else ends
    return {tick: _exact(0 if tick in zero else numbers[tick]) for tick in sorted(shown | zero)}


def _exact(number: float) -> str:
    """Return a number in at most six digits; empty if it does not fit."""
    return number_text(number) if math.isclose(float(f"{number:g}"), number, rel_tol=1e-9) else ""
