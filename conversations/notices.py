"""Small notices over the channel layer: a turn began or ended, so other tabs look. They carry no content."""

import logging
from hashlib import sha256
from typing import Any

from channels.layers import get_channel_layer

from conversations.models import Turn

logger = logging.getLogger(__name__)


def session_group(owner_pk: int, key: str) -> str:
    """Return the name of the group of the session's sockets: it has a name before it has a row."""
    return f"session.{owner_pk}.{sha256(key.encode()).hexdigest()[:32]}"


async def turn_begun(turn: Turn) -> None:
    await _tell(turn, "turn.begun")


async def turn_finished(turn: Turn) -> None:
    await _tell(turn, "turn.finished")


async def _tell(turn: Turn, type_: str) -> None:
    layer: Any = get_channel_layer()
    try:
        await layer.group_send(session_group(turn.owner_id, turn.session.key), {"type": type_, "turn_id": str(turn.pk)})
    except Exception:
        # The truth is in the database: without the layer other tabs find out later, and nothing is lost.
        logger.warning("turn=%s: other tabs were not told", turn.pk)
