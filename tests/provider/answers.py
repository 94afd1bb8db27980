"""What the stand-in answers: scripted answers, and which of them a request gets."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from tests.provider.model_request import ProviderRequest
from tests.provider.schemas import smallest_value

ToolCall = tuple[str, Any]
"""A tool's name, and its arguments: as a value, or as a string that is sent as it is, broken or not."""

Calls = tuple[tuple[str, str], ...]
"""Names, and arguments as they go over the wire."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    text: str = ""
    """Streamed in pieces of one word."""
    tools: tuple[ToolCall, ...] = ()
    object: Any = None
    """Sent as JSON text in the place of `text`."""
    stop: Literal["", "length", "refused"] = ""
    """Why it stopped, where it was not done and asks for no tool."""
    status: int = 200
    """Anything else is an error of this status, with `text` as its message."""
    headers: Mapping[str, str] | None = None
    first_delay_s: float = 0.0
    """Between the headers and the first piece."""
    gap_s: float | None = None
    """Between pieces; None takes the provider's pace."""
    burst: bool = False
    """Whether all pieces leave in one write."""
    fault: str = ""
    """As in `Fault.parse`."""
    after: int | None = None
    """The fault strikes after so many pieces."""

    @property
    def said(self) -> str:
        return self.text if self.object is None else json.dumps(self.object, ensure_ascii=False)

    @property
    def calls(self) -> Calls:
        return tuple((name, args if isinstance(args, str) else json.dumps(args)) for name, args in self.tools)


Answering = Answer | Callable[[ProviderRequest], Answer]


class AnswerScripts:
    """Answers per agent, told apart by words of their system prompts. Each list is played in order; its last repeats."""

    def __init__(self, otherwise: Answering) -> None:
        self.otherwise = otherwise
        self._lists: dict[str, tuple[Answering, ...]] = {}
        self._played: dict[str, int] = {}

    def script(self, match: str, *answers: Answering) -> None:
        """Answer so whoever's system prompt holds these words; nothing where there are no answers."""
        self._lists[match], self._played[match] = answers, 0
        if not answers:
            del self._lists[match]

    def answer(self, asked: ProviderRequest, *, play: bool) -> Answer:
        """Return the answer to a request; `play` moves its list on."""
        match = next((words for words in self._lists if words in asked.system), None)
        if match is None:
            answering = self.otherwise
        else:
            answers, played = self._lists[match], self._played[match]
            answering = answers[min(played, len(answers) - 1)]
            self._played[match] += play
        return answering if isinstance(answering, Answer) else answering(asked)


def sensible_answer(asked: ProviderRequest) -> Answer:
    """Return what a well-behaved model might say: an object of the shape that is asked for, or a tutor's sentence."""
    if asked.schema is not None:
        return Answer(object=smallest_value(asked.schema))
    if asked.shape:
        return Answer(object={})
    return Answer(text="Thank you, that helps me see how you think about it. What would you try first?")


def answer_from(value: Any) -> Answer:
    """Read an answer from JSON: its text alone, or its fields by name. Raise TypeError for unknown ones."""
    if isinstance(value, str):
        return Answer(text=value)
    fields = dict(value)
    fields["tools"] = tuple((name, args) for name, args in fields.get("tools", ()))
    return Answer(**fields)


def scripts_from(value: Mapping[str, Any]) -> dict[str, tuple[Answer, ...]]:
    """Read scripts from JSON: words of the system prompt → a list of answers. The empty words stand for everybody."""
    return {match: tuple(answer_from(answer) for answer in answers) for match, answers in value.items()}
