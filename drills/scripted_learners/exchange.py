"""One message of a learner and everything that came back."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from drills.scripted_learners.scripts import Line

type Card = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    number: int
    """From 1, across all lessons of the learner."""
    line: Line
    reply: str
    shown: str
    """The reply with its cards in words, as the page shows it."""
    cards: Sequence[Card] = ()
    changed: Sequence[Card] = ()
    """Cards of earlier turns, as they are now."""
    graded: int = 0
    """How many answers were graded in this turn, with those below."""
    given_up: int = 0
    """How many questions were given up in this turn."""
    hints: Sequence[str] = ()
    """The hints given in this turn."""
    has_open_card: bool = False
    analysis: Mapping[str, Any] | None = None
    """How the message was understood."""
    status: str = "done"
    page_action: str = ""
    """What the page's primary button says after the turn; empty over `/v2`."""

    @property
    def new_cards(self) -> list[Card]:
        """Return the cards that were not there before."""
        return [card for card in self.cards if not card.get("again")]
