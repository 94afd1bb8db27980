"""Rate limits of signing in and the like: so many tries in so much time, counted in the cache."""

import time
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256

from django.core.cache import cache
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

TOO_MANY_FOR_NAME = _("Too many attempts with this name. Wait ten minutes, then try again.")


class TooManyTries(Exception):
    """A try is refused: `words` say why, `status` is the answer's, and `wait_s` is how long to wait at most."""

    status = 429

    def __init__(self, wait_s: int, words: str | Promise = TOO_MANY_FOR_NAME) -> None:
        super().__init__(wait_s)
        self.wait_s = wait_s
        self.words = words


@dataclass(frozen=True, slots=True, kw_only=True)
class Throttle:
    """At most `limit` tries in a window that opens with the first one."""

    name: str
    limit: int
    window_s: int

    def count_try(self, *who: object) -> bool:
        """Count one try and return whether it is still within the limit. Counts before it judges: no race gets by."""
        key = self._key(who)
        self._open(key)
        try:
            return cache.incr(key) <= self.limit
        except ValueError:  # The window closed between the two calls.
            cache.add(key, 1, self.window_s)
            return self.limit >= 1

    def refund(self, *who: object) -> None:
        """Take one try off the count: it was none of those that are limited."""
        with suppress(ValueError):  # The window is closed.
            cache.decr(self._key(who))

    def forget(self, *who: object) -> None:
        key = self._key(who)
        cache.delete_many([key, _opened_key(key)])

    def _open(self, key: str) -> None:
        """Open a window unless one is open.

        The cache ends a window by a clock. Where that was wrong for a while, a window may seem to open in the future or
        to have lasted longer than it may: it ends here.
        """
        now = time.time()
        opened = cache.get(_opened_key(key))
        if opened is not None and not 0 <= now - opened <= self.window_s:
            cache.delete_many([key, _opened_key(key)])
        cache.add(_opened_key(key), now, self.window_s)
        cache.add(key, 0, self.window_s)

    def _key(self, who: tuple[object, ...]) -> str:
        # Hashed: what people type is neither short nor made of the letters every cache takes.
        typed = "\n".join(str(part) for part in who)
        return f"tries:{self.name}:{sha256(typed.encode('utf-8', 'surrogatepass')).hexdigest()}"


def _opened_key(key: str) -> str:
    return f"{key}:since"
