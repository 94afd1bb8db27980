"""Answers left out of a mastery, or counted again: the stored numbers are computed from the remaining answers."""

from datetime import datetime

from django.db import transaction
from django.utils import timezone

from tutoring.mastery import knowledge_tracing
from tutoring.mastery.knowledge_tracing import BeliefUpdate
from tutoring.mastery.records import reviews, suspected_misconceptions
from tutoring.mastery.records.evidence import kind_as_answered
from tutoring.mastery.recount import CannotRecount, RecordedAnswer, Recount, recount
from tutoring.models import Ability, Attempt, Mastery, MasteryChange


@transaction.atomic
def set_left_out(attempt: Attempt, *, left_out: bool) -> bool:
    """Leave an answer out of its concept's mastery, or count it again; tell whether the mastery was computed again.

    It is not if the answer never counted, or if the record does not allow it; then nothing changes. The learner's
    ability over all concepts and the item's difficulty stay as they are: other learners' answers are in them.
    """
    # The lock that puts one learner's answers in a row.
    Ability.objects.select_for_update().filter(learner_id=attempt.learner_id).first()
    change = MasteryChange.objects.filter(attempt=attempt).first()
    if change is None:
        return False
    row = Mastery.objects.select_for_update(of=("self",)).select_related("concept__course").get(pk=change.mastery_id)
    changes = list(row.changes.select_related("attempt__question").order_by("pk"))
    try:
        found = _recount(row, changes, about=change, left_out=left_out)
    except CannotRecount:
        return False
    _store(row, changes, found, about=change, left_out=left_out)
    if left_out:
        suspected_misconceptions.retract_answer(attempt)
    return True


def _recount(row: Mastery, changes: list[MasteryChange], *, about: MasteryChange, left_out: bool) -> Recount:
    answers = [_recorded(each, left_out=left_out if each.pk == about.pk else each.left_out) for each in changes]
    return recount(answers, now=row.probability, skill=row.concept.skill())


def _recorded(change: MasteryChange, *, left_out: bool) -> RecordedAnswer:
    attempt = change.attempt
    return RecordedAnswer(
        template=attempt.question.template,
        kind=kind_as_answered(attempt.question, gave_up=attempt.gave_up),
        correct=attempt.correct,
        before=change.before,
        after=change.after,
        difficulty=change.difficulty,
        predicted=change.predicted,
        was_left_out=change.left_out,
        left_out=left_out,
    )


def _store(row: Mastery, changes: list[MasteryChange], found: Recount, *, about: MasteryChange, left_out: bool) -> None:
    for change, update in zip(changes, found.updates, strict=True):
        if change.pk == about.pk:
            change.left_out = left_out
        if update is not None:
            change.before, change.after = update.before, update.after
            change.predicted, change.surprise = update.predicted, update.surprise
    MasteryChange.objects.bulk_update(changes, ["before", "after", "predicted", "surprise", "left_out"])
    row.mastered_at = _mastered_at(row, changes, found)
    row.take(found.belief, at=row.last_at or timezone.now())
    row.save()
    if row.is_mastered:
        reviews.begin_reviews(row, at=timezone.now())


def _mastered_at(row: Mastery, changes: list[MasteryChange], found: Recount) -> datetime | None:
    """Return when the threshold was first reached by an answer that counts; None if by none."""
    skill = row.concept.skill()
    return next(
        (
            change.attempt.created_at
            for change, update in zip(changes, found.updates, strict=True)
            if update is not None and _is_enough(update, row.threshold, skill)
        ),
        None,
    )


def _is_enough(update: BeliefUpdate, threshold: float, skill: knowledge_tracing.SkillParameters) -> bool:
    return knowledge_tracing.is_mastered(update.belief, threshold=threshold, skill=skill)
