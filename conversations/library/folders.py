"""Folders: made, named, shared with a class, and deleted without what stands in them."""

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
"""Folders of one person at most."""

type Shareable = Callable[[Any], Mapping[str, str]]
"""A person → the audiences that they may share with, and what each is called."""

_sources: list[Shareable] = []


def register_shareable(source: Shareable) -> None:
    """Add a function that names whom a person may share with. A room calls this while apps start; again is harmless."""
    if source not in _sources:
        _sources.append(source)


def shareable_by(person: Owner) -> dict[str, str]:
    """Return the audiences that the person may share a folder with, by what they are called."""
    return {audience: label for source in _sources for audience, label in source(person).items()}


def make_folder(person: Owner, name: str) -> Folder:
    """Make a folder. Raise Rejection: 422 for a name that is none, 409 for one that there is, 413 for too many folders."""
    if Folder.objects.filter(owner=person).count() >= FOLDERS:
        raise rejections.too_large(_("There is room for %(count)s folders.") % {"count": FOLDERS})
    folder = Folder(owner=person, name=_checked(name))
    _save(folder)
    return folder


def rename_folder(folder: Folder, name: str) -> None:
    """Give the folder another name. Raise Rejection as `make_folder`."""
    folder.name = _checked(name)
    _save(folder)


def share(folder: Folder, audience: str) -> None:
    """Let an audience read what stands in the folder, or nobody. Raise Rejection 404 for one that its owner may not name."""
    if audience and audience not in shareable_by(folder.owner):
        raise rejections.not_found()
    folder.audience = audience
    folder.save(update_fields=["audience"])


def stop_sharing(person_id: int, audience: str) -> None:
    """Take back what a person shares with an audience that they no longer speak to."""
    Folder.objects.filter(owner_id=person_id, audience=audience).update(audience="")


def _checked(name: str) -> str:
    line = " ".join(name.split())
    if not 1 <= len(line) <= NAME_MAX_LENGTH or not is_storable(line):
        raise rejections.invalid("name", _("A name has 1 to %(limit)s characters.") % {"limit": NAME_MAX_LENGTH})
    return line


def _save(folder: Folder) -> None:
    try:
        with transaction.atomic():
            folder.save()
    except IntegrityError:
        raise rejections.Rejection("conflict", _("You have a folder of that name already."), status=409) from None
