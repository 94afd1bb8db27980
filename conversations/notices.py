"""Small notices over the channel layer: a turn began or ended, so other tabs look. They carry no content."""

import asyncio
import logging
from hashlib import sha256
from typing import Any

from channels.layers import get_channel_layer

from conversations.models import Turn

logger = logging.getLogger(__name__)


def session_group(owner_pk: int, key: str) -> str:
    """Return the name of the group of the session's sockets: it has a name before it has a row."""
    return f"session.{owner_pk}.{sha256(key.encode()).hexdigest()[:32]}"


_telling: set[asyncio.Task[None]] = set()


def turn_begun(turn: Turn) -> None:
    _tell_soon(turn, "turn.begun")


def turn_finished(turn: Turn) -> None:
    _tell_soon(turn, "turn.finished")


def _tell_soon(turn: Turn, type_: str) -> None:
    """Tell the other tabs in a task of its own: no turn waits for a layer that is slow today."""
    telling = asyncio.create_task(_tell(turn, type_))
    _telling.add(telling)
    telling.add_done_callback(_telling.discard)


async def _tell(turn: Turn, type_: str) -> None:
    layer: Any = get_channel_layer()
    try:
        await layer.group_send(session_group(turn.owner_id, turn.session.key), {"type": type_, "turn_id": str(turn.pk)})
    except Exception:
        # The truth is in the database: without the layer other tabs find out later, and nothing is lost.
        logger.warning("turn=%s: other tabs were not told", turn.pk)
