"""What a person does with a whole conversation: name it, delete it, bring it back; and what becomes of deleted ones."""

import uuid
from datetime import timedelta

from django.db import transaction
from django.db.models.functions import Now
from django.utils.translation import gettext as _

from agents.models import ModelCall
from agents.wire import rejections
from conversations.library.deletion import delete_documents
from conversations.models import OPEN_STATUSES, TITLE_MAX_LENGTH, Document, Session, SessionQuerySet, Turn
from conversations.owners import Owner, lock_owner
from conversations.validators import is_storable

TRASH_RETENTION = timedelta(days=7)
"""How long a deleted conversation can be brought back."""
TURNS_AT_ONCE = 100
"""Turns deleted in one transaction: nobody's message waits until ten thousand are gone."""


def rename(session: Session, title: str) -> None:
    """Give the conversation another name. Raise Rejection 422 for one that is none."""
    line = " ".join(title.split())
    if not line or len(line) > TITLE_MAX_LENGTH or not is_storable(line):
        raise rejections.invalid("title", _("A name has 1 to %(limit)s characters.") % {"limit": TITLE_MAX_LENGTH})
    with transaction.atomic():
        # A turn that begins at this moment would write back the name it read.
        lock_owner(session.owner)
        Session.objects.filter(pk=session.pk).update(title=line)


def delete(session: Session) -> list[uuid.UUID]:
    """Put the conversation in the trash, where it is there for nobody; return its unfinished turns, asked to stop."""
    with transaction.atomic():
        lock_owner(session.owner)
        Session.objects.filter(pk=session.pk).update(deleted_at=Now())
        unfinished = list(session.turns.filter(status__in=OPEN_STATUSES).values_list("pk", flat=True))
        Turn.objects.filter(pk__in=unfinished).update(stop_requested=True)
    return unfinished


def trash_of(person: Owner) -> SessionQuerySet:
    """Return the person's conversations in the trash, the last deleted first."""
    return Session.with_deleted.owned_by(person).in_trash(since=TRASH_RETENTION)


def restore(person: Owner, pk: int) -> Session | None:
    """Take a conversation out of the trash; None where it is not there. A new one may have its key: it gets another."""
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
    """Let a conversation in the trash go before its time: nobody brings it back. False where it is not there."""
    return bool(trash_of(person).filter(pk=pk).update(deleted_at=Now() - TRASH_RETENTION))


def purge() -> int:
    """Delete for good what was in the trash for its time; return how many conversations. Done twice, it is harmless."""
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
    # Those that went with no message: the row of the conversation itself may stay.
    session.analyses.all().delete()
    session.snapshots.all().delete()


def _delete_row(session: Session) -> None:
    """Delete the row; leave it, empty, where another room's rows still need it: answers that a mastery rests on."""
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
