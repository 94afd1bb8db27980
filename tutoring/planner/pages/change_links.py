"""A page tells of the change that its address names, and offers to undo it."""

import uuid
from typing import Final

from django.http import HttpRequest

from agents.people import Person
from tutoring.models import PlannerChange, Workspace

CHANGE_PARAMETER: Final = "change"


def change_named(request: HttpRequest, person: Person, workspace: Workspace) -> PlannerChange | None:
    """Return the change that the address names, if it is the person's own, in this workspace."""
    try:
        pk = uuid.UUID(request.GET.get(CHANGE_PARAMETER, ""))
    except ValueError:
        return None
    return PlannerChange.objects.filter(owner_id=person.pk, workspace=workspace, pk=pk).first()
