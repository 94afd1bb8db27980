"""Study sessions for the free slots before a test: spread evenly, reviews when they are due, the last day for review."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Literal

from tutoring.planner.times.free_time import FreeSlot


@dataclass(frozen=True, slots=True, kw_only=True)
class DueReview:
    concept: str
    """The concept's id."""
    due_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class PathConcept:
    concept: str
    """The concept's id."""
    sessions: int
    """How many sessions it needs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Deadline:
    """A test, or any time by which the plan has to be done."""

    at: datetime
    concept: str | None = None
    """What is tested, if it is one concept."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyRequest:
    slots: Sequence[FreeSlot]
    """Within the person's hours, in the person's zone, sorted, without overlaps."""
    session_minutes: int
    path: Sequence[PathConcept] = ()
    """What is to be learned, in order."""
    reviews: Sequence[DueReview] = ()
    deadline: Deadline | None = None
    most_a_day: int = 2
    days_off: frozenset[date] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedSession:
    start: datetime
    end: datetime
    concept: str | None
    """`None` for a review of everything before a test without a concept."""
    purpose: Literal["learn", "review", "test_review"]
    why: str
    """The reason in words, translated."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyPlan:
    sessions: tuple[PlannedSession, ...]
    """Sorted by start."""
    unplanned: tuple[tuple[str, int], ...]
    """Concepts that do not fit, with how many of their sessions."""


def plan_study(request: StudyRequest) -> StudyPlan:
    """Return sessions inside the slots and before the deadline. The same request gives the same plan.

    Raises ValueError if the session's length or the number a day is not positive.
    """
    raise NotImplementedError
