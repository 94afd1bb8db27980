"""Folders: create, rename, share with a class, delete. Deleting a folder keeps its documents."""

from collections.abc import Callable, Mapping
from typing import Any

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from agents.wire import rejections
from conversations.models import Folder
from conversations.models.library import NAME_MAX_LENGTH
from conversations.owners import Owner
from conversations.validators import is_storable

FOLDERS = 200
"""Maximum number of folders per person."""

type Shareable = Callable[[Any], Mapping[str, str]]
"""Takes a person; returns the audiences they can share with, and the labels of those audiences."""

_sources: list[Shareable] = []


def register_shareable(source: Shareable) -> None:
    """Register a function that returns a person's audiences for sharing, while apps start; twice is harmless."""
    if source not in _sources:
        _sources.append(source)


def shareable_by(person: Owner) -> dict[str, str]:
    """Return the audiences that the person may share a folder with, with their labels."""
    return {audience: label for source in _sources for audience, label in source(person).items()}


def make_folder(person: Owner, name: str) -> Folder:
    """Create a folder. Raises Rejection: 422 for an invalid name, 409 for a duplicate, 413 for too many folders."""
    if Folder.objects.filter(owner=person).count() >= FOLDERS:
        raise rejections.too_large(_("You can have at most %(count)s folders. Delete one first.") % {"count": FOLDERS})
    folder = Folder(owner=person, name=_checked(name))
    _save(folder)
    return folder


def rename_folder(folder: Folder, name: str) -> None:
    """Rename the folder. Raises Rejection as `make_folder` does."""
    folder.name = _checked(name)
    _save(folder)


def share(folder: Folder, audience: str) -> None:
    """Share the folder with an audience, or with nobody. Raises Rejection 404 for an audience the owner may not use."""
    if audience and audience not in shareable_by(folder.owner):
        raise rejections.not_found()
    folder.audience = audience
    folder.save(update_fields=["audience"])


def stop_sharing(person_id: int, audience: str) -> None:
    """Stop sharing a person's folders with an audience that they have left."""
    Folder.objects.filter(owner_id=person_id, audience=audience).update(audience="")


def _checked(name: str) -> str:
    line = " ".join(name.split())
    if not 1 <= len(line) <= NAME_MAX_LENGTH or not is_storable(line):
        raise rejections.invalid(
            "name", _("A name must be 1 to %(limit)s characters long.") % {"limit": NAME_MAX_LENGTH}
        )
    return line


def _save(folder: Folder) -> None:
    try:
        with transaction.atomic():
            folder.save()
    except IntegrityError:
        raise rejections.Rejection("conflict", _("You already have a folder with this name."), status=409) from None
