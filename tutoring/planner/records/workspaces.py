"""Workspaces: the one door to planner rows. A workspace that is not the person's own does not exist."""

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from agents.people import Person
from tutoring.models import Membership, PlannerSettings, Workspace
from tutoring.models.planner import KEY_MAX_LENGTH, PERSONAL_WORKSPACE

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


def shown_workspace(person: Person) -> str:
    """Return the key of the workspace that the person's pages show; empty for the personal one."""
    rows = PlannerSettings.objects.filter(owner_id=person.pk, workspace__owner_id=person.pk)
    return rows.values_list("workspace__key", flat=True).first() or ""


def workspaces_of(person: Person) -> list[Workspace]:
    """Return the person's workspaces, the personal one first. Those not made yet are among them, unsaved: nothing is written."""
    stored = {each.key.casefold(): each for each in Workspace.objects.filter(owner_id=person.pk)}
    personal = stored.pop(PERSONAL_WORKSPACE, None) or _new(person, key=PERSONAL_WORKSPACE, title=_("Personal"))
    for member in Membership.objects.select_related("classroom").filter(person_id=person.pk):
        key = f"{CLASS_PREFIX}{member.classroom.code}".casefold()
        stored.setdefault(key, _new(person, key=key, title=member.classroom.name[:80], classroom=member.classroom_id))
    return [personal, *sorted(stored.values(), key=lambda each: (each.title, each.key))]


def _new(person: Person, *, key: str, title: str, classroom: int | None = None) -> Workspace:
    return Workspace(owner_id=person.pk, key=key[:KEY_MAX_LENGTH], title=title, classroom_id=classroom)


def _make(person: Person, *, key: str, title: str, classroom: int | None = None) -> Workspace:
    made = _new(person, key=key, title=title, classroom=classroom)
    try:
        with transaction.atomic():
            made.save()
        return made
    except IntegrityError:  # Another request has made it meanwhile.
        return Workspace.objects.get(owner_id=person.pk, key__iexact=made.key)
