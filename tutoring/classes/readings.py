"""The record of who looked at what a class shows of a learner."""

from collections.abc import Collection
from typing import Final

from django.utils import timezone

from agents.people import Person
from agents.storage.availability import best_effort
from conversations.models import Session
from tutoring.models import AccessLog, Classroom, Membership

WAITS_S: Final = 2.0
"""Seconds to wait for another writer; after that, only the log has it."""
SHOWN: Final = 100
Kind = AccessLog.Kind


def note_reading(reader: Person, place: Membership, kind: AccessLog.Kind, *, session: Session | None = None) -> None:
    """Record that a teacher looked at something of the learner's: every conversation, everything else once a day."""
    with best_effort(f"reading by person {reader.pk} of {kind} of person {place.person_id}", waits_s=WAITS_S):
        if session is not None or not _noted_today(place.classroom, [place.person_id], kind, reader_id=reader.pk):
            AccessLog.objects.create(
                reader_id=reader.pk, learner_id=place.person_id, kind=kind, session=session, classroom=place.classroom
            )


def note_report(reader: Person, classroom: Classroom, learners: Collection[int]) -> None:
    """Record that a teacher looked at a report that names these learners; once a day for each."""
    with best_effort(f"report read by person {reader.pk} in class {classroom.pk}", waits_s=WAITS_S):
        noted = _noted_today(classroom, learners, Kind.REPORT, reader_id=reader.pk)
        AccessLog.objects.bulk_create(
            AccessLog(reader_id=reader.pk, learner_id=each, kind=Kind.REPORT, classroom=classroom)
            for each in learners
            if each not in noted
        )


def note_guardian(place: Membership) -> None:
    """Record that a guardian opened the learner's monthly page; every opening."""
    with best_effort(f"guardian's page of person {place.person_id}", waits_s=WAITS_S):
        AccessLog.objects.create(learner_id=place.person_id, kind=Kind.GUARDIAN, classroom=place.classroom)


def readings_of(person: Person, *, most: int = SHOWN) -> list[AccessLog]:
    """Return who looked at what of the person's, the latest first; deleted conversations are left out. One query."""
    latest = AccessLog.objects.filter(learner_id=person.pk, session__deleted_at=None)
    return list(latest.select_related("reader", "session", "classroom").order_by("-created_at", "-pk")[:most])


def _noted_today(
    classroom: Classroom, learners: Collection[int], kind: AccessLog.Kind, *, reader_id: int
) -> frozenset[int]:
    """Return those of the learners of whom this is recorded today."""
    since = timezone.localtime().replace(hour=0, minute=0, second=0, microsecond=0)
    rows = AccessLog.objects.filter(reader_id=reader_id, classroom=classroom, learner__in=learners, kind=kind)
    return frozenset(rows.filter(created_at__gte=since).values_list("learner_id", flat=True))
