"""Grade answers, texts by their meaning too: short texts as vectors, alike where the texts mean alike."""

from collections.abc import Sequence

from agents.errors import EmbeddingModelMissing
from agents.local_models import embeddings
from tutoring.grading import AnswerKey, Embed, Judgement, grade


def grade_by_meaning(key: AnswerKey, answer: str) -> Judgement:
    """Return the judgement of an answer; a text is compared with reference answers by its meaning, not by words alone.

    Without the sentence model, also one that does not load, the words decide. Within a transaction ModelNeeded may be
    raised (`agents.storage.transactions.rerun_after_inference`).
    """
    try:
        return grade(key, answer, embed=text_embedding())
    except EmbeddingModelMissing:
        return grade(key, answer)


def text_embedding() -> Embed | None:
    """Return what makes vectors of texts; None where the sentence model is missing. Loads nothing yet."""
    return _vectors if embeddings.is_available() else None


def _vectors(texts: tuple[str, ...]) -> Sequence[Sequence[float]]:
    """Return a vector of length 1 for each text. The model is run once for all of them."""
    rows: list[list[float]] = embeddings.embed(texts).tolist()
    return rows
