"""A wrong answer that a course lists, with the misconception behind it."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class WrongAnswer:
    """A question and a wrong answer to it."""

    question: str
    answer: str
