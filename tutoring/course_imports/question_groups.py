"""Finds the topic of a question by its meaning."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from agents.errors import EmbeddingModelMissing
from agents.local_models import embeddings

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MOST: Final = 1_500
"""Questions that are compared: 3 ms each."""
CLOSE: Final = 0.4
"""Cosine from which a question belongs to a topic with which it shares no words. Chosen by hand."""
_TEXT: Final = 300


def closest_groups(texts: Sequence[str], groups: Sequence[str]) -> list[int | None]:
    """Return for each text the group whose text is most similar; None where none is similar enough."""
    if not texts or not groups or len(texts) > MOST:
        return [None] * len(texts)
    try:
        found, known = _vectors(texts), _vectors(groups)
    except EmbeddingModelMissing:
        return [None] * len(texts)
    return [int(row.argmax()) if row.max() >= CLOSE else None for row in found @ known.T]


def _vectors(texts: Sequence[str]) -> "NDArray[np.float32]":
    return embeddings.embed([" ".join(text.split())[:_TEXT] or "–" for text in texts])
