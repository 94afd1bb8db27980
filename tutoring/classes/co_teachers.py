"""Teachers who share a class: invite by username or by a link that works once, remove, leave."""

import secrets
from datetime import timedelta
from hashlib import sha256

from django.contrib.auth import get_user_model
from django.db import transaction
from django.utils import timezone

from agents.people import Person
from tutoring.models import Classroom, CoTeacherInvite, Membership

INVITE_LIFETIME = timedelta(days=14)
TEACHING_ROLES = ("teacher", "admin")


class NoSuchTeacher(LookupError):
    """Nobody who teaches has this username, or they learn in this class."""


class LastTeacher(ValueError):
    """A class keeps at least one teacher."""


def add_teacher(classroom: Classroom, username: str) -> Membership:
    """Let a teacher teach this class too. Raises NoSuchTeacher, for people who are no teachers alike."""
    people = get_user_model().objects.filter(role__in=TEACHING_ROLES, is_active=True)
    person = None if "\x00" in username else people.filter(username=username.strip()).first()
    if person is None:
        raise NoSuchTeacher(username)
    return _add(classroom, person.pk)


def make_invite(classroom: Classroom) -> str:
    """Store an invitation's hash and return the secret part of its address. Expired ones are deleted."""
    now = timezone.now()
    CoTeacherInvite.objects.filter(expires_at__lte=now).delete()
    raw = secrets.token_urlsafe(24)
    CoTeacherInvite.objects.create(classroom=classroom, digest=_digest(raw), expires_at=now + INVITE_LIFETIME)
    return raw


def find_invite(raw: str) -> CoTeacherInvite | None:
    """Return the invitation with its class and policy; None if it was used, is too old or never was."""
    invites = CoTeacherInvite.objects.select_related("classroom__policy").filter(expires_at__gt=timezone.now())
    return invites.filter(digest=_digest(raw)).first()


@transaction.atomic
def accept_invite(raw: str, person: Person) -> Classroom | None:
    """Use the invitation up and let the person teach its class; None if it is not valid.

    Raises NoSuchTeacher, and keeps the invitation, for somebody who learns in the class.
    """
    open_invites = CoTeacherInvite.objects.select_for_update().filter(expires_at__gt=timezone.now())
    invite = open_invites.filter(digest=_digest(raw)).first()
    if invite is None:
        return None
    _add(invite.classroom, person.pk)
    invite.delete()
    return invite.classroom


@transaction.atomic
def remove_teacher(classroom: Classroom, pk: int) -> bool:
    """Remove a teacher from the class; whether they were one. Raises LastTeacher."""
    # Two teachers who leave at the same time would leave none.
    Classroom.objects.select_for_update().filter(pk=classroom.pk).first()
    teachers = classroom.memberships.filter(role=Membership.Role.TEACHER)
    place = teachers.filter(person_id=pk).first()
    if place is None:
        return False
    if not teachers.exclude(pk=place.pk).exists():
        raise LastTeacher
    place.delete()
    return True


def _add(classroom: Classroom, pk: int) -> Membership:
    role = Membership.Role.TEACHER
    place, _ = Membership.objects.get_or_create(classroom=classroom, person_id=pk, defaults={"role": role})
    if place.role != role:
        raise NoSuchTeacher(pk)
    return place


def _digest(raw: str) -> str:
    return sha256(raw.encode("utf-8", "surrogatepass")).hexdigest()
