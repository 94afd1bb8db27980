"""What side agents noted for this turn: findings to mention, what the learner seems to need."""

from dataclasses import dataclass
from typing import Literal

from agents.engine.hub import Finding
from tutoring.courses.catalogue import Milestone
from tutoring.lesson.drawing_facts import DrawingFacts

type Wanted = Literal["", "simplify", "hint_soon", "represent", "break_choice", "ask_attempt"]
"""What the pace asks for: `tutoring.side_agents.affect`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MilestoneProgress:
    """How far the learner is with the milestones of what is taught."""

    milestone: Milestone | None = None
    """The first that is not reached; None where all are, or there are none."""
    untold: Milestone | None = None
    """The first that is reached by now, and was not told yet."""
    done: int = 0
    total: int = 0
    attempts: int = 0
    """Answers to questions since it is the current one; a message, a hint or "I don't know" is none."""
    seconds: float = 0.0
    """Since then."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Notes:
    """Nothing noticed is a value too."""

    findings: tuple[Finding, ...] = ()
    """Those for this turn's instructions, already cut to their room."""
    told: tuple[int, ...] = ()
    """Keys of their rows."""
    to_test: str = ""
    """A misconception that words or a drawing showed, and whose case was not shown yet."""
    test_row: int | None = None
    """The row of the finding that it rests on."""
    to_tell_apart: bool = False
    """Two wrong ideas or more could be behind what was said, and no question has told them apart yet."""
    wanted: Wanted = ""
    mood_row: int | None = None
    """The row of the finding that `wanted` rests on."""
    progress: MilestoneProgress = MilestoneProgress()
    seen: DrawingFacts | None = None
