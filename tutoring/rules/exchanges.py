"""What a learner said or answered, as the rules of milestones and of how it goes take it."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """One turn of the learner's, as an affect detector sees it: no content but the words, no sensor but the clock."""

    text: str
    latency_s: float | None = None
    """From the end of the reply before it to the message or answer; None where nobody measured."""
    correct: bool | None = None
    """How an answer was judged; None for a message."""
    expected: float | None = None
    """The chance (0–1) that it would be right, as predicted before it."""
    hints: int = 0
    """Hints taken since the exchange before."""
    first_hint_s: float | None = None
    """How soon after the question the first of them was asked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Use:
    """An answer that may show a milestone in use."""

    template: str
    correct: bool
    assisted: bool
