"""The meanings of the sentences of one message, read at once."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from agents.errors import EmbeddingModelMissing
from agents.local_models import embeddings
from tutoring.routing.spelling import tidy
from tutoring.understanding.features import meaning
from tutoring.understanding.stances import Claimed

if TYPE_CHECKING:
    from tutoring.understanding.features import Vector


def vectors(said: Sequence[Claimed]) -> "Sequence[Vector] | None":
    """Return the meaning of each sentence; None without the sentence model. 4 ms, next to nothing where they were read before."""
    try:
        if len(said) == 1:
            return [meaning(tidy(said[0].words))]
        return list(embeddings.embed_clauses([tidy(each.words) for each in said]))
    except EmbeddingModelMissing:
        return None
