"""A substitute once a learner has seen all examples of a lesson: an exercise with new numbers, worked out."""

import uuid
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tutoring.courses.catalogue import Blocks, Template
from tutoring.courses.exercises.exercise import Exercise
from tutoring.courses.exercises.generator import make_exercise
from tutoring.lesson.facts import LessonFacts
from tutoring.roles.explanation import pace
from tutoring.roles.speech.answer_guard import safe_blocks
from tutoring.roles.wording import renderer

DRAWS_AT_MOST = 4
"""Exercises drawn from a template, at most, until one is new."""
MOST_WORDS = 50
"""Words of an exercise and its solution: short enough to read at once with the sentence before it."""
EASIEST_FIRST = ("easy", "medium", "hard")


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkedExample:
    """An exercise with its solution, and the id under which it counts as a shown example."""

    id: str
    blocks: Blocks


def substitute_example(facts: LessonFacts, explained: Sequence[str], *, in_quiz: bool = False) -> WorkedExample | None:
    """Return a worked exercise, never one shown before, for a learner who asks for an example.

    None while the lesson has an unseen example that can be shown here, and if none fits: it is never of the open
    question's kind, and does not give its answer away.
    """
    if pace.requested_pace(facts) != "simplify" or pace.unseen_examples(facts, explained, worked=in_quiz):
        return None
    seen = {*explained, *facts.examples_shown}
    drawn = (_worked(exercise) for exercise in _drawn(facts))
    fitting = [each for each in drawn if each.id not in seen and _may_be_shown(facts, each)]
    return next((each for each in fitting if _is_fresh(each, facts)), fitting[0] if fitting else None)


def _is_fresh(worked: WorkedExample, facts: LessonFacts) -> bool:
    """Tell whether nothing of it was told a moment ago, such as in the worked twin of a question."""
    return all(renderer.unless_told(each, facts) for each in worked.blocks if isinstance(each, str))


def _drawn(facts: LessonFacts) -> Iterator[Exercise]:
    """Yield exercises with changing numbers: least shown first, then the easiest."""
    waiting = facts.open_instance.template if facts.open_instance else ""
    fitting = [each for each in facts.concept.templates if _can_be_shown(each) and each.id != waiting]
    fitting.sort(key=lambda each: (_times_shown(facts, each), EASIEST_FIRST.index(each.difficulty)))
    for template in fitting:
        for more in range(DRAWS_AT_MOST):
            yield make_exercise(template, seed=facts.seed + more, course=facts.course)


def _can_be_shown(template: Template) -> bool:
    """Tell whether showing it solved leaves other questions of its kind, and whether its answer is worked out."""
    return bool(template.params) and template.constructed and template.kind != "text"


def _may_be_shown(facts: LessonFacts, worked: WorkedExample) -> bool:
    words = sum(len(block.split()) for block in worked.blocks if isinstance(block, str))
    return words <= MOST_WORDS and safe_blocks(facts, worked.blocks) == worked.blocks


def _times_shown(facts: LessonFacts, template: Template) -> int:
    return sum(each.startswith(f"{template.id}/") for each in facts.examples_shown)


def _worked(exercise: Exercise) -> WorkedExample:
    picture = (exercise.picture,) if exercise.picture else ()
    numbers = uuid.uuid5(uuid.NAMESPACE_OID, exercise.stem).hex[:8]
    return WorkedExample(
        id=f"{exercise.template}/{numbers}", blocks=(exercise.stem, *picture, "\n\n".join(exercise.solution))
    )
