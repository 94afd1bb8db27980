"""Small notices over the channel layer: a turn began or ended, so other tabs look. They carry no content."""

import logging
from typing import Any

from channels.layers import get_channel_layer

from conversations.models import Turn

logger = logging.getLogger(__name__)


def session_group(session_pk: int) -> str:
    """Return the name of the group that the session's sockets belong to."""
    return f"session.{session_pk}"


async def turn_begun(turn: Turn) -> None:
    await _tell(turn, "turn.begun")


async def turn_finished(turn: Turn) -> None:
    await _tell(turn, "turn.finished")


async def _tell(turn: Turn, type_: str) -> None:
    layer: Any = get_channel_layer()
    try:
        await layer.group_send(session_group(turn.session_id), {"type": type_, "turn_id": str(turn.pk)})
    except Exception:
        # The truth is in the database: without the layer other tabs find out later, and nothing is lost.
        logger.warning("turn=%s: other tabs were not told", turn.pk)
