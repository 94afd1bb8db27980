"""What learners answered in a course, in the order in which they did."""

from typing import NamedTuple


class WeighedAnswer(NamedTuple):
    """One answer that was weighed."""

    learner: int
    concept: str
    item: str
    kind: str
    """As the chances of guessing see it: see `mastery.guess_of`."""
    offset: float
    """What the item's author thought of its difficulty: + is easier, in logits."""
    correct: bool | None
    """None for an opportunity that measured nothing."""
    placed: float | None = None
    """Where a placement let the learner's belief in the concept begin (0–1); None without one."""
