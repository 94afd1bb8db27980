"""The totals of a run as tables: all on the terminal, the gates in Markdown."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from bench.understanding.gates import GateFigure, figures
from bench.understanding.scoring import DANGERS, MOODS, VERDICTS, Totals

MATRICES = (
    ("situations", "verdicts", "Verdict", VERDICTS),
    ("moods", "moods", "Mood", MOODS),
    ("safety", "dangers", "Safety", DANGERS),
)
"""Set, its field, title and labels of what is shown as a square."""


def as_text(totals: Totals) -> str:
    """Return the gates, the intents and the squares of one run as lines for people."""
    parts = [_aligned([("", "figure", "gate", "ok"), *map(_gate_row, figures(totals))])]
    if "situations" in totals:
        parts.append(_aligned([("intent", "rows", "recall", "precision", "mistaken for"), *_intent_rows(totals)]))
        parts.append(_aligned([("writers", "accuracy"), *_shares(totals["situations"]["writers"])]))
        parts.append(_aligned([("intents", "accuracy"), *_shares(totals["situations"]["intent_groups"])]))
    for name, field, title, labels in MATRICES:
        if name in totals:
            square = totals[name][field]
            head = (f"{title.lower()} ↓ judged →", *_columns(labels, square))
            parts.append(_aligned([head, *_square(labels, square)]))
    for name in ("misconceptions", "milestones"):
        if name in totals:
            parts.append(_aligned([(f"{name}: kinds of rows", "as labelled"), *_shares(totals[name]["kinds"])]))
    return "\n\n".join(parts)


def as_markdown(totals: Totals) -> str:
    """Return the figures of one run that have a goal, as a table in Markdown."""
    gates = [figure for figure in figures(totals) if figure.is_gate]
    return _markdown([("result", "goal", "measured", "goal met"), *map(_goal_row, gates)])


def _goal_row(figure: GateFigure) -> Sequence[str]:
    return figure.claim, figure.bound, figure.shown, "yes" if figure.held else "no"


def _intent_rows(totals: Totals) -> Iterator[Sequence[str]]:
    for name, each in totals["situations"]["intents"].items():
        yield (name, str(each["recall"]["of"]), *_intent_cells(each))


def _intent_cells(found: Mapping[str, Any]) -> tuple[str, str, str]:
    mistakes = ", ".join(f"{name} {count}" for name, count in found["taken_for"].items())
    return _share(found["recall"]), _share(found["precision"]), mistakes


def _gate_row(figure: GateFigure) -> Sequence[str]:
    return figure.claim, figure.shown, figure.bound, "" if not figure.is_gate else "ok" if figure.held else "NOT HELD"


def _shares(groups: Mapping[str, Mapping[str, Any]]) -> Iterator[Sequence[str]]:
    for name, found in groups.items():
        yield name, f"{_share(found)} ({found['count']} of {found['of']})"


def _share(found: Mapping[str, Any]) -> str:
    return "–" if found["share"] is None else f"{found['share']:.2f}"


def _columns(labels: Sequence[str], square: Mapping[str, Mapping[str, int]]) -> list[str]:
    """Return the labels, and whatever else was told."""
    return [*labels, *sorted({said for row in square.values() for said in row} - set(labels))]


def _square(labels: Sequence[str], square: Mapping[str, Mapping[str, int]]) -> Iterator[Sequence[str]]:
    for label in labels:
        yield (label, *(str(square.get(label, {}).get(said, 0)) for said in _columns(labels, square)))


def _markdown(rows: Sequence[Sequence[str]]) -> str:
    head, *rest = rows
    return "\n".join(_line(row) for row in (head, ["---"] * len(head), *rest))


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _aligned(rows: Sequence[Sequence[str]]) -> str:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    padded = ([cell.ljust(width) for cell, width in zip(row, widths, strict=True)] for row in rows)
    return "\n".join("  ".join(row).rstrip() for row in padded)
