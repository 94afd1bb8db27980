"""Short texts as vectors, alike where the texts mean alike, for grading: the sentence model, where it is there."""

from collections.abc import Sequence

from agents import embeddings
from tutoring.grading import Embed


def text_embedding() -> Embed | None:
    """Return what makes vectors of texts; None where the sentence model is missing. Loads nothing yet."""
    return _vectors if embeddings.is_available() else None


def _vectors(texts: tuple[str, ...]) -> Sequence[Sequence[float]]:
    """Return a vector of length 1 for each text. Each is read alone: a row differs by a hundredth with its neighbours."""
    rows: list[list[float]] = [embeddings.embed([text])[0].tolist() for text in texts]
    return rows
