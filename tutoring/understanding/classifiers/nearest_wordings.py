"""The nearest of reference wordings to a message, by the cosine of their sentence embeddings."""

from functools import lru_cache
from typing import TYPE_CHECKING

from agents.errors import EmbeddingModelMissing
from agents.local_models import embeddings
from tutoring.understanding.classifiers.features import meaning_vector

if TYPE_CHECKING:
    from tutoring.understanding.classifiers.features import Vector


def find_nearest_wording(text: str, wordings: tuple[str, ...]) -> tuple[int, float]:
    """Return the place of the nearest wording and its cosine (-1 to 1); (0, 0.0) without wordings or sentence model."""
    if not wordings:
        return 0, 0.0
    try:
        likeness = embed_wordings(wordings) @ meaning_vector(text)
    except EmbeddingModelMissing:
        return 0, 0.0
    nearest = int(likeness.argmax())
    return nearest, float(likeness[nearest])


# Those of the system, and two for each course: 15 courses, each with under a thousand wordings in 1.5 MB.
@lru_cache(maxsize=32)
def embed_wordings(wordings: tuple[str, ...]) -> "Vector":
    """Return the embeddings of reference wordings [n, 384]; about 1 ms each, once. Raises EmbeddingModelMissing."""
    return embeddings.embed([each.lower() for each in wordings])
