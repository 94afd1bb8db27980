"""The answers of a course's learners, in order."""

from typing import NamedTuple


class WeighedAnswer(NamedTuple):
    """One answer of the history."""

    learner: int
    concept: str
    item: str
    kind: str
    """The kind for `knowledge_tracing.guess_chance`."""
    offset: float
    """The author's difficulty in logits: + is easier."""
    correct: bool | None
    """None for an opportunity without evidence."""
    placed: float | None = None
    """Initial probability (0–1) from a placement; None without one."""
