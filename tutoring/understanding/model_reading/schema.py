"""The schema of a connected model's reading of a message. Nothing of it counts before `merge` has checked it."""

from dataclasses import dataclass
from typing import Final, Literal

from pydantic import BaseModel, ConfigDict, Field

from tutoring.understanding.message_analysis import Intent, MessageAnalysis, Mood

# A message that holds more than a bare answer or a command is less likely to be just that, and a model may read it.
EXACT: Final = 0.999
"""Minimum probability of an intent that code found exactly: a bare answer, a command."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AllowedMove:
    """A move that is allowed now; a model may choose one."""

    id: str
    line: str
    """Its description, in one line."""


class _ReadingPart(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class IntentRead(_ReadingPart):
    intent: Intent
    probability: float = Field(ge=0, le=1)


class AnswerRead(_ReadingPart):
    to: int
    """The number of the prompt in the request, from 1."""
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
    """A model's reading of a message. Omitted fields are empty; quotes should be spans of the message."""

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
    """Tell whether to ask a model: not for a bare answer, an exact command, or a sure concern."""
    if not text.strip() or (analysis.concern is not None and analysis.concern.is_sure):
        return False
    return not is_exact(analysis)


def is_exact(analysis: MessageAnalysis) -> bool:
    """Tell whether code found the intent exactly."""
    return bool(analysis.intents) and analysis.intents[0][1] >= EXACT
