"""What the teaching roles' turns result in."""

from collections.abc import Iterable

from pydantic import BaseModel, ConfigDict, Field, InstanceOf

from tutoring.courses.instances import Instance


class NewQuestion(BaseModel):
    """A question put to the learner in this turn. Never on the wire: it holds its answer."""

    model_config = ConfigDict(frozen=True)

    exercise: InstanceOf[Instance]
    number: int
    total: int | None
    cycle: int


class Spoken(BaseModel):
    """A turn of a role that speaks to the learner."""

    model_config = ConfigDict(frozen=True)

    spoke: bool = Field(False, exclude=True)
    """It said something, so that whoever speaks after it begins a paragraph of their own."""


def spoke_before(results: Iterable[BaseModel | None]) -> bool:
    """Tell whether any of the roles that ran before has said something in this run."""
    return any(isinstance(result, Spoken) and result.spoke for result in results)


class TutorTurn(Spoken):
    move: str
    piece: str = ""
    misconception: str = ""


class QuizTurn(Spoken):
    move: str
    question_id: str = ""
    new_question: NewQuestion | None = Field(None, exclude=True)


class FeedbackTurn(Spoken):
    mastered: bool
    right: int
    asked: int
    cycle: int
    next_concept: str = ""
