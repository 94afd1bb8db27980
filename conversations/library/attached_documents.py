"""Documents that go with a message: which may, and which stand under it."""

import uuid
from collections.abc import Sequence
from typing import Any

from django.db.models import Q
from django.utils.translation import gettext as _

from agents.wire import rejections
from conversations.models import Document, Session, Turn

MOST = 5
"""Documents that go with one message."""
IDS_SCHEMA: dict[str, Any] = {
    "maxItems": MOST,
    "uniqueItems": True,
    "items": {"type": "string", "format": "uuid"},
}
"""How clients are told what `checked_ids` takes."""
KEY = "attachments"
"""In a turn's payload: the ids of its documents, as texts."""


def validate_ids(ids: Sequence[str]) -> list[uuid.UUID]:
    """Return the documents' ids. Raise Rejection 422 for too many, twice the same, or what is no id."""
    if len(ids) > MOST:
        raise rejections.invalid(KEY, _("At most %(count)s files go with one message.") % {"count": MOST})
    try:
        found = [uuid.UUID(each) for each in ids]
    except ValueError:
        raise _not_there() from None
    if [str(each) for each in found] != list(ids) or len({*ids}) < len(ids):
        raise _not_there()
    return found


def attach(session: Session, ids: Sequence[uuid.UUID]) -> None:
    """Let the session have the documents. The caller has the transaction, and holds the owner.

    Raise Rejection 422 for any that is not the owner's, or belongs to another conversation. One that stands in the
    library stays there, whatever becomes of the session.
    """
    if not ids:
        return
    mine = Q(in_library=True) | Q(session=None) | Q(session=session)
    documents = Document.objects.filter(mine, owner=session.owner_id, pk__in=ids)
    if documents.count() != len(ids):
        raise _not_there()
    documents.filter(in_library=False).update(session=session)


def attachments_of(turns: Sequence[Turn]) -> dict[uuid.UUID, list[Document]]:
    """Return each turn's documents that are still there, in the order they were given; no query where none has any."""
    wanted = {turn.pk: turn.payload[KEY] for turn in turns if turn.payload.get(KEY)}
    if not wanted:
        return {}
    ids = {each for given in wanted.values() for each in given}
    owners = {turn.owner_id for turn in turns}
    there = {str(row.pk): row for row in Document.objects.filter(pk__in=ids, owner__in=owners)}
    return {pk: [there[each] for each in given if each in there] for pk, given in wanted.items()}


def _not_there() -> rejections.Rejection:
    return rejections.invalid(KEY, _("One of these files is not there, or goes with another conversation."))
