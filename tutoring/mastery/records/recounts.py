"""Answers left out of a mastery, counted again or graded anew: the stored numbers are computed from all answers."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from operator import itemgetter

from django.db import transaction
from django.utils import timezone

from tutoring.mastery import knowledge_tracing
from tutoring.mastery.knowledge_tracing import BeliefUpdate
from tutoring.mastery.records import answer_tallies, reviews, suspected_misconceptions
from tutoring.mastery.records.evidence import kind_as_answered
from tutoring.mastery.recount import CannotRecount, RecordedAnswer, Recount, recount
from tutoring.models import Ability, Attempt, Mastery, MasteryChange


@dataclass(frozen=True, slots=True, kw_only=True)
class NewGrade:
    """How an answer counts from now on."""

    left_out: bool
    was_correct: bool
    """Whether it was right in the numbers stored so far; the attempt says whether it is right now."""


@transaction.atomic
def set_left_out(attempt: Attempt, *, left_out: bool) -> bool:
    """Leave an answer out, or count it again; tell whether the mastery was computed again. See `leave_out`."""
    return bool(leave_out([attempt], left_out=left_out))


@transaction.atomic
def leave_out(attempts: Sequence[Attempt], *, left_out: bool) -> list[Mastery]:
    """Leave answers out of their concepts' masteries, or count them again; return the masteries computed again.

    A mastery is not if the answers never counted, or if its record does not allow it; then its number does not change.
    A learner's ability over all concepts and an item's difficulty stay as they are: other answers are in them. The
    attempts come with their questions.
    """
    Attempt.objects.filter(pk__in=[each.pk for each in attempts]).update(left_out=left_out)
    changed = []
    # Sorted: two at the same time lock the rows in the same order.
    for (learner_id, concept_id), own in sorted(_by_mastery(attempts).items(), key=itemgetter(0)):
        for each in own:
            each.left_out = left_out
        grades = {each.pk: NewGrade(left_out=left_out, was_correct=each.correct) for each in own}
        row = recount_mastery(learner_id, concept_id, grades)
        if left_out:
            for each in own:
                suspected_misconceptions.retract_answer(each)
        answer_tallies.rebuild_tally(learner_id, concept_id)
        changed += [row] if row is not None else []
    return changed


def _by_mastery(attempts: Iterable[Attempt]) -> Mapping[tuple[int, int], list[Attempt]]:
    """Return the answers by the keys of learner and concept."""
    found: dict[tuple[int, int], list[Attempt]] = defaultdict(list)
    for each in attempts:
        found[each.learner_id, each.question.concept_id].append(each)
    return found


def recount_mastery(learner_id: int, concept_id: int, grades: Mapping[int, NewGrade]) -> Mastery | None:
    """Compute a mastery with answers that count in another way from now on, by the attempt's key; return its row.

    None if none of them ever counted, or the record does not allow it. Within the caller's transaction.
    """
    # The lock that puts one learner's answers in a row.
    Ability.objects.select_for_update().filter(learner_id=learner_id).first()
    rows = Mastery.objects.select_for_update(of=("self",)).select_related("concept__course")
    row = rows.filter(learner_id=learner_id, concept_id=concept_id).first()
    changes = list(row.changes.select_related("attempt__question").order_by("pk")) if row else []
    concerned = {each.pk: grades[each.attempt_id] for each in changes if each.attempt_id in grades}
    if row is None or not concerned:
        return None
    try:
        answers = [_recorded(each, grade=concerned.get(each.pk)) for each in changes]
        found = recount(answers, now=row.probability, skill=row.concept.skill())
    except CannotRecount:
        return None
    _store(row, changes, found, left_out={pk: grade.left_out for pk, grade in concerned.items()})
    return row


def _recorded(change: MasteryChange, *, grade: NewGrade | None) -> RecordedAnswer:
    attempt = change.attempt
    return RecordedAnswer(
        template=attempt.question.template,
        kind=kind_as_answered(attempt.question, gave_up=attempt.gave_up),
        correct=attempt.correct,
        was_correct=grade.was_correct if grade else attempt.correct,
        before=change.before,
        after=change.after,
        difficulty=change.difficulty,
        predicted=change.predicted,
        was_left_out=change.left_out,
        left_out=grade.left_out if grade else change.left_out,
    )


def _store(row: Mastery, changes: list[MasteryChange], found: Recount, *, left_out: Mapping[int, bool]) -> None:
    for change, update in zip(changes, found.updates, strict=True):
        change.left_out = left_out.get(change.pk, change.left_out)
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
