"""Stored vectors and nearest-neighbor search: by pgvector if the database has it, else in memory."""

from collections.abc import Collection, Sequence
from functools import cache
from typing import TYPE_CHECKING

from django.db import connection

from agents.local_models import embeddings
from agents.storage.raw_sql import placeholders
from conversations.models import Embedding
from conversations.search import vector_cache
from conversations.search.permissions import DOCUMENT, Reader, published_ids, readable_document_ids

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    type Vector = NDArray[np.floating]

COMPARED_ANEW = 50
"""Number of extra candidates, because one-byte vectors can be ranked in a slightly wrong order."""
STORED = "SELECT passage_id, vector FROM conversations_embedding WHERE model_id = %s AND passage_id IN ({})"
STORED_IN_POSTGRESQL = """
    INSERT INTO conversations_embedding (passage_id, text_id, model_id, meaning) VALUES (%s, %s, %s, %s::halfvec)"""
NEAREST_IN_POSTGRESQL = """
    SELECT passage_id, -(meaning <#> %s::halfvec) FROM conversations_embedding
    WHERE model_id = %s AND text_id = ANY(%s) ORDER BY meaning <#> %s::halfvec LIMIT %s"""


def store(rows: Sequence[tuple[int, str, "Vector"]]) -> None:
    """Store the vectors of passages, with the ids of passages and texts. They had none before."""
    import numpy as np

    if has_pgvector():
        with connection.cursor() as cursor:
            cursor.executemany(
                STORED_IN_POSTGRESQL, [(pk, text, embeddings.model_id, _as_text(vector)) for pk, text, vector in rows]
            )
        return
    Embedding.objects.bulk_create(
        Embedding(passage_id=pk, text_id=text, model_id=embeddings.model_id, vector=vector.astype(np.float16).tobytes())
        for pk, text, vector in rows
    )


def load() -> None:
    """Load the vector cache, if it is empty."""
    if not has_pgvector() and not vector_cache.is_loaded():
        vector_cache.refresh()


def is_loaded() -> bool:
    """Return whether the vectors can be compared at once. Queries nothing."""
    return has_pgvector.cache_info().currsize > 0 and (has_pgvector() or vector_cache.is_loaded())


def nearest(person: Reader, vector: "Vector", *, kinds: Collection[str], limit: int) -> list[tuple[int, float]]:
    """Return the ids of the passages nearest in meaning that the person may read, with their cosines, nearest first.

    Whoever reads their text checks the permission of each passage: they are compared by what they belong to.
    """
    compared = _compared_in_postgresql if has_pgvector() else _compared_in_memory
    cosines = compared(vector, _texts(person, kinds), limit=limit)
    return sorted(cosines.items(), key=lambda found: -found[1])[:limit]


def _texts(person: Reader, kinds: Collection[str]) -> list[str]:
    documents = readable_document_ids(person) if DOCUMENT in kinds else ()
    return [str(pk) for pk in (*documents, *published_ids(kinds))]


def _compared_in_memory(vector: "Vector", texts: Sequence[str], *, limit: int) -> dict[int, float]:
    import numpy as np

    candidates = vector_cache.nearest(vector, texts, limit=limit + COMPARED_ANEW)
    rows = _stored_vectors(candidates)
    cosines = np.einsum("ij,j->i", vector_cache.decode_vectors(row for _pk, row in rows).astype(np.float32), vector)
    return {pk: float(cosine) for (pk, _row), cosine in zip(rows, cosines, strict=True)}


def _stored_vectors(passages: Sequence[int]) -> list[tuple[int, bytes]]:
    """Return the stored vectors of passages, each with its passage's id."""
    if not passages:
        return []
    # Not by the ORM, which prepares each of the many ids.
    with connection.cursor() as cursor:
        cursor.execute(STORED.format(placeholders(passages)), [embeddings.model_id, *passages])
        return list(cursor.fetchall())


def _compared_in_postgresql(vector: "Vector", texts: Sequence[str], *, limit: int) -> dict[int, float]:
    asked = _as_text(vector)
    with connection.cursor() as cursor:
        cursor.execute(NEAREST_IN_POSTGRESQL, [asked, embeddings.model_id, list(texts), asked, limit])
        return {pk: float(cosine) for pk, cosine in cursor.fetchall()}


def _as_text(vector: "Vector") -> str:
    return f"[{','.join(f'{number:.6g}' for number in vector.tolist())}]"


@cache
def has_pgvector() -> bool:
    """Return whether the migration found the extension. Queries once per process."""
    if connection.vendor != "postgresql":
        return False
    with connection.cursor() as cursor:
        columns = connection.introspection.get_table_description(cursor, Embedding._meta.db_table)
    return any(column.name == "meaning" for column in columns)
