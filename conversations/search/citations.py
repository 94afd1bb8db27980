"""Sources of a reply, as a card. The quoted text is read when the card is shown, for the person who sees it: text that
was deleted or is no longer shared appears in no conversation.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from django.http import HttpRequest
from django.template.loader import render_to_string
from django.utils.translation import gettext as _
from pydantic import BaseModel

from agents.tools import Source
from conversations.library.articles import KIND as ARTICLE_KIND
from conversations.models import Passage
from conversations.search.permissions import find_readable_passages

CARD_KIND = "sources"
PREFIX = "passage-"

Card = Mapping[str, Any]


class Quote(BaseModel):
    """Start and end of the quoted words in the source's text, in characters."""

    start: int
    end: int


class SourcesCard(BaseModel):
    """Sources of the reply. The quoted text is only in the card's `text`, for readers who may see it."""

    sources: list[Source]
    quotes: list[Quote]


@dataclass(frozen=True, slots=True, kw_only=True)
class Citation:
    """A source of a card, read now; without a passage if it is gone or the person may not read it."""

    number: int
    quote: str = ""
    title: str = ""
    where: str = ""
    url: str = ""


def source_of(passage: Passage) -> Source:
    """Return a passage, with its document or publication, as a source."""
    return Source(
        id=f"{PREFIX}{passage.pk}",
        title=title_of(passage),
        url=passage.get_absolute_url(),
        type=_type_of(passage),
        # Courses are written and reviewed by us. Uploaded documents are not rated.
        credibility=None if passage.document_id else 1.0,
    )


def _type_of(passage: Passage) -> Literal["document", "course", "article"]:
    if passage.publication is None:
        return "document"
    return "article" if passage.publication.kind == ARTICLE_KIND else "course"


def title_of(passage: Passage) -> str:
    """Return the title of the passage's document or publication."""
    return str(passage.document or passage.publication)


def place_of(passage: Passage) -> str:
    """Return the place in it: the heading, unless it equals the title, and the page if there are pages."""
    heading = passage.heading if passage.heading != title_of(passage) else ""
    if passage.document is not None and passage.document.has_pages:
        page = _("page %(number)s") % {"number": passage.page}
        return f"{heading}, {page}" if heading else page
    return heading


def citations(cards: Sequence[Card], person: Any) -> dict[str, list[Citation]]:
    """Return card id → its sources, for the cards' owner; one query, and two more if they are documents."""
    ids = {_passage_id(source) for card in cards for source in card["sources"]}
    rows = find_readable_passages(person, ids)
    return {
        card["id"]: [
            _citation(number, rows.get(_passage_id(source)), quote)
            for number, (source, quote) in enumerate(zip(card["sources"], card["quotes"], strict=True), 1)
        ]
        for card in cards
    }


def quoted_words(cards: Sequence[Card], person: Any) -> dict[str, list[str]]:
    """Return source id → the words quoted from it, in order; sources that the person may no longer read are left out."""
    found: dict[str, list[str]] = {}
    read = citations(cards, person) if cards else {}
    for card in cards:
        for source, each in zip(card["sources"], read[card["id"]], strict=True):
            if each.quote:
                found.setdefault(source["id"], []).append(each.quote)
    return found


def passage_text(source_id: str, person: Any) -> str | None:
    """Return the text of a source's passage; None if it is gone or the person may not read it."""
    found = find_readable_passages(person, [_passage_id({"id": source_id})])
    return next((passage.text for passage in found.values()), None)


def cards_html(cards: Sequence[Card], person: Any, request: HttpRequest | None) -> dict[str, str]:
    """Return the cards' HTML."""
    return {
        key: render_to_string("conversations/sources.html", {"citations": each})
        for key, each in citations(cards, person).items()
    }


def cards_text(cards: Sequence[Card], person: Any) -> dict[str, str]:
    """Return the cards as Markdown."""
    return {key: "\n".join(map(_in_words, each)) for key, each in citations(cards, person).items()}


def cards_speech(cards: Sequence[Card], person: Any) -> dict[str, str]:
    """Return the cards for a voice: each quote, and after its last quote in a row, where it comes from."""
    return {key: "\n\n".join(_read_aloud(each)) for key, each in citations(cards, person).items()}


def _read_aloud(cited: Sequence[Citation]) -> Iterator[str]:
    places = [", ".join(filter(None, (each.title, each.where))) for each in cited]
    for number, (each, place) in enumerate(zip(cited, places, strict=True)):
        if not each.url:
            yield _("One source was deleted or is no longer shared with you.")
            continue
        yield _("Quote: %(words)s") % {"words": " ".join(each.quote.split())}
        if place not in places[number + 1 : number + 2]:
            yield _("That is from %(place)s.") % {"place": place}


def _citation(number: int, passage: Passage | None, quote: Mapping[str, int]) -> Citation:
    if passage is None:
        return Citation(number=number)
    return Citation(
        number=number,
        # Formatted like a list item in the file readers' output.
        quote=passage.text[quote["start"] : quote["end"]].removeprefix("- "),
        title=title_of(passage),
        where=place_of(passage),
        url=passage.get_absolute_url(),
    )


def _in_words(each: Citation) -> str:
    if not each.url:
        return f"[{each.number}] {_('This source was deleted or is no longer shared with you.')}"
    quote = "\n".join(f"> {line}" for line in each.quote.splitlines())
    return f"{quote}\n> [{each.number}] {', '.join(filter(None, (each.title, each.where)))}"


def _passage_id(source: Mapping[str, Any]) -> int:
    return int(source["id"].removeprefix(PREFIX))
