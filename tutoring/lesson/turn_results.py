"""What the teaching roles' turns result in."""

from collections.abc import Iterable
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, InstanceOf

from tutoring.courses.exercises.exercise import Exercise


class NewQuestion(BaseModel):
    """A question put to the learner in this turn. Never on the wire: it holds its answer."""

    model_config = ConfigDict(frozen=True)

    exercise: InstanceOf[Exercise]
    number: int
    total: int | None
    concept: str
    """What is taught: the lesson's concept, or the one of its detour."""
    purpose: Literal["quiz", "practice", "placement"] = "quiz"
    from_before: bool = False
    """It is on something mastered earlier, to see that it stays."""


class PresentedExample(BaseModel):
    """An example on a concept that was shown in this turn."""

    model_config = ConfigDict(frozen=True)

    concept: str
    id: str


class SpokenTurn(BaseModel):
    """A turn of a role that speaks to the learner."""

    model_config = ConfigDict(frozen=True)

    spoke: bool = Field(False, exclude=True)
    """It said something, so that whoever speaks after it begins a paragraph of their own."""
    elsewhere: bool = Field(False, exclude=True)
    """The lesson goes on elsewhere: what was asked is put away, and the team begins anew with the tutor."""
    example: PresentedExample | None = Field(None, exclude=True)


def spoke_before(results: Iterable[BaseModel | None]) -> bool:
    """Tell whether any of the roles that ran before has said something in this run."""
    return any(isinstance(result, SpokenTurn) and result.spoke for result in results)


class TutorTurn(SpokenTurn):
    ends: bool = Field(False, exclude=True)
    """Nothing is left to say in this lesson: what comes next is the path planner's."""
    move: str
    piece: str = ""
    begins: str = Field("", exclude=True)
    """The concept of which a round's explanation begins with this turn; empty in any other."""
    misconception: str = ""
    overrode: dict[int, str] = Field({}, exclude=True)
    """Rows of findings that the tutor has gone another way than, each with the reason."""


class QuizTurn(SpokenTurn):
    move: str
    question_id: str = ""
    doubted: str = Field("", exclude=True)
    """The prerequisite that a detour goes back to."""
    new_question: NewQuestion | None = Field(None, exclude=True)


class ConceptGap(BaseModel):
    """Mistakes of one pattern, named as one thing to learn."""

    model_config = ConfigDict(frozen=True)

    concept: str
    words: str


class FeedbackTurn(SpokenTurn):
    mastered: bool
    right: int
    asked: int
    concept: str = Field("", exclude=True)
    """What was taught: the lesson's concept, or the one of its detour."""
    cycle: int
    spent: bool = Field(False, exclude=True)
    """The last cycle has gone by without mastery."""
    next_concept: str = ""
    asks: str = ""
    """The move that it ends on; empty where somebody else asks next."""
    gaps: tuple[ConceptGap, ...] = Field((), exclude=True)


class PlacementOutcome(BaseModel):
    """What a placement that is over came to."""

    model_config = ConfigDict(frozen=True)

    ended: str
    questions: int
    level: str
    probabilities: dict[str, float]
    """Concept id → probability (0–1) to begin with."""
    gaps: list[dict[str, Any]]
    """`{concept, current, required}`, mastery scores."""
    recommendations: list[dict[str, Any]]
    """`{kind, concepts, reason}`."""


class DiagnosticTurn(SpokenTurn):
    course: str
    topic: str
    words: str = Field("", exclude=True)
    """What the learner said when they named it."""
    ended: str
    """How the placement ended; empty while it is under way."""
    asked: int
    level: str
    new_question: NewQuestion | None = Field(None, exclude=True)
    begins: bool = Field(False, exclude=True)
    """The topic was named in this turn."""
    set_aside: bool = Field(False, exclude=True)
    """It comes in the place of other goals."""
    placed: PlacementOutcome | None = Field(None, exclude=True)


class PathTurn(SpokenTurn):
    next_topic: str = ""
    reason: str = ""
