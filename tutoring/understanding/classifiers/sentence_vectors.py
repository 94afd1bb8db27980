"""The embeddings of one message's sentences, computed in one batch."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from agents.errors import EmbeddingModelMissing
from agents.local_models import embeddings
from tutoring.understanding.classifiers.features import meaning_vector
from tutoring.understanding.parsing.claimed_sentences import ClaimedSentence
from tutoring.understanding.parsing.spelling_cleanup import tidy_text

if TYPE_CHECKING:
    from tutoring.understanding.classifiers.features import Vector


def sentence_vectors(said: Sequence[ClaimedSentence]) -> "Sequence[Vector] | None":
    """Return the embedding of each sentence; None without the sentence model. 4 ms; cached."""
    try:
        if len(said) == 1:
            return [meaning_vector(tidy_text(said[0].words))]
        return list(embeddings.embed_clauses([tidy_text(each.words) for each in said]))
    except EmbeddingModelMissing:
        return None
