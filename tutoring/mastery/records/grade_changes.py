"""Changes that teachers make to the grades of answers: one transaction per operation, each can be undone."""

from collections.abc import Mapping
from typing import Any, Literal

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from agents.event_log import get_logger
from agents.people import Person
from agents.storage.transactions import rerun_after_inference
from agents.wire.rejections import Rejection
from tutoring.courses.exercises.generator import make_exercise
from tutoring.courses.exercises.misconception_finder import misconceptions_behind
from tutoring.grading import AnswerKey, Judgement, key_from_json
from tutoring.grading.semantic_grader import grade_by_meaning
from tutoring.grading.verdicts import failure_to_json
from tutoring.mastery.records import answer_tallies, recounts, suspected_misconceptions
from tutoring.mastery.records.recounts import NewGrade
from tutoring.models import Attempt, Concept, Contest, GradeChange, Mastery, MasteryChange

logger = get_logger(__name__)

type Override = Literal["right", "wrong"]
_FIELDS = ("verdict", "score", "correct", "judgement", "misconceptions", "left_out")
"""What a grade consists of."""


class NothingChanged(Rejection):
    """The answer already has this grade, or cannot be graded again."""

    def __init__(self, words: str) -> None:
        super().__init__("conflict", words, status=409)


@rerun_after_inference
@transaction.atomic
def regrade(attempt: Attempt, *, by: Person) -> GradeChange | None:
    """Grade an answer again by today's rules, and store what changed.

    Return None if this only undid what a teacher had changed. Raises NothingChanged.
    """
    held = _lock(attempt)
    if held.gave_up:
        raise NothingChanged(_("“I don’t know” can’t be graded again."))
    # What a teacher changed before does not count: the answer as it is, by the rules of today.
    undone = _undo_last(held, by=by)
    judgement = grade_by_meaning(_key_today(held), held.answer)
    if undone is not None and judgement.verdict == held.verdict:
        return None
    if judgement.verdict in ("unparsable", held.verdict):
        raise NothingChanged(_("Graded again with the same result. Nothing was changed."))
    return _store(held, _grade(held, judgement), kind=GradeChange.Kind.REGRADED, by=by)


@rerun_after_inference
@transaction.atomic
def override(attempt: Attempt, to: Override, *, reason: str, by: Person) -> GradeChange | None:
    """Count an answer as right or wrong because a teacher says so, with the reason.

    Return None if this only undid what a teacher had changed. Raises NothingChanged.
    """
    held = _lock(attempt)
    undone = _undo_last(held, by=by)
    if held.correct == (to == "right") and held.verdict in ("correct", "wrong"):
        if undone is not None:
            return None
        raise NothingChanged(_("The answer already has this grade. Nothing was changed."))
    judgement = Judgement(verdict="correct" if to == "right" else "wrong", score=float(to == "right"))
    return _store(held, _grade(held, judgement), kind=GradeChange.Kind.OVERRIDDEN, by=by, reason=reason)


@transaction.atomic
def stop_counting(attempt: Attempt, *, reason: str, by: Person) -> GradeChange:
    """Leave an answer out of all that is computed from answers. Raises NothingChanged."""
    held = _lock(attempt)
    _undo_last(held, by=by)
    if held.left_out:
        raise NothingChanged(_("This answer already doesn’t count. Nothing was changed."))
    after = _grade_of(held) | {"left_out": True}
    return _store(held, after, kind=GradeChange.Kind.NOT_COUNTED, by=by, reason=reason)


@transaction.atomic
def undo(attempt: Attempt, *, by: Person) -> GradeChange | None:
    """Give an answer the grade back that it had before; return what was undone, None if nothing is to be undone."""
    return _undo_last(_lock(attempt), by=by)


def mark_seen(learner: Person, concept: Concept | None = None) -> None:
    """Store that the learner has seen what was changed, on this concept or on all."""
    rows = GradeChange.objects.filter(attempt__learner_id=learner.pk, seen_at=None)
    if concept is not None:
        rows = rows.filter(attempt__question__concept=concept)
    rows.update(seen_at=timezone.now())


def _lock(attempt: Attempt) -> Attempt:
    rows = Attempt.objects.select_for_update(of=("self",)).select_related("question__concept__course")
    return rows.get(pk=attempt.pk)


def _key_today(attempt: Attempt) -> AnswerKey:
    """Return today's key of the question, where the course still asks exactly it; otherwise the key it was asked with."""
    question = attempt.question
    try:
        course = question.concept.course.catalogue()
        now = make_exercise(course.template(question.template), seed=question.seed, course=course)
    except (KeyError, ValueError):
        return key_from_json(question.key["answer"])
    is_same = now.stem == question.stem and now.kind == question.kind
    is_lettered = bool(now.choices or now.rows)  # The letters were mixed when it was asked.
    return now.key if is_same and not is_lettered else key_from_json(question.key["answer"])


def _grade(attempt: Attempt, judgement: Judgement) -> Mapping[str, Any]:
    """Return a judgement in the fields of an attempt."""
    wrong = not judgement.is_correct
    exercise = attempt.question.instance()
    return {
        "verdict": judgement.verdict,
        "score": judgement.score,
        "correct": judgement.is_correct,
        "judgement": {
            "missing": list(judgement.missing),
            # What was chosen is a fact, whatever it is worth.
            "chosen": attempt.judgement.get("chosen", []),
            "reason": judgement.reason,
            **failure_to_json(judgement.failure),
        },
        "misconceptions": list(misconceptions_behind(exercise, attempt.answer)) if wrong and attempt.answer else [],
        "left_out": attempt.left_out,
    }


def _grade_of(attempt: Attempt) -> dict[str, Any]:
    return {name: getattr(attempt, name) for name in _FIELDS}


def _store(
    held: Attempt, after: Mapping[str, Any], *, kind: GradeChange.Kind, by: Person, reason: str = ""
) -> GradeChange:
    """Give the answer this grade, and store the change."""
    course_id, before, score = held.question.concept.course_id, _grade_of(held), _score(held)
    suspected = suspected_misconceptions.snapshot(held.learner_id, course_id)
    recounted = _apply(held, after)
    if held.correct or held.left_out:
        suspected_misconceptions.retract_answer(held)
    touched = suspected_misconceptions.difference(
        suspected, suspected_misconceptions.snapshot(held.learner_id, course_id)
    )
    change = GradeChange.objects.create(
        attempt=held, kind=kind, reason=reason, before=before, after=after, suspected=touched,
        mastery_before=score, mastery_after=_score(held), recounted=recounted, by_id=by.pk,
    )  # fmt: skip
    contests = Contest.objects.open().filter(attempt=held)
    contests.update(
        decision=Contest.Decision.LEFT_OUT, recounted=recounted, decided_at=change.created_at, decided_by_id=by.pk
    )
    logger.info("grade_changed", attempt=held.pk, change=change.pk, kind=kind, recounted=recounted, by=by.pk)
    return change


def _undo_last(held: Attempt, *, by: Person) -> GradeChange | None:
    change = GradeChange.objects.in_force().filter(attempt=held).first()
    if change is None:
        return None
    before = dict(change.before)
    if change.kind != GradeChange.Kind.NOT_COUNTED:
        before["left_out"] = held.left_out  # A question that was withdrawn or restored meanwhile has decided about it.
    _apply(held, before)
    suspected_misconceptions.restore(held.learner_id, held.question.concept.course_id, change.suspected)
    change.undone_at, change.undone_by_id, change.seen_at = timezone.now(), by.pk, None
    change.save(update_fields=["undone_at", "undone_by", "seen_at"])
    decided = Contest.objects.filter(attempt=held, decided_at=change.created_at)
    decided.update(decision="", recounted=False, decided_at=None, decided_by=None, seen_at=None)
    logger.info("grade_change_undone", attempt=held.pk, change=change.pk, by=by.pk)
    return change


def _apply(held: Attempt, grade: Mapping[str, Any]) -> bool:
    """Give the answer this grade; tell whether its mastery was computed again."""
    was_correct = held.correct
    for name in _FIELDS:
        setattr(held, name, grade[name])
    held.save(update_fields=_FIELDS)
    change = MasteryChange.objects.filter(attempt=held).first()
    # A right answer that counted as practice: a wrong one would not have counted at all.
    is_practice = change is not None and change.predicted is None and change.after >= change.before
    new = NewGrade(
        left_out=held.left_out or (is_practice and not held.correct),
        was_correct=was_correct or (is_practice and held.correct),
    )
    question = held.question
    row = recounts.recount_mastery(held.learner_id, question.concept_id, {held.pk: new})
    answer_tallies.rebuild_tally(held.learner_id, question.concept_id)
    return row is not None


def _score(held: Attempt) -> float | None:
    row = Mastery.objects.filter(learner_id=held.learner_id, concept_id=held.question.concept_id).first()
    return row.score if row is not None else None
