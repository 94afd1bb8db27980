"""The questions of an assigned quiz: drawn from the topics' templates, the same for the same seed."""

from collections.abc import Collection, Sequence
from random import Random
from typing import Final

from django.db import transaction
from django.db.models import Exists, OuterRef, Q
from django.utils import timezone

from tutoring.courses.catalogue import CourseContent, Template
from tutoring.courses.exercises import serialization
from tutoring.courses.exercises.exercise import Exercise
from tutoring.courses.exercises.generator import NoExercise, make_exercise
from tutoring.mastery.records.withdrawals import class_content
from tutoring.models import Assignment, Classroom, Concept, Course, LiveQuiz, Question, QuizItem

SEED_STEP: Final = 1009
"""Between the seeds of two papers, so that no two questions of them share one."""
SEED_LIMIT: Final = 1_000_000


def draw_exercises(
    course: CourseContent,
    topics: Sequence[str],
    *,
    count: int,
    seed: int,
    version: int = 0,
    seen: Collection[str] = (),
) -> list[Exercise]:
    """Return so many exercises, shared evenly among the topics, in their order; fewer only if none has exercises.

    Another version asks for the same with other numbers. Explanations in words are left out where there is a choice.
    Templates in `seen` come last.
    """
    askable = [slug for slug in topics if course.concept(slug).templates]
    drawn: list[Exercise] = []
    for place, slug in enumerate(askable):
        share = count // len(askable) + (place < count % len(askable))
        templates = _shuffled(course.concept(slug).templates, seed=f"{seed}:{slug}")
        templates.sort(key=lambda each: each.id in seen)
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
    course = class_content(assignment.course, assignment.classroom)
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


def exercise_for_try(assignment: Assignment, item: QuizItem, number: int) -> Exercise:
    """Return what a pupil's try of this number (from 1) asks in place of the item: from the second on, other questions.

    Where the course has nothing else to ask, it is the item's own.
    """
    if number == 1 or assignment.course is None:
        return item.exercise()
    items = list(assignment.items.select_related("concept"))
    place = [each.number for each in items if each.concept_id == item.concept_id].index(item.number)
    content = class_content(assignment.course, assignment.classroom)
    if item.concept.slug not in {each.id for each in content.concepts}:
        return item.exercise()
    drawn = draw_exercises(
        content,
        [item.concept.slug],
        count=place + 1,
        seed=assignment.seed + SEED_STEP * number,
        seen={each.template for each in items},
    )
    return drawn[place] if drawn else item.exercise()


@transaction.atomic
def replace_withdrawn(course: Course, template: str, classroom: Classroom | None) -> None:
    """Draw other questions in quizzes that would ask a withdrawn one: of a class, or on the whole site without one.

    Answers stay; a pupil who has the question open gets the other one. A quiz taken together keeps what it has reached,
    and one that was due what was answered, for its report.
    """
    rows = QuizItem.objects.filter(assignment__course=course, template=template)
    rows = rows.filter(assignment__classroom=classroom) if classroom else rows
    reached = LiveQuiz.objects.filter(assignment=OuterRef("assignment"), number__gte=OuterRef("number"))
    answered = Question.objects.filter(assigned__item=OuterRef("pk"), status=Question.Status.ANSWERED)
    rows = rows.filter(Q(assignment__due_at__gt=timezone.now()) | ~Exists(answered))
    for item in rows.exclude(Exists(reached)).select_related("assignment__classroom", "concept__course"):
        content = class_content(item.concept.course, item.assignment.classroom)
        drawn = draw_exercises(content, [item.concept.slug], count=item.number, seed=item.assignment.seed)
        for name, value in serialization.exercise_to_json(drawn[-1]).items():
            setattr(item, name, value)
        item.save()
        Question.objects.open().filter(assigned__item=item, template=template).delete()


def exercises_of(assignment: Assignment, *, version: int = 0) -> list[Exercise]:
    """Return the stored questions, or another version of them with other numbers.

    A question that the course no longer has stays the same in every version.
    """
    return [_version_of(item, assignment, version=version) for item in assignment.items.select_related("concept")]


def _version_of(item: QuizItem, assignment: Assignment, *, version: int) -> Exercise:
    stored = item.exercise()
    if not version or assignment.course is None:
        return stored
    course = class_content(assignment.course, assignment.classroom)
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
