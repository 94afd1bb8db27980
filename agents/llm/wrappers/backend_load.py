"""Load of a backend in this process: the calls that it is answering, of those that it may answer at once."""

import asyncio
import itertools
from collections.abc import Sequence
from contextlib import suppress
from threading import Lock

_turns = itertools.count(1)


class BackendLoad:
    """Counts the calls to one backend, over all its models and all callers, in whatever thread they run."""

    def __init__(self, max_parallel: int | None = None) -> None:
        """`max_parallel`: None for no limit."""
        self.max_parallel = max_parallel
        self.in_flight = 0
        self.last_turn = 0
        """When the latest call started, counted in calls to all backends."""
        self._waiting: list[asyncio.Future[None]] = []
        self._lock = Lock()

    @property
    def next_share(self) -> float:
        """The share of the capacity that one more call would leave in use; above 1 if there is no room for it."""
        return 0.0 if self.max_parallel is None else (self.in_flight + 1) / self.max_parallel

    def has_room(self, share: float) -> bool:
        """Return whether one more call leaves at most this share of the capacity in use, or is the only one."""
        return self.next_share <= share or self.in_flight == 0

    def start(self, share: float) -> bool:
        """Count a call if there is room for it; return whether there is."""
        with self._lock:
            if not self.has_room(share):
                return False
            self.in_flight += 1
            self.last_turn = next(_turns)
            return True

    def end(self) -> None:
        """Stop counting a call, and tell those who wait."""
        with self._lock:
            self.in_flight -= 1
            waiting = list(self._waiting)
        for future in waiting:
            # It may belong to the event loop of another thread, which may have ended.
            with suppress(RuntimeError):
                future.get_loop().call_soon_threadsafe(_set, future)

    def notify(self, future: asyncio.Future[None]) -> None:
        """Set the future when a call ends, until it is forgotten."""
        with self._lock:
            self._waiting.append(future)

    def forget(self, future: asyncio.Future[None]) -> None:
        with self._lock:
            self._waiting.remove(future)


async def wait_for_room(loads: Sequence[BackendLoad], share: float, *, timeout_s: float) -> None:
    """Return when a call to one of the backends ends, at once if one has room meanwhile, or after the timeout."""
    future = asyncio.get_running_loop().create_future()
    for load in loads:
        load.notify(future)
    try:
        if not any(load.has_room(share) for load in loads):
            await asyncio.wait([future], timeout=timeout_s)
    finally:
        for load in loads:
            load.forget(future)


def _set(future: asyncio.Future[None]) -> None:
    if not future.done():
        future.set_result(None)
