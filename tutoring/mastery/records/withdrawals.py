"""Questions that are not asked any more: withdrawing them, with or without the answers, and asking them again."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from agents.event_log import get_logger
from agents.people import Person
from agents.wire.rejections import Rejection
from tutoring.courses.catalogue import ConceptContent, CourseContent
from tutoring.courses.without_programs import without_programs
from tutoring.grading.program_runner import can_run
from tutoring.mastery.records import recounts, suspected_misconceptions
from tutoring.models import Attempt, Classroom, ClearedSuspicion, Course, Mastery, Membership, WithdrawnQuestion

logger = get_logger(__name__)


class LastQuestion(Rejection):
    """It is the last question on its concept."""

    def __init__(self) -> None:
        super().__init__("conflict", _("This is the last question on its topic, so it can’t be withdrawn."), status=409)


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreMove:
    """A learner's mastery score (0–1) before and after; None where there are too few answers for a score."""

    before: float | None
    after: float | None

    @property
    def size(self) -> float:
        """How far it moves; 0 where one of them is missing."""
        return abs(self.after - self.before) if self.before is not None and self.after is not None else 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Effects:
    """What withdrawing a question with its answers does."""

    answers: int
    learners: int
    moves: tuple[ScoreMove, ...]
    """One for each score that changes."""

    @property
    def mean_move(self) -> float:
        known = [each.size for each in self.moves if each.before is not None and each.after is not None]
        return sum(known) / len(known) if known else 0.0

    @property
    def largest_move(self) -> float:
        return max((each.size for each in self.moves), default=0.0)


def askable_content(course: Course, learner_id: int) -> CourseContent:
    """Return the course without the questions that are withdrawn for the learner, or that this site cannot grade.

    One query if any are withdrawn in the course.
    A concept of which nothing would be left keeps its questions.
    """
    content = _runnable(course)
    if not course.withdrawn:
        return content
    classes = {classroom for _template, classroom in course.withdrawn if classroom is not None}
    places = Membership.objects.filter(person_id=learner_id, role=Membership.Role.LEARNER, classroom__archived_at=None)
    own = set(places.filter(classroom_id__in=classes).values_list("classroom_id", flat=True)) if classes else set()
    gone = {template for template, classroom in course.withdrawn if classroom is None or classroom in own}
    return _content_without(content, gone)


def class_content(course: Course, classroom: Classroom) -> CourseContent:
    """Return the course without the questions that are withdrawn in a class or on the site, as `askable_content`."""
    gone = {template for template, where in course.withdrawn if where in (None, classroom.pk)}
    return _content_without(_runnable(course), gone)


def _runnable(course: Course) -> CourseContent:
    """Return the course without exercises that need programs to run, if none can run here."""
    return course.catalogue() if can_run() else without_programs(course.catalogue())


def _content_without(content: CourseContent, gone: set[str]) -> CourseContent:
    return replace(content, concepts=tuple(_without(each, gone) for each in content.concepts)) if gone else content


def _without(concept: ConceptContent, gone: set[str]) -> ConceptContent:
    left = tuple(each for each in concept.templates if each.id not in gone)
    return replace(concept, templates=left) if left and len(left) < len(concept.templates) else concept


@transaction.atomic
def preview(course: Course, template: str, classroom: Classroom | None) -> Effects:
    """Return what leaving out all answers to a question would do; nothing is stored."""
    left = _leave_out_answers(course, template, classroom)
    transaction.set_rollback(True)
    return left.effects


@transaction.atomic
def withdraw(
    course: Course, template: str, classroom: Classroom | None, *, with_answers: bool, reason: str, by: Person
) -> WithdrawnQuestion:
    """Stop asking a question in a class, or on the whole site without one; once. Raises LastQuestion.

    `with_answers` leaves out the answers given to it as well.
    """
    held = Course.objects.select_for_update().defer("content").get(pk=course.pk)
    known = WithdrawnQuestion.objects.in_force().filter(course=held, template=template, classroom=classroom).first()
    if known is not None:
        return known
    if _is_last(course, template, classroom):
        raise LastQuestion
    left = _leave_out_answers(course, template, classroom) if with_answers else None
    row = WithdrawnQuestion.objects.create(
        course=held, template=template, classroom=classroom, reason=reason, by_id=by.pk,
        left_out=left.answers if left else [], scores_changed=len(left.effects.moves) if left else 0,
    )  # fmt: skip
    if left:
        ClearedSuspicion.objects.bulk_create(ClearedSuspicion(withdrawal=row, **each) for each in left.suspected)
    _store_summary(held)
    logger.info("question_withdrawn", course=held.pk, template=template, classroom=row.classroom_id, by=by.pk)
    return row


@transaction.atomic
def restore(row: WithdrawnQuestion, *, by: Person) -> None:
    """Ask a question again, and count the answers again that stopped counting with it. Once.

    Suspected misconceptions are as before, except those that something has changed since.
    """
    held = WithdrawnQuestion.objects.select_for_update().filter(pk=row.pk, restored_at=None).first()
    if held is None:
        return
    attempts = Attempt.objects.filter(pk__in=held.left_out, left_out=True).select_related("question")
    recounts.leave_out(list(attempts.order_by("pk")), left_out=False)
    for each in held.cleared.values("learner_id", "misconception", "before", "after"):
        suspected_misconceptions.restore(each["learner_id"], held.course_id, [each])
    held.restored_at, held.restored_by_id = timezone.now(), by.pk
    held.save(update_fields=["restored_at", "restored_by"])
    _store_summary(Course.objects.select_for_update().defer("content").get(pk=held.course_id))
    logger.info(
        "question_restored", course=held.course_id, template=held.template, classroom=held.classroom_id, by=by.pk
    )


def withdrawn_in(course: Course, classroom: Classroom) -> Sequence[WithdrawnQuestion]:
    """Return what is withdrawn in the class or on the site; one query."""
    rows = WithdrawnQuestion.objects.in_force().filter(course=course).select_related("by", "classroom")
    return [row for row in rows.order_by("pk") if row.classroom_id in (None, classroom.pk)]


def _store_summary(course: Course) -> None:
    rows = WithdrawnQuestion.objects.in_force().filter(course=course).order_by("pk")
    course.withdrawn = [list(row) for row in rows.values_list("template", "classroom_id")]
    course.save(update_fields=["withdrawn"])


def _is_last(course: Course, template: str, classroom: Classroom | None) -> bool:
    """Tell whether nothing would be left on the concept in that class, or on the site."""
    gone = {one for one, where in course.withdrawn if where is None or (classroom and where == classroom.pk)}
    concept = next(
        (each for each in course.catalogue().concepts if any(one.id == template for one in each.templates)), None
    )
    return concept is not None and {each.id for each in concept.templates} <= gone | {template}


@dataclass(frozen=True, slots=True, kw_only=True)
class _LeftOut:
    """What leaving answers out did."""

    effects: Effects
    answers: list[int]
    """Their keys."""
    suspected: list[dict[str, Any]]
    """The suspected misconceptions that changed: `{learner_id, misconception, before, after}`."""


def _leave_out_answers(course: Course, template: str, classroom: Classroom | None) -> _LeftOut:
    """Leave out the answers of the class, or of everybody."""
    rows = Attempt.objects.filter(question__concept__course=course, question__template=template, left_out=False)
    if classroom is not None:
        learners = classroom.memberships.filter(role=Membership.Role.LEARNER).values("person_id")
        rows = rows.filter(learner_id__in=learners)
    attempts = list(rows.select_related("question__concept").order_by("pk"))
    people = {each.learner_id for each in attempts}
    before, suspected = _scores(attempts), suspected_misconceptions.snapshots(people, course.pk)
    recounts.leave_out(attempts, left_out=True)
    after, suspected_after = _scores(attempts), suspected_misconceptions.snapshots(people, course.pk)
    moves = tuple(
        ScoreMove(before=score, after=after.get(key)) for key, score in before.items() if score != after.get(key)
    )
    touched = [
        {"learner_id": person} | each
        for person in sorted(people)
        for each in suspected_misconceptions.difference(suspected[person], suspected_after[person])
    ]
    effects = Effects(answers=len(attempts), learners=len(people), moves=moves)
    return _LeftOut(effects=effects, answers=[each.pk for each in attempts], suspected=touched)


def _scores(attempts: Sequence[Attempt]) -> Mapping[tuple[int, int], float | None]:
    """Return the scores of those who gave the answers on the concepts concerned; one query."""
    people, concepts = {each.learner_id for each in attempts}, {each.question.concept_id for each in attempts}
    rows = Mastery.objects.filter(learner_id__in=people, concept_id__in=concepts)
    return {(row.learner_id, row.concept_id): row.score for row in rows}
