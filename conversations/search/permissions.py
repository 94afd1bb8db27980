"""Permissions of search: every search reads passages through this module."""

import uuid
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from django.db.models import Q, QuerySet

from agents.people import Person
from conversations.models import Document, Folder, Passage

MESSAGE, DOCUMENT = "message", "document"


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

    Documents are checked in a query of their own: most answers quote none, and then their permissions need not be
    composed, which takes longer than reading the passages.
    """
    rows = Passage.objects.select_related("document", "publication").in_bulk(ids)
    readable = _readable_among(person, {row.document_id for row in rows.values() if row.document_id is not None})
    return {pk: row for pk, row in rows.items() if row.document_id is None or row.document_id in readable}


def select_findable(person: Reader, ids: Sequence[int], kinds: Collection[str]) -> list[int]:
    """Return those of these passages that `readable_passages` has too, in the given order; documents as above."""
    rows = Passage.objects.filter(pk__in=ids, indexed=True).values_list("pk", "document_id", "publication__kind")
    belongings = {pk: document or kind for pk, document, kind in rows}
    allowed: set[object] = {kind for kind in kinds if kind not in (MESSAGE, DOCUMENT)}
    if DOCUMENT in kinds:
        allowed |= _readable_among(person, {each for each in belongings.values() if isinstance(each, uuid.UUID)})
    return [pk for pk in ids if belongings.get(pk) in allowed]


def _readable_among(person: Reader | Person, documents: Collection[uuid.UUID]) -> set[uuid.UUID]:
    if not documents:
        return set()
    return {*readable_documents(person).filter(pk__in=documents).values_list("pk", flat=True)}


def owners_readable_by(person: Reader) -> list[int]:
    """Return the owners of documents that the person may read, at least in part; limits the word index."""
    audiences = [audience for audience in person.audiences if audience]
    sharing = Folder.objects.filter(audience__in=audiences).values_list("owner_id", flat=True)
    return sorted({person.pk, *sharing})
