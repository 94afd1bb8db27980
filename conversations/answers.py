"""The whole v2 answer of a turn: every field of the contracts, section 4, whoever filled it."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from conversations.models import Message, Turn

UNFILLED: Mapping[str, Any] = {
    "intent": None,
    "classification": None,
    "follow_ups": [],
    "concepts": [],
    "entities": [],
    "themes": [],
    "relationships": [],
    "sentiment": None,
    "facts": [],
    "sources": [],
    "tool_calls": [],
    "vision": None,
    "insights": [],
    "recommendations": [],
    "knowledge_gaps": [],
    "connections": [],
    "confidence": {"analysis": None, "research": None, "vision": None, "synthesis": None},
    "errors": [],
    "metadata": {},
}
"""What nobody found stays empty, and what nobody measured stays unknown."""


def whole_answer(turn: Turn) -> dict[str, Any]:
    """Return a finished turn as `POST /v2/conversation` answers it."""
    said = reply_of(turn)
    answer = {name: turn.answer.get(name, value) for name, value in UNFILLED.items()}
    cards = said.cards if said else []
    return {
        "session_id": turn.session.key,
        "turn_id": str(turn.pk),
        "response": said.text if said else "",
        **answer,
        "cards": cards,
        "status": turn.status,
    }


def turn_state(turn: Turn) -> dict[str, Any]:
    """Return where a turn stands, with its answer once there is one."""
    return {
        "turn_id": str(turn.pk),
        "session_id": turn.session.key,
        "status": turn.status,
        "attempt": turn.attempt,
        "created_at": wire_time(turn.created_at),
        "finished_at": wire_time(turn.finished_at),
        "answer": None if turn.is_open else whole_answer(turn),
    }


def reply_of(turn: Turn) -> Message | None:
    """Return the reply to a turn; None while there is none."""
    return turn.messages.filter(author=Message.Author.TEAM).first()


def wire_time(moment: datetime | None) -> str | None:
    """Return a moment as ISO 8601 in UTC."""
    return moment.astimezone(UTC).isoformat() if moment else None
