"""A reply as text, with its cards in words, for clients, files and search that cannot show cards."""

import uuid
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from conversations.cards import cards_text
from conversations.models import Message
from conversations.owners import Owner

Card = Mapping[str, Any]


def interleave_cards(text: str, cards: Sequence[Card]) -> Iterator[str | Card]:
    """Yield a reply's text, stripped and without empty pieces, and its cards, in display order."""
    places = [0, *(min(card["at"], len(text)) for card in cards), len(text)]
    for index, (start, end) in enumerate(pairwise(places)):
        if piece := text[start:end].strip():
            yield piece
        if index < len(cards):
            yield cards[index]


def reply_texts(replies: Sequence[Message], person: Owner) -> dict[uuid.UUID, str]:
    """Return turn id → the reply as Markdown, with each card in words at its place.

    Cards are read in their current state, for this person: what they may no longer read is left out.
    """
    texts = cards_text([card for reply in replies for card in reply.cards], person)
    return {reply.turn_id: text_with_cards(reply.text, reply.cards, texts) for reply in replies}


def text_with_cards(text: str, cards: Sequence[Card], texts: Mapping[str, str]) -> str:
    """Return a reply's text with the texts of its cards, by card id; unchanged if there are none."""
    if not any(texts.get(card["id"]) for card in cards):
        return text
    parts = (part if isinstance(part, str) else texts.get(part["id"], "") for part in interleave_cards(text, cards))
    return "\n\n".join(filter(None, parts))
