"""Access checks of conversations and documents. What belongs to somebody else is reported as not found."""

import re
import uuid
from typing import Any, cast

from django.db.models import Q
from django.utils.translation import gettext as _

from agents.rollout.flags import is_enabled, stays_enabled
from agents.rollout.known_flags import MULTI_AGENT
from agents.wire import rejections
from conversations.models import Document, Folder, Session, Turn
from conversations.owners import Owner

TOO_LARGE = 2**63
"""Numbers this large cannot be database ids."""
CANONICAL_UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")


def is_team_enabled(person: Owner, key: str | None = None) -> bool:
    """Return whether the multi-agent API is on for the person.

    A conversation that began with it, named by its `key`, keeps it, unless the kill switch is on.
    """
    if is_enabled(MULTI_AGENT, person):
        return True
    sides = Session.objects.filter(owner=person, key=key).values_list("flags", flat=True).first() if key else None
    return sides is not None and stays_enabled(MULTI_AGENT, person, sides)


def require_enabled(person: Owner, key: str | None = None) -> None:
    """Raise Rejection 501 if `is_team_enabled` is false; lessons on the page still work."""
    if not is_team_enabled(person, key):
        raise rejections.not_enabled(_("This part of the API is turned off on this site."))


def require_scope(person: Owner, scope: str) -> None:
    """Raise Rejection 404 if the request's token does not have this scope."""
    if scope not in person.scopes:
        raise rejections.not_found()


def session_for(person: Owner, key: str) -> Session:
    """Return the person's own session. Raises Rejection 404 for any other key."""
    session = Session.objects.filter(owner=person, key=key).first() if is_possible_key(key) else None
    if session is None:
        raise rejections.not_found()
    session.owner = cast("Any", person)
    return session


def turn_for(person: Owner, turn_id: str | uuid.UUID) -> Turn:
    """Return the person's own turn, with its session. Raises Rejection 404 for any other id.

    Only the standard spelling of a UUID is accepted.
    """
    if not CANONICAL_UUID.fullmatch(str(turn_id)):
        raise rejections.not_found()
    turn = Turn.objects.filter(owner=person, pk=turn_id, session__deleted_at=None).select_related("session").first()
    if turn is None:
        raise rejections.not_found()
    return turn


def latest_turn_for(person: Owner, key: str) -> Turn:
    """Return the latest turn of the person's own session. Raises Rejection 404 if there is none."""
    turn = session_for(person, key).turns.select_related("session").order_by("-number").first()
    if turn is None:
        raise rejections.not_found()
    return turn


def document_for(person: Owner, document_id: uuid.UUID) -> Document:
    """Return a document that the person may read, with owner and folder. Raises Rejection 404 otherwise."""
    readable = Document.objects.all().readable_by(person).filter(pk=document_id)
    document: Document | None = readable.select_related("owner", "folder").first()
    if document is None:
        raise rejections.not_found()
    return document


def own_document(person: Owner, document_id: uuid.UUID) -> Document:
    """Return the person's own document, which they may change. Raises Rejection 404 otherwise."""
    document = document_for(person, document_id)
    if document.owner_id != person.pk:
        raise rejections.not_found()
    return document


def folder_for(person: Owner, folder_id: int) -> Folder:
    """Return the person's own folder. Raises Rejection 404 otherwise."""
    folder = Folder.objects.filter(owner=person, pk=folder_id).first() if folder_id < TOO_LARGE else None
    if folder is None:
        raise rejections.not_found()
    folder.owner = person
    return folder


def readable_folder(person: Owner, folder_id: int) -> Folder:
    """Return a folder whose documents the person may read: their own, or shared with them. Raises Rejection 404."""
    shared = Q(audience__in=[each for each in person.audiences if each])
    folders = Folder.objects.filter(Q(owner=person) | shared).select_related("owner")
    folder = folders.filter(pk=folder_id).first() if folder_id < TOO_LARGE else None
    if folder is None:
        raise rejections.not_found()
    return folder


def is_possible_key(key: str) -> bool:
    return "\x00" not in key and not any("\ud800" <= character <= "\udfff" for character in key)
