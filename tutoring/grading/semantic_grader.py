"""Grades answers with what must run before: the sentence model for texts, the sandbox for programs."""

from collections.abc import Sequence

from agents.errors import EmbeddingModelMissing
from agents.local_models import embeddings
from tutoring.grading import AnswerKey, Embed, Judgement, grade, programs_to_run
from tutoring.grading.program_runner import run_outcomes


def grade_by_meaning(key: AnswerKey, answer: str) -> Judgement:
    """Return the judgement of an answer; a text is compared with reference answers by meaning as well as by words.

    If the sentence model is missing or does not load, words decide. A program runs in the sandbox first. Within a
    transaction InferenceNeeded may be raised (`agents.storage.transactions.rerun_after_inference`).
    """
    if programs := programs_to_run(key, answer):
        return grade(key, answer, outcomes=run_outcomes(programs))
    try:
        return grade(key, answer, embed=text_embedding())
    except EmbeddingModelMissing:
        return grade(key, answer)


def text_embedding() -> Embed | None:
    """Return the embedding function; None if the sentence model is missing. Does not load it."""
    return _vectors if embeddings.is_available() else None


def _vectors(texts: tuple[str, ...]) -> Sequence[Sequence[float]]:
    """Return a vector of length 1 for each text, all in one run of the model."""
    rows: list[list[float]] = embeddings.embed(texts).tolist()
    return rows
