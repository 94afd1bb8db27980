"""Lists of classes for teachers and for learners."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import timedelta

from django.db.models import Count, Q, QuerySet
from django.utils import timezone

from agents.people import Person
from tutoring.models import Classroom, Membership, RosterAccount
from tutoring.pages.cards.question_context import Context

CHANGE_SHOWN_FOR = timedelta(days=14)
"""How long a changed policy is shown on the home of those who joined before."""
LEARNERS = Q(memberships__role=Membership.Role.LEARNER)


def list_taught_classes(classrooms: QuerySet[Classroom]) -> Context:
    """Return the active and the archived classes, each with its number of learners."""
    # A separate join: the one that finds the classes would count the teacher instead of the learners.
    found = Classroom.objects.filter(pk__in=classrooms.values("pk")).annotate(
        learners=Count("memberships", filter=LEARNERS)
    )
    rows = list(found.order_by("name", "pk"))
    return {
        "classes": [row for row in rows if row.archived_at is None],
        "archived": [row for row in rows if row.archived_at is not None],
    }


def list_joined_classes(person: Person) -> list[Context]:
    """Return the classes the person learns in, each with its teachers, policy and joining date; three queries.

    `prints_cards` tells whether its teachers can print sign-in cards for the person.
    """
    places = Membership.objects.filter(person_id=person.pk, role=Membership.Role.LEARNER)
    rows = list(places.select_related("classroom__policy").order_by("classroom__name", "pk"))
    teachers = teacher_names([row.classroom for row in rows])
    managing = RosterAccount.objects.filter(person_id=person.pk).values_list("classroom_id", flat=True).first()
    return [
        {
            "classroom": row.classroom,
            "teachers": teachers[row.classroom_id],
            "words": row.classroom.policy.words,
            "readable_since": row.classroom.policy.readable_since(row.joined_at),
            "changed_at": _changed(row),
            "prints_cards": row.classroom_id == managing,
        }
        for row in rows
    ]


def learner_places(person: Person) -> list[Membership]:
    """Return where the person learns, with the classes and their policies."""
    places = Membership.objects.filter(person_id=person.pk, role=Membership.Role.LEARNER)
    return list(places.select_related("classroom__policy").order_by("pk"))


def recently_changed_classes(places: Iterable[Membership]) -> list[Classroom]:
    """Return the classes whose policy changed lately, after the person joined: their home shows it."""
    since = timezone.now() - CHANGE_SHOWN_FOR
    return [place.classroom for place in places if place.classroom.policy.changed_at > max(since, place.joined_at)]


def teacher_names(classrooms: Sequence[Classroom]) -> dict[int, list[str]]:
    """Return the names of each class's teachers, by its key."""
    places = Membership.objects.filter(classroom__in=classrooms, role=Membership.Role.TEACHER)
    names: dict[int, list[str]] = defaultdict(list)
    for place in places.select_related("person").order_by("pk"):
        names[place.classroom_id].append(str(place.person))
    return names


def _changed(place: Membership) -> object:
    """Return when the policy changed after the person joined; None if it did not."""
    changed = place.classroom.policy.changed_at
    return changed if changed > place.joined_at else None
