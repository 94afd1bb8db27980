"""The tallies of answers: kept with every answer, and computed again where a teacher changes one."""

from collections.abc import Iterable
from typing import Any

from tutoring.models import AnswerTally, Attempt, Question

MISSES_KEPT = 60
"""Wrong answers in a row of which a tally keeps the key; more say nothing new."""


def count_answer(attempt: Attempt, *, question: Question) -> None:
    """Count a new answer; two queries, in the caller's transaction."""
    rows = AnswerTally.objects.select_for_update()
    row = rows.filter(learner_id=attempt.learner_id, concept_id=question.concept_id).first()
    if row is None:
        row = AnswerTally(learner_id=attempt.learner_id, concept_id=question.concept_id)
    row.given += 1
    row.last_at = attempt.created_at
    row.misses = _with_answer(row.misses, attempt, purpose=question.purpose)[-MISSES_KEPT:]
    row.save()


def rebuild_tally(learner_id: int, concept_id: int) -> None:
    """Compute a tally again from the stored answers."""
    answers = Attempt.objects.filter(learner_id=learner_id, question__concept_id=concept_id)
    rows = list(answers.select_related("question").only(*_FIELDS).order_by("pk"))
    if not rows:
        return
    last_at = max(each.created_at for each in rows)
    known = {"given": len(rows), "last_at": last_at, "misses": misses_of(rows)[-MISSES_KEPT:]}
    AnswerTally.objects.update_or_create(learner_id=learner_id, concept_id=concept_id, defaults=known)


_FIELDS = ("verdict", "correct", "gave_up", "left_out", "created_at", "question__purpose")


def misses_of(attempts: Iterable[Attempt]) -> list[list[Any]]:
    """Return the wrong answers since the last right one, as a tally keeps them; the attempts are oldest first."""
    misses: list[list[Any]] = []
    for each in attempts:
        misses = _with_answer(misses, each, purpose=each.question.purpose)
    return misses


def _with_answer(misses: list[list[Any]], attempt: Attempt, *, purpose: str) -> list[list[Any]]:
    """Return the wrong answers in a row after this answer.

    A placement asks what is too hard on purpose, an answer left out says nothing, and a right value in another form is
    neither wrong nor right.
    """
    says_nothing = purpose == Question.Purpose.PLACEMENT or attempt.left_out
    if says_nothing or attempt.verdict == "equivalent_not_in_form":
        return misses
    if attempt.correct:
        return []
    mark = [attempt.pk, str(attempt.question_id), attempt.gave_up, attempt.created_at.isoformat()]
    return [*misses, mark]
