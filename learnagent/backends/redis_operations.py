"""Count of this process's operations on Redis. No table has them, so each process counts its own."""

from collections import Counter
from collections.abc import Callable
from threading import Lock
from time import monotonic
from typing import Final

RECENT_S: Final = 60
"""How many seconds count as recent."""


class OperationCount:
    """A count of operations: all of them, and the recent ones. Threads may share it."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self.total = 0
        self._clock = clock
        self._by_second: Counter[int] = Counter()
        self._lock = Lock()

    def add(self) -> None:
        with self._lock:
            self.total += 1
            self._by_second[int(self._clock())] += 1
            if len(self._by_second) > RECENT_S:
                del self._by_second[min(self._by_second)]

    def recent(self) -> int:
        """Return the number of operations in the last RECENT_S seconds."""
        since = int(self._clock()) - RECENT_S
        with self._lock:
            return sum(count for second, count in self._by_second.items() if second > since)


operations = OperationCount()
