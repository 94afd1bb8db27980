"""Stored vectors, and which of them are nearest: by pgvector where the database has it, else in the process's memory."""

from collections.abc import Collection, Sequence
from functools import cache
from typing import TYPE_CHECKING

from django.db import connection

from agents import embeddings
from agents.people import Person
from conversations.models import Embedding, Publication
from conversations.searching import memory
from conversations.searching.readable import DOCUMENT, readable_documents, readable_passages

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    type Vector = NDArray[np.floating]

COMPARED_ANEW = 50
"""More than wanted, that memory's bytes may have in the wrong order."""
STORED_IN_POSTGRESQL = (
    "INSERT INTO conversations_embedding (passage_id, model_id, meaning) VALUES (%s, %s, %s::halfvec)"
)
NEAREST_IN_POSTGRESQL = """
    SELECT passage_id, -(meaning <#> %s::halfvec) FROM conversations_embedding
    WHERE model_id = %s AND passage_id IN ({readable}) ORDER BY meaning <#> %s::halfvec LIMIT %s"""


def store(rows: Sequence[tuple[int, "Vector"]]) -> None:
    """Store what passages mean, by their ids. They had no vector before."""
    import numpy as np

    if has_pgvector():
        with connection.cursor() as cursor:
            cursor.executemany(
                STORED_IN_POSTGRESQL, [(pk, embeddings.model_id, _as_text(vector)) for pk, vector in rows]
            )
        return
    Embedding.objects.bulk_create(
        Embedding(passage_id=pk, model_id=embeddings.model_id, vector=vector.astype(np.float16).tobytes())
        for pk, vector in rows
    )


def nearest(person: Person, vector: "Vector", *, kinds: Collection[str], limit: int) -> list[tuple[int, float]]:
    """Return the ids of the passages nearest in meaning that the person may read, with their cosines, nearest first."""
    if has_pgvector():
        return _nearest_in_postgresql(person, vector, kinds=kinds, limit=limit)
    import numpy as np

    candidates = memory.nearest(vector, _texts(person, kinds), limit=limit + COMPARED_ANEW)
    stored = Embedding.objects.filter(pk__in=candidates, passage__in=readable_passages(person, kinds))
    rows = list(stored.values_list("passage_id", "vector"))
    cosines = memory.halves(row for _pk, row in rows).astype(np.float32) @ vector
    return [(rows[place][0], float(cosines[place])) for place in np.argsort(-cosines)[:limit]]


def _texts(person: Person, kinds: Collection[str]) -> list[memory.TextKey]:
    documents = readable_documents(person).values_list("pk", flat=True) if DOCUMENT in kinds else ()
    return [*documents, *Publication.objects.filter(kind__in=kinds).values_list("pk", flat=True)]


def _nearest_in_postgresql(
    person: Person, vector: "Vector", *, kinds: Collection[str], limit: int
) -> list[tuple[int, float]]:
    readable, parameters = readable_passages(person, kinds).values("pk").query.sql_with_params()
    asked = _as_text(vector)
    with connection.cursor() as cursor:
        cursor.execute(
            NEAREST_IN_POSTGRESQL.format(readable=readable),
            [asked, embeddings.model_id, *parameters, asked, limit],
        )
        return [(pk, float(cosine)) for pk, cosine in cursor.fetchall()]


def _as_text(vector: "Vector") -> str:
    return f"[{','.join(f'{number:.6g}' for number in vector.tolist())}]"


@cache
def has_pgvector() -> bool:
    """Tell whether migration 0009 found the extension. Asks once a process."""
    if connection.vendor != "postgresql":
        return False
    with connection.cursor() as cursor:
        columns = connection.introspection.get_table_description(cursor, Embedding._meta.db_table)
    return any(column.name == "meaning" for column in columns)
