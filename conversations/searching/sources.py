"""One search over everything a person may read: own messages, documents, and what rooms publish."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Literal

from django.db import connection
from django.utils.translation import gettext as _

from agents import embeddings
from agents.errors import EmbeddingsMissing
from conversations.history.search import Hit
from conversations.history.search import search as search_messages
from conversations.history.terms import Piece, snippet
from conversations.models import Passage
from conversations.searching import vectors
from conversations.searching.keywords import best_by_words, marks_of, terms_of
from conversations.searching.publishing import published_kinds
from conversations.searching.ranking import fused
from conversations.searching.readable import DOCUMENT, MESSAGE, readable_passages

type Mode = Literal["keyword", "semantic", "hybrid"]
type Place = tuple[str, int]
"""`message` or `passage`, and its id."""

RANKED = 50
"""Things that each way to look contributes at least; what is lower in both is not what was meant."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A message, or a passage of a document or a publication."""

    kind: str
    """`message`, `document`, or what a room calls what it publishes, such as `course`."""
    id: str
    """Unique among its kind: a message's or a passage's."""
    title: str
    """Of the conversation, the document or the publication."""
    url: str
    """Where it is read in its place."""
    text: str
    snippet: tuple[Piece, ...]
    score: float
    """0–1: of meaning alone, the cosine; else by the places that it has in each ranking, 1 for the first in all of them."""
    at: datetime
    session_key: str | None = None
    """The conversation it was said in, or that the document is attached to."""
    page: int | None = None
    """Of a document."""
    likeness: float | None = None
    """Cosine of its meaning to the query's; None where that was not compared, or is far down."""
    heading: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    mode: Mode
    """How it was really looked for."""
    found: tuple[Found, ...]
    notice: str = ""
    """Why it was looked for in another way than was asked, in a sentence."""


def all_kinds() -> frozenset[str]:
    return frozenset({MESSAGE, DOCUMENT, *published_kinds()})


def get_ready() -> None:
    """Load what a search needs, where it is not loaded yet: seconds of work the first time, for a thread of its own."""
    embeddings.load()
    try:
        vectors.load()
    finally:
        connection.close()


def search(
    person: Any, query: str, *, mode: Mode = "hybrid", kinds: Collection[str] | None = None, limit: int = 20
) -> Answer:
    """Return what the person may read and was looked for, the best first. Nothing that is typed is an error.

    By keyword, what has any of the words (messages: all of them, the newest first); by meaning, the nearest passages, which
    messages have none of; `hybrid` is both. Without the sentence model, all is by keyword, and the answer says so.
    """
    kinds = all_kinds() if kinds is None else kinds
    depth = max(RANKED, limit)
    nearest: list[tuple[int, float]] = []
    notice = ""
    if mode != "keyword":
        try:
            vector = embeddings.embed([query])[0]
        except EmbeddingsMissing:
            mode, notice = (
                "keyword",
                _("Looked for by words alone: the model that compares meanings is not installed here."),
            )
        else:
            nearest = vectors.nearest(person, vector, kinds=kinds, limit=depth) if query.strip() else []
    by_meaning: list[Place] = [("passage", pk) for pk, _cosine in nearest]
    if mode == "semantic":
        scored = [(("passage", pk), min(1.0, max(0.0, cosine))) for pk, cosine in nearest]
        return Answer(mode=mode, found=_found(person, query, scored[:limit], kinds, {}, dict(nearest)))
    by_words: list[Place] = [("passage", pk) for pk in best_by_words(person, query, kinds=kinds, limit=depth)]
    hits = {hit.id: hit for hit in _messages(person, query, limit=depth)} if MESSAGE in kinds else {}
    said: list[Place] = [("message", pk) for pk in hits]
    ranked = _ranked(by_words, by_meaning if mode == "hybrid" else None, said)
    return Answer(mode=mode, found=_found(person, query, ranked[:limit], kinds, hits, dict(nearest)), notice=notice)


def _messages(person: Any, query: str, *, limit: int) -> list[Hit]:
    return search_messages(person, query, limit=limit, terms=terms_of(query))


def _ranked(
    by_words: Sequence[Place], by_meaning: Sequence[Place] | None, said: Sequence[Place]
) -> list[tuple[Place, float]]:
    """Return passages and messages by score. No meaning is known of a message: it is in no ranking by it."""
    others: list[Sequence[Place]] = [] if by_meaning is None else [by_meaning]
    return sorted([*fused([by_words, *others]), *fused([said, *([] for _ in others)])], key=lambda scored: -scored[1])


def _found(
    person: Any,
    query: str,
    scored: Sequence[tuple[Place, float]],
    kinds: Collection[str],
    hits: Mapping[int, Hit],
    cosines: Mapping[int, float],
) -> tuple[Found, ...]:
    wanted = [pk for (source, pk), _score in scored if source == "passage"]
    rows = readable_passages(person, kinds).filter(pk__in=wanted)
    passages = {row.pk: row for row in rows.select_related("document__session", "publication")}
    marks = marks_of(query)
    found = []
    for (source, pk), score in scored:
        if source == "message":
            found.append(_said(hits[pk], score))
        elif pk in passages:
            read = _read(passages[pk], snippet(passages[pk].text, marks), score, person)
            found.append(replace(read, likeness=cosines.get(pk)))
    return tuple(found)


def _said(hit: Hit, score: float) -> Found:
    return Found(
        kind=MESSAGE,
        id=str(hit.id),
        title=hit.session.title or _("A conversation"),
        url=f"{hit.session.get_absolute_url()}?at={hit.turn_number}#turn-{hit.turn_id}",
        text=hit.text,
        snippet=hit.snippet,
        score=score,
        at=hit.at,
        session_key=hit.session.key,
    )


def _read(row: Passage, marked: tuple[Piece, ...], score: float, person: Any) -> Found:
    document, publication = row.document, row.publication
    session = document.session if document and document.owner_id == person.pk else None
    return Found(
        kind=publication.kind if publication else DOCUMENT,
        id=str(row.pk),
        title=str(publication or document),
        url=row.get_absolute_url(),
        text=row.text,
        snippet=marked,
        score=score,
        at=_since(row),
        session_key=session.key if session else None,
        page=row.page if document else None,
        heading=row.heading,
    )


def _since(row: Passage) -> datetime:
    if row.publication is not None:
        return row.publication.updated_at
    assert row.document is not None
    return row.document.created_at
