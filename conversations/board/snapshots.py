"""Snapshots of the board: taken when strokes settle, sent with a message, shown below it, deleted by their owner."""

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
"""In a turn's payload: the id of the drawing sent with its message."""
LOOK_TOOL = "look_at_board"
"""The tool a role uses to look at the drawing."""
A_MINUTE = 40
"""Snapshots per conversation and minute: one when strokes settle, one every ten seconds while they change."""
UNSPOKEN = 3
"""How many snapshots that were not sent with a message are kept; older ones are deleted once their minute is over."""


def take(session: Session, content: bytes) -> Snapshot | None:
    """Store the current board; return its snapshot, the previous one if nothing changed, None for an empty board.

    An emptied board is stored too, so that nobody looks at what was erased. Raises Rejection: 400 for an invalid board,
    413 if there is too much on it, 429 for too many per minute.
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
            _("You have sent too many drawings in the last minute. Wait a moment, then keep drawing."), retry_after_s=20
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
    """Attach a drawing to a turn's stored message. The caller opens the transaction.

    It belongs to the first message it was sent with, or to that message's replacement; later messages are read together
    with it. Raises Rejection 422 if it is not of this conversation or was deleted.
    """
    if KEY not in turn.payload:
        return
    snapshot = turn.session.snapshots.filter(pk=turn.payload[KEY], deleted_at=None).first()
    if snapshot is None and drawing is not None:
        raise rejections.invalid(KEY, _("This drawing was deleted. Send the message again without it."))
    if snapshot is not None and snapshot.turn_id in (None, turn.replaces_id):
        snapshot.turn = turn
        snapshot.save(update_fields=["turn"])
        enqueue_handwriting(snapshot)


def drawing_of(turn: Turn) -> Snapshot | None:
    """Return the drawing sent with the turn's message; None if there is none or it was deleted."""
    if KEY not in turn.payload:
        return None
    return turn.session.snapshots.filter(pk=turn.payload[KEY], deleted_at=None).first()


def latest_of(session: Session) -> Snapshot | None:
    """Return the latest snapshot of the board; None if the board is empty."""
    latest = session.snapshots.filter(deleted_at=None).order_by("-created_at").first()
    return latest if latest is not None and latest.board.get("items") else None


def drawings_of(turns: Sequence[Turn]) -> dict[uuid.UUID, Snapshot]:
    """Return the drawing first sent with each turn, including deleted ones; makes no query if there are none."""
    wanted = {turn.pk: uuid.UUID(turn.payload[KEY]) for turn in turns if turn.payload.get(KEY)}
    if not wanted:
        return {}
    owners = {turn.owner_id for turn in turns}
    rows = Snapshot.objects.filter(pk__in=wanted.values(), session__owner__in=owners).select_related("session")
    there = {row.pk: row for row in rows}
    older = {turn.pk for turn in turns if turn.replaced_by_id is not None}  # It moved to the active version.
    return {
        pk: there[drawing]
        for pk, drawing in wanted.items()
        if drawing in there and (pk in older or there[drawing].turn_id == pk)
    }


@transaction.atomic
def delete(snapshot: Snapshot) -> None:
    """Delete a drawing and what was derived from it. The message still shows that there was one."""
    Analysis.objects.filter(snapshot=snapshot).delete()
    Finding.objects.filter(session=snapshot.session_id, content__snapshot=str(snapshot.pk)).delete()
    of_session = Turn.objects.filter(session=snapshot.session_id)
    looks = Event.objects.filter(turn__session=snapshot.session_id, type="tool_returned", body__tool=LOOK_TOOL)
    with_it = of_session.filter(**{f"payload__{KEY}": str(snapshot.pk)})
    # These turns looked at the latest drawing, which may have been this one.
    with_none = of_session.exclude(payload__has_key=KEY).filter(pk__in=looks.values("turn"))
    turns = [*with_it.values_list("pk", flat=True), *with_none.values_list("pk", flat=True)]
    _blank_findings(turns, str(snapshot.pk))
    for event in looks.filter(turn__in=turns):
        event.body |= {"summary": ""}
        event.save(update_fields=["body"])
    snapshot.board, snapshot.reading, snapshot.digest, snapshot.deleted_at = {}, {}, "", timezone.now()
    snapshot.save(update_fields=["board", "reading", "digest", "deleted_at"])


def _blank_findings(turns: Sequence[uuid.UUID], seen: str) -> None:
    """Remove what was seen in a drawing from the turns' stored events, which clients count, and calls."""
    ModelCall.objects.filter(turn_id__in=turns).update(asked={}, reply="", keeps_words=False)
    for event in Event.objects.filter(turn__in=turns, type="finding", body__content__snapshot=seen):
        event.body |= {"words": "", "content": {}}
        event.save(update_fields=["body"])


def forget_photo_findings(owner_id: int, seen: str) -> None:
    """Delete what was derived from a photo that is deleted for good. The caller opens the transaction."""
    found = Finding.objects.filter(session__owner=owner_id, content__snapshot=seen)
    turns = list(found.values_list("turn_id", flat=True))
    if not turns:
        return
    found.delete()
    Analysis.objects.filter(turn__in=turns, agent="vision").delete()
    _blank_findings(turns, seen)


def drawing_context(snapshot: Snapshot) -> dict[str, Any]:
    """Return the template context of a drawing."""
    return {
        "id": snapshot.pk,
        "url": snapshot.get_absolute_url(),
        "alt": snapshot.reading.get("description") or _("A drawing"),
        "delete_url": reverse("delete-drawing", args=[snapshot.session.key, snapshot.pk]),
        "deleted": snapshot.deleted_at is not None,
    }
