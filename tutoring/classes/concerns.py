"""Who in a class may need help, if the class has agreed that its teachers are told."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Exists, OuterRef, Q
from django.urls import reverse
from django.utils import timezone

from agents.people import Person
from tutoring.classes.teacher_access import classes_for
from tutoring.models import Classroom, Concern, ConcernNotice, Membership, Policy
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
    code: str
    """The class's."""
    is_archived: bool
    rank: int
    """How grave it looks, from 0 for the gravest."""


def concerns_for(person: Person) -> list[LearnerConcern]:
    """Return who may need help in the classes that a person may open, unseen and most urgent first; one query.

    Only classes that have agreed that their teachers are told. Nobody for those who teach nobody.
    """
    if person.role not in ("teacher", "admin"):
        return []
    places = Membership.objects.filter(classroom_id=OuterRef("classroom_id"), role=Membership.Role.LEARNER)
    still_there = places.filter(
        person_id=OuterRef("concern__learner_id"), joined_at__lte=OuterRef("concern__created_at")
    )
    lately = Q(seen_at=None) | Q(seen_at__gte=timezone.now() - SHOWN_FOR)
    told = ConcernNotice.objects.filter(
        lately,
        Exists(still_there),
        classroom__in=classes_for(person).values("pk"),
        classroom__policy__concerns=Policy.Concerns.TEACHER,
    )
    by_learner: dict[tuple[int, int], list[ConcernNotice]] = {}
    for row in told.select_related("concern__learner", "seen_by", "classroom").order_by("concern__created_at", "pk"):
        by_learner.setdefault((row.classroom_id, row.concern.learner_id), []).append(row)
    found = [_worry(rows[0].classroom, rows) for rows in by_learner.values()]
    return sorted(found, key=lambda each: (not each.is_new, each.rank, -each.at.timestamp()))


def unseen_count(concerns: Sequence[LearnerConcern]) -> int:
    """Return how many pupils of active classes nobody has looked after yet."""
    return sum(each.is_new and not each.is_archived for each in concerns)


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
        code=classroom.code,
        is_archived=classroom.archived_at is not None,
        rank=KINDS.index(parse_kind(gravest.concern.kind)),
    )
