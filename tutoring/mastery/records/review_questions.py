"""Review questions: one at a time, outside of any conversation."""

import uuid
from collections.abc import Iterable, Sequence
from datetime import datetime

from django.db import transaction
from django.db.models import Count
from django.utils import timezone

from agents.people import Person
from conversations.owners import lock_owner
from tutoring.courses.catalogue import Template
from tutoring.courses.exercises import serialization
from tutoring.courses.exercises.exercise import Exercise
from tutoring.courses.exercises.generator import make_exercise
from tutoring.mastery.knowledge_tracing import difficulty_offset
from tutoring.mastery.records import reviews
from tutoring.mastery.records.withdrawals import askable_content
from tutoring.mastery.template_selection import TemplateCandidate, choose_template
from tutoring.models import Attempt, Concept, ItemOffset, Question

REPEAT_WITHIN = reviews.ONE_DAY
"""How long after a badly answered question a second one on the same concept makes sense."""


def open_review_question(learner: Person) -> Question | None:
    """Return the review question that is open; None without one."""
    asked = Question.objects.owned_by(learner).open().filter(purpose=reviews.REVIEW)
    return asked.with_course().order_by("opened_at", "pk").first()


@transaction.atomic
def ask_next(learner: Person, *, at: datetime | None = None) -> Question | None:
    """Return the open review question, else ask the next one; None if nothing is due.

    Two windows that ask at once get the same question.
    """
    at = at or timezone.now()
    lock_owner(learner)
    if (question := open_review_question(learner)) is not None:
        return question
    if (first := question_to_repeat(learner, at=at)) is not None:
        return _ask(learner, first.concept, after=first)
    due = reviews.due_reviews(learner, at=at)
    return _ask(learner, due[0].concept) if due else None


def question_to_repeat(learner: Person, *, at: datetime | None = None) -> Question | None:
    """Return the question that needs a second one on its concept (wrong, with help, or slow), or None."""
    at = at or timezone.now()
    last = last_answer(learner)
    if last is None or last.question.number > 1 or last.question.is_open:
        return None
    if abs(at - last.created_at) > REPEAT_WITHIN or reviews.askable_concept(last.question.concept) is None:
        return None
    rated = reviews.rating_of(last, question=last.question)
    return last.question if rated in ("again", "hard") else None


def last_answer(learner: Person) -> Attempt | None:
    """Return the latest answer to a review question, with question, concept and course; None without one."""
    answers = Attempt.objects.filter(learner_id=learner.pk, question__purpose=reviews.REVIEW)
    answers = answers.select_related("question__concept__course", "change").defer("question__concept__course__content")
    # Not by time: a clock may be set back.
    return answers.order_by("-pk").first()


@transaction.atomic
def ask_another(learner: Person, concept: Concept, *, like: Question | None = None) -> Question | None:
    """Ask a question on the concept outside of any conversation that counts like one of a quiz; None without exercises.

    One `like` another is of the same template, where the course still has it. An open one is asked again.
    """
    lock_owner(learner)
    if (value := reviews.askable_concept(concept)) is None:
        return None
    asked = Question.objects.owned_by(learner).open().filter(concept=concept, session=None, assigned=None)
    if (
        question := asked.filter(purpose=Question.Purpose.QUIZ).with_course().order_by("-opened_at").first()
    ) is not None:
        return question
    key, course = uuid.uuid4(), askable_content(concept.course, learner.pk)
    seed = key.int & 0x7FFF_FFFF
    if like is not None and any(each.id == like.template for each in course.concept(value.id).templates):
        exercise = make_exercise(course.template(like.template), seed=seed, course=course)
    else:
        exercise = _exercise(learner, concept, seed=seed, recent=[])
    return _store(learner, concept, exercise, key=key, purpose=Question.Purpose.QUIZ)


def _ask(learner: Person, concept: Concept, *, after: Question | None = None) -> Question:
    """Ask the learner a question on the concept; one `after` another in the same review has number 2."""
    key = uuid.uuid4()
    exercise = _exercise(learner, concept, seed=key.int & 0x7FFF_FFFF, recent=[after.template] if after else [])
    return _store(learner, concept, exercise, key=key, purpose=reviews.REVIEW, number=2 if after else 1)


def _store(
    learner: Person, concept: Concept, exercise: Exercise, *, key: uuid.UUID, purpose: Question.Purpose, number: int = 1
) -> Question:
    return Question.objects.create(
        pk=key,
        learner_id=learner.pk,
        concept=concept,
        purpose=purpose,
        number=number,
        source_context=concept.course.catalogue().source_of(concept.slug),
        **serialization.exercise_to_json(exercise),
    )


def _exercise(learner: Person, concept: Concept, *, seed: int, recent: Sequence[str]) -> Exercise:
    """Return the exercise to ask: least often asked, with a constructed answer, of medium difficulty."""
    course = askable_content(concept.course, learner.pk)
    templates = course.concept(concept.slug).templates
    assert templates, "only what can be asked about is due"
    chosen = choose_template(_candidates(learner, concept, templates), recent=recent, purpose="review")
    return make_exercise(course.template(chosen), seed=seed, course=course)


def _candidates(learner: Person, concept: Concept, templates: Iterable[Template]) -> list[TemplateCandidate]:
    asked = Question.objects.filter(learner_id=learner.pk, concept=concept)
    times = dict(asked.order_by().values_list("template").annotate(count=Count("pk")))
    offsets = dict(ItemOffset.objects.filter(course=concept.course).values_list("template", "offset"))
    return [
        TemplateCandidate(
            template=each.id,
            answers=times.get(each.id, 0),
            offset=offsets.get(each.id, difficulty_offset(each.difficulty)),
            constructed=each.constructed and each.kind != "text",
        )
        for each in templates
    ]
