"""The answers of the question writer and the checker, and the exercise made from a draft."""

from random import Random
from typing import Literal

from pydantic import BaseModel, Field

from tutoring.courses.catalogue import Difficulty
from tutoring.courses.exercises.exercise import Exercise, ExerciseChoice, written_template_id
from tutoring.grading import ChoiceKey, NumericKey, Unparsable, parse
from tutoring.grading.algebra.equality import Inexact
from tutoring.grading.algebra.exact_value import exact_value
from tutoring.grading.keys import AnswerKey

LETTERS = "ABCDEF"
FEWEST_CHOICES = 3
HINTS = 4
"""The fifth rung is the solution itself."""
LONGEST_NUMBER = 12
"""Characters of an answer, as a fraction in lowest terms."""
OTHER_MISCONCEPTION = "other"
"""Marks a wrong choice that no known misconception leads to."""


class DraftChoice(BaseModel):
    text: str
    misconception: str = Field(
        description='Id of the misconception that leads here, "other" for none of them, empty for the right choice.'
    )


class DraftQuestion(BaseModel):
    """A question as a model wrote it, unchecked."""

    kind: Literal["numeric", "choice"]
    stem: str = Field(description="The question, complete without a picture.")
    choices: tuple[DraftChoice, ...] = Field(description="Three to six, exactly one right; none for numeric.")
    answer: str = Field(description="The number; for choice the letter of the right one, A being the first.")
    form: Literal["any", "simplified", "fraction", "exact", "whole"] = Field(
        description="What a numeric answer must look like; any for choice."
    )
    solution: tuple[str, ...] = Field(description="The way to the answer, a line for each step; the last one says it.")
    hints: tuple[str, ...] = Field(
        description="Four: where to look, the idea behind it, a smaller question, a similar question solved."
    )
    difficulty: Literal["easy", "medium", "hard"]


class CheckerAnswer(BaseModel):
    """A solution by a checker that saw only the question."""

    working: str = Field(description="The steps, in short.")
    answer: str = Field(description="The answer alone: a number, or the letter of one choice.")


class UnusableDraft(ValueError):
    """A draft that makes no exercise; the text says why."""


def draft_to_exercise(draft: DraftQuestion, *, order: int, concept: str) -> Exercise:
    """Return the exercise made from a draft, always the same for the same order. Raises Unusable.

    Choices are shuffled: models like to put the right one in the same place.
    """
    if len(draft.hints) != HINTS:
        raise UnusableDraft(f"{len(draft.hints)} hints, not {HINTS}")
    if not draft.solution or not all(map(str.strip, (draft.stem, *draft.hints, *draft.solution))):
        raise UnusableDraft("an empty text")
    choices = _choices(draft, order)
    difficulty: Difficulty = draft.difficulty
    return Exercise(
        template=written_template_id(order),
        seed=0,
        concept=concept,
        kind=draft.kind,
        difficulty=difficulty,
        stem=draft.stem.strip(),
        key=_key(draft, choices),
        hints=(*draft.hints, "\n\n".join(draft.solution)),
        solution=draft.solution,
        choices=tuple(choice for choice, _is_right in choices),
        wrong={choice.letter: (choice.misconception,) for choice, _is_right in choices if choice.misconception},
    )


def _choices(draft: DraftQuestion, order: int) -> list[tuple[ExerciseChoice, bool]]:
    """Return the choices as shown, each with whether it is the right one."""
    if draft.kind == "numeric":
        if draft.choices:
            raise UnusableDraft("choices beside a number")
        return []
    right = _right_letter(draft)
    places = list(range(len(draft.choices)))
    Random(written_template_id(order)).shuffle(places)
    written = [(draft.choices[place], LETTERS[place] == right) for place in places]
    return [
        (_to_choice(letter, choice, is_right=is_right), is_right)
        for letter, (choice, is_right) in zip(LETTERS, written, strict=False)
    ]


def _right_letter(draft: DraftQuestion) -> str:
    """Return the letter of the right choice. Raises UnusableDraft for choices that cannot be asked."""
    if not FEWEST_CHOICES <= len(draft.choices) <= len(LETTERS):
        raise UnusableDraft(f"{len(draft.choices)} choices")
    if not all(choice.text.strip() for choice in draft.choices):
        raise UnusableDraft("an empty choice")
    right = draft.answer.strip().rstrip(".)").upper()
    if right not in LETTERS[: len(draft.choices)] or len(right) != 1:
        raise UnusableDraft(f"no choice is called {draft.answer[:20]!r}")
    return right


def _to_choice(letter: str, choice: DraftChoice, *, is_right: bool) -> ExerciseChoice:
    named = choice.misconception.strip()
    known = None if is_right or named in ("", OTHER_MISCONCEPTION) else named
    return ExerciseChoice(letter=letter, text=choice.text.strip(), misconception=known)


def _key(draft: DraftQuestion, choices: list[tuple[ExerciseChoice, bool]]) -> AnswerKey:
    if draft.kind == "numeric":
        return NumericKey(value=_number(draft.answer), form=draft.form)
    right = next(choice.letter for choice, is_right in choices if is_right)
    return ChoiceKey(right=right, options=tuple((choice.letter, choice.text) for choice, _is_right in choices))


def _number(answer: str) -> str:
    try:
        value = str(exact_value(parse(answer)))
    except (Unparsable, Inexact):
        raise UnusableDraft(f"no number: {answer[:20]!r}") from None
    if len(value) > LONGEST_NUMBER:
        raise UnusableDraft("a number of many digits")
    return value
