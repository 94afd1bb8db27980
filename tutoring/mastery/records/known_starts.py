"""What a placement took as known, and the learner's word against it."""

from typing import Literal

from django.db import transaction
from django.utils import timezone

from agents.people import Person
from tutoring.mastery.knowledge_tracing import mastery_score
from tutoring.mastery.placement import TAKEN_AS_KNOWN
from tutoring.models import Concept, Contest, Mastery
from tutoring.models.contests import REASON_MAX_LENGTH

type Start = Literal["", "known", "unknown"]

SAID_UNKNOWN = 0.10
"""Probability (0–1) of a concept that the learner says they do not know: as after a wrong answer without a guess. The
concept becomes a lesson, and that starts with what a beginner is taught."""


def is_taken_as_known(row: Mastery | None) -> bool:
    """Tell whether the placement alone says that the concept is known: no answer since has counted."""
    return row is not None and row.placed is not None and not row.answers and row.probability >= TAKEN_AS_KNOWN


def is_disowned(row: Mastery | None) -> bool:
    """Tell whether the learner said that they do not know it, and no answer since has counted."""
    return row is not None and row.disowned_at is not None and not row.answers


def start_of(row: Mastery | None) -> Start:
    """Return what the learner can say against the placement: `known` may be disowned, `unknown` be undone; else empty."""
    if is_taken_as_known(row):
        return "known"
    return "unknown" if is_disowned(row) and row is not None and row.placed is not None else ""


@transaction.atomic
def disown(learner: Person, concept: Concept, *, reason: str = "") -> bool:
    """Make a concept one to be learned that the placement took as known; False if it did not.

    The path is planned from this. The contest tells a teacher.
    """
    row = _locked(learner, concept)
    if row is None or not is_taken_as_known(row):
        return False
    Contest.objects.open().get_or_create(
        learner_id=learner.pk,
        concept=concept,
        about=Contest.About.START,
        decided_at=None,
        defaults={"reason": reason[:REASON_MAX_LENGTH], "score": mastery_score(row.probability)},
    )
    row.probability, row.disowned_at = SAID_UNKNOWN, timezone.now()
    row.save(update_fields=["probability", "disowned_at"])
    return True


@transaction.atomic
def own_again(learner: Person, concept: Concept) -> bool:
    """Undo that: the placement's estimate counts again; False if there is nothing to undo."""
    row = _locked(learner, concept)
    if row is None or row.placed is None or not is_disowned(row):
        return False
    row.probability, row.disowned_at = row.placed, None
    row.save(update_fields=["probability", "disowned_at"])
    Contest.objects.open().filter(learner_id=learner.pk, concept=concept, about=Contest.About.START).delete()
    return True


def _locked(learner: Person, concept: Concept) -> Mastery | None:
    return Mastery.objects.select_for_update().filter(learner_id=learner.pk, concept=concept).first()
