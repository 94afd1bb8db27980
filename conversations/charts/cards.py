"""Chart cards as HTML, as Markdown, and as they are read aloud."""

import uuid
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from django.http import HttpRequest
from django.template.loader import render_to_string
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from agents.engine.events import Card
from conversations.charts.drawing import chart_drawing
from conversations.charts.figures import CARD_KIND, Cell, ChartCard, chart_words, titled_words

Cards = Sequence[Mapping[str, Any]]

ROWS_READ: Final = 3
"""Rows of a table that are read aloud; the others are counted: nobody remembers more."""
MARKDOWN_SIGNS: Final = str.maketrans({sign: f"\\{sign}" for sign in "\\`*_[]<>|#$"})


def chart_card(figures: ChartCard, *, turn_id: str, name: str) -> Card:
    """Return the figures as a card; `name` tells several cards of a turn apart, and stays when the turn runs again."""
    key = uuid.uuid5(uuid.UUID(turn_id), f"chart {name}")
    return Card(kind=CARD_KIND, id=str(key), content=figures.model_dump())


def charts_html(cards: Cards, person: Any, request: HttpRequest | None) -> dict[str, str]:
    """Return the charts' HTML, each with its table. Every text in it is escaped by the template."""
    return {card["id"]: render_chart(_content(card)) for card in cards}


def render_chart(figures: ChartCard) -> str:
    """Return a chart and its table as HTML."""
    rows = [[_cell(cell) for cell in row] for row in figures.rows]
    context = {"chart": figures, "rows": rows, "drawing": chart_drawing(figures), "words": chart_words(figures)}
    return render_to_string("conversations/chart_card.html", context)


def charts_text(cards: Cards, person: Any) -> dict[str, str]:
    """Return the charts as Markdown: what each shows in a sentence, and the table."""
    return {card["id"]: "\n".join(_lines(_content(card))) for card in cards}


def charts_speech(cards: Cards, person: Any) -> dict[str, str]:
    """Return the charts for a voice: what each shows, and the first rows of its table."""
    return {card["id"]: "\n\n".join(_read_aloud(_content(card))) for card in cards}


def _content(card: Mapping[str, Any]) -> ChartCard:
    return ChartCard.model_validate({name: card[name] for name in ChartCard.model_fields if name in card})


def _lines(figures: ChartCard) -> Iterator[str]:
    yield f"**{_plain(figures.title)}**"
    if words := chart_words(figures):
        yield f"\n{_plain(words)}"
    if figures.rows:
        yield "\n" + _row(figures.columns)
        yield _row(["---"] * len(figures.columns), plain=str)
        yield from (_row([_cell(cell) for cell in row]) for row in figures.rows)
    yield from (f"\n{_plain(note)}" for note in figures.notes)


def _row(cells: Sequence[str], *, plain: Any = None) -> str:
    return "| " + " | ".join(map(plain or _plain, cells)) + " |"


def _plain(text: str) -> str:
    """Return a text as Markdown that shows it as it is: names and answers are written by others."""
    return " ".join(text.split()).translate(MARKDOWN_SIGNS)


def _read_aloud(figures: ChartCard) -> Iterator[str]:
    yield _plain(titled_words(figures))
    for row in figures.rows[:ROWS_READ]:
        named = zip(figures.columns[1:], row[1:], strict=False)
        facts = [f"{column}: {_cell(cell)}" for column, cell in named if cell is not None]
        yield _plain(f"{_cell(row[0])}. {', '.join(facts)}." if facts else f"{_cell(row[0])}.")
    more = len(figures.rows) - ROWS_READ
    if more > 0:
        words = ngettext("%(more)d more row is on the page.", "%(more)d more rows are on the page.", more)
        yield words % {"more": more}
    yield from map(_plain, figures.notes)


def _cell(cell: Cell) -> str:
    if cell is None:
        return "–"
    if isinstance(cell, bool):
        return _("yes") if cell else _("no")
    return f"{cell:g}" if isinstance(cell, float) else str(cell)
