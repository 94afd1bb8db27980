"""Exchanges as both storages hold them, and checksums over those of a conversation."""

import hashlib
import uuid
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """What a person wrote and what was answered, from either storage."""

    timestamp: datetime
    user_text: str
    agent_text: str
    """The whole answer, with its cards in words."""
    metadata: Mapping[str, Any] = field(default_factory=dict)
    turn_id: uuid.UUID | None = None
    """None if v2's storage lacks it."""
    capture_id: int | None = None
    """None if v1's storage lacks it, and when that was not asked."""


class ConversationChecksum:
    """Number and SHA-256 of a conversation's exchanges, taken in order."""

    def __init__(self) -> None:
        self.count = 0
        self._digest = hashlib.sha256()

    def add(self, *parts: str) -> None:
        """Take the next exchange; its parts are kept apart, so that no text moves from one to another unnoticed."""
        self.count += 1
        for part in parts:
            encoded = part.encode("utf-8", "surrogatepass")
            self._digest.update(b"%d:" % len(encoded))
            self._digest.update(encoded)

    def hexdigest(self) -> str:
        return self._digest.hexdigest()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ConversationChecksum):
            return NotImplemented
        return (self.count, self.hexdigest()) == (other.count, other.hexdigest())

    __hash__ = None  # type: ignore[assignment]  # It changes.


def checksum_of(texts: Iterable[tuple[str, str]]) -> ConversationChecksum:
    """Return the checksum of exchanges, each as the person's text and the reply without its cards."""
    checksum = ConversationChecksum()
    for said, reply in texts:
        checksum.add(said, reply)
    return checksum
