"""Values that every process reads from the database again after seconds: settings that admins change while it runs."""

import time
from collections.abc import Callable

from django.db import transaction

from agents.storage.threads import in_orm_thread

CACHED_S = 2.0
"""How long a process may use a cached value. A change has to act everywhere within 5 seconds."""


class BriefCache[T]:
    """A value that `read` returns, cached in this process for at most CACHED_S."""

    def __init__(self, read: Callable[[], T]) -> None:
        self._read = read
        self._cached: tuple[float, T] | None = None

    def get(self) -> T:
        """Return the value; query the database if it is not cached."""
        cached = self._cached
        if cached is None or time.monotonic() - cached[0] > CACHED_S:
            # The clock is read first, so that a slow query does not extend the cache time.
            read_at = time.monotonic()
            cached = self._cached = (read_at, self._read())
        return cached[1]

    async def aget(self) -> T:
        """Return the value; only to query does this change to the ORM thread."""
        cached = self._cached
        if cached is not None and time.monotonic() - cached[0] <= CACHED_S:
            return cached[1]
        return await in_orm_thread(self.get)()

    def forget(self) -> None:
        self._cached = None

    def forget_now_and_on_commit(self) -> None:
        """Forget it now, for this transaction's own reads, and again on commit, for what others read."""
        self.forget()
        transaction.on_commit(self.forget)
