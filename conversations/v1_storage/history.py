"""A conversation's exchanges, read as the storage mode says."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from uuid import UUID

from conversations.models import OPEN_STATUSES, Capture, Message, Turn
from conversations.owners import Owner
from conversations.turns.reply_text import reply_texts
from conversations.v1_storage.exchanges import Exchange, checksum_of
from conversations.v1_storage.modes import StorageMode, storage_mode
from conversations.v1_storage.turn_rows import CLIENT_ID_PREFIX

NOT_READ = ("before", "payload", "answer", "analysis", "decision")
"""Fields of turns that history does not need, and that are most of a turn's row."""


def read_history(owner: Owner, session_key: str, limit: int = 20) -> list[Exchange]:
    """Return the last `limit` exchanges, at least 1, of the person's own conversation, oldest first; empty without any.

    Where both storages are read, they are compared by the number and the checksum of all exchanges. If they differ,
    every exchange that either has is returned, with v1's texts where v1's has it: never fewer than v1's has.
    """
    mode = storage_mode()
    captures = [] if mode is StorageMode.V2 else _captures(owner, session_key)
    if mode is StorageMode.V1:
        return [_from_capture(each) for each in captures][-limit:]
    turns = _turns(owner, session_key)
    if mode is StorageMode.DUAL and not _are_equal(captures, turns):
        return _united(captures, turns, owner)[-limit:]
    by_turn = {each.turn_id: each for each in captures}
    return _from_turns(turns[-limit:], owner, captures=by_turn)


def _captures(owner: Owner, key: str) -> list[Capture]:
    """Return what v1's storage has of the conversation, in order: imported exchanges are older than those of here."""
    rows = Capture.objects.readable().filter(owner=owner, session_id=key).select_related("turn")
    rows = rows.defer(*(f"turn__{name}" for name in NOT_READ))
    return sorted(rows, key=lambda each: (not each.origin, _place(each.turn), each.pk))


def _place(turn: Turn | None) -> float:
    # By number where there is one: clocks go back, numbers do not.
    return turn.number if turn else float("inf")


def _turns(owner: Owner, key: str) -> list[Turn]:
    rows = Turn.objects.filter(session__owner=owner, session__key=key, session__deleted_at=None, replaced_by=None)
    finished = rows.exclude(status__in=OPEN_STATUSES).order_by("number").defer(*NOT_READ)
    return sorted(finished, key=lambda each: not each.client_id.startswith(CLIENT_ID_PREFIX))


def _are_equal(captures: Sequence[Capture], turns: Sequence[Turn]) -> bool:
    if [each.turn_id for each in captures] != [each.pk for each in turns]:
        return False
    said, replies = _texts(turns)
    theirs = ((said.get(each.pk, ""), replies.get(each.pk, "")) for each in turns)
    return checksum_of(map(_texts_of_capture, captures)) == checksum_of(theirs)


def _texts_of_capture(capture: Capture) -> tuple[str, str]:
    return capture.user_text, capture.agent_text if capture.reply is None else capture.reply


def _texts(turns: Iterable[Turn]) -> tuple[Mapping[UUID, str], Mapping[UUID, str]]:
    """Return what the person wrote and what was replied, by turn."""
    rows = list(Message.objects.filter(turn__in=turns).values_list("turn", "author", "text"))
    of_author = {
        author: {turn: text for turn, by, text in rows if by == author}
        for author in (Message.Author.LEARNER, Message.Author.TEAM)
    }
    return of_author[Message.Author.LEARNER], of_author[Message.Author.TEAM]


def _united(captures: Sequence[Capture], turns: Sequence[Turn], owner: Owner) -> list[Exchange]:
    """Return every exchange once, in the order of the captures; those without a capture follow."""
    captured = {each.turn_id for each in captures}
    rest = [turn for turn in turns if turn.pk not in captured]
    return [*map(_from_capture, captures), *_from_turns(rest, owner)]


def _from_capture(capture: Capture) -> Exchange:
    return Exchange(
        timestamp=capture.timestamp,
        user_text=capture.user_text,
        agent_text=capture.agent_text,
        metadata=capture.metadata,
        turn_id=capture.turn_id,
        capture_id=capture.pk,
    )


def _from_turns(
    turns: Sequence[Turn], owner: Owner, *, captures: Mapping[UUID | None, Capture] | None = None
) -> list[Exchange]:
    messages = list(Message.objects.filter(turn__in=turns))
    said = {each.turn_id: each.text for each in messages if each.author == Message.Author.LEARNER}
    replies = reply_texts([each for each in messages if each.author == Message.Author.TEAM], owner)
    return [
        Exchange(
            timestamp=turn.created_at,
            user_text=said.get(turn.pk, ""),
            agent_text=replies.get(turn.pk, ""),
            turn_id=turn.pk,
            **_of_capture((captures or {}).get(turn.pk), turn),
        )
        for turn in turns
    ]


def _of_capture(capture: Capture | None, turn: Turn) -> dict[str, Any]:
    if capture is None:
        return {"metadata": {"turn_id": str(turn.pk)}}
    return {"metadata": capture.metadata, "capture_id": capture.pk}
