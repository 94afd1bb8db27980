"""What a learner says to a table while it runs: kept as rows, and taken up by the next round, or else by the summary."""

import uuid
from collections.abc import Sequence
from functools import partial
from typing import Final, Literal

from django.db import transaction
from django.utils.translation import gettext as _

from agents.engine.bus import Bus, make_event
from agents.engine.roles import Request
from agents.storage.threads import in_model_thread, in_orm_thread
from agents.wire import rejections
from conversations import access, validators
from conversations.models import REMARK_LENGTH, TAKEN_BY_SUMMARY, Event, TableRemark, Turn
from conversations.owners import Owner, lock_owner
from conversations.round_table.names import CONTINUES_KEY, LEARNER, PAYLOAD_KEY, SUMMARIZER
from conversations.round_table.stream import stop_turn
from conversations.round_table.table import Remark, Table
from conversations.turns import notices, whole_turns
from conversations.turns.begin import begin_turn
from conversations.turns.handler import turn_handler
from conversations.turns.supervisor import supervisor

MOST_WAITING: Final = 3
"""Remarks that wait for the same round. A round has one subject: what comes beyond this waits for the next one."""
SAID_EVENT: Final = "learner_said"
"""The event on the bus."""

TakenUpBy = Literal["round", "summary", "next_table"]
"""What takes up a remark. `next_table`: the summary had begun, so only one more round can."""


async def say(person: Owner, turn_id: uuid.UUID, *, text: str, client_id: str) -> TableRemark | Turn:
    """Keep what the learner says to their own table, and show it on all open pages. The same `client_id` says it once.

    Return a turn instead if the words say that somebody may be in danger: the one that answers them first.
    Raises Rejection: 404 for any other table, 413 and 422 for the text, 422 if the table has ended, 429 if enough waits.
    """
    text, client_id = checked_remark(text), validators.validate_client_id(client_id)
    turn = await in_orm_thread(own_table)(person, turn_id)
    if await in_model_thread(turn_handler().needs_care)(text):
        return await _answer_first(person, turn, text=text, client_id=client_id)
    remark = await supervisor.writer.write(partial(store_remark, person, turn, text=text, client_id=client_id))
    notices.notify_remark(turn.session)
    return remark


def own_table(person: Owner, turn_id: uuid.UUID) -> Turn:
    """Return the turn of the person's own table. Raises Rejection 404 for any other id."""
    turn = access.turn_for(person, turn_id)
    if PAYLOAD_KEY not in turn.payload:
        raise rejections.not_found()
    return turn


def checked_remark(text: str) -> str:
    """Return the text of a remark. Raises Rejection for none, too much of it, or what cannot be stored."""
    text = validators.validate_text(text)
    if len(text) > REMARK_LENGTH:
        raise rejections.too_large(
            _("What you say between rounds can have at most %(most)s characters. This has %(count)s.")
            % {"most": REMARK_LENGTH, "count": len(text)}
        )
    return text


def store_remark(person: Owner, turn: Turn, *, text: str, client_id: str) -> TableRemark:
    """Store a remark to a table that runs. Raises Rejection as `say`, and 409 if the `client_id` named another text."""
    with transaction.atomic():
        # Two requests at once are counted one after the other.
        lock_owner(person)
        if before := TableRemark.objects.filter(turn=turn, client_id=client_id).first():
            if before.text != text:
                raise rejections.conflict()
            before.turn = turn
            return before
        if not Turn.objects.unfinished().filter(pk=turn.pk).exists():
            raise rejections.invalid("table", _("The round table has ended. To say this, choose “One more round”."))
        if TableRemark.objects.filter(turn=turn, round=None).count() >= MOST_WAITING:
            raise rejections.rate_limited(
                _("You have said %(most)s things that the agents have not taken up yet. Wait for the next round.")
                % {"most": MOST_WAITING},
                retry_after_s=10,
            )
        return TableRemark.objects.create(turn=turn, client_id=client_id, text=text)


async def _answer_first(person: Owner, turn: Turn, *, text: str, client_id: str) -> Turn:
    """Stop the table, and have the words answered in a conversation of their own: nothing else reads them."""
    own_id = uuid.uuid5(turn.pk, client_id)
    begin = partial(begin_turn, owner=person, session_key=str(own_id), text=text, client_id=f"said-{own_id}")
    stop_turn(turn.pk)
    accepted = await whole_turns.start_turn(begin)
    return accepted.turn


def taken_remarks(turns: Sequence[uuid.UUID]) -> list[Remark]:
    """Return what has been taken up at these tables, in order."""
    rows = TableRemark.objects.filter(turn__in=turns, round__isnull=False)
    return [Remark(text=row.text, round=row.round) for row in rows if row.round is not None]


async def take_up(table: Table, number: int, request: Request, bus: Bus) -> None:
    """Give the table what the learner has said since the last round began: for the round of this number, or the summary.

    The rows are marked first, so that a table that is served again takes them up in the same round.
    """
    if number != table.first_round:
        # What was found ahead is for the first round.
        table.lookups.forget()
    waiting = await in_orm_thread(_waiting)(table.turns)
    if not waiting:
        return
    await supervisor.writer.write(partial(_mark_taken, [each.pk for each in waiting], number))
    for row in waiting:
        table.remarks.append(Remark(text=row.text, round=number))
        bus.publish(make_event(SAID_EVENT, sender=LEARNER, data={"text": row.text, "round": number}))


def _waiting(turns: Sequence[uuid.UUID]) -> list[TableRemark]:
    return list(TableRemark.objects.filter(turn__in=turns, round=None))


def _mark_taken(ids: Sequence[int], number: int) -> None:
    TableRemark.objects.filter(pk__in=ids).update(round=number)


def taken_up_by(remark: TableRemark) -> tuple[TakenUpBy, int | None]:
    """Return what has taken up a remark, or will as far as the stored events tell, with the round's number."""
    remark.refresh_from_db(fields=["round"])
    if remark.round is not None:
        return ("summary", None) if remark.round == TAKEN_BY_SUMMARY else ("round", remark.round)
    turn = remark.turn
    events = Event.objects.filter(turn=turn)
    if events.filter(type="agent_started", body__agent=SUMMARIZER).exists():
        return "next_table", None
    begun = events.filter(type="round_started").order_by("-seq").values_list("body", flat=True).first()
    asked = turn.payload[PAYLOAD_KEY]
    # A table that continues another one holds one round, its last.
    first = asked["rounds"] if CONTINUES_KEY in asked else 1
    number = begun["round"] + 1 if begun else first
    return ("round", number) if number <= asked["rounds"] else ("summary", None)
