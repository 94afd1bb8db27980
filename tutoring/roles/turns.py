"""What the teaching roles' turns result in."""

from pydantic import BaseModel, ConfigDict, Field


class NewQuestion(BaseModel):
    """A question put to the learner in this turn. Never on the wire: its template and seed tell the answer."""

    model_config = ConfigDict(frozen=True)

    template: str
    seed: int
    concept: str
    number: int
    total: int | None
    cycle: int


class TutorTurn(BaseModel):
    model_config = ConfigDict(frozen=True)

    move: str
    piece: str = ""
    misconception: str = ""


class QuizTurn(BaseModel):
    model_config = ConfigDict(frozen=True)

    move: str
    question_id: str = ""
    new_question: NewQuestion | None = Field(None, exclude=True)


class FeedbackTurn(BaseModel):
    model_config = ConfigDict(frozen=True)

    mastered: bool
    right: int
    asked: int
    cycle: int
    next_concept: str = ""
