"""Limits per person and process: open sockets, and frames over all of them."""

import asyncio
from dataclasses import dataclass, field
from time import monotonic
from typing import Any

FRAMES_PER_SECOND = 50
FRAMES_AT_ONCE = 200
"""Frames a person may send at once before it counts as flooding."""


@dataclass(slots=True)
class SocketQuota:
    """One person's sockets. A new socket shares the count, so reconnecting does not reset it."""

    person: Any
    """The person's key."""
    sockets: int = 0
    tokens: float = field(default_factory=lambda: float(FRAMES_AT_ONCE))
    refilled_at: float = field(default_factory=monotonic)

    def is_flooding(self) -> bool:
        """Count a frame; true if there were too many."""
        now = monotonic()
        self.tokens = min(FRAMES_AT_ONCE, self.tokens + (now - self.refilled_at) * FRAMES_PER_SECOND) - 1
        self.refilled_at = now
        # Capped: otherwise a client would stay locked out long after it has stopped.
        self.tokens = max(self.tokens, -1.0)
        return self.tokens < 0


quotas: dict[Any, SocketQuota] = {}
"""By the person's key."""


def open_socket(person: Any, *, sockets_at_once: int) -> SocketQuota | None:
    """Count a person's new socket; None if they have as many as they may."""
    presence = quotas.setdefault(person, SocketQuota(person))
    if presence.sockets >= sockets_at_once:
        return None
    presence.sockets += 1
    return presence


def close_socket(presence: SocketQuota) -> None:
    """Count the socket as closed; forget the person once their frames no longer count either."""
    presence.sockets -= 1
    if not presence.sockets:
        asyncio.get_running_loop().call_later(FRAMES_AT_ONCE / FRAMES_PER_SECOND, _forget, presence)


def _forget(presence: SocketQuota) -> None:
    if not presence.sockets and quotas.get(presence.person) is presence:
        del quotas[presence.person]
