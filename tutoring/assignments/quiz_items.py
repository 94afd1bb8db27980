"""The questions of an assigned quiz: drawn from the topics' templates, the same for the same seed."""

from collections.abc import Sequence
from random import Random
from typing import Final

from django.db import transaction

from tutoring.courses.catalogue import CourseContent, Template
from tutoring.courses.exercises import serialization
from tutoring.courses.exercises.exercise import Exercise
from tutoring.courses.exercises.generator import NoExercise, make_exercise
from tutoring.models import Assignment, Concept, QuizItem

SEED_STEP: Final = 1009
"""Between the seeds of two papers, so that no two questions of them share one."""
SEED_LIMIT: Final = 1_000_000


def draw_exercises(
    course: CourseContent, topics: Sequence[str], *, count: int, seed: int, version: int = 0
) -> list[Exercise]:
    """Return so many exercises, shared evenly among the topics, in their order; fewer only if none has exercises.

    Another version asks for the same with other numbers. Explanations in words are left out where there is a choice.
    """
    askable = [slug for slug in topics if course.concept(slug).templates]
    drawn: list[Exercise] = []
    for place, slug in enumerate(askable):
        share = count // len(askable) + (place < count % len(askable))
        templates = _shuffled(course.concept(slug).templates, seed=f"{seed}:{slug}")
        drawn += [
            make_exercise(
                templates[number % len(templates)],
                seed=seed + len(templates) * number + SEED_STEP * version,
                course=course,
            )
            for number in range(share)
        ]
    return drawn


def _shuffled(templates: Sequence[Template], *, seed: str) -> list[Template]:
    """Return the templates in random order; those that ask for words only if there is nothing else."""
    graded = [each for each in templates if each.kind != "text"] or list(templates)
    Random(seed).shuffle(graded)
    return graded


@transaction.atomic
def store_items(assignment: Assignment) -> None:
    """Draw the quiz's questions anew; only before the first pupil has started."""
    assert assignment.course is not None
    assignment.items.all().delete()
    topics = {concept.slug: concept for concept in assignment.concepts.order_by("position")}
    course = assignment.course.catalogue()
    drawn = draw_exercises(course, list(topics), count=assignment.questions, seed=assignment.seed)
    QuizItem.objects.bulk_create(
        QuizItem(
            assignment=assignment,
            number=number,
            concept=topics[exercise.concept],
            source_context=course.source_of(exercise.concept),
            **serialization.exercise_to_json(exercise),
        )
        for number, exercise in enumerate(drawn, start=1)
    )


def exercises_of(assignment: Assignment, *, version: int = 0) -> list[Exercise]:
    """Return the stored questions, or another version of them with other numbers.

    A question that the course no longer has stays the same in every version.
    """
    return [_version_of(item, assignment, version=version) for item in assignment.items.select_related("concept")]


def _version_of(item: QuizItem, assignment: Assignment, *, version: int) -> Exercise:
    stored = item.exercise()
    if not version or assignment.course is None:
        return stored
    course = assignment.course.catalogue()
    templates = {each.id: each for concept in course.concepts for each in concept.templates}
    if item.template not in templates:
        return stored
    try:
        return make_exercise(templates[item.template], seed=item.seed + SEED_STEP * version, course=course)
    except NoExercise:
        return stored


def askable_concepts(concepts: Sequence[Concept]) -> list[Concept]:
    """Return the topics that their course has exercises for now. The concepts come with their course."""
    return [each for each in concepts if _has_exercises(each)]


def _has_exercises(concept: Concept) -> bool:
    return any(each.id == concept.slug and each.templates for each in concept.course.catalogue().concepts)
