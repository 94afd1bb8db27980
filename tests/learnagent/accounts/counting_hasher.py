"""A cheap hasher that counts its work: time itself is no measure in a test."""

from django.contrib.auth.hashers import MD5PasswordHasher


class CountingHasher(MD5PasswordHasher):
    hashed = 0

    def encode(self, password: str, salt: str) -> str:
        CountingHasher.hashed += 1
        return str(super().encode(password, salt))


def hashes_during(action: object) -> int:
    """Return how many passwords an action hashed."""
    before = CountingHasher.hashed
    action()  # type: ignore[operator]  # Whatever can be called.
    return CountingHasher.hashed - before
