"""Who gets an assignment, and who may open it."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime

from django.db.models import Exists, OuterRef, Q
from django.http import Http404
from django.utils import timezone

from agents.people import Person
from tutoring.access import TOO_LARGE, not_found_text
from tutoring.models import Assignment, Classroom, Membership
from tutoring.models.assignments import AssignmentQuerySet


def assignment_for(person: Person, pk: int) -> Assignment:
    """Return an assignment that the person has to do now or had to do. Raise Http404 for any other."""
    found = given_to(person).filter(pk=pk).first() if pk < TOO_LARGE else None
    if found is None:
        raise Http404(not_found_text())
    return found


def given_to(person: Person, *, at: datetime | None = None) -> AssignmentQuerySet:
    """Return what a learner was given: begun, not withdrawn, in an active class that they joined before it was due."""
    places = Membership.objects.filter(person_id=person.pk, role=Membership.Role.LEARNER)
    joined = places.filter(
        classroom_id=OuterRef("classroom"), classroom__archived_at=None, joined_at__lte=OuterRef("due_at")
    )
    named = places.filter(assignments=OuterRef("pk"))
    in_group = places.filter(groups__assignments=OuterRef("pk"))
    reached = Q(is_for_all=True) | Q(Exists(named)) | Q(Exists(in_group))
    rows = (
        all_assignments()
        .with_targets()
        .filter(Exists(joined), reached, withdrawn_at=None, starts_at__lte=at or timezone.now())
    )
    return rows.order_by("due_at", "pk")


def learners_of(classrooms: Iterable[Classroom]) -> dict[int, list[Membership]]:
    """Return the learners of each class by the class's key, by name, with the people; one query."""
    found: dict[int, list[Membership]] = defaultdict(list)
    places = Membership.objects.filter(classroom__in=list(classrooms), role=Membership.Role.LEARNER)
    for place in places.select_related("person"):
        found[place.classroom_id].append(place)
    for rows in found.values():
        rows.sort(key=lambda place: (str(place.person).casefold(), place.pk))
    return found


def audience_of(assignment: Assignment, places: Sequence[Membership]) -> list[Membership]:
    """Return which of the class's learners get the assignment: not those who joined when it was over."""
    in_time = [place for place in places if place.joined_at <= assignment.due_at]
    if assignment.is_for_all:
        return in_time
    chosen = {place.pk for place in assignment.people.all()}
    chosen |= {place.pk for group in assignment.groups.all() for place in group.members.all()}
    return [place for place in in_time if place.pk in chosen]


def all_assignments() -> AssignmentQuerySet:
    rows = Assignment.objects.all()
    assert isinstance(rows, AssignmentQuerySet)
    return rows
