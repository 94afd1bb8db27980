"""Values that every process reads from the database again after seconds: settings that admins change while it runs."""

import time
from collections.abc import Callable

from django.db import transaction

from agents.storage.threads import in_orm_thread


class BriefCache[T]:
    """A value that `read` returns, cached in this process for at most `seconds`."""

    def __init__(self, read: Callable[[], T], *, seconds: float) -> None:
        self._read = read
        self._seconds = seconds
        self._cached: tuple[float, T] | None = None

    def get(self) -> T:
        """Return the value; query the database if it is not cached."""
        cached = self._cached
        if cached is None or self._is_old(cached[0]):
            # The clock is read first, so that a slow query does not extend the cache time.
            read_at = time.monotonic()
            cached = self._cached = (read_at, self._read())
        return cached[1]

    async def aget(self) -> T:
        """Return the value; only to query does this change to the ORM thread."""
        cached = self._cached
        if cached is not None and not self._is_old(cached[0]):
            return cached[1]
        return await in_orm_thread(self.get)()

    def _is_old(self, read_at: float) -> bool:
        return time.monotonic() - read_at > self._seconds

    def hold(self, value: T) -> None:
        """Keep a value until it is forgotten, however long that is."""
        self._cached = (float("inf"), value)

    def forget(self) -> None:
        self._cached = None

    def forget_now_and_on_commit(self) -> None:
        """Forget it now, for this transaction's own reads, and again on commit, for what others read."""
        self.forget()
        transaction.on_commit(self.forget)
