"""Stored vectors, and which of them are nearest: by pgvector where the database has it, else by numbers kept in memory."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from agents import embeddings
from conversations.models import Embedding

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    type Vector = NDArray[np.floating]


def store(rows: Sequence[tuple[int, "Vector"]]) -> None:
    """Store what passages mean, by their ids. They had no vector before."""
    import numpy as np

    Embedding.objects.bulk_create(
        Embedding(passage_id=pk, model_id=embeddings.model_id, vector=vector.astype(np.float16).tobytes())
        for pk, vector in rows
    )
