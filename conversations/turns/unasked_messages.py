"""Messages that the team writes into a conversation without having been asked."""

import hashlib

from django.db import transaction
from django.utils import timezone

from agents.engine.events import ReplyText, TurnFinished, TurnStarted
from agents.rollout.flags import sides_of
from conversations.models import Message, Session, Turn, TurnStatus
from conversations.owners import Owner, lock_owner
from conversations.speakers import SPEAKERS_KEY
from conversations.turns.feed import number_event, store_events
from conversations.v1_storage.captures import capture_finished_turn


def write_unasked(owner: Owner, *, key: str, title: str, text: str, agent: str, name: str) -> Turn | None:
    """Store a message of the team as a finished turn of the person's conversation; return the turn.

    A new `key` starts the conversation, under this title. `agent` is the role that speaks. A second call with the same
    `name` returns the first turn. None, with nothing stored, while a turn of the conversation is being answered.
    """
    with transaction.atomic():
        lock_owner(owner)
        before = Turn.objects.select_related("session").filter(owner_id=owner.pk, client_id=name).first()
        if before is not None:
            return before
        session, _made = Session.objects.get_or_create(
            owner_id=owner.pk, key=key, defaults={"title": title, "flags": sides_of(owner)}
        )
        last = session.turns.order_by("-number").first()
        if last is not None and last.is_open:
            return None
        turn = _store_turn(session, number=last.number + 1 if last else 1, name=name, agent=agent, text=text)
        session.updated_at, session.archived = timezone.now(), False
        session.save(update_fields=["updated_at", "archived"])
    return turn


def _store_turn(session: Session, *, number: int, name: str, agent: str, text: str) -> Turn:
    now = timezone.now()
    turn = Turn.objects.create(
        session=session,
        owner_id=session.owner_id,
        number=number,
        # As where a lesson is opened: a reply to nothing that was written.
        kind=Turn.Kind.OPEN,
        client_id=name,
        body_hash=hashlib.sha256(text.encode()).hexdigest(),
        status=TurnStatus.DONE,
        attempt=1,
        answer={SPEAKERS_KEY: [agent], "metadata": {}},
        before={"state": dict(session.state), "positions": dict(session.positions)},
        created_at=now,
        finished_at=now,
    )
    Message.objects.create(session=session, turn=turn, author=Message.Author.TEAM, agent=agent, text=text)
    events = (
        TurnStarted(session_id=session.key, client_id=name),
        ReplyText(text=text),
        TurnFinished(reply=text, status="done"),
    )
    store_events([number_event(event, turn_id=turn.pk, seq=seq) for seq, event in enumerate(events, 1)])
    capture_finished_turn(turn)
    return turn
