"""Notices to other tabs over the channel layer, such as that a turn started. They carry no content."""

import asyncio
from hashlib import sha256
from typing import Any

from channels.layers import get_channel_layer

from agents.storage.availability import FailureStreak
from conversations.models import Session, Turn

layer_failures = FailureStreak("messages to other tabs and processes")


def session_group(owner_pk: int, key: str) -> str:
    """Return the name of the session's socket group; it exists before the session has a row."""
    return f"session.{owner_pk}.{sha256(key.encode()).hexdigest()[:32]}"


_telling: set[asyncio.Task[None]] = set()


def notify_turn_begun(turn: Turn) -> None:
    _send_soon(turn.session, {"type": "turn.begun", "turn_id": str(turn.pk)})


def notify_findings(session: Session) -> None:
    """Tell all tabs that the team has noticed something after the last turn ended."""
    _send_soon(session, {"type": "noticed"})


def notify_remark(session: Session) -> None:
    """Tell all tabs that the learner has said something to a round table that runs."""
    _send_soon(session, {"type": "remarked"})


def notify_session_deleted(session: Session) -> None:
    """Tell all tabs that the conversation was deleted."""
    _send_soon(session, {"type": "gone"})


def _send_soon(session: Session, notice: dict[str, str]) -> None:
    """Notify the other tabs in a separate task, so that no turn waits for a slow channel layer."""
    telling = asyncio.create_task(_send(session_group(session.owner_id, session.key), notice))
    _telling.add(telling)
    telling.add_done_callback(_telling.discard)


async def _send(group: str, notice: dict[str, str]) -> None:
    layer: Any = get_channel_layer()
    # The database has the truth: without the layer, other tabs find out later and nothing is lost.
    with layer_failures.survive():
        await layer.group_send(group, notice)
