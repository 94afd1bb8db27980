"""A conversation's exchanges, read as the storage mode says."""

from collections.abc import Iterable, Mapping, Sequence
from uuid import UUID

from django.db.models import Case, QuerySet, Value, When

from conversations.access import is_possible_key
from conversations.models import Capture, Message, Turn
from conversations.owners import Owner
from conversations.v1_storage.exchanges import Exchange, checksum_of, exchanges_of
from conversations.v1_storage.modes import StorageMode, storage_mode
from conversations.v1_storage.turn_rows import CLIENT_ID_PREFIX

NOT_READ = ("before", "payload", "answer", "analysis", "decision")
"""Fields of turns that comparing does not need, and that are most of a turn's row."""
IMPORTED_FIRST = Case(When(client_id__startswith=CLIENT_ID_PREFIX, then=Value(0)), default=Value(1))


def read_history(owner: Owner, session_key: str, limit: int = 20) -> list[Exchange]:
    """Return the last `limit` exchanges, at least 1, of the person's own conversation, oldest first; empty without any.

    Where both storages are read, they are compared by the number and the checksum of all finished exchanges. If they
    differ, every exchange that either has is returned, with v1's texts where v1's has it: never fewer than v1's has.
    """
    if not is_possible_key(session_key):
        return []
    mode, turns = storage_mode(), _turns(owner, session_key)
    if mode is StorageMode.V2:
        return exchanges_of(list(turns.reverse()[:limit])[::-1], owner)
    captures = _captures(owner, session_key)
    if mode is StorageMode.V1:
        return exchanges_of(captures[-limit:], owner)
    by_turn = {each.turn_id: each for each in captures}
    if _are_equal(captures, [turn for turn in turns if not turn.is_open]):
        return exchanges_of(list(turns)[-limit:], owner, captures=by_turn)
    united: list[Capture | Turn] = [*captures, *(turn for turn in turns if turn.pk not in by_turn)]
    return exchanges_of(united[-limit:], owner)


def _captures(owner: Owner, key: str) -> list[Capture]:
    """Return what v1's storage has of the conversation, in order: imported exchanges are older than those of here."""
    rows = Capture.objects.readable().filter(owner=owner, session_id=key).select_related("turn")
    rows = rows.defer(*(f"turn__{name}" for name in NOT_READ))
    return sorted(rows, key=lambda each: (not each.origin, _place(each.turn), each.pk))


def _place(turn: Turn | None) -> float:
    # By number where there is one: clocks go back, numbers do not.
    return turn.number if turn else float("inf")


def _turns(owner: Owner, key: str) -> QuerySet[Turn]:
    """Return what v2's storage has of it, in the same order; the open turn too."""
    rows = Turn.objects.filter(session__owner=owner, session__key=key, session__deleted_at=None, replaced_by=None)
    return rows.order_by(IMPORTED_FIRST, "number").defer(*NOT_READ)


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
