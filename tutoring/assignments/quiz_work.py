"""A pupil's work on an assigned quiz: their questions, one answer to each, and handing in."""

import uuid
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from agents.people import Person
from agents.storage.transactions import rerun_after_inference
from agents.wire.rejections import Rejection
from conversations.owners import lock_owner
from tutoring.assignments.quiz_items import exercise_for_try
from tutoring.courses.exercises import serialization
from tutoring.mastery.records.progress import QuestionClosed, RecordedAnswer, give_up, record_attempt
from tutoring.models import Assignment, AssignmentWork, Attempt, LiveQuiz, Question, QuizItem, WorkQuestion


class QuestionNotAsked(Rejection):
    """A quiz taken together has moved on, or has not come to the question."""

    def __init__(self) -> None:
        message = _("This question is closed now, so your answer was not counted. Go on with the next one.")
        super().__init__("conflict", message, status=409)


class AnsweredBefore(Rejection):
    """The pupil has answered the question already."""

    def __init__(self) -> None:
        message = _("You have already answered this question. Your first answer counts.")
        super().__init__("conflict", message, status=409)


def start_work(assignment: Assignment, person: Person, *, at: datetime | None = None) -> AssignmentWork:
    """Note that the pupil has started; the first time counts."""
    now = at or timezone.now()
    work, _made = AssignmentWork.objects.get_or_create(
        assignment=assignment, learner_id=person.pk, defaults={"started_at": now}
    )
    if work.started_at is None:
        work.started_at = now
        work.save(update_fields=["started_at"])
    return work


def ask_item(work: AssignmentWork, item: QuizItem, assignment: Assignment) -> Question:
    """Return the pupil's question of the item, asked now if it was not before. Two windows get the same one."""
    found = WorkQuestion.objects.filter(work=work, item=item, try_number=work.try_number).first()
    if found is not None:
        return _question(found.question_id)
    with transaction.atomic():
        key = uuid.uuid5(uuid.NAMESPACE_OID, f"assignment-work-{work.pk}-{item.pk}-{work.try_number}")
        Question.objects.get_or_create(pk=key, defaults=_question_fields(work, item, assignment))
        WorkQuestion.objects.get_or_create(
            work=work, item=item, try_number=work.try_number, defaults={"question_id": key}
        )
    return _question(key)


def _question(key: uuid.UUID) -> Question:
    return Question.objects.with_course().get(pk=key)


def _question_fields(work: AssignmentWork, item: QuizItem, assignment: Assignment) -> dict[str, Any]:
    marks = {"assigned": True, "is_evidence": assignment.is_evidence, "total": len(assignment.items.all())}
    asked = serialization.exercise_to_json(exercise_for_try(assignment, item, work.try_number))
    return asked | {
        "learner_id": work.learner_id,
        "concept_id": item.concept_id,
        "public": asked["public"] | marks,
        "source_context": item.source_context,
        "purpose": Question.Purpose.QUIZ,
        "number": item.number,
    }


@rerun_after_inference
@transaction.atomic
def answer_item(
    work: AssignmentWork, item: QuizItem, question: Question, *, person: Person, answer: str, gives_up: bool, key: str
) -> RecordedAnswer:
    """Grade and store a pupil's answer, and hand in what is complete. An unreadable answer stores nothing.

    Raises AnsweredBefore for a second answer, and QuestionNotAsked where a quiz taken together has moved on.
    """
    lock_owner(person)
    if item.assignment.is_live and not _is_asked(item):
        raise QuestionNotAsked
    try:
        if gives_up:
            recorded = give_up(question, learner=person, idempotency_key=key)
        else:
            recorded = record_attempt(question, learner=person, answer=answer, idempotency_key=key)
    except QuestionClosed:
        raise AnsweredBefore from None
    if recorded.attempt is not None and not item.assignment.is_live:
        _hand_in_if_complete(work)
    return recorded


def _is_asked(item: QuizItem) -> bool:
    """Tell whether the quiz taken together is at this item; the row stays locked until the answer is stored."""
    live = LiveQuiz.objects.select_for_update().filter(assignment_id=item.assignment_id).first()
    return live is not None and live.phase == LiveQuiz.Phase.ASKING and live.number == item.number


def _hand_in_if_complete(work: AssignmentWork) -> None:
    closed = _answered_in(work).count()
    if closed >= QuizItem.objects.filter(assignment=work.assignment_id).count():
        AssignmentWork.objects.filter(pk=work.pk, handed_in_at=None).update(handed_in_at=timezone.now())


def next_item(work: AssignmentWork) -> QuizItem | None:
    """Return the first item that the pupil has not answered; None if there is none left."""
    closed = _answered_in(work).values("item")
    return QuizItem.objects.filter(assignment=work.assignment_id).exclude(pk__in=closed).first()


def _answered_in(work: AssignmentWork) -> QuerySet[WorkQuestion]:
    """Return what is answered of the pupil's present try."""
    return WorkQuestion.objects.filter(work=work, try_number=work.try_number, question__status=Question.Status.ANSWERED)


def give_another_try(assignment: Assignment, learner_id: int) -> bool:
    """Let a pupil take a quiz again with other questions, if they have handed it in; return whether they had."""
    works = AssignmentWork.objects.filter(assignment=assignment, learner_id=learner_id).exclude(handed_in_at=None)
    return bool(works.update(try_number=F("try_number") + 1, handed_in_at=None, reminder_seen_at=None))


def held_back(learner_id: int) -> QuerySet[WorkQuestion]:
    """Return a pupil's quiz questions whose answers are not shown yet: the quiz goes on, and explains itself later."""
    asked = WorkQuestion.objects.filter(work__learner_id=learner_id)
    is_asked = Q(item__assignment__live__phase=LiveQuiz.Phase.ASKING, item__assignment__live__number=F("item__number"))
    goes_on = Q(
        item__assignment__is_live=False,
        item__assignment__explains_at_once=False,
        work__handed_in_at=None,
        try_number=F("work__try_number"),
    )
    return asked.filter(is_asked | goes_on)


def has_started(assignment: Assignment) -> bool:
    """Tell whether a pupil has seen a question of the quiz: then its questions stay as they are."""
    return WorkQuestion.objects.filter(item__assignment=assignment).exists()


def answers_to(assignment: Assignment, people: list[int]) -> list[Attempt]:
    """Return these pupils' answers to the quiz's questions, with items' numbers; one query. Other tries are not in it."""
    rows = Attempt.objects.filter(question__assigned__work__assignment=assignment, learner_id__in=people)
    rows = rows.filter(question__template=F("question__assigned__item__template"), question__assigned__try_number=1)
    rows = rows.select_related("question__assigned__item", "question__concept__course", "learner")
    return list(rows.defer("question__concept__course__content").order_by("question__assigned__item__number", "pk"))
