"""Vectors kept in a process's memory, so that a hundred thousand are compared in some ten milliseconds.

A byte a number: what comes out on top is compared anew by what is stored. Each search first asks the database whether
vectors came or went, whichever process stored or deleted them.
"""

import threading
from collections.abc import Collection, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import batched
from typing import TYPE_CHECKING

from django.db.models import Count, Max, Sum

from agents import embeddings
from conversations.models import Embedding

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    type Vector = NDArray[np.floating]

type TextKey = Hashable
"""A document's id or a publication's: what rights are of."""

READ_AT_ONCE = 2_000
COMPARED_AT_ONCE = 1_024
"""Rows made floats together: they fit into a core's cache."""
LARGEST_BYTE = 127
_COLUMNS = ("pk", "passage__document_id", "passage__publication_id", "vector")


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """Vectors by row: never changed, but replaced as a whole."""

    stamp: tuple[int, int, int]
    """How many there are, their last id, and the sum of them: another one whenever any came or went."""
    ids: "NDArray[np.int64]"
    """Rising."""
    texts: "NDArray[np.int32]"
    """Numbers of the texts, as `numbers` has them."""
    rows: "NDArray[np.int8]"
    scales: "NDArray[np.float32]"
    numbers: dict[TextKey, int] = field(default_factory=dict)


_kept: Kept | None = None
_refreshing = threading.Lock()


def nearest(vector: "Vector", texts: Collection[TextKey], *, limit: int) -> list[int]:
    """Return the ids of the embeddings that are nearest, about, among those of some texts; in no order."""
    import numpy as np

    kept = refreshed()
    numbers = [kept.numbers[key] for key in texts if key in kept.numbers]
    places = np.flatnonzero(np.isin(kept.texts, numbers))
    scores = _compared(kept, vector.astype(np.float32), places)
    if len(places) > limit:
        places = places[np.argpartition(scores, -limit)[-limit:]]
    return [int(pk) for pk in kept.ids[places]]


def _compared(kept: Kept, vector: "Vector", places: "NDArray[np.intp]") -> "Vector":
    import numpy as np

    scores = np.empty(len(places), dtype=np.float32)
    floats = np.empty((COMPARED_AT_ONCE, embeddings.DIMENSIONS), dtype=np.float32)
    everything = len(places) == len(kept.ids)
    for start in range(0, len(places), COMPARED_AT_ONCE):
        end = min(start + COMPARED_AT_ONCE, len(places))
        some = floats[: end - start]
        np.copyto(some, kept.rows[start:end] if everything else kept.rows[places[start:end]])
        np.dot(some, vector, out=scores[start:end])
    scores *= kept.scales[places]
    return scores


def refreshed() -> Kept:
    """Return what is kept, in step with the database."""
    global _kept
    stamp = _stamp()
    with _refreshing:
        if _kept is None or _kept.stamp != stamp:
            _kept = _caught_up(_kept or _nothing(), stamp)
        return _kept


def forget() -> None:
    """Keep nothing."""
    global _kept
    with _refreshing:
        _kept = None


def halves(stored: "Iterable[bytes | memoryview | None]") -> "NDArray[np.float16]":
    """Return stored vectors as rows [n, 384]."""
    import numpy as np

    joined = np.frombuffer(b"".join(each or b"" for each in stored), dtype=np.float16)
    return joined.reshape(-1, embeddings.DIMENSIONS)


def _stamp() -> tuple[int, int, int]:
    found = Embedding.objects.aggregate(number=Count("pk"), last=Max("pk"), total=Sum("pk"))
    return (found["number"], found["last"] or 0, found["total"] or 0)


def _nothing() -> Kept:
    import numpy as np

    return Kept(
        stamp=(0, 0, 0),
        ids=np.empty(0, dtype=np.int64),
        texts=np.empty(0, dtype=np.int32),
        rows=np.empty((0, embeddings.DIMENSIONS), dtype=np.int8),
        scales=np.empty(0, dtype=np.float32),
    )


def _caught_up(kept: Kept, stamp: tuple[int, int, int]) -> Kept:
    """Return what is kept without what is gone, and with what is new."""
    import numpy as np

    usable = Embedding.objects.filter(model_id=embeddings.model_id)
    there = np.fromiter(usable.order_by("pk").values_list("pk", flat=True).iterator(), dtype=np.int64)
    stays = np.isin(kept.ids, there)
    new = np.setdiff1d(there, kept.ids, assume_unique=True)
    numbers = dict(kept.numbers)
    ids, texts, rows, scales = [kept.ids[stays]], [kept.texts[stays]], [kept.rows[stays]], [kept.scales[stays]]
    for some_ids, keys, some_rows, some_scales in _read(new.tolist()):
        ids.append(some_ids)
        texts.append(np.array([numbers.setdefault(key, len(numbers)) for key in keys], dtype=np.int32))
        rows.append(some_rows)
        scales.append(some_scales)
    return Kept(
        stamp=stamp,
        ids=np.concatenate(ids),
        texts=np.concatenate(texts),
        rows=np.concatenate(rows),
        scales=np.concatenate(scales),
        numbers=numbers,
    )


type _Portion = tuple[NDArray[np.int64], list[TextKey], NDArray[np.int8], NDArray[np.float32]]


def _read(new: Sequence[int]) -> "Iterator[_Portion]":
    """Yield what is stored under those ids, in portions: ids, whose they are, bytes, and what a byte stands for."""
    import numpy as np

    for portion in batched(new, READ_AT_ONCE, strict=False):
        stored = list(Embedding.objects.filter(pk__in=portion).order_by("pk").values_list(*_COLUMNS))
        if not stored:
            continue
        floats = halves(row[3] for row in stored).astype(np.float32)
        scales = (np.abs(floats).max(axis=1) / LARGEST_BYTE).astype(np.float32)
        rows = np.rint(floats / scales[:, None]).astype(np.int8)
        keys: list[TextKey] = [document or publication for _pk, document, publication, _vector in stored]
        yield np.array([row[0] for row in stored], dtype=np.int64), keys, rows, scales
