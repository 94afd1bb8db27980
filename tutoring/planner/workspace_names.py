"""The names of a person's workspaces, for surfaces that know workspaces by name only."""

from conversations.owners import Owner
from tutoring.models import Workspace
from tutoring.planner.records.workspaces import workspace_for


def has_workspace(person: Owner, name: str) -> bool:
    """Return whether the person has a workspace of this name, or may have one: that of a class is made when it is used."""
    try:
        workspace_for(person, name)
    except Workspace.DoesNotExist:
        return False
    return True
