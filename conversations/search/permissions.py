"""Permissions of search: every search reads passages through this module.

The queries of every search are in plain SQL, or composed once: composing them anew takes longer than running them.
"""

import uuid
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from django.db import connection
from django.db.models import Q, QuerySet

from agents.people import Person
from agents.storage.raw_sql import placeholders
from conversations.models import Document, Folder, Passage
from conversations.search.passage_rows import read_passages

MESSAGE, DOCUMENT = "message", "document"
_STAND_IN = -1
"""In a composed statement, stands for the person's id; no row has it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reader:
    """A person for one search. Their audiences are read once: each query by permissions would read them again."""

    pk: int
    audiences: frozenset[str] = frozenset()
    """Whose documents they may read besides their own."""


def reader_of(person: Person) -> Reader:
    return Reader(pk=person.pk, audiences=person.audiences)


def readable_documents(person: Reader | Person) -> QuerySet[Document]:
    return Document.objects.readable_by(person)


def readable_passages(person: Reader, kinds: Collection[str]) -> QuerySet[Passage]:
    """Return the passages, of documents and of publications of these kinds, that the person's search may find."""
    wanted = Q(publication__kind__in=[kind for kind in kinds if kind not in (MESSAGE, DOCUMENT)])
    if DOCUMENT in kinds:
        wanted |= Q(document__in=readable_documents(person).values("pk"))
    return Passage.objects.filter(wanted, indexed=True)


def find_readable_passages(person: Reader | Person, ids: Collection[int]) -> dict[int, Passage]:
    """Return the passages with these ids that the person may read, with their documents and publications.

    Documents are checked in a query of their own: most answers quote none, and then there is nothing to check.
    """
    if not ids:
        return {}
    rows = {row.pk: row for row in read_passages(f"conversations_passage.id IN ({placeholders(ids)})", [*ids])}
    readable = _readable_among(person, {row.document_id for row in rows.values() if row.document_id is not None})
    return {pk: row for pk, row in rows.items() if row.document_id is None or row.document_id in readable}


def select_findable(person: Reader, ids: Sequence[int], kinds: Collection[str]) -> list[int]:
    """Return those of these passages that `readable_passages` has too, in the given order; documents as above."""
    if not ids:
        return []
    statement = f"""
        SELECT passage.id, document_id, kind FROM conversations_passage AS passage
        LEFT JOIN conversations_publication AS publication ON publication.id = publication_id
        WHERE passage.id IN ({placeholders(ids)}) AND indexed"""
    belongings = {pk: _document_id(document) or kind for pk, document, kind in _rows(statement, ids)}
    allowed: set[object] = {kind for kind in kinds if kind not in (MESSAGE, DOCUMENT)}
    if DOCUMENT in kinds:
        allowed |= _readable_among(person, {each for each in belongings.values() if isinstance(each, uuid.UUID)})
    return [pk for pk in ids if belongings.get(pk) in allowed]


def readable_document_ids(person: Reader | Person) -> list[uuid.UUID]:
    """Return the ids of `readable_documents`."""
    statement, values = _readable_statement(person)
    return [_document_id(pk) for (pk,) in _rows(statement, values)]


def published_ids(kinds: Collection[str]) -> list[int]:
    """Return the ids of the publications of these kinds."""
    if not kinds:
        return []
    return [
        pk for (pk,) in _rows(f"SELECT id FROM conversations_publication WHERE kind IN ({placeholders(kinds)})", kinds)
    ]


def _readable_among(person: Reader | Person, documents: Collection[uuid.UUID]) -> set[uuid.UUID]:
    if not documents:
        return set()
    statement, values = _readable_statement(person)
    among = f"{statement} AND conversations_document.id IN ({placeholders(documents)})"
    wanted = [Document._meta.pk.get_db_prep_value(each, connection) for each in documents]
    return {_document_id(pk) for (pk,) in _rows(among, [*values, *wanted])}


def _readable_statement(person: Reader | Person) -> tuple[str, list[object]]:
    """Return the SQL of `readable_documents`, which selects their ids, and its values; it ends with its conditions."""
    audiences = sorted(filter(None, person.audiences))
    statement, values = _composed(len(audiences))
    given = {_STAND_IN: person.pk} | {_audience(number): each for number, each in enumerate(audiences)}
    return statement, [given.get(each, each) for each in values]


@cache
def _composed(audiences: int) -> tuple[str, tuple[Any, ...]]:
    """Return the SQL for a person with this many audiences, and its values with stand-ins for the person's own."""
    person = Reader(pk=_STAND_IN, audiences=frozenset(map(_audience, range(audiences))))
    return readable_documents(person).values_list("pk").query.sql_with_params()


def _audience(number: int) -> str:
    return f"audience {number}"


def _document_id(stored: Any) -> Any:
    return Document._meta.pk.to_python(stored)


def _rows(statement: str, values: Collection[Any]) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(statement, [*values])
        return list(cursor.fetchall())


def owners_readable_by(person: Reader) -> list[int]:
    """Return the owners of documents that the person may read, at least in part; limits the word index."""
    audiences = [audience for audience in person.audiences if audience]
    if not audiences:
        return [person.pk]
    sharing = Folder.objects.filter(audience__in=audiences).values_list("owner_id", flat=True)
    return sorted({person.pk, *sharing})
