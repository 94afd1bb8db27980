"""The tool `library`: passages of documents the person may read, and of the courses, about a topic."""

import asyncio
import uuid
from collections.abc import Collection, Sequence
from typing import Any

from django.contrib.auth import get_user_model
from django.db import connection
from pydantic import BaseModel, ConfigDict, Field
from pydantic.json_schema import SkipJsonSchema

from agents.storage.raw_sql import find_row, placeholders
from agents.storage.threads import in_orm_thread
from agents.tools import Source, Tool, ToolFailed, ToolResult, ToolUse
from conversations.library.attached_documents import attachments_of
from conversations.library.uploads import UNREAD
from conversations.models import Document, Passage, Turn
from conversations.search import citations
from conversations.search.engine import all_kinds, is_loaded, load_search
from conversations.search.engine import find_passages as search_passages
from conversations.search.passage_rows import read_passages
from conversations.search.permissions import DOCUMENT, Reader, reader_of
from conversations.search.sentences import NearestSentence, nearest_sentences

PASSAGES = 6
STARTS = 3
"""Passages from the start of attached documents, if the question is about nothing specific."""
LOOKS, LOOK_EVERY_S = 8, 0.8
"""How many times, and how often in seconds, to check whether the attachments have been read."""
QUERY_CHARACTERS = 400
NO_PAYLOAD = tuple(
    each.attname for each in Turn._meta.concrete_fields if each.attname not in ("id", "owner_id", "payload")
)
"""Columns of a turn that say nothing about its attachments."""


class LibraryArguments(BaseModel):
    model_config = ConfigDict(extra="forbid")

    query: str = Field(
        min_length=1, max_length=QUERY_CHARACTERS, description="What to search for, as a question or a few words."
    )
    own: bool = Field(default=False, description="Search only the learner's own documents, not the courses.")
    document: SkipJsonSchema[uuid.UUID | None] = None
    """Only the beginning of this attached document; not for models."""
    waits: SkipJsonSchema[bool] = True
    """Whether to wait for attachments that are still being read; not for models."""


class FoundPassage(BaseModel):
    """A passage, with the data needed to cite it."""

    source: Source
    heading: str
    where: str
    """The place in its document: a heading, a page."""
    text: str
    likeness: float | None
    """Cosine similarity to the query; None if not compared."""
    nearest: NearestSentence | None = None
    """For the person's own and attached documents, the sentence nearest to the query."""


class LibraryPassages(ToolResult):
    passages: list[FoundPassage]
    """Best first; passages of attachments before all others."""
    unread: list[str] = []
    """Names of attachments that are still being read."""
    unreadable: list[str] = []
    """Names of attachments that could not be read."""

    @property
    def summary(self) -> str:
        """How much was found; the text itself is not recorded."""
        return f"{len(self.passages)} passages"

    @property
    def sources(self) -> tuple[Source, ...]:
        return tuple(each.source for each in self.passages)


def find_passages(person: Any, query: str, *, attached: Sequence[Document] = (), own: bool = False) -> LibraryPassages:
    """Return passages about the query that this person may read; of attachments, at least the start.

    With `own`, only documents that belong to the person are searched.
    """
    reader = Reader(pk=person.pk) if own else reader_of(person)
    kinds = frozenset({DOCUMENT}) if own else all_kinds()
    found = search_passages(reader, query, kinds=kinds, limit=PASSAGES)
    likeness = {row.pk: cosine for row, cosine in found}
    rows = [row for row, _cosine in found]
    ids = {each.pk for each in attached}
    if ids and not any(row.document_id in ids for row in rows):
        rows = [*_starts(ids), *rows]
    rows.sort(key=lambda row: row.document_id not in ids)
    rows = rows[:PASSAGES]
    unread = [str(each) for each in attached if each.is_unread]
    if own and not rows:
        waiting = Document.objects.filter(owner_id=person.pk, status__in=UNREAD, session__deleted_at=None)
        unread = unread or [str(each) for each in waiting]
    unreadable = [str(each) for each in attached if not each.is_unread and each.problem]
    compared = [row for row in rows if own or row.document_id in ids]
    nearest = dict(
        zip((row.pk for row in compared), nearest_sentences(query, [row.text for row in compared]), strict=True)
    )
    passages = [_found(row, likeness.get(row.pk), nearest.get(row.pk)) for row in rows]
    return LibraryPassages(passages=passages, unread=unread, unreadable=unreadable)


def beginning_of(documents: Sequence[Document]) -> LibraryPassages:
    """Return the beginning of attached documents, and which of them are not read yet, or cannot be."""
    return LibraryPassages(
        passages=[_found(row, None, None) for row in _starts({each.pk for each in documents})],
        unread=[str(each) for each in documents if each.is_unread],
        unreadable=[str(each) for each in documents if not each.is_unread and each.problem],
    )


def _starts(documents: Collection[uuid.UUID]) -> list[Passage]:
    """Return the first passages of some documents, by document."""
    if not documents:
        return []
    condition = f"document_id IN ({placeholders(documents)}) AND number <= %s ORDER BY document_id, number"
    keys = [Document._meta.pk.get_db_prep_value(each, connection) for each in documents]
    return list(read_passages(condition, [*keys, STARTS]))


def _found(row: Passage, likeness: float | None, nearest: NearestSentence | None) -> FoundPassage:
    return FoundPassage(
        source=citations.source_of(row),
        heading=row.heading,
        where=citations.place_of(row),
        text=row.text,
        likeness=likeness,
        nearest=nearest,
    )


async def _run(arguments: LibraryArguments, use: ToolUse) -> LibraryPassages:
    if use.person_id is None:
        raise ToolFailed("The library needs a person whose documents it can search.")
    if not is_loaded():
        # Not in the shared ORM thread, which all others use.
        await asyncio.to_thread(load_search)
    found = await in_orm_thread(_for_person)(use.person_id, arguments, use.turn_id)
    for _look in range(LOOKS if arguments.waits else 0):
        if not found.unread:
            break
        await asyncio.sleep(LOOK_EVERY_S)
        found = await in_orm_thread(_for_person)(use.person_id, arguments, use.turn_id)
    return found


def _for_person(person_id: int, arguments: LibraryArguments, turn_id: uuid.UUID | None) -> LibraryPassages:
    person = find_row(get_user_model(), person_id)
    if person is None:
        raise ToolFailed("The person whose documents it should search no longer exists.")
    turn = find_row(Turn, turn_id, without=NO_PAYLOAD) if turn_id else None
    turns = [turn] if turn is not None and turn.owner_id == person_id else []
    attached = [document for given in attachments_of(turns).values() for document in given]
    if arguments.document is not None:
        return beginning_of([each for each in attached if each.pk == arguments.document])
    return find_passages(person, arguments.query, attached=attached, own=arguments.own)


LIBRARY_TOOL = Tool(
    name="library",
    description=(
        "Finds passages about a question in the learner's own documents, those shared with them, and the courses."
    ),
    arguments=LibraryArguments,
    run=_run,
    timeout_s=15.0,  # Includes loading the sentence model at first use.
    is_untrusted=True,
)
