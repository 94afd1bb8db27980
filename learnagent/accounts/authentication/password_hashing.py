"""Password hashing within bounds: few at a time, so that pages and turns go on, and few that wait for their turn."""

import os
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from threading import BoundedSemaphore, Lock

from django.contrib.auth.hashers import PBKDF2PasswordHasher
from django.db import connections
from django.utils.translation import gettext_lazy as _

from learnagent.accounts.authentication.rate_limits import TooManyTries

MAX_WAITING = 32
"""How many may wait in one process: at a third of a second each, the last one waits about 10 s on one core."""
MAX_WAIT_S = 15.0
"""The longest that anybody waits."""
MAX_PER_ADDRESS = 16
"""How many of those may come from one address, so that others get their turn."""
RETRY_AFTER_S = 5


class TooBusy(TooManyTries):
    """More passwords are to be hashed than this process can hash soon."""

    status = 503

    def __init__(self) -> None:
        super().__init__(RETRY_AFTER_S, _("Many people are signing in right now. Try again in a few seconds."))


class HashingGate:
    """Lets `at_once` threads through, and `waiting` more wait for that."""

    def __init__(self, *, at_once: int, waiting: int) -> None:
        self._room = BoundedSemaphore(at_once + waiting)
        self._slots = BoundedSemaphore(at_once)
        self._lock = Lock()
        self._from: Counter[str] = Counter()
        """Address → its requests that are being hashed or are waiting."""

    @contextmanager
    def slot(self) -> Iterator[None]:
        """Wait for a slot and hold it within the block. Raises TooBusy where too many wait already, or it takes long."""
        if not self._room.acquire(blocking=False):
            raise TooBusy
        try:
            _release_connections()
            if not self._slots.acquire(timeout=MAX_WAIT_S):
                raise TooBusy
            try:
                yield
            finally:
                self._slots.release()
        finally:
            self._room.release()

    @contextmanager
    def share_of(self, address: str) -> Iterator[None]:
        """Hash within the block for somebody at this address. Raises TooBusy where it has its share of the room."""
        with self._lock:
            if self._from[address] >= MAX_PER_ADDRESS:
                raise TooBusy
            self._from[address] += 1
        try:
            yield
        finally:
            with self._lock:
                self._from[address] -= 1
                if not self._from[address]:
                    del self._from[address]


def _release_connections() -> None:
    """Give the thread's connections back to their pool: those who wait here must leave some for everybody else."""
    for connection in connections.all(initialized_only=True):
        if "pool" in connection.settings_dict["OPTIONS"] and not connection.in_atomic_block:
            connection.close()


# Hashing leaves the interpreter's lock to others, but not its core: half of the cores stay free of it.
gate = HashingGate(at_once=max(1, (os.process_cpu_count() or 1) // 2), waiting=MAX_WAITING)


class GatedPBKDF2PasswordHasher(PBKDF2PasswordHasher):
    """Django's own, in everything that hashes or checks a password: each waits for its slot. Raises TooBusy."""

    def encode(self, password: str, salt: str, iterations: int | None = None) -> str:
        with gate.slot():
            return super().encode(password, salt, iterations)
