"""Registry of cards: for each kind, its content, rendering, text and current status."""

import uuid
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from django.http import HttpRequest
from pydantic import BaseModel

from agents.engine.events import Card

CardRenderer = Callable[[Sequence[Mapping[str, Any]], Any, HttpRequest | None], Mapping[str, str]]
"""Takes cards of one kind, the person who sees them, and the request, if any; returns card id → HTML."""
CardTexts = Callable[[Sequence[Mapping[str, Any]], Any], Mapping[str, str]]
"""Takes cards of one kind and their owner; returns card id → the card's text as Markdown."""
CardStatuses = Callable[[Sequence[Mapping[str, Any]], Any], Mapping[str, Mapping[str, Any]]]
"""Takes cards of one kind and their owner; returns card id → fields with the card's current status, its `text` included."""
_card_renderers: dict[str, CardRenderer] = {}
_card_texts: dict[str, CardTexts] = {}
_card_speech: dict[str, CardTexts] = {}
_card_contents: dict[str, type[BaseModel]] = {}
_card_statuses: dict[str, CardStatuses] = {}
_step_kinds: set[str] = set()


def register_card(
    kind: str,
    renderer: CardRenderer,
    *,
    texts: CardTexts,
    content: type[BaseModel],
    speech: CardTexts | None = None,
    standings: CardStatuses | None = None,
    opens_step: bool = False,
) -> None:
    """Register how a kind of card is rendered and put into words; `content` is the schema of its fields for clients.

    `speech` is what is read aloud where there is no page, as Markdown; without it, the text is.
    `standings` are for cards that change after they were shown. A card that `opens_step` stays where it was first
    shown, and what is said about it follows below it.
    """
    if opens_step:
        _step_kinds.add(kind)
    if standings is not None:
        _card_statuses[kind] = standings
    _card_renderers[kind] = renderer
    _card_texts[kind] = texts
    _card_speech[kind] = speech or texts
    _card_contents[kind] = content


def opens_step(card: Mapping[str, Any]) -> bool:
    """Tell whether a card is a step of a lesson: what follows belongs to it, until the next one."""
    return card["kind"] in _step_kinds


def card_contents() -> Mapping[str, type[BaseModel]]:
    """Return the content schema of each kind of card, without kind, id and text."""
    return _card_contents


def cards_html(
    cards: Sequence[Mapping[str, Any]], person: Any, *, request: HttpRequest | None = None
) -> dict[str, str]:
    """Return card id → HTML for cards of any kinds; cards without a renderer are left out."""
    html: dict[str, str] = {}
    for kind in {card["kind"] for card in cards} & _card_renderers.keys():
        html |= _card_renderers[kind]([card for card in cards if card["kind"] == kind], person, request)
    return html


def cards_text(cards: Sequence[Mapping[str, Any]], person: Any) -> dict[str, str]:
    """Return card id → Markdown for cards of any kinds; cards without a text function are left out."""
    return _in_words(_card_texts, cards, person)


def cards_speech(cards: Sequence[Mapping[str, Any]], person: Any) -> dict[str, str]:
    """Return card id → what is read aloud, as Markdown; cards without a text function are left out."""
    return _in_words(_card_speech, cards, person)


def _in_words(by_kind: Mapping[str, CardTexts], cards: Sequence[Mapping[str, Any]], person: Any) -> dict[str, str]:
    words: dict[str, str] = {}
    for kind in {card["kind"] for card in cards} & by_kind.keys():
        words |= by_kind[kind]([card for card in cards if card["kind"] == kind], person)
    return words


def current_cards(cards: Sequence[Mapping[str, Any]], person: Any) -> list[dict[str, Any]]:
    """Return the cards with their `text` and current status, as the person may read them now."""
    texts = cards_text([card for card in cards if card["kind"] not in _card_statuses], person)
    standings: dict[str, Mapping[str, Any]] = {}
    for kind in {card["kind"] for card in cards} & _card_statuses.keys():
        standings |= _card_statuses[kind]([card for card in cards if card["kind"] == kind], person)
    return [{**card, "text": texts.get(card["id"], ""), **standings.get(card["id"], {})} for card in cards]


def add_card_texts(events: Iterable[dict[str, Any]], person: Any) -> list[dict[str, Any]]:
    """Return events as sent to clients, each card with the text the person may read now."""
    listed = list(events)
    cards = iter(current_cards([each for each in listed if each["type"] == "card"], person))
    return [next(cards) if each["type"] == "card" else each for each in listed]


def reply_buttons(options: Sequence[str], *, turn_id: str, labels: Sequence[str] = ()) -> Card:
    """Return buttons with things that the learner may want to say now.

    `labels` are shorter words for the buttons, one for each option.
    """
    content = {"options": list(options)} | ({"labels": list(labels)} if labels else {})
    return Card(kind="replies", id=str(uuid.uuid5(uuid.UUID(turn_id), "replies")), content=content)
