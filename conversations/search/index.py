"""Keeping passages and their meanings in step with the texts they are of.

A passage is found by its words as soon as it is stored: the database's triggers see to that. Its meaning
is worked out after that, a few passages at a time; what is broken off, or the model missing, is caught up on by
`keep_up`.
"""

import logging
import threading
import time
import uuid
from collections.abc import Callable, Iterable, Sequence
from itertools import batched

from django.db import connections, models, transaction

from agents.local_models import embeddings
from agents.storage.availability import FailureStreak
from conversations.models import Document, Embedding, Passage
from conversations.models.library import NAME_MAX_LENGTH
from conversations.readers import Page
from conversations.search.passages import split_pages
from conversations.search.publications import publish_changed
from conversations.search.vectors import store

logger = logging.getLogger(__name__)

EMBEDDED_AT_ONCE = 32
"""Passages whose meanings are worked out and stored together: half a second of work."""
UPDATE_EVERY_S = 30.0
FORGOTTEN_AT_ONCE = 200
"""Passages deleted in one transaction: a fifth of a second."""

_embedding = threading.Lock()


def store_passages(document: Document, pages: Iterable[Page]) -> int:
    """Store a document's passages in place of those it had, in one transaction; return how many there are."""
    rows = [
        Passage(
            document=document,
            number=number,
            page=piece.page,
            heading=piece.heading[:NAME_MAX_LENGTH],
            text=piece.text,
            indexed=piece.indexed,
        )
        for number, piece in enumerate(split_pages(pages), 1)
    ]
    with transaction.atomic():
        if not Document.objects.select_for_update().filter(pk=document.pk).exists():
            return 0
        Passage.objects.filter(document=document).delete()
        Passage.objects.bulk_create(rows, batch_size=500)
    return len(rows)


def delete_passages(document_id: uuid.UUID) -> None:
    """Delete a document's passages, some at a time: to sweep words out of the index holds up all who write to SQLite."""
    passages = Passage.objects.filter(document_id=document_id)
    while some := list(passages.values_list("pk", flat=True)[:FORGOTTEN_AT_ONCE]):
        Passage.objects.filter(pk__in=some).delete()


def embed_passages(passages: "models.QuerySet[Passage]", *, stop: Callable[[], bool] | None = None) -> int:
    """Work out what those of the passages mean that the model in use has not read; return how many were.

    Takes some 15 ms a passage, of one core: for a worker, not for a request. None where the model is missing. Each batch
    is a transaction of its own, of passages that are still there; once `stop` says so, the rest is left.
    """
    if not embeddings.is_available():
        return 0
    waiting = list(unembedded(passages).values_list("pk", flat=True))
    done = 0
    for together in batched(waiting, EMBEDDED_AT_ONCE, strict=False):
        if stop is not None and stop():
            break
        _embed(together)
        done += len(together)
    return done


def unembedded(passages: "models.QuerySet[Passage]") -> "models.QuerySet[Passage]":
    """Return those that a search may find and the model in use has not read, in the order of their texts."""
    known = Embedding.objects.filter(passage=models.OuterRef("pk"), model_id=embeddings.model_id)
    return passages.filter(~models.Exists(known), indexed=True).order_by("pk")


def update_index_forever() -> None:
    """Publish what changed, and work out the meanings that are missing or another model's, now and then: for a thread."""
    keeping = FailureStreak("keeping the index up")
    while True:
        with keeping.survive():
            update_index()
        connections.close_all()
        time.sleep(UPDATE_EVERY_S)


def update_index() -> None:
    """Publish what changed, and work out the meanings that are missing or another model's."""
    publish_changed()
    # Somebody waits for a document to be read: what others mean can wait.
    embed_passages(Passage.objects.all(), stop=Document.objects.all().unread().exists)


def _embed(passages: Sequence[int]) -> None:
    with _embedding:
        # Another thread may have done some of it meanwhile.
        rows = list(unembedded(Passage.objects.filter(pk__in=passages)))
        if rows:
            _store_meanings(rows)


def _store_meanings(rows: Sequence[Passage]) -> None:
    vectors = embeddings.embed([f"{row.heading}\n{row.text}" for row in rows])
    with transaction.atomic():
        there = set(
            Passage.objects.select_for_update().filter(pk__in=[row.pk for row in rows]).values_list("pk", flat=True)
        )
        Embedding.objects.filter(passage__in=there).delete()
        store(
            [
                (row.pk, str(row.document_id or row.publication_id), vector)
                for row, vector in zip(rows, vectors, strict=True)
                if row.pk in there
            ]
        )
