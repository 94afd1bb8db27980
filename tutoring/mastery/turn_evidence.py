"""A learner's turns and answers as evidence for affect and milestones."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class LearnerTurn:
    """One turn of the learner as evidence for affect: mood of the words, latency, answer."""

    text: str
    mood: str = "ok"
    """The mood by the turn's analysis: `confused`, `frustrated`, `bored`, `sad`, else `ok`."""
    sure: float = 0.0
    """The probability of that mood."""
    latency_s: float | None = None
    """Seconds from the end of the previous reply; None if not measured."""
    correct: bool | None = None
    """The verdict on an answer; None for a message."""
    expected: float | None = None
    """Predicted probability (0–1) of a right answer."""
    assisted: bool = False
    """The answer was given with help."""
    hints: int = 0
    """Hints taken since the previous exchange."""
    milestones: Mapping[str, str] = field(default_factory=dict)
    """Milestones that the words state, each with the quote."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MilestoneUse:
    """An answer that may show a milestone in use."""

    template: str
    correct: bool
    assisted: bool
