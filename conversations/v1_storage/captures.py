"""Captures of finished turns: written with the turn's end, or later for turns that lack one."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.db import transaction

from agents.event_log import get_logger
from agents.local_models.inference import InferenceNeeded
from agents.storage.raw_sql import insert_rows
from conversations.models import Capture, Message, StorageTask, Turn
from conversations.turns.reply_text import reply_texts
from conversations.v1_storage.modes import writes_captures

logger = get_logger(__name__)


def capture_finished_turn(turn: Turn) -> None:
    """Store the finished turn in v1's storage too, if the mode says so. The caller opens the transaction.

    The turn ends whether or not that works: if it does not, a StorageTask is stored in its place, so that the
    transaction leaves either the capture or the task, never neither.
    """
    if not writes_captures():
        return
    try:
        with transaction.atomic():
            write_captures([turn])
    except InferenceNeeded:
        raise
    except Exception as error:
        # v1's storage must not cost the learner a reply that v2's can store.
        logger.exception("turn_not_captured", turn_id=turn.pk)
        insert_rows(StorageTask, [{"turn_id": turn.pk, "problem": problem_name(error)}], unless_there=True)


def write_captures(turns: Sequence[Turn]) -> None:
    """Store captures of these turns, with their sessions loaded. The caller opens the transaction."""
    messages = list(Message.objects.filter(turn__in=turns))
    said = {each.turn_id: each.text for each in messages if each.author == Message.Author.LEARNER}
    replies = {each.turn_id: each for each in messages if each.author == Message.Author.TEAM}
    rows = [_row(turn, said.get(turn.pk, ""), replies.get(turn.pk)) for turn in turns]
    insert_rows(Capture, rows, unless_there=True)
    StorageTask.objects.filter(turn__in=turns).delete()


def problem_name(error: Exception) -> str:
    """Return the type of an error; its text may quote what people wrote."""
    return type(error).__name__


def _row(turn: Turn, said: str, reply: Message | None) -> Mapping[str, Any]:
    text = reply.text if reply else ""
    # In the present state of the cards: what the reader may not read yet is left out, as on the page.
    in_words = reply_texts([reply], turn.owner)[turn.pk] if reply and reply.cards else text
    return {
        "owner_id": turn.owner_id,
        "session_id": turn.session.key,
        "timestamp": turn.created_at,
        "user_text": said,
        "agent_text": in_words,
        "metadata": {"turn_id": str(turn.pk)},
        "reply": text if in_words != text else None,
        "turn_id": turn.pk,
    }
