"""Exchanges as both storages hold them, and checksums over those of a conversation."""

import hashlib
import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType
from typing import Any

from conversations.models import Capture, Message, Turn
from conversations.owners import Owner
from conversations.turns.reply_text import reply_texts

NO_CAPTURES: Mapping[uuid.UUID | None, Capture] = MappingProxyType({})


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """What a person wrote and what was answered, from either storage."""

    session_key: str
    timestamp: datetime
    user_text: str
    """Empty if a turn began without a message."""
    agent_text: str
    """The whole answer, with its cards in words; empty until the turn has ended."""
    metadata: Mapping[str, Any]
    """The turn's `kind` and `status`, its figures, and what v1's storage has besides."""
    turn_id: uuid.UUID | None
    """None if v2's storage lacks it."""
    capture_id: int | None
    """None if v1's storage lacks it, and when that was not asked."""

    @property
    def id(self) -> str:
        """The turn's id, in every mode; the capture's if v2's storage lacks it."""
        return str(self.turn_id or self.capture_id)


def exchanges_of(
    rows: Sequence[Capture | Turn], owner: Owner, *, captures: Mapping[uuid.UUID | None, Capture] = NO_CAPTURES
) -> list[Exchange]:
    """Return the owner's rows as exchanges, in this order: a capture with v1's texts, a turn with its messages'.

    `captures` has by turn what v1's storage says besides of the turns. The number of queries is fixed.
    """
    messages = list(Message.objects.filter(turn__in=[row.pk for row in rows if isinstance(row, Turn)]))
    said = {each.turn_id: each.text for each in messages if each.author == Message.Author.LEARNER}
    replies = reply_texts([each for each in messages if each.author == Message.Author.TEAM], owner)
    turn_ids = [row.pk if isinstance(row, Turn) else row.turn_id for row in rows]
    rows_of_turns = Turn.objects.filter(pk__in=filter(None, turn_ids)).select_related("session")
    known = rows_of_turns.only("kind", "status", "answer", "session__key").in_bulk()
    found = []
    for row, turn_id in zip(rows, turn_ids, strict=True):
        turn = known.get(turn_id) if turn_id else None
        if isinstance(row, Capture):
            capture: Capture | None = row
            key, at, texts = row.session_id, row.timestamp, (row.user_text, row.agent_text)
        else:
            capture = captures.get(row.pk)
            key, at, texts = known[row.pk].session.key, row.created_at, (said.get(row.pk, ""), replies.get(row.pk, ""))
        found.append(
            Exchange(
                session_key=key,
                timestamp=at,
                user_text=texts[0],
                agent_text=texts[1],
                metadata=_metadata(capture, turn),
                turn_id=turn_id,
                capture_id=capture.pk if capture else None,
            )
        )
    return found


def _metadata(capture: Capture | None, turn: Turn | None) -> dict[str, Any]:
    of_turn = {"kind": turn.kind, "status": turn.status} | turn.answer.get("metadata", {}) if turn else {}
    return (capture.metadata if capture else {}) | of_turn


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
