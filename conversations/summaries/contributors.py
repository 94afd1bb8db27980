"""Registry of contributors: what other apps know of a conversation, for its summary."""

from collections.abc import Callable
from dataclasses import dataclass

from conversations.models import Session


@dataclass(frozen=True, slots=True, kw_only=True)
class Contribution:
    """What one app knows of a conversation, up to its latest turn. Sentences are Markdown in the reader's language."""

    topics: tuple[str, ...] = ()
    """Titles of what was taught, in the order in which it was begun."""
    learned: tuple[str, ...] = ()
    """Those of them that were mastered."""
    result: str = ""
    """How many questions were answered, and how, in a sentence; empty if none was."""
    open_points: tuple[str, ...] = ()
    """What was begun and not finished, in sentences."""
    next_step: str = ""
    """What comes next, in a sentence; empty if that is not known."""


type Contributor = Callable[[Session], Contribution]
"""Reads the records, in a thread with database access. Turns that were replaced count for nothing."""

_contributors: dict[str, Contributor] = {}


def register_contributor(app: str, contributor: Contributor) -> None:
    """Register an app's contributor, while apps start; registering twice is harmless."""
    _contributors[app] = contributor


def contributions(session: Session) -> list[Contribution]:
    """Return what every app knows of the conversation."""
    return [contributor(session) for contributor in _contributors.values()]
