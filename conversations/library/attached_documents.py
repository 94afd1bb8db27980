"""Documents attached to messages: which are allowed, and which are shown below a message."""

import uuid
from collections.abc import Sequence
from typing import Any

from django.db.models import Q
from django.utils.translation import gettext as _

from agents.wire import rejections
from conversations.models import Document, Session, Turn

MOST = 5
"""Maximum number of documents attached to one message."""
IDS_SCHEMA: dict[str, Any] = {
    "maxItems": MOST,
    "uniqueItems": True,
    "items": {"type": "string", "format": "uuid"},
}
"""Schema for clients of what `validate_ids` accepts."""
KEY = "attachments"
"""In a turn's payload: the ids of its documents, as strings."""


def validate_ids(ids: Sequence[str]) -> list[uuid.UUID]:
    """Return the documents' ids. Raises Rejection 422 for too many, a duplicate, or an invalid id."""
    if len(ids) > MOST:
        raise rejections.invalid(KEY, _("You can attach at most %(count)s files to one message.") % {"count": MOST})
    try:
        found = [uuid.UUID(each) for each in ids]
    except ValueError:
        raise _not_there() from None
    if [str(each) for each in found] != list(ids) or len({*ids}) < len(ids):
        raise _not_there()
    return found


def attach(session: Session, ids: Sequence[uuid.UUID]) -> None:
    """Attach the documents to the session. The caller opens the transaction and holds the owner's lock.

    Raises Rejection 422 if one is not the owner's or belongs to another conversation. A document in the library stays
    there even if the session is deleted.
    """
    if not ids:
        return
    mine = Q(in_library=True) | Q(session=None) | Q(session=session)
    documents = Document.objects.filter(mine, owner=session.owner_id, pk__in=ids)
    if documents.count() != len(ids):
        raise _not_there()
    documents.filter(in_library=False).update(session=session)


def attachments_of(turns: Sequence[Turn]) -> dict[uuid.UUID, list[Document]]:
    """Return each turn's existing documents, in the order they were attached; makes no query if there are none."""
    wanted = {turn.pk: turn.payload[KEY] for turn in turns if turn.payload.get(KEY)}
    if not wanted:
        return {}
    ids = {each for given in wanted.values() for each in given}
    owners = {turn.owner_id for turn in turns}
    there = {str(row.pk): row for row in Document.objects.filter(pk__in=ids, owner__in=owners)}
    return {pk: [there[each] for each in given if each in there] for pk, given in wanted.items()}


def _not_there() -> rejections.Rejection:
    return rejections.invalid(KEY, _("One of these files does not exist or belongs to another conversation."))
