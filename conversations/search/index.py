"""Search index: keeps passages and their embeddings up to date with their texts.

Passages are found by words as soon as they are stored: database triggers index them. Their embeddings
are computed later, a few passages at a time; `update_index` computes those that are missing, for example after an
interruption.
"""

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

EMBEDDED_AT_ONCE = 32
"""Number of passages embedded and stored together, which takes half a second."""
UPDATE_EVERY_S = 30.0
FORGOTTEN_AT_ONCE = 200
"""Number of passages deleted in one transaction, which takes a fifth of a second."""

_embedding = threading.Lock()


def store_passages(document: Document, pages: Iterable[Page]) -> int:
    """Replace a document's passages, in one transaction; return how many there are."""
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
    """Delete a document's passages in batches: removing words from the index blocks all other writers on SQLite."""
    passages = Passage.objects.filter(document_id=document_id)
    while some := list(passages.values_list("pk", flat=True)[:FORGOTTEN_AT_ONCE]):
        Passage.objects.filter(pk__in=some).delete()


def embed_passages(passages: "models.QuerySet[Passage]", *, stop: Callable[[], bool] | None = None) -> int:
    """Embed those of the passages that the current model has not embedded yet; return how many.

    Takes about 15 ms per passage, on one core: run it in a worker, not in a request. None if the model is missing. Each
    batch is its own transaction, of passages that still exist; once `stop` returns true, the rest is skipped.
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
    """Return the indexed passages that the current model has not embedded, in text order."""
    known = Embedding.objects.filter(passage=models.OuterRef("pk"), model_id=embeddings.model_id)
    return passages.filter(~models.Exists(known), indexed=True).order_by("pk")


def update_index_forever() -> None:
    """Run `update_index` regularly, in a thread."""
    keeping = FailureStreak("updating the search index")
    while True:
        with keeping.survive():
            update_index()
        connections.close_all()
        time.sleep(UPDATE_EVERY_S)


def update_index() -> None:
    """Publish changed texts, and compute embeddings that are missing or from another model."""
    publish_changed()
    # A document waiting to be read is more urgent than embeddings.
    embed_passages(Passage.objects.all(), stop=Document.objects.all().unread().exists)


def _embed(passages: Sequence[int]) -> None:
    with _embedding:
        # Another thread may have done some of it in the meantime.
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
