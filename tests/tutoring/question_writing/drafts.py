"""Questions as a model might write them: good ones, and ways to spoil them."""

from typing import Any

from tests.tutoring.lessons.lesson_player import fractions
from tutoring.question_writing.drafts import CheckerAnswer, DraftQuestion
from tutoring.question_writing.prompt_material import WritingFacts

NUMERIC: dict[str, Any] = {
    "kind": "numeric",
    "stem": "Two friends cook soup for a feast. The pot holds 18 cups, and exactly one half is eaten. How many cups are left?",
    "choices": [],
    "answer": "9",
    "form": "whole",
    "solution": ["One half is eaten, so the other half is left.", "18 / 2 = 9"],
    "hints": [
        "How full is the pot before anybody eats?",
        "The two halves of a pot are the same size.",
        "If you pour the soup into two equal bowls, how much is in each?",
        "A jug holds 30 cups. One half of 30 is 15, since 15 + 15 = 30.",
    ],
    "difficulty": "easy",
}
CHOICE: dict[str, Any] = {
    "kind": "choice",
    "stem": "Mina and Ali share a melon. When has each of them got one half of it?",
    "choices": [
        {"text": "When there are two pieces, whatever their size.", "misconception": "any_two_pieces_are_halves"},
        {"text": "When their shares weigh the same and nothing is over.", "misconception": ""},
        {"text": "When each has a slice and some is over.", "misconception": "other"},
    ],
    "answer": "B",
    "form": "any",
    "solution": ["A half is one of two equal shares of the whole.", "So the shares weigh the same, with nothing over."],
    "hints": [
        "Think of the melon before it was cut.",
        "Half depends on how big a share is, not on how many cuts there were.",
        "Would a thin slice and a thick slice be fair?",
        "A rope is half as long as another if two of it make the other one.",
    ],
    "difficulty": "medium",
}


def draft(base: dict[str, Any] = NUMERIC, **changes: Any) -> DraftQuestion:
    return DraftQuestion.model_validate({**base, **changes})


def hint(number: int, text: str, base: dict[str, Any] = NUMERIC) -> list[str]:
    """Return the hints with one of them, counted from 1, put in its place."""
    return [text if place == number else each for place, each in enumerate(base["hints"], start=1)]


def choices(*others: tuple[str, str]) -> list[dict[str, str]]:
    """Return the right choice and these others: text and misconception."""
    return [CHOICE["choices"][1], *({"text": text, "misconception": name} for text, name in others)]


def solved(answer: str) -> CheckerAnswer:
    return CheckerAnswer(working="18 / 2", answer=answer)


def facts(**changes: Any) -> WritingFacts:
    course = fractions().course
    return WritingFacts(**{"order": 5, "course": course, "concept": course.concept("one-half"), **changes})
