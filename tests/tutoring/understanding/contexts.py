"""Contexts of the shipped course, for messages said in them."""

from functools import cache
from typing import Any

from tests.tutoring.lessons.lesson_player import fractions
from tutoring.courses.catalogue import CourseContent
from tutoring.courses.exercises.generator import make_exercise
from tutoring.understanding.context import Context, PastMessage, Prompt
from tutoring.understanding.model_reading.schema import AllowedMove

MOVES = (
    AllowedMove(id="answer_question", line="Answer the learner's question shortly, from the lesson."),
    AllowedMove(id="not_in_material", line="Say that the material does not answer it, and offer two ways on."),
    AllowedMove(
        id="meet_feeling", line="Meet what the learner tells of themselves in one sentence, and offer a choice."
    ),
    AllowedMove(id="hint", line="Give the next hint."),
    AllowedMove(id="go_on", line="Go on to the next step."),
)


@cache
def course() -> CourseContent:
    return fractions().course


def lesson(concept: str = "compare-unit-fractions", **more: Any) -> Context:
    """Return the context of a lesson in which the first open question waits."""
    taught = course().concept(concept)
    piece = taught.pieces["beginner"][0]
    asked = Prompt(
        id=piece.id, kind="piece", text=piece.question, picture="Two round pizzas, one in 4 and one in 8 slices"
    )
    given = {"prompts": (asked,), "history": (PastMessage(author="team", text=f"Two pizzas. {piece.question}"),)} | more
    return Context(course=course(), concept=taught, courses=(course(),), **given)


def quiz(concept: str, template: str, *, seed: int = 3, **more: Any) -> Context:
    """Return the context of an open question on a card."""
    taught = course().concept(concept)
    on_card = make_exercise(course().template(template), seed=seed, course=course())
    asked = Prompt(id="q1", kind="question", text=on_card.stem, instance=on_card)
    return Context(course=course(), concept=taught, courses=(course(),), prompts=(asked,), **more)
