"""What the panel's agents are given: made by the app that knows the subjects and the learner."""

import uuid
from collections.abc import Callable
from dataclasses import dataclass

from agents.engine.roles import accept_all
from agents.llm.base import Image
from conversations.panel.results import Classification, Connection, Insight


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownTerm:
    """A term of a course or of the shipped list."""

    name: str
    category: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LearningHistory:
    """What can be said about the person's learning, from their records."""

    insights: tuple[Insight, ...] = ()
    connections: tuple[Connection, ...] = ()
    next_steps: tuple[str, ...] = ()
    missing: str = ""
    """What would have to be there to say more; empty if there is enough."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AttachedPicture:
    """A picture sent with the message."""

    document_id: uuid.UUID
    image: Image | None = None
    """None if no model may see it."""
    others: int = 0
    """How many more pictures were sent with the message; they are not looked at."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PanelFacts:
    """Everything the panel decides by, in one turn."""

    turn_id: str
    text: str
    classification: Classification
    terms: tuple[KnownTerm, ...] = ()
    """Terms besides the shipped ones."""
    history: LearningHistory = LearningHistory()
    picture: AttachedPicture | None = None
    refers_to: str = ""
    """The concept of an earlier message that this one is about without naming it: "How does it learn?"."""
    said_before: str = ""
    """What the team has said in the conversation lately."""
    guard: Callable[[str], str] = accept_all
    """Takes a model's words; returns why they must not be shown, in one word, or empty."""
