"""Snapshots: taken when strokes settle, gone with a message, shown under it, deleted by who drew them."""

import uuid
from collections.abc import Sequence
from dataclasses import asdict
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.db.models.functions import Now
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from agents.models import ModelCall
from agents.wire import rejections
from agents.wire.rejections import Rejection
from conversations.board.handwriting import enqueue_handwriting
from conversations.drawing.interpretation import read_board
from conversations.drawing.schema import Board, BoardRefused, BoardTooFull, digest, parse
from conversations.models import Analysis, Event, Finding, Session, Snapshot, Turn

KEY = "board"
"""In a turn's payload: the id of the drawing that goes with its message."""
LOOK_TOOL = "look_at_board"
"""The tool with which a role looks at it."""
A_MINUTE = 40
"""Snapshots of a conversation in a minute: one when strokes settle, one every ten seconds while they change."""
UNSPOKEN = 3
"""Snapshots kept that went with no message; older ones are let go, once they no longer count for their minute."""


def take(session: Session, content: bytes) -> Snapshot | None:
    """Keep the board as it stands now; return its snapshot, the last one where nothing changed, None for an empty board.

    That it was emptied is kept too, so that nobody looks at what was wiped off it. Raise Rejection: 400 for what is no board,
    413 for too much on it, 429 for too many in a minute.
    """
    board = _board(content)
    latest, same = latest_of(session), digest(board)
    if latest is None and board.is_empty:
        return None
    if latest is not None and latest.digest == same:
        return latest
    minute_ago = Now() - timedelta(minutes=1)
    if session.snapshots.filter(created_at__gt=minute_ago, created_at__lte=Now()).count() >= A_MINUTE:
        raise rejections.rate_limited(
            _("Many drawings came in a minute. The next one is looked at soon."), retry_after_s=20
        )
    reading = {} if board.is_empty else asdict(read_board(board))
    with transaction.atomic():
        snapshot = Snapshot.objects.create(
            session=session, board=board.model_dump(mode="json"), digest=same, reading=reading
        )
        unspoken = session.snapshots.filter(turn=None)
        kept = list(unspoken.order_by("-created_at").values_list("pk", flat=True)[:UNSPOKEN])
        unspoken.filter(created_at__lte=minute_ago).exclude(pk__in=kept).delete()
    return None if board.is_empty else snapshot


def _board(content: bytes) -> Board:
    try:
        return parse(content)
    except BoardTooFull as refusal:
        raise rejections.too_large(str(refusal)) from refusal
    except BoardRefused as refusal:
        raise Rejection("invalid_input", str(refusal), status=400) from refusal


def attach(turn: Turn, drawing: uuid.UUID | None) -> None:
    """Let a drawing go with a turn's message, which is stored. The caller has the transaction.

    It belongs to the first message it went with, or to what replaces that; later ones are heard in its light. Raise
    Rejection 422 for one that is not of this conversation, or was deleted.
    """
    if KEY not in turn.payload:
        return
    snapshot = turn.session.snapshots.filter(pk=turn.payload[KEY], deleted_at=None).first()
    if snapshot is None and drawing is not None:
        raise rejections.invalid(KEY, _("This drawing is not there any more. Send the message once more without it."))
    if snapshot is not None and snapshot.turn_id in (None, turn.replaces_id):
        snapshot.turn = turn
        snapshot.save(update_fields=["turn"])
        enqueue_handwriting(snapshot)


def drawing_of(turn: Turn) -> Snapshot | None:
    """Return what went with the turn's message; None where nothing did, or it was deleted."""
    if KEY not in turn.payload:
        return None
    return turn.session.snapshots.filter(pk=turn.payload[KEY], deleted_at=None).first()


def latest_of(session: Session) -> Snapshot | None:
    """Return the board as it was last seen; None where nothing is on it."""
    latest = session.snapshots.filter(deleted_at=None).order_by("-created_at").first()
    return latest if latest is not None and latest.board.get("items") else None


def drawings_of(turns: Sequence[Turn]) -> dict[uuid.UUID, Snapshot]:
    """Return the drawing that each turn was the first to go with, deleted ones too; no query where none has any."""
    wanted = {turn.pk: uuid.UUID(turn.payload[KEY]) for turn in turns if turn.payload.get(KEY)}
    if not wanted:
        return {}
    owners = {turn.owner_id for turn in turns}
    rows = Snapshot.objects.filter(pk__in=wanted.values(), session__owner__in=owners).select_related("session")
    there = {row.pk: row for row in rows}
    older = {turn.pk for turn in turns if turn.replaced_by_id is not None}  # It went on to the version in force.
    return {
        pk: there[drawing]
        for pk, drawing in wanted.items()
        if drawing in there and (pk in older or there[drawing].turn_id == pk)
    }


@transaction.atomic
def delete(snapshot: Snapshot) -> None:
    """Forget a drawing and what was made of it. That there was one stays with its message."""
    Analysis.objects.filter(snapshot=snapshot).delete()
    Finding.objects.filter(session=snapshot.session_id, content__snapshot=str(snapshot.pk)).delete()
    of_session = Turn.objects.filter(session=snapshot.session_id)
    looks = Event.objects.filter(turn__session=snapshot.session_id, type="tool_returned", body__tool=LOOK_TOOL)
    with_it = of_session.filter(**{f"payload__{KEY}": str(snapshot.pk)})
    # These looked at what was there last: it may have been this one.
    with_none = of_session.exclude(payload__has_key=KEY).filter(pk__in=looks.values("turn"))
    turns = [*with_it.values_list("pk", flat=True), *with_none.values_list("pk", flat=True)]
    _blank_findings(turns, str(snapshot.pk))
    for event in looks.filter(turn__in=turns):
        event.body |= {"summary": ""}
        event.save(update_fields=["body"])
    snapshot.board, snapshot.reading, snapshot.digest, snapshot.deleted_at = {}, {}, "", timezone.now()
    snapshot.save(update_fields=["board", "reading", "digest", "deleted_at"])


def _blank_findings(turns: Sequence[uuid.UUID], seen: str) -> None:
    """Let what is kept of turns say no more what was seen in them: events, which clients count, and calls."""
    ModelCall.objects.filter(turn_id__in=turns).update(asked={}, reply="", keeps_words=False)
    for event in Event.objects.filter(turn__in=turns, type="finding", body__content__snapshot=seen):
        event.body |= {"words": "", "content": {}}
        event.save(update_fields=["body"])


def forget_photo_findings(owner_id: int, seen: str) -> None:
    """Forget what was made of a photo that goes for good; the caller has the transaction. One query where nothing was."""
    found = Finding.objects.filter(session__owner=owner_id, content__snapshot=seen)
    turns = list(found.values_list("turn_id", flat=True))
    if not turns:
        return
    found.delete()
    Analysis.objects.filter(turn__in=turns, agent="vision").delete()
    _blank_findings(turns, seen)


def drawing_context(snapshot: Snapshot) -> dict[str, Any]:
    """Return what a page shows of a drawing."""
    return {
        "id": snapshot.pk,
        "url": snapshot.get_absolute_url(),
        "alt": snapshot.reading.get("description") or _("A drawing"),
        "delete_url": reverse("delete-drawing", args=[snapshot.session.key, snapshot.pk]),
        "deleted": snapshot.deleted_at is not None,
    }
