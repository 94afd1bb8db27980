"""The results of the teaching roles' turns."""

from collections.abc import Iterable
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, InstanceOf

from tutoring.courses.exercises.exercise import Exercise


class NewQuestion(BaseModel):
    """A question asked in this turn. Never sent to clients: it contains its answer."""

    model_config = ConfigDict(frozen=True)

    exercise: InstanceOf[Exercise]
    number: int
    total: int | None
    """The planned number of questions; of a placement the maximum."""
    concept: str
    """What is taught: the lesson's concept, or the detour's."""
    purpose: Literal["quiz", "practice", "placement"] = "quiz"
    from_before: bool = False
    """Whether it is a review of something mastered earlier."""
    checks_claim: bool = False
    """Whether it checks what the learner has said to know."""


class PresentedExample(BaseModel):
    """An example on a concept that was shown in this turn."""

    model_config = ConfigDict(frozen=True)

    concept: str
    id: str


class SpokenTurn(BaseModel):
    """The result of a role that speaks to the learner."""

    model_config = ConfigDict(frozen=True)

    spoke: bool = Field(False, exclude=True)
    """Whether it said something, so that the next speaker starts a new paragraph."""
    elsewhere: bool = Field(False, exclude=True)
    """The lesson goes on elsewhere: the open question is closed, and the team starts again with the tutor."""
    example: PresentedExample | None = Field(None, exclude=True)


def spoke_before(results: Iterable[BaseModel | None]) -> bool:
    """Tell whether any role that ran before has said something in this run."""
    return any(isinstance(result, SpokenTurn) and result.spoke for result in results)


class TutorTurn(SpokenTurn):
    new_question: NewQuestion | None = Field(None, exclude=True)
    """The step that a piece asks."""
    ends: bool = Field(False, exclude=True)
    """Nothing is left to say in this lesson: the path planner says what comes next."""
    move: str
    piece: str = ""
    begins: str = Field("", exclude=True)
    """The concept whose round of explanation starts in this turn; empty otherwise."""
    misconception: str = ""
    overrode: dict[int, str] = Field({}, exclude=True)
    """Findings that the tutor has overridden, by row, each with the reason."""


class QuizTurn(SpokenTurn):
    move: str
    question_id: str = ""
    doubted: str = Field("", exclude=True)
    """The prerequisite of a detour."""
    new_question: NewQuestion | None = Field(None, exclude=True)


class ConceptGap(BaseModel):
    """Mistakes with one pattern, named as one thing to learn."""

    model_config = ConfigDict(frozen=True)

    concept: str
    words: str


class FeedbackTurn(SpokenTurn):
    mastered: bool
    right: int
    asked: int
    concept: str = Field("", exclude=True)
    """What was taught: the lesson's concept, or the detour's."""
    cycle: int
    spent: bool = Field(False, exclude=True)
    """Whether the last cycle ended without mastery."""
    next_concept: str = ""
    asks: str = ""
    """The move that it ends on; empty if another role asks next."""
    gaps: tuple[ConceptGap, ...] = Field((), exclude=True)


class PlacementOutcome(BaseModel):
    """The outcome of a finished placement."""

    model_config = ConfigDict(frozen=True)

    ended: str
    questions: int
    level: str
    probabilities: dict[str, float]
    """Concept id → initial probability (0–1)."""
    gaps: list[dict[str, Any]]
    """`{concept, current, required}`, mastery scores."""
    recommendations: list[dict[str, Any]]
    """`{kind, concepts, reason}`."""


class DiagnosticTurn(SpokenTurn):
    course: str
    topic: str
    words: str = Field("", exclude=True)
    """What the learner said when they named the topic."""
    ended: str
    """How the placement ended; empty while it is under way."""
    asked: int
    level: str
    new_question: NewQuestion | None = Field(None, exclude=True)
    begins: bool = Field(False, exclude=True)
    """Whether the topic was named in this turn."""
    set_aside: bool = Field(False, exclude=True)
    """Whether it replaces other goals."""
    placed: PlacementOutcome | None = Field(None, exclude=True)


class PathTurn(SpokenTurn):
    next_topic: str = ""
    reason: str = ""
