"""What teachers did about reasons to help: dismissed or followed up, until there is new evidence."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from agents.people import Person
from tutoring.models import Classroom, HelpMark, Membership

type ReasonKey = tuple[int, str]
"""A learner's key, and what names the reason."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """What a teacher did about a reason to help."""

    pk: int
    kind: str
    note: str
    by: str
    at: datetime
    evidence: str


def marks_in(classroom: Classroom) -> Mapping[ReasonKey, Mark]:
    """Return the marks of a class, by learner and reason; one query."""
    rows = HelpMark.objects.filter(classroom=classroom).select_related("by")
    return {
        (row.learner_id, row.reason): Mark(
            pk=row.pk, kind=row.kind, note=row.note, by=str(row.by or ""), at=row.created_at, evidence=row.evidence
        )
        for row in rows
    }


def mark_reasons(
    place: Membership, reasons: Iterable[tuple[str, str]], *, kind: HelpMark.Kind, note: str, by: Person
) -> list[HelpMark]:
    """Dismiss reasons, or mark them as followed up; each is `(name, evidence)`. An earlier mark is replaced."""
    of = {"classroom": place.classroom, "learner_id": place.person_id}
    HelpMark.objects.filter(**of, reason__in=[reason for reason, _evidence in reasons]).delete()
    return HelpMark.objects.bulk_create(
        HelpMark(**of, reason=reason, evidence=evidence, kind=kind, note=note, by_id=by.pk)
        for reason, evidence in reasons
    )


def take_back(place: Membership) -> int:
    """Remove all marks about a learner of the class, so that the reasons are shown again; return how many."""
    count, _rows = HelpMark.objects.filter(classroom=place.classroom, learner_id=place.person_id).delete()
    return count
