"""Workspaces: the one door to planner rows. A workspace that is not the person's own does not exist."""

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from agents.people import Person
from tutoring.models import Membership, Workspace
from tutoring.models.planner import PERSONAL_WORKSPACE

CLASS_PREFIX = "class-"


def workspace_for(person: Person, key: str = "") -> Workspace:
    """Return the person's workspace with this key; the personal one for an empty key.

    The personal one, and one for each class of theirs, is made when it is first asked for. Raises
    Workspace.DoesNotExist for any other.
    """
    key = (key or PERSONAL_WORKSPACE).casefold()
    found = Workspace.objects.filter(owner_id=person.pk, key__iexact=key).first()
    if found is not None:
        return found
    if key == PERSONAL_WORKSPACE:
        return _make(person, key=key, title=_("Personal"))
    if key.startswith(CLASS_PREFIX):
        memberships = Membership.objects.select_related("classroom").filter(person_id=person.pk)
        member = memberships.filter(classroom__code__iexact=key.removeprefix(CLASS_PREFIX)).first()
        if member is not None:
            return _make(person, key=key, title=member.classroom.name[:80], classroom=member.classroom_id)
    raise Workspace.DoesNotExist(f"no workspace {key!r}")


def workspaces_of(person: Person) -> list[Workspace]:
    """Return the person's workspaces, the personal one first; those of their classes are made if they are missing."""
    personal = workspace_for(person)
    for code in Membership.objects.filter(person_id=person.pk).values_list("classroom__code", flat=True):
        workspace_for(person, f"{CLASS_PREFIX}{code}")
    others = Workspace.objects.filter(owner_id=person.pk).exclude(pk=personal.pk).order_by("title", "pk")
    return [personal, *others]


def _make(person: Person, *, key: str, title: str, classroom: int | None = None) -> Workspace:
    try:
        with transaction.atomic():
            return Workspace.objects.create(owner_id=person.pk, key=key[:60], title=title, classroom_id=classroom)
    except IntegrityError:  # Another request has made it meanwhile.
        return Workspace.objects.get(owner_id=person.pk, key__iexact=key[:60])
