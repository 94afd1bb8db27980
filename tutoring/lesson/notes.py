"""What side agents noted for this turn: findings to mention, what the learner seems to need."""

from dataclasses import dataclass
from typing import Literal

from agents.engine.hub import Finding
from tutoring.courses.catalogue import Milestone
from tutoring.lesson.drawing_facts import DrawingFacts

type Wanted = Literal["", "simplify", "hint_soon", "represent", "break_choice", "ask_attempt"]
"""What the pace asks for, see `tutoring.side_agents.affect`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MilestoneProgress:
    """The learner's progress on the milestones of the topic."""

    milestone: Milestone | None = None
    """The first that is not reached; None if all are, or there are none."""
    untold: Milestone | None = None
    """The first that is reached now, and was not told yet."""
    done: int = 0
    total: int = 0
    attempts: int = 0
    """Answers to questions since it is the current one; a message, a hint or "I don't know" does not count."""
    seconds: float = 0.0
    """Seconds since then."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Notes:
    """An instance without notes is valid, too."""

    findings: tuple[Finding, ...] = ()
    """Those for this turn's instructions, already cut to their limit."""
    told: tuple[int, ...] = ()
    """Keys of their rows."""
    to_test: str = ""
    """A misconception in words or a drawing whose case was not shown yet."""
    test_row: int | None = None
    """The row of its finding."""
    to_tell_apart: bool = False
    """Whether two or more misconceptions may explain what was said, and no question has told them apart yet."""
    wanted: Wanted = ""
    mood_row: int | None = None
    """The row of the finding behind `wanted`."""
    progress: MilestoneProgress = MilestoneProgress()
    seen: DrawingFacts | None = None
