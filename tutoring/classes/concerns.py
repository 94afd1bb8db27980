"""Who in a class may need help, if the class has agreed that its teachers are told."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256

from django.db.models import Exists, OuterRef, Q
from django.urls import reverse
from django.utils import timezone

from agents.people import Person
from tutoring.models import Classroom, Concern, ConcernNotice, Membership
from tutoring.understanding.concerns.detector import KINDS, parse_kind

SHOWN_FOR = timedelta(days=14)
"""How long a concern that somebody has seen is still shown, with who has seen it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LearnerConcern:
    """A learner about whom the class was told."""

    pk: int
    name: str
    words: str
    """How urgent it looks; nothing of what was said."""
    at: datetime
    """When the class was told last."""
    times: int
    is_new: bool
    """Whether nobody has seen it yet."""
    seen_by: str
    url: str
    class_name: str


def concerns_in_classes(classrooms: Sequence[Classroom]) -> list[LearnerConcern]:
    """Return who may need help, unseen and most urgent first; one query, none if no class has agreed."""
    agreed = {each.pk: each for each in classrooms if each.policy.tells_of_concerns}
    if not agreed:
        return []
    places = Membership.objects.filter(classroom_id=OuterRef("classroom_id"), role=Membership.Role.LEARNER)
    still_there = places.filter(
        person_id=OuterRef("concern__learner_id"), joined_at__lte=OuterRef("concern__created_at")
    )
    lately = Q(seen_at=None) | Q(seen_at__gte=timezone.now() - SHOWN_FOR)
    told = ConcernNotice.objects.filter(lately, Exists(still_there), classroom__in=agreed)
    by_learner: dict[tuple[int, int], list[ConcernNotice]] = {}
    for row in told.select_related("concern__learner", "seen_by").order_by("concern__created_at", "pk"):
        by_learner.setdefault((row.classroom_id, row.concern.learner_id), []).append(row)
    found = [_worry(agreed[classroom], rows) for (classroom, _learner), rows in by_learner.items()]
    return sorted(found, key=lambda each: (not each.is_new, -each.at.timestamp()))


def version_mark(worries: Sequence[LearnerConcern]) -> str:
    """The same for lists that look the same."""
    return sha256(repr(worries).encode()).hexdigest()[:8] if worries else ""


def mark_seen(place: Membership, *, by: Person) -> None:
    """Record that this person has seen what the class was told about the learner so far."""
    unseen = ConcernNotice.objects.filter(classroom=place.classroom, concern__learner_id=place.person_id, seen_at=None)
    unseen.update(seen_by_id=by.pk, seen_at=timezone.now())


def _worry(classroom: Classroom, rows: Sequence[ConcernNotice]) -> LearnerConcern:
    """Return what is shown about one learner: the most urgent unseen concern, otherwise the most urgent of all."""
    shown = [row for row in rows if row.seen_at is None] or rows
    gravest = min(shown, key=lambda row: KINDS.index(parse_kind(row.concern.kind)))
    last, learner = shown[-1], shown[-1].concern.learner
    return LearnerConcern(
        pk=learner.pk,
        name=str(learner),
        words=str(Concern.Kind(gravest.concern.kind).label),
        at=last.concern.created_at,
        times=len(shown),
        is_new=last.seen_at is None,
        seen_by=str(last.seen_by or ""),
        url=reverse("class-seen", args=[classroom.code, learner.pk]),
        class_name=classroom.name,
    )
