"""What a learner said or answered, as the rules of milestones and of how it goes take it."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class LearnerTurn:
    """One turn of the learner's, as it counts for how it goes: what its analysis made of the words, the clock and the answer."""

    text: str
    mood: str = "ok"
    """What the words say of it, by the turn's analysis: `confused`, `frustrated`, `bored`, `sad`, else `ok`."""
    sure: float = 0.0
    """The probability of that mood."""
    latency_s: float | None = None
    """From the end of the reply before it to the message or answer; None where nobody measured."""
    correct: bool | None = None
    """How an answer was judged; None for a message."""
    expected: float | None = None
    """The chance (0–1) that it would be right, as predicted before it."""
    assisted: bool = False
    """The answer was given with help."""
    hints: int = 0
    """Hints taken since the exchange before."""
    milestones: Mapping[str, str] = field(default_factory=dict)
    """Milestones that the words say, each with the quote."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MilestoneUse:
    """An answer that may show a milestone in use."""

    template: str
    correct: bool
    assisted: bool
