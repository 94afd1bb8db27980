"""The digest that is stored in place of a secret."""

from hashlib import sha256


def digest_of(raw: str) -> str:
    """Return what is kept of a secret. One hash is enough: the secret is 32 random bytes, not a password."""
    return sha256(raw.encode("utf-8", "surrogatepass")).hexdigest()
