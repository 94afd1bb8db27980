"""The names of a person's workspaces, for surfaces that know workspaces by name only."""

from conversations.owners import Owner
from tutoring.models import Workspace


def has_workspace(person: Owner, name: str) -> bool:
    """Return whether the person has a workspace of this name."""
    return Workspace.objects.filter(owner_id=person.pk, key__iexact=name).exists()
