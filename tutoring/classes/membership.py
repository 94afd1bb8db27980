"""Create, join and leave a class; who shares one with whom."""

import re
import secrets
from collections.abc import Collection

from django.contrib.auth import get_user_model
from django.db import IntegrityError, connection, transaction
from django.utils import timezone

from agents.people import Person
from conversations.library import folders
from tutoring.models import Classroom, Membership, Policy, RosterAccount

CODE_ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789"
"""Without i, l, o, 0, 1: a code is read off a board and typed."""
CODE_LENGTH = 6


CODES = """
    SELECT code FROM tutoring_classroom JOIN tutoring_membership ON classroom_id = tutoring_classroom.id
    WHERE person_id = %s"""
"""The codes of a person's classes."""
CODE_PATTERN = re.compile(r"[a-z0-9_-]{1,40}")


class InvalidClassCode(ValueError):
    """A code has letters, digits, - and _ only, 40 at most."""


class ClassNotFound(LookupError):
    """There is no class with this code."""


class ClassCodeTaken(ValueError):
    """There is a class with this code already."""


@transaction.atomic
def make_class(teacher: Person, name: str, *, code: str | None = None) -> Classroom:
    """Create a class with its policy and its first teacher. Raises CodeTaken, and BadCode for what no URL can hold."""
    code = (code or _new_code()).lower()
    if not CODE_PATTERN.fullmatch(code):
        raise InvalidClassCode(code)
    try:
        with transaction.atomic():
            classroom = Classroom.objects.create(code=code, name=name)
    except IntegrityError as error:
        raise ClassCodeTaken(code) from error
    Policy.objects.create(classroom=classroom)
    Membership.objects.create(classroom=classroom, person_id=teacher.pk, role=Membership.Role.TEACHER)
    return classroom


def find_class(code: str) -> Classroom:
    """Return the class with this code, with its policy. Raises NoSuchClass."""
    typed = code.strip().lower()
    open_classes = Classroom.objects.filter(archived_at=None).select_related("policy")
    # PostgreSQL refuses to look for a NUL.
    classroom = None if "\x00" in typed else open_classes.filter(code=typed).first()
    if classroom is None:
        raise ClassNotFound(code)
    return classroom


def join_class(person: Person, code: str, *, role: str = Membership.Role.LEARNER) -> Membership:
    """Add the person to the class; a member stays one, with the same role. Raises NoSuchClass."""
    classroom = find_class(code)
    membership, _ = Membership.objects.get_or_create(classroom=classroom, person_id=person.pk, defaults={"role": role})
    return membership


@transaction.atomic
def leave_class(person: Person, code: str) -> bool:
    """Let the person leave the class; return whether they were a member.

    An account that the class's teachers created is the person's alone from then on: the email address goes, because it may
    be one that the teachers entered, and could reset the password.
    """
    classroom = code.strip().lower()
    freed, _ = RosterAccount.objects.filter(classroom__code=classroom, person_id=person.pk).delete()
    if freed:
        get_user_model().objects.filter(pk=person.pk).update(email="")
    deleted, _ = Membership.objects.filter(classroom__code=classroom, person_id=person.pk).delete()
    return deleted > 0


def remove_pupils(classroom: Classroom, people: Collection[int]) -> None:
    """Remove these people from the class. If its teachers created their accounts, they can add them again."""
    classroom.memberships.filter(role=Membership.Role.LEARNER, person_id__in=people).delete()


def archive_class(classroom: Classroom) -> None:
    """Archive the class: nobody joins any more, everything else stays as it is."""
    classroom.archived_at = timezone.now()
    classroom.save(update_fields=["archived_at"])


def restore_class(classroom: Classroom) -> None:
    classroom.archived_at = None
    classroom.save(update_fields=["archived_at"])


def class_audiences(person: Person) -> frozenset[str]:
    """Return the audiences a person belongs to through classes, like `class:4b`."""
    # Not by the ORM, which takes longer to compose this query than the database to answer it: every turn asks it.
    with connection.cursor() as cursor:
        cursor.execute(CODES, [person.pk])
        return frozenset(Classroom(code=code).audience for (code,) in cursor.fetchall())


def members_of(audiences: Collection[str]) -> dict[str, set[str]]:
    """Return by audience the usernames of the class's members, its teachers too."""
    codes = {audience.removeprefix("class:") for audience in audiences if audience.startswith("class:")}
    found: dict[str, set[str]] = {}
    members = Membership.objects.filter(classroom__code__in=codes)
    for code, username in members.values_list("classroom__code", "person__username"):
        found.setdefault(Classroom(code=code).audience, set()).add(username)
    return found


def shareable_audiences(person: Person) -> dict[str, str]:
    """Return whom a person may share documents with: the audiences of the classes they teach, by the classes' names."""
    places = Membership.objects.filter(person_id=person.pk, role=Membership.Role.TEACHER).select_related("classroom")
    return {place.classroom.audience: place.classroom.name for place in places.order_by("classroom__name")}


def remove_shares(instance: Membership, **kwargs: object) -> None:
    """Stop sharing what a person shares with a class they are no longer in."""
    folders.stop_sharing(instance.person_id, instance.classroom.audience)


def _new_code() -> str:
    return "".join(secrets.choice(CODE_ALPHABET) for _ in range(CODE_LENGTH))
