"""Actions on a whole conversation: rename, delete, restore; and purging the trash."""

import uuid
from datetime import timedelta

from django.db import transaction
from django.db.models.functions import Now
from django.utils.translation import gettext as _

from agents.models import ModelCall
from agents.wire import rejections
from conversations.library.deletion import delete_documents
from conversations.models import (
    OPEN_STATUSES,
    TITLE_MAX_LENGTH,
    Document,
    Session,
    SessionQuerySet,
    Turn,
    V1RowProblem,
)
from conversations.owners import Owner, lock_owner
from conversations.panel.shared_state import forget_conversation
from conversations.validators import is_storable

TRASH_RETENTION = timedelta(days=7)
"""How long a deleted conversation can still be restored."""
TURNS_AT_ONCE = 100
"""Number of turns deleted in one transaction, so that nobody's message waits for a huge deletion."""


def rename(session: Session, title: str) -> None:
    """Rename the conversation. Raises Rejection 422 for an invalid name."""
    line = " ".join(title.split())
    if not line or len(line) > TITLE_MAX_LENGTH or not is_storable(line):
        raise rejections.invalid(
            "title", _("A name must be 1 to %(limit)s characters long.") % {"limit": TITLE_MAX_LENGTH}
        )
    with transaction.atomic():
        # A turn that starts now would otherwise write back the name it has read.
        lock_owner(session.owner)
        Session.objects.filter(pk=session.pk).update(title=line)


def delete(session: Session) -> list[uuid.UUID]:
    """Move the conversation to the trash; return its unfinished turns, which are asked to stop."""
    with transaction.atomic():
        lock_owner(session.owner)
        Session.objects.filter(pk=session.pk).update(deleted_at=Now())
        unfinished = list(session.turns.filter(status__in=OPEN_STATUSES).values_list("pk", flat=True))
        Turn.objects.filter(pk__in=unfinished).update(stop_requested=True)
    forget_conversation(session)
    return unfinished


def trash_of(person: Owner) -> SessionQuerySet:
    """Return the person's conversations in the trash, the last deleted first."""
    return Session.with_deleted.owned_by(person).in_trash(since=TRASH_RETENTION)


def restore(person: Owner, pk: int) -> Session | None:
    """Restore a conversation from the trash; None if it is not there. It gets another key if its own is taken."""
    with transaction.atomic():
        lock_owner(person)
        session = trash_of(person).filter(pk=pk).first()
        if session is None:
            return None
        if Session.objects.owned_by(person).filter(key=session.key).exists():
            session.key = uuid.uuid4().hex
        session.deleted_at = None
        session.save(update_fields=["key", "deleted_at"])
    return session


def delete_forever(person: Owner, pk: int) -> bool:
    """Mark a conversation in the trash for immediate deletion. False if it is not there."""
    return bool(trash_of(person).filter(pk=pk).update(deleted_at=Now() - TRASH_RETENTION))


def purge() -> int:
    """Delete conversations whose time in the trash is over; return how many. Safe to repeat."""
    over = Session.with_deleted.filter(deleted_at__lte=Now() - TRASH_RETENTION).exclude(key="")
    sessions = list(over.order_by("pk"))
    for session in sessions:
        delete_documents(Document.objects.filter(session=session))
        _delete_words(session)
        _delete_row(session)
    return len(sessions)


def _delete_words(session: Session) -> None:
    while turn_ids := list(session.turns.order_by("number").values_list("pk", flat=True)[:TURNS_AT_ONCE]):
        with transaction.atomic():
            ModelCall.objects.filter(turn_id__in=turn_ids).update(asked={}, reply="", keeps_words=False)
            Turn.objects.filter(pk__in=turn_ids).delete()
    # Drawings not sent with a message: the conversation's own row may stay.
    # Captures go with their turns. Rows of v1's files that could not be stored stay listed, without their words.
    V1RowProblem.objects.filter(owner=session.owner_id, session_id=session.key).update(raw={})
    session.analyses.all().delete()
    session.snapshots.all().delete()


def _delete_row(session: Session) -> None:
    """Delete the row; keep it, emptied, if rows of other apps need it: answers that a mastery is based on."""
    if _is_needed(session):
        Session.with_deleted.filter(pk=session.pk).update(key="", title="", state={}, positions={})
    else:
        session.delete()


def _is_needed(session: Session) -> bool:
    relations = [
        each for each in Session._meta.related_objects if each.related_model._meta.app_label != "conversations"
    ]
    rows = (each.related_model._base_manager.filter(**{each.field.name: session}) for each in relations)
    return any(found.exists() for found in rows)
