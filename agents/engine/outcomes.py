"""Outcomes: how one agent ended, or that it was switched off, as a value, never an exception."""

from dataclasses import field

from pydantic import BaseModel

from agents.errors import ErrorType, LLMError
from agents.llm.token_usage import Usage
from agents.values import value


@value
class Answered:
    """The agent answered."""

    agent: str
    result: BaseModel | None
    text: str
    """Everything the agent said, joined."""
    ms: float
    """Wall time from start to end, in milliseconds."""
    began_ms: float = 0.0
    """When it started, in milliseconds after the run; the same in all outcomes."""
    tries: int = 1
    waits: bool = False
    """The agent needs the learner's next message before the graph continues."""
    usage: Usage = field(default_factory=lambda: Usage(backend="offline"))
    prompt_version: str = ""
    degraded: bool = False
    """A model failed: authored words replace its words, or follow them."""
    remarks: tuple[str, ...] = ()
    """What happened to the model's words, in order: `leak`, `cut`, `LLMTruncated`."""
    failure: type[LLMError] | None = None
    """How its model failed, where authored words or code's result replace the model's; None if they do not."""


@value
class TimedOut:
    """The agent ran out of time."""

    agent: str
    text: str
    """What was said before the time ran out."""
    ms: float
    after_s: float
    began_ms: float = 0.0
    tries: int = 1
    prompt_version: str = ""

    error_type: ErrorType = "timeout"
    message: str = "took too long"
    recoverable: bool = True


@value
class Failed:
    """The agent failed with an error."""

    agent: str
    text: str
    ms: float
    error_type: ErrorType
    message: str
    """Safe to show. Never an exception's own text, which may contain keys or paths."""
    recoverable: bool
    began_ms: float = 0.0
    tries: int = 1
    prompt_version: str = ""


@value
class Refused:
    """The model refused to answer, and gave a reason."""

    agent: str
    text: str
    ms: float
    began_ms: float = 0.0
    tries: int = 1
    prompt_version: str = ""

    error_type: ErrorType = "api_error"
    message: str = "declined to answer"
    recoverable: bool = False


Outcome = Answered | TimedOut | Failed | Refused


@value
class SwitchedOff:
    """The agent did not run because an admin has switched it off for this person. This is not an error."""

    agent: str
    message: str = "switched off"
