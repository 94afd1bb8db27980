"""Passages with their documents and publications, read by plain SQL. Who may read them is for the caller to check."""

from collections.abc import Iterator, Sequence
from typing import Any

from agents.storage.raw_sql import columns_of, make_row, read_rows
from conversations.models import Document, Passage, Publication


def read_passages(condition: str, values: Sequence[Any]) -> Iterator[Passage]:
    """Yield the passages that satisfy a condition in SQL, with the order to return them in, if there is one."""
    statement = f"""
        SELECT {columns_of(Passage)}, {columns_of(Publication)}, {columns_of(Document)} FROM conversations_passage
        LEFT JOIN conversations_document ON conversations_document.id = document_id
        LEFT JOIN conversations_publication ON conversations_publication.id = publication_id
        WHERE {condition}"""
    for passage, rest in read_rows(Passage, statement, values):
        publication, rest = make_row(Publication, rest)
        # The columns of what a passage does not belong to are empty.
        passage.publication = publication if publication.pk is not None else None
        passage.document = make_row(Document, rest)[0] if passage.document_id is not None else None
        yield passage
