"""A connected model's reading of a message: the form that it fills in. Nothing of it counts before `merging` has checked it."""

from dataclasses import dataclass
from typing import Final, Literal

from pydantic import BaseModel, ConfigDict, Field

from tutoring.understanding.message_analysis import Intent, MessageAnalysis, Mood

EXACT: Final = 0.999
"""The probability of what code has found exactly, at least: a bare answer by its value, a command by its words.

A message that says anything beside them is less likely to be just that.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class AllowedMove:
    """Something that the team may do now; which one is done a model may choose."""

    id: str
    line: str
    """What it is, in one line."""


class _ReadingPart(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class IntentRead(_ReadingPart):
    intent: Intent
    probability: float = Field(ge=0, le=1)


class AnswerRead(_ReadingPart):
    to: int
    """The number of what was asked, as the model was told it, from 1."""
    quote: str


class MisconceptionRead(_ReadingPart):
    id: str
    quote: str
    sure: bool = False


class MilestoneRead(_ReadingPart):
    id: str
    quote: str


class ConcernRead(_ReadingPart):
    kind: Literal["none", "danger_now", "harm_to_self", "harm_by_others", "unsafe_request"] = "none"
    quote: str = ""


class ModelReading(_ReadingPart):
    """What a model reads in a message. A field that it leaves out is empty; quotes are spans of the message, as it says."""

    intents: tuple[IntentRead, ...] = ()
    wish: str = ""
    """The question or wish in the message, quoted."""
    topic: str = ""
    """What the wish is about: course and concept, "fractions/one-half"."""
    feeling: Mood = "ok"
    answers: tuple[AnswerRead, ...] = ()
    misconceptions: tuple[MisconceptionRead, ...] = ()
    milestones: tuple[MilestoneRead, ...] = ()
    concern: ConcernRead = ConcernRead()
    answered_by_passages: bool | None = None
    move: str = ""
    """The id of an `AllowedMove`."""


def is_worth_asking(text: str, analysis: MessageAnalysis) -> bool:
    """Tell whether a model is asked: not of a bare answer or an exact command, nor where somebody surely is in danger."""
    if not text.strip() or (analysis.concern is not None and analysis.concern.is_sure):
        return False
    return not is_exact(analysis)


def is_exact(analysis: MessageAnalysis) -> bool:
    """Tell whether code has found exactly what the message does."""
    return bool(analysis.intents) and analysis.intents[0][1] >= EXACT
