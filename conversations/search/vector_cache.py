"""Vector cache in the process's memory: compares a hundred thousand vectors in about ten milliseconds.

One byte per number; the best results are compared again with the stored vectors. Each search first asks the database
whether vectors were added or deleted, by any process.
"""

import threading
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import batched
from typing import TYPE_CHECKING

from django.db import connection

from agents.local_models import embeddings
from conversations.models import Embedding

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    type Vector = NDArray[np.floating]

READ_AT_ONCE = 2_000
LARGEST_BYTE = 127
STAMP = "SELECT COUNT(*), COALESCE(MAX(id), 0), COALESCE(SUM(id), 0) FROM conversations_embedding"
_COLUMNS = ("pk", "passage_id", "text_id", "vector")


@dataclass(frozen=True, slots=True, kw_only=True)
class CachedVectors:
    """Vectors by row: immutable, replaced as a whole."""

    stamp: tuple[int, int, int]
    """The embeddings' count, last id and sum of ids, which change whenever any are added or deleted."""
    ids: "NDArray[np.int64]"
    """Ids of the embeddings, ascending."""
    passages: "NDArray[np.int64]"
    texts: "NDArray[np.int32]"
    """Numbers of the texts, as in `numbers`."""
    rows: "NDArray[np.int8]"
    scales: "NDArray[np.float32]"
    numbers: dict[str, int] = field(default_factory=dict)
    """Text id → number."""


_kept: CachedVectors | None = None
_refreshing = threading.Lock()


def nearest(vector: "Vector", texts: Collection[str], *, limit: int) -> list[int]:
    """Return the ids of the approximately nearest passages among those of some texts; in no order."""
    import numpy as np

    kept = refresh()
    numbers = [kept.numbers[key] for key in texts if key in kept.numbers]
    places = np.flatnonzero(np.isin(kept.texts, numbers))
    rows = kept.rows if len(places) == len(kept.rows) else kept.rows[places]
    # Not `@`: its threads wait for each other on a busy machine.
    scores = np.einsum("ij,j->i", rows, vector) * kept.scales[places]
    if len(places) > limit:
        places = places[np.argpartition(scores, -limit)[-limit:]]
    return [int(pk) for pk in kept.passages[places]]


def refresh() -> CachedVectors:
    """Return the cached vectors, updated from the database."""
    global _kept
    stamp = _stamp()
    with _refreshing:
        if _kept is None or _kept.stamp != stamp:
            _kept = _updated(_kept or _empty(), stamp)
        return _kept


def is_loaded() -> bool:
    return _kept is not None


def clear() -> None:
    """Clear the cache."""
    global _kept
    with _refreshing:
        _kept = None


def decode_vectors(stored: "Iterable[bytes | memoryview | None]") -> "NDArray[np.float16]":
    """Return stored vectors as rows [n, 384]."""
    import numpy as np

    joined = np.frombuffer(b"".join(each or b"" for each in stored), dtype=np.float16)
    return joined.reshape(-1, embeddings.DIMENSIONS)


def _stamp() -> tuple[int, int, int]:
    # Not by the ORM, which takes longer to write this query than the database to answer it; every search asks it.
    with connection.cursor() as cursor:
        cursor.execute(STAMP)
        number, last, total = cursor.fetchone()
    return (number, int(last), int(total))


def _empty() -> CachedVectors:
    import numpy as np

    return CachedVectors(
        stamp=(0, 0, 0),
        ids=np.empty(0, dtype=np.int64),
        passages=np.empty(0, dtype=np.int64),
        texts=np.empty(0, dtype=np.int32),
        rows=np.empty((0, embeddings.DIMENSIONS), dtype=np.int8),
        scales=np.empty(0, dtype=np.float32),
    )


def _updated(kept: CachedVectors, stamp: tuple[int, int, int]) -> CachedVectors:
    """Return the cache without deleted vectors and with new ones."""
    import numpy as np

    usable = Embedding.objects.filter(model_id=embeddings.model_id)
    there = np.fromiter(usable.order_by("pk").values_list("pk", flat=True).iterator(), dtype=np.int64)
    stays = np.isin(kept.ids, there)
    new = np.setdiff1d(there, kept.ids, assume_unique=True)
    numbers = dict(kept.numbers)
    parts = [(kept.ids[stays], kept.passages[stays], kept.texts[stays], kept.rows[stays], kept.scales[stays])]
    parts.extend(_read(new.tolist(), numbers))
    ids, passages, texts, rows, scales = (np.concatenate(columns) for columns in zip(*parts, strict=True))
    return CachedVectors(
        stamp=stamp, ids=ids, passages=passages, texts=texts, rows=rows, scales=scales, numbers=numbers
    )


type _Columns = tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int32], NDArray[np.int8], NDArray[np.float32]]
"""Ids, passages, texts, rows and scales, as in `CachedVectors`."""


def _read(new: Sequence[int], numbers: dict[str, int]) -> "Iterator[_Columns]":
    """Yield the stored vectors of these ids, in batches; texts without a number get one."""
    import numpy as np

    for portion in batched(new, READ_AT_ONCE, strict=False):
        stored = Embedding.objects.filter(pk__in=portion).order_by("pk").values_list(*_COLUMNS)
        columns = list(zip(*stored, strict=True))
        if not columns:
            continue
        ids, passages, texts, vectors = columns
        floats = decode_vectors(vectors).astype(np.float32)
        scales = (np.abs(floats).max(axis=1) / LARGEST_BYTE).astype(np.float32)
        yield (
            np.array(ids, dtype=np.int64),
            np.array(passages, dtype=np.int64),
            np.array([numbers.setdefault(key, len(numbers)) for key in texts], dtype=np.int32),
            np.rint(floats / scales[:, None]).astype(np.int8),
            scales,
        )
