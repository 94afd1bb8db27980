"""How many sockets each person has open in this process, and how fast they send over all of them together."""

import asyncio
from dataclasses import dataclass, field
from time import monotonic
from typing import Any

FRAMES_PER_SECOND = 50
FRAMES_AT_ONCE = 200
"""Frames a person may send in a burst before it counts as flooding."""


@dataclass(slots=True)
class SocketQuota:
    """One person's sockets. A new socket meets the same count: coming back is no way around it."""

    person: Any
    """Their key."""
    sockets: int = 0
    tokens: float = field(default_factory=lambda: float(FRAMES_AT_ONCE))
    refilled_at: float = field(default_factory=monotonic)

    def is_flooding(self) -> bool:
        """Count a frame; true when there were too many."""
        now = monotonic()
        self.tokens = min(FRAMES_AT_ONCE, self.tokens + (now - self.refilled_at) * FRAMES_PER_SECOND) - 1
        self.refilled_at = now
        # A debt without end would keep a client out long after it has stopped.
        self.tokens = max(self.tokens, -1.0)
        return self.tokens < 0


quotas: dict[Any, SocketQuota] = {}
"""By the person's key."""


def open_socket(person: Any, *, sockets_at_once: int) -> SocketQuota | None:
    """Count a person's new socket; None where they have as many as they may."""
    presence = quotas.setdefault(person, SocketQuota(person))
    if presence.sockets >= sockets_at_once:
        return None
    presence.sockets += 1
    return presence


def close_socket(presence: SocketQuota) -> None:
    """Count a socket no more; forget the person when their frames do not count any more either."""
    presence.sockets -= 1
    if not presence.sockets:
        asyncio.get_running_loop().call_later(FRAMES_AT_ONCE / FRAMES_PER_SECOND, _forget, presence)


def _forget(presence: SocketQuota) -> None:
    if not presence.sockets and quotas.get(presence.person) is presence:
        del quotas[presence.person]
