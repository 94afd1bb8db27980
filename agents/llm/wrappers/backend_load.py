"""Load of a backend in this process: the calls that it is answering, of those that it may answer at once."""

import asyncio
import itertools
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress

_turns = itertools.count(1)


class BackendLoad:
    """Counts the calls to one backend, over all its models and all callers."""

    def __init__(self, max_parallel: int | None = None) -> None:
        """`max_parallel`: None for no limit."""
        self.max_parallel = max_parallel
        self.in_flight = 0
        self.last_turn = 0
        """When the latest call started, counted in calls to all backends."""
        self._waiting: list[asyncio.Future[None]] = []

    @property
    def is_full(self) -> bool:
        return self.max_parallel is not None and self.in_flight >= self.max_parallel

    @property
    def next_share(self) -> float:
        """The share of the capacity that one more call would leave in use, 0 to 1; 0 without a limit."""
        return 0.0 if self.max_parallel is None else (self.in_flight + 1) / self.max_parallel

    @contextmanager
    def call(self) -> Iterator[None]:
        """Count a call while it runs."""
        self.in_flight += 1
        self.last_turn = next(_turns)
        try:
            yield
        finally:
            self.in_flight -= 1
            waiting, self._waiting = self._waiting, []
            for future in waiting:
                # It may belong to the event loop of another thread, which may have ended.
                with suppress(RuntimeError):
                    future.get_loop().call_soon_threadsafe(_set, future)

    def notify(self, future: asyncio.Future[None]) -> None:
        """Set the future when a call ends."""
        self._waiting.append(future)


async def call_ended(loads: Sequence[BackendLoad], *, timeout_s: float) -> None:
    """Return when a call to one of the backends ends, or after the timeout."""
    future = asyncio.get_running_loop().create_future()
    for load in loads:
        load.notify(future)
    await asyncio.wait([future], timeout=timeout_s)


def _set(future: asyncio.Future[None]) -> None:
    if not future.done():
        future.set_result(None)
