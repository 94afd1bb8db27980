"""How far a pupil is with an assignment: rules over what happened, without the database."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from tutoring.models import Assignment

type State = Literal["not_started", "working", "missed_goal", "done"]
"""`missed_goal`: a quiz was finished below the percentage to reach."""
type Sight = Literal["progress", "done", "nothing"]
"""What teachers see of a pupil: how far they are, whether they are done, or nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkFacts:
    """What is known of one pupil's work on one assignment."""

    started_at: datetime | None = None
    read_at: datetime | None = None
    handed_in_at: datetime | None = None
    mastered: Sequence[datetime | None] = ()
    """Of each topic: when it was first mastered."""
    has_worked: bool = False
    """Whether there are answers on one of the topics since the assignment began."""
    answers: Sequence[datetime] = ()
    """When the counted answers were given, oldest first."""
    answered: int = 0
    """Of a quiz's present try."""
    right: int = 0
    earlier: Sequence[int] = ()
    """The right answers of a quiz's earlier tries, the first one first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """How far a pupil is."""

    state: State
    done: int
    """Parts that are done, of `total`: topics, answers, questions."""
    total: int
    done_at: datetime | None = None
    right: int | None = None
    """Right answers of a quiz that is finished; of several tries, the most."""
    tries: Sequence[int] = ()
    """The right answers of each finished try at a quiz."""
    is_late: bool = False
    """Done after it was due, or not done although it was."""

    @property
    def is_done(self) -> bool:
        return self.state == "done"

    @property
    def is_over(self) -> bool:
        """Whether there is nothing left to do."""
        return self.state in ("done", "missed_goal")

    @property
    def percent(self) -> int:
        """Return the right answers of a finished quiz in percent; 0 otherwise."""
        return round(100 * (self.right or 0) / self.total) if self.total else 0


def sight_of(assignment: Assignment) -> Sight:
    """Return what the class has agreed that its teachers see; of hidden progress, what pupils were told."""
    if assignment.classroom.policy.shows_levels:
        return "progress"
    return "done" if assignment.tells_done else "nothing"


def progress_from(assignment: Assignment, facts: WorkFacts, *, total: int, now: datetime) -> Progress:
    """Return how far the pupil is. `total` counts the topics of a path or the questions of a quiz."""
    match assignment.kind:
        case Assignment.Kind.QUIZ:
            done, done_at = facts.answered, facts.handed_in_at
        case Assignment.Kind.READING:
            done, done_at, total = int(facts.read_at is not None), facts.read_at, 1
        case Assignment.Kind.CONCEPT if assignment.goal_number:
            total = assignment.goal_number
            done = min(len(facts.answers), total)
            done_at = facts.answers[total - 1] if done == total else None
        case _:
            times = [each for each in facts.mastered if each is not None]
            done, done_at = len(times), max(times) if times and len(times) == total else None
    began = facts.started_at is not None or facts.has_worked or facts.answered > 0
    state: State = "done" if done_at is not None else "working" if began else "not_started"
    is_quiz = assignment.kind == Assignment.Kind.QUIZ
    tries = (*facts.earlier, *([facts.right] if done_at is not None else [])) if is_quiz else ()
    best = max(tries) if is_quiz and done_at is not None else None
    if best is not None and 100 * best < (assignment.goal_number or 0) * total:
        state = "missed_goal"
    return Progress(
        state=state,
        done=done,
        total=total,
        done_at=done_at,
        right=best,
        tries=tries,
        is_late=(done_at or now) > assignment.due_at,
    )
