"""Totals as tables: on the terminal for one run, in Markdown for two side by side."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
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


def as_markdown(runs: Mapping[str, Totals]) -> str:
    """Return the tables of runs side by side, the first ones first."""
    names = list(runs)
    parts = ["### Gates", _gates(runs), "### Intents", _intents(runs)]
    for name, field, title, labels in MATRICES:
        squares = [runs[run][name][field] for run in names]
        columns = list(dict.fromkeys(column for square in squares for column in _columns(labels, square)))
        rows = [
            (label, *(_joined(square.get(label, {}).get(column, 0) for square in squares) for column in columns))
            for label in labels
        ]
        parts += [f"### {title}: {_joined(names)}", _markdown([(f"{title.lower()} ↓ judged as →", *columns), *rows])]
    return "\n\n".join(parts)


def _gates(runs: Mapping[str, Totals]) -> str:
    by_run = [figures(totals) for totals in runs.values()]
    rows = [("", "gate", *runs)]
    for place, figure in enumerate(by_run[0]):
        rows.append((_without_name(figure.claim), figure.bound, *(_marked(each[place]) for each in by_run)))
    return _markdown(rows)


def _marked(figure: GateFigure) -> str:
    name = f" {figure.claim[figure.claim.index('(') :]}" if _without_name(figure.claim) != figure.claim else ""
    mark = "" if not figure.is_gate else " ✓" if figure.held else " ✗"
    return f"{figure.shown}{mark}{name}"


def _without_name(claim: str) -> str:
    """Return the claim without which group it is the worst of: that differs from run to run."""
    return claim.split(" (")[0]


def _intents(runs: Mapping[str, Totals]) -> str:
    found = [totals["situations"]["intents"] for totals in runs.values()]
    heads = [f"{head}, {run}" for run in runs for head in ("recall", "precision", "mistaken for")]
    rows: list[Sequence[str]] = [("intent", "rows", *heads)]
    for intent in found[0]:
        cells = [cell for each in found for cell in _intent_cells(each[intent])]
        rows.append((intent, str(found[0][intent]["recall"]["of"]), *cells))
    return _markdown(rows)


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


def _joined(values: Iterable[object]) -> str:
    return " → ".join(map(str, values))


def _markdown(rows: Sequence[Sequence[str]]) -> str:
    head, *rest = rows
    return "\n".join(_line(row) for row in (head, ["---"] * len(head), *rest))


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _aligned(rows: Sequence[Sequence[str]]) -> str:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    padded = ([cell.ljust(width) for cell, width in zip(row, widths, strict=True)] for row in rows)
    return "\n".join("  ".join(row).rstrip() for row in padded)
