"""The sentence embeddings of reference wordings, to find the nearest one to a message."""

from functools import lru_cache
from typing import TYPE_CHECKING

from agents.local_models import embeddings

if TYPE_CHECKING:
    from tutoring.understanding.classifiers.features import Vector


# Those of the system, and two for each course: 15 courses, each with under a thousand wordings in 1.5 MB.
@lru_cache(maxsize=32)
def embed_wordings(wordings: tuple[str, ...]) -> "Vector":
    """Return the embeddings of reference wordings [n, 384]; about 1 ms each, once. Raises EmbeddingModelMissing."""
    return embeddings.embed([each.lower() for each in wordings])
