"""Models of conversations and uploaded documents."""

from conversations.models.contacts import Contact
from conversations.models.conversation import (
    EXCERPT_LENGTH,
    KEY_MAX_LENGTH,
    OPEN_STATUSES,
    TEXT_MAX_LENGTH,
    TITLE_MAX_LENGTH,
    UNTOLD_KEY,
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
from conversations.models.library import Document, Embedding, Folder, Passage, Publication
from conversations.models.phone import PhoneCall, PhoneCode, PhoneLink
from conversations.models.round_table import (
    REMARK_LENGTH,
    TAKEN_BY_SUMMARY,
    Collaborator,
    RoundTableLimits,
    TableRemark,
)
from conversations.models.side_agents import SELF_REPORT, Analysis, Snapshot
from conversations.models.summaries import ConversationSummary
from conversations.models.v1_deprecation import V1Deprecation
from conversations.models.v1_storage import DIGEST_LENGTH, Capture, StorageTask, V1Import, V1RowProblem

__all__ = [
    "DIGEST_LENGTH",
    "EXCERPT_LENGTH",
    "KEY_MAX_LENGTH",
    "OPEN_STATUSES",
    "REMARK_LENGTH",
    "SELF_REPORT",
    "TAKEN_BY_SUMMARY",
    "TEXT_MAX_LENGTH",
    "TITLE_MAX_LENGTH",
    "UNTOLD_KEY",
    "Analysis",
    "Capture",
    "Collaborator",
    "Contact",
    "ConversationSummary",
    "Document",
    "Embedding",
    "Event",
    "Feedback",
    "Finding",
    "Folder",
    "Message",
    "Passage",
    "PhoneCall",
    "PhoneCode",
    "PhoneLink",
    "Publication",
    "RoundTableLimits",
    "Session",
    "SessionQuerySet",
    "Snapshot",
    "StorageTask",
    "TableRemark",
    "Transition",
    "Turn",
    "TurnStatus",
    "V1Deprecation",
    "V1Import",
    "V1RowProblem",
]
