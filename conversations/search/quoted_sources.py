"""What a reply says of the places that it quotes: their titles, and the card with their words."""

import re
import uuid
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from django.utils.translation import gettext as _

from agents.engine.events import Card
from agents.tools import Source
from conversations.search import citations

_MARKUP: Final = re.compile(r"[\\`*\[\]<>]")


@dataclass(frozen=True, slots=True, kw_only=True)
class QuotedPlace:
    """A place in a source's passage, in characters."""

    source: Source
    start: int
    end: int


def without_markup(text: str) -> str:
    """Return a text as one line of Markdown that has no other effect, whoever wrote it."""
    return " ".join(_MARKUP.sub(" ", text).split())


def emphasize(title: str) -> str:
    """Return a title in italics that has no other effect, whoever chose it."""
    return f"*{without_markup(title)}*"


def introduce_quotes(titles: Iterable[str]) -> str:
    """Return the words before quotes from sources with these titles."""
    named = list(dict.fromkeys(map(emphasize, titles)))
    if len(named) == 1:
        return _("From %(title)s:") % {"title": named[0]}
    listed = _("%(some)s and %(last)s") % {"some": ", ".join(named[:-1]), "last": named[-1]}
    return _("From %(titles)s:") % {"titles": listed}


def sources_card(places: Sequence[QuotedPlace], *, turn_id: str, name: str = "sources") -> Card:
    """Return the places as a card; their text is read when it is shown, with the viewer's permissions.

    `name` tells the cards of one turn apart.
    """
    content = {
        "sources": [each.source.model_dump() for each in places],
        "quotes": [{"start": each.start, "end": each.end} for each in places],
    }
    return Card(kind=citations.CARD_KIND, id=str(uuid.uuid5(uuid.UUID(turn_id), name)), content=content)
