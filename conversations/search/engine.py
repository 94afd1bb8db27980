"""Search engine over everything a person may read: their messages, documents, and texts that apps publish."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Literal

from django.db import connection
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from agents.errors import EmbeddingModelMissing
from agents.local_models import embeddings
from conversations.models import Passage
from conversations.search import vectors
from conversations.search.keywords import content_terms, find_by_words, marked_terms
from conversations.search.messages import MessageHit
from conversations.search.messages import search_messages as search_messages
from conversations.search.permissions import (
    DOCUMENT,
    MESSAGE,
    Reader,
    find_readable_passages,
    readable_passages,
    reader_of,
)
from conversations.search.publications import published_kinds
from conversations.search.query import SnippetPiece, snippet
from conversations.search.ranking import fuse_rankings

type Mode = Literal["keyword", "semantic", "hybrid"]
type HitKey = tuple[str, int]
"""`message` or `passage`, and the id."""

_ONLY_WORDS = gettext_lazy(
    "This search looked only for matching words, because the model that compares meanings is not installed on this site."
)
RANKED = 50
"""Minimum number of results from each search method; anything ranked lower in both is not relevant."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchHit:
    """A search result: a message, or a passage of a document or publication."""

    kind: str
    """`message`, `document`, or the kind of publication, such as `course`."""
    id: str
    """Unique within its kind: the id of a message or passage."""
    title: str
    """Title of the conversation, document or publication."""
    url: str
    """The page where it can be read in context."""
    text: str
    snippet: tuple[SnippetPiece, ...]
    score: float
    """Score from 0 to 1: the cosine if searched by meaning only, else from the ranks (1 if first in every ranking)."""
    at: datetime
    session_key: str | None = None
    """The conversation it belongs to, or that the document is attached to."""
    page: int | None = None
    """Page number in a document."""
    likeness: float | None = None
    """Cosine similarity to the query; None if not compared or ranked very low."""
    heading: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchAnswer:
    mode: Mode
    """The search mode that was used."""
    found: tuple[SearchHit, ...]
    notice: str = ""
    """A sentence that says why this is not the requested mode; empty if it is."""


def all_kinds() -> frozenset[str]:
    return frozenset({MESSAGE, DOCUMENT, *published_kinds()})


def is_loaded() -> bool:
    """Return whether a search need not load anything first."""
    return embeddings.is_loaded() and vectors.is_loaded()


def load_search() -> None:
    """Load the search model and index, if not loaded: takes seconds the first time, so call it in a thread."""
    embeddings.load()
    try:
        vectors.load()
    finally:
        connection.close()


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranking:
    """What a query finds, best first."""

    mode: Mode
    scored: Sequence[tuple[HitKey, float]]
    cosines: Mapping[int, float]
    """Passage → its likeness to the query, where it was compared."""
    messages: Mapping[int, MessageHit] = field(default_factory=dict)
    notice: str = ""


def search(
    person: Any, query: str, *, mode: Mode = "hybrid", kinds: Collection[str] | None = None, limit: int = 20
) -> SearchAnswer:
    """Return what matches the query and the person may read, best first. No query is an error.

    Keyword search finds passages with any of the words (messages: with all, newest first); semantic search finds the
    nearest passages, not messages; `hybrid` combines both. Without the sentence model, all search is by keyword, and
    the answer says so.
    """
    reader = reader_of(person)
    kinds = all_kinds() if kinds is None else kinds
    ranking = _rank(reader, query, mode=mode, kinds=kinds, limit=limit)
    return SearchAnswer(mode=ranking.mode, found=_hits(reader, query, ranking, kinds), notice=ranking.notice)


def find_passages(
    reader: Reader, query: str, *, kinds: Collection[str], limit: int
) -> list[tuple[Passage, float | None]]:
    """Return the passages of a hybrid search, best first, each with its likeness to the query if it was compared."""
    kinds = frozenset(kinds) - {MESSAGE}
    ranking = _rank(reader, query, mode="hybrid", kinds=kinds, limit=limit)
    order = [pk for (_source, pk), _score in ranking.scored]
    rows = find_readable_passages(reader, order)
    return [(rows[pk], ranking.cosines.get(pk)) for pk in order if pk in rows and rows[pk].indexed]


def _rank(reader: Reader, query: str, *, mode: Mode, kinds: Collection[str], limit: int) -> Ranking:
    depth = max(RANKED, limit)
    nearest: list[tuple[int, float]] = []
    notice = ""
    if mode != "keyword":
        try:
            nearest = _nearest_passages(reader, query, kinds=kinds, limit=depth)
        except EmbeddingModelMissing:
            mode, notice = "keyword", str(_ONLY_WORDS)
    by_meaning: list[HitKey] = [("passage", pk) for pk, _cosine in nearest]
    if mode == "semantic":
        scored = [(("passage", pk), min(1.0, max(0.0, cosine))) for pk, cosine in nearest]
        return Ranking(mode=mode, scored=scored[:limit], cosines=dict(nearest))
    by_words: list[HitKey] = [("passage", pk) for pk in find_by_words(reader, query, kinds=kinds, limit=depth)]
    messages = {hit.id: hit for hit in _messages(reader, query, limit=depth)} if MESSAGE in kinds else {}
    said: list[HitKey] = [("message", pk) for pk in messages]
    scored = _ranked(by_words, by_meaning if mode == "hybrid" else None, said)[:limit]
    return Ranking(mode=mode, scored=scored, cosines=dict(nearest), messages=messages, notice=notice)


def _messages(reader: Reader, query: str, *, limit: int) -> list[MessageHit]:
    return search_messages(reader, query, limit=limit, terms=content_terms(query))


def _ranked(
    by_words: Sequence[HitKey], by_meaning: Sequence[HitKey] | None, said: Sequence[HitKey]
) -> list[tuple[HitKey, float]]:
    """Return passages and messages by score. Messages have no embeddings, so they are in no ranking by meaning."""
    others: list[Sequence[HitKey]] = [] if by_meaning is None else [by_meaning]
    return sorted(
        [*fuse_rankings([by_words, *others]), *fuse_rankings([said, *([] for _ in others)])],
        key=lambda scored: -scored[1],
    )


def _nearest_passages(reader: Reader, query: str, *, kinds: Collection[str], limit: int) -> list[tuple[int, float]]:
    """Return the ids of the passages nearest in meaning, with their cosines. Raises EmbeddingModelMissing."""
    vector = embeddings.embed([query])[0]
    return vectors.nearest(reader, vector, kinds=kinds, limit=limit) if query.strip() else []


def _hits(reader: Reader, query: str, ranking: Ranking, kinds: Collection[str]) -> tuple[SearchHit, ...]:
    wanted = [pk for (source, pk), _score in ranking.scored if source == "passage"]
    rows = readable_passages(reader, kinds).filter(pk__in=wanted)
    passages = {row.pk: row for row in rows.select_related("document__session", "publication")}
    marks = marked_terms(query)
    found = []
    for (source, pk), score in ranking.scored:
        if source == "message":
            found.append(_message_hit(ranking.messages[pk], score))
        elif pk in passages:
            read = _passage_hit(passages[pk], snippet(passages[pk].text, marks), score, reader)
            found.append(replace(read, likeness=ranking.cosines.get(pk)))
    return tuple(found)


def _message_hit(hit: MessageHit, score: float) -> SearchHit:
    return SearchHit(
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


def _passage_hit(row: Passage, marked: tuple[SnippetPiece, ...], score: float, reader: Reader) -> SearchHit:
    document, publication = row.document, row.publication
    session = document.session if document and document.owner_id == reader.pk else None
    return SearchHit(
        kind=publication.kind if publication else DOCUMENT,
        id=str(row.pk),
        title=str(publication or document),
        url=row.get_absolute_url(),
        text=row.text,
        snippet=marked,
        score=score,
        at=_dated(row),
        session_key=session.key if session else None,
        page=row.page if document else None,
        heading=row.heading,
    )


def _dated(row: Passage) -> datetime:
    if row.publication is not None:
        return row.publication.updated_at
    assert row.document is not None
    return row.document.created_at
