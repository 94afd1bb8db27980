"""Limits of a quiz that a course may set: questions, rounds."""

from dataclasses import dataclass
from typing import Final

MAXIMUM_CYCLES: Final = 5
MINIMUM_QUESTIONS: Final = 3
MAXIMUM_QUESTIONS: Final = 10
MAXIMUM_PER_CONCEPT: Final = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class QuizLimits:
    """The most that one quiz asks, as a course may set it. A quiz of its least comes first, on one concept if need be."""

    questions: int = MAXIMUM_QUESTIONS
    """3–10."""
    per_concept: int = MAXIMUM_PER_CONCEPT
    """1–3."""


DEFAULT_LIMITS: Final = QuizLimits()
