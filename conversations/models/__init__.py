"""Rows of what is said, and of what people put in."""

from conversations.models.library import Document, Embedding, Folder, Passage, Publication
from conversations.models.listening import OWN_WORD, Analysis, Snapshot
from conversations.models.talk import (
    EXCERPT_LENGTH,
    KEY_MAX_LENGTH,
    OPEN_STATUSES,
    TEXT_MAX_LENGTH,
    TITLE_MAX_LENGTH,
    UNTOLD,
    Event,
    Feedback,
    Finding,
    Message,
    Session,
    SessionQuerySet,
    Transition,
    Turn,
    TurnStatus,
)

__all__ = [
    "EXCERPT_LENGTH",
    "KEY_MAX_LENGTH",
    "OPEN_STATUSES",
    "OWN_WORD",
    "TEXT_MAX_LENGTH",
    "TITLE_MAX_LENGTH",
    "UNTOLD",
    "Analysis",
    "Document",
    "Embedding",
    "Event",
    "Feedback",
    "Finding",
    "Folder",
    "Message",
    "Passage",
    "Publication",
    "Session",
    "SessionQuerySet",
    "Snapshot",
    "Transition",
    "Turn",
    "TurnStatus",
]
