"""So many tries in so much time, counted in the cache."""

from dataclasses import dataclass
from hashlib import sha256

from django.core.cache import cache


@dataclass(frozen=True, slots=True, kw_only=True)
class Throttle:
    """At most `limit` tries in a window that opens with the first one."""

    name: str
    limit: int
    window_s: int

    def count_try(self, *who: object) -> bool:
        """Count one try and return whether it is still within the limit. Counts before it judges: no race gets by."""
        key = self._key(who)
        if cache.add(key, 1, self.window_s):
            return self.limit >= 1
        try:
            return cache.incr(key) <= self.limit
        except ValueError:  # The window closed between the two calls.
            return bool(cache.add(key, 1, self.window_s))

    def forget(self, *who: object) -> None:
        cache.delete(self._key(who))

    def _key(self, who: tuple[object, ...]) -> str:
        # Hashed: what people type is neither short nor made of the letters every cache takes.
        typed = "\n".join(str(part) for part in who)
        return f"tries:{self.name}:{sha256(typed.encode('utf-8', 'surrogatepass')).hexdigest()}"
