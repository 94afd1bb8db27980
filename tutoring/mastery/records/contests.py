"""Contests by learners, and the decisions about them: one transaction per operation."""

import logging
from typing import Literal

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from agents.people import Person
from agents.wire.rejections import Rejection
from tutoring.mastery.records import recounts
from tutoring.models import Attempt, Concept, Contest, Mastery, Question

logger = logging.getLogger(__name__)

type Decision = Literal["kept", "left_out"]


class AlreadyDecided(Rejection):
    """A teacher has decided about it, so that it can no longer be taken back."""

    def __init__(self) -> None:
        message = _("A teacher has already looked at this. You can still see it here.")
        super().__init__("conflict", message, status=409)


def can_contest(question: Question) -> bool:
    """Tell whether answers to a question get a verdict. A placement gives none."""
    return question.purpose != Question.Purpose.PLACEMENT


def contest_verdict(attempt: Attempt, *, reason: str) -> Contest:
    """Record that the learner says an answer's verdict is wrong. Once: what was said first stays."""
    contest, _is_new = Contest.objects.get_or_create(
        attempt=attempt,
        defaults={"learner_id": attempt.learner_id, "concept_id": attempt.question.concept_id, "reason": reason},
    )
    return contest


def contest_mastery(learner: Person, concept: Concept, *, reason: str) -> Contest | None:
    """Record that the learner says their mastery number is wrong; return the contest that is open.

    None without a number: then there is nothing to contest.
    """
    row = Mastery.objects.filter(learner_id=learner.pk, concept=concept).first()
    if row is None or row.score is None:
        return None
    contest, _is_new = Contest.objects.open().get_or_create(
        learner_id=learner.pk,
        concept=concept,
        attempt=None,
        decided_at=None,
        defaults={"reason": reason, "score": row.score},
    )
    return contest


@transaction.atomic
def take_back(contest: Contest) -> None:
    """Remove a contest that nobody has decided about. Raises AlreadyDecided."""
    held = Contest.objects.select_for_update().filter(pk=contest.pk).first()
    if held is not None and held.decided_at is not None:
        raise AlreadyDecided
    Contest.objects.filter(pk=contest.pk).delete()


@transaction.atomic
def decide(contest: Contest, decision: Decision, *, by: Person) -> Contest:
    """Store a teacher's decision, which may be changed later, and leave the answer out of the mastery or count it.

    A number is never set by hand: about one, it can only be recorded that somebody has looked.
    """
    held = Contest.objects.select_for_update(of=("self",)).select_related("attempt").get(pk=contest.pk)
    if held.attempt is None:
        decision = "kept"
    elif (decision == "left_out") != (held.decision == Contest.Decision.LEFT_OUT):
        held.recounted = recounts.set_left_out(held.attempt, left_out=decision == "left_out")
    held.decision, held.decided_at, held.decided_by_id = decision, timezone.now(), by.pk
    held.save()
    logger.info("contest=%s decision=%s recounted=%s by=%s", held.pk, decision, held.recounted, by.pk)
    return held
